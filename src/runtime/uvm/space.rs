//! Managed addresses: what is allocated, what was, and where the next allocation goes.

use std::collections::{BTreeMap, BTreeSet};

use super::{BASE, WINDOW};

/// A live allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Its first byte.
    pub start: u64,
    /// Bytes as requested.
    pub len: u64,
    /// Bytes of its pages.
    pub rounded: u64,
}

/// What the machine keeps of an allocation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allocation {
    len: u64,
    rounded: u64,
    /// Pages of it that were swapped out, with repetitions.
    pub(super) swapped: u64,
    /// Of these, how many came back within the window of thrashing.
    pub(super) refaults: u64,
    /// Pages that prefetches moved, with repetitions.
    pub(super) prefetched: u64,
}

/// Allocations take the lowest gap that is large enough, so that everything below `high` is
/// allocated or was.
#[derive(Clone, Debug)]
pub(super) struct Space {
    live: BTreeMap<u64, Allocation>,
    /// Start and length of gaps below `high`; no two touch.
    gaps: BTreeMap<u64, u64>,
    high: u64,
    /// Starts of allocations that are gone, and that no later one covers.
    gone: BTreeSet<u64>,
}

impl Default for Space {
    fn default() -> Self {
        Self { live: BTreeMap::new(), gaps: BTreeMap::new(), high: BASE, gone: BTreeSet::new() }
    }
}

impl Space {
    /// Takes addresses for `rounded` bytes; `None` when there are not so many in one piece.
    pub(super) fn take(&mut self, len: u64, rounded: u64) -> Option<u64> {
        let gap = self.gaps.iter().find(|&(_, &room)| room >= rounded).map(|(&s, &room)| (s, room));
        let start = if let Some((start, room)) = gap {
            self.gaps.remove(&start);
            if room > rounded {
                self.gaps.insert(start + rounded, room - rounded);
            }
            start
        } else {
            // Past the end; a gap that ends there is part of the room.
            let last = self.gaps.last_key_value().filter(|&(&s, &room)| s + room == self.high);
            let start = last.map_or(self.high, |(&start, _)| start);
            let end = start.checked_add(rounded).filter(|&end| end <= BASE + WINDOW)?;
            self.gaps.remove(&start);
            self.high = end;
            start
        };
        let covered: Vec<u64> = self.gone.range(start..start + rounded).copied().collect();
        for old in covered {
            self.gone.remove(&old);
        }
        self.live.insert(start, Allocation { len, rounded, ..Allocation::default() });
        Some(start)
    }

    /// Gives the addresses of an allocation back.
    pub(super) fn give(&mut self, start: u64) -> Option<(Range, Allocation)> {
        let old = self.live.remove(&start)?;
        self.gone.insert(start);
        let (mut from, mut to) = (start, start + old.rounded);
        if let Some((&first, &room)) = self.gaps.range(..from).next_back()
            && first + room == from
        {
            self.gaps.remove(&first);
            from = first;
        }
        if let Some(room) = self.gaps.remove(&to) {
            to += room;
        }
        self.gaps.insert(from, to - from);
        Some((Range { start, len: old.len, rounded: old.rounded }, old))
    }

    /// The live allocation around an address.
    pub(super) fn around(&self, address: u64) -> Option<Range> {
        let (&start, old) = self.live.range(..=address).next_back()?;
        let inside = address - start < old.rounded;
        inside.then_some(Range { start, len: old.len, rounded: old.rounded })
    }

    /// What is kept of the allocation that starts at an address.
    pub(super) fn get_mut(&mut self, start: u64) -> Option<&mut Allocation> {
        self.live.get_mut(&start)
    }

    /// True when an allocation that is gone started there.
    pub(super) fn was_start(&self, address: u64) -> bool {
        self.gone.contains(&address)
    }

    /// True when the address belonged to an allocation that is gone.
    pub(super) fn was_freed(&self, address: u64) -> bool {
        address < self.high && self.around(address).is_none()
    }

    /// Starts of all live allocations.
    pub(super) fn starts(&self) -> Vec<u64> {
        self.live.keys().copied().collect()
    }

    /// True when nothing is allocated.
    pub(super) fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// All live allocations.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range> {
        self.live.iter().map(|(&start, a)| Range { start, len: a.len, rounded: a.rounded })
    }
}
