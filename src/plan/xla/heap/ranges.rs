//! Sets of bytes as sorted ranges.

/// A set of bytes: disjoint ranges `[start, end)` that do not touch, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// Adds bytes; false when all of them were there already.
    pub(super) fn add(&mut self, start: u64, end: u64) -> bool {
        let from = self.0.partition_point(|range| range.1 < start);
        let count = self.0[from..].partition_point(|range| range.0 <= end);
        let near = &self.0[from..from + count];
        let (Some(&first), Some(&last)) = (near.first(), near.last()) else {
            self.0.insert(from, (start, end));
            return true;
        };
        if first.0 <= start && end <= first.1 {
            return false;
        }
        self.0[from] = (first.0.min(start), last.1.max(end));
        self.0.drain(from + 1..from + count);
        true
    }

    /// How far all bytes are taken when all below `stack` are.
    pub(super) fn on(&self, stack: u64) -> u64 {
        let next = self.past(stack).first().filter(|range| range.0 <= stack);
        next.map_or(stack, |range| range.1)
    }

    /// The ranges that end past an offset, in order.
    pub(super) fn past(&self, offset: u64) -> &[(u64, u64)] {
        &self.0[self.0.partition_point(|range| range.1 <= offset)..]
    }

    /// True when there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
