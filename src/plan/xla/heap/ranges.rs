//! Sets of bytes as sorted ranges.

/// A set of bytes: disjoint ranges `[start, end)` that do not touch, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// Adds bytes; false when all of them were there already.
    pub(super) fn add(&mut self, start: u64, end: u64) -> bool {
        let from = self.0.partition_point(|range| range.1 < start);
        let to = from + self.0[from..].partition_point(|range| range.0 <= end);
        let Some((&first, &last)) = self.0.get(from).zip(self.0[..to].last()).filter(|_| from < to)
        else {
            self.0.insert(from, (start, end));
            return true;
        };
        if first.0 <= start && end <= first.1 {
            return false;
        }
        self.0[from] = (first.0.min(start), last.1.max(end));
        self.0.drain(from + 1..to);
        true
    }

    /// The ranges.
    pub(super) fn as_slice(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
