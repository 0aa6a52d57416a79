//! Which addresses of a process are taken.

use std::collections::BTreeMap;

use super::zones::{Zone, round_up};

/// The addresses of one process that are taken, by live ranges or by what the library keeps.
///
/// A freed range is handed out again to the next request of its length; other requests get new
/// addresses until a zone is used up, then the lowest gap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Addresses {
    /// First byte to bytes; disjoint.
    taken: BTreeMap<u64, u64>,
    /// Where ranges of a length were freed.
    freed: BTreeMap<(Zone, u64), Vec<u64>>,
    /// Up to where a zone was handed out.
    cursor: BTreeMap<Zone, u64>,
}

impl Addresses {
    /// Takes `len` bytes in a zone; `None` when it has no gap.
    pub(crate) fn take(&mut self, zone: Zone, len: u64, align: u64) -> Option<u64> {
        while let Some(start) = self.freed.get_mut(&(zone, len)).and_then(Vec::pop) {
            if start.is_multiple_of(align) && self.take_at(zone, start, len) {
                return Some(start);
            }
        }
        let (first, _) = zone.bounds();
        let from = self.cursor.get(&zone).copied().unwrap_or_else(|| zone.search_from());
        if let Some(start) = self.gap(zone, from, len, align) {
            self.taken.insert(start, len);
            self.cursor.insert(zone, start + len);
            return Some(start);
        }
        let start = self.gap(zone, first, len, align)?;
        self.taken.insert(start, len);
        Some(start)
    }

    /// Takes exactly these bytes; false when one of them is taken or outside.
    pub(crate) fn take_at(&mut self, zone: Zone, start: u64, len: u64) -> bool {
        let (first, last) = zone.bounds();
        let Some(end) = start.checked_add(len) else { return false };
        let fits = len > 0 && start >= first && end <= last && self.met(start, end).is_none();
        if fits {
            self.taken.insert(start, len);
        }
        fits
    }

    /// Gives back what starts at `start`.
    pub(crate) fn give(&mut self, zone: Zone, start: u64) {
        if let Some(len) = self.taken.remove(&start) {
            self.freed.entry((zone, len)).or_default().push(start);
        }
    }

    /// All that is taken: first byte and bytes.
    pub(crate) fn taken(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.taken.iter().map(|(&start, &len)| (start, len))
    }

    /// The last taken range that meets `[start, end)`.
    fn met(&self, start: u64, end: u64) -> Option<(u64, u64)> {
        let (&at, &len) = self.taken.range(..end).next_back()?;
        (at.saturating_add(len) > start).then_some((at, len))
    }

    /// The lowest gap at or behind `from`.
    fn gap(&self, zone: Zone, from: u64, len: u64, align: u64) -> Option<u64> {
        let (first, last) = zone.bounds();
        let mut start = round_up(from.max(first), align);
        loop {
            let end = start.checked_add(len).filter(|&end| end <= last)?;
            let Some((at, taken)) = self.met(start, end) else { return Some(start) };
            start = round_up(at.saturating_add(taken), align);
        }
    }
}
