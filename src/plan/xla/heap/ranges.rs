//! Sets of bytes as sorted ranges.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

/// A set of bytes: disjoint ranges `[start, end)` that do not touch, by their ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// Adds bytes; false when all of them were there already.
    pub(super) fn add(&mut self, start: u64, end: u64) -> bool {
        let (mut from, mut to) = (start, end);
        while let Some((&last, &first)) = self.0.range(from..).next() {
            if first > to {
                break;
            }
            if first <= start && end <= last {
                return false;
            }
            self.0.remove(&last);
            (from, to) = (from.min(first), to.max(last));
        }
        self.0.insert(to, from);
        true
    }

    /// The end of the range that starts at 0; 0 when there is none.
    pub(super) fn stack(&self) -> u64 {
        self.0.first_key_value().filter(|range| *range.1 == 0).map_or(0, |range| *range.0)
    }

    /// The ranges that end past an offset, in order.
    pub(super) fn past(&self, offset: u64) -> impl Iterator<Item = (u64, u64)> {
        self.0.range((Excluded(offset), Unbounded)).map(|(&end, &start)| (start, end))
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
