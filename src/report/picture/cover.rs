//! How many bytes some ranges hold together, while ranges come and go.

/// Bytes covered by ranges of a fixed set: a tree over their ends, each node with the number of ranges
/// that hold all of it.
///
/// ```text
///   ends      0        64   96       192
///             |  leaf  | leaf |  leaf  |      a range covers whole leaves
/// ```
#[derive(Debug)]
pub(super) struct Cover {
    ends: Vec<u64>,
    count: Vec<u32>,
    bytes: Vec<u64>,
}

impl Cover {
    /// A cover for ranges that begin and end at these addresses.
    pub(super) fn new(mut ends: Vec<u64>) -> Self {
        ends.sort_unstable();
        ends.dedup();
        let nodes = 4 * ends.len().max(1);
        Self { ends, count: vec![0; nodes], bytes: vec![0; nodes] }
    }

    /// The bytes covered now.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.get(1).copied().unwrap_or(0)
    }

    /// A range comes; its ends are among those given.
    pub(super) fn add(&mut self, start: u64, end: u64) {
        self.change(start, end, true);
    }

    /// A range goes that came before.
    pub(super) fn remove(&mut self, start: u64, end: u64) {
        self.change(start, end, false);
    }

    fn change(&mut self, start: u64, end: u64, comes: bool) {
        let from = self.ends.partition_point(|e| *e < start);
        let to = self.ends.partition_point(|e| *e < end);
        if from < to {
            self.walk(1, (0, self.ends.len() - 1), (from, to), comes);
        }
    }

    /// `node` holds the leaves `[within.0, within.1)`. As deep as the logarithm of the number of ends.
    fn walk(&mut self, node: usize, within: (usize, usize), range: (usize, usize), comes: bool) {
        let (low, high) = within;
        if range.1 <= low || high <= range.0 {
            return;
        }
        if range.0 <= low && high <= range.1 {
            let count = self.count[node];
            self.count[node] =
                if comes { count.saturating_add(1) } else { count.saturating_sub(1) };
        } else {
            let middle = low.midpoint(high);
            self.walk(2 * node, (low, middle), range, comes);
            self.walk(2 * node + 1, (middle, high), range, comes);
        }
        self.bytes[node] = if self.count[node] > 0 {
            self.ends[high] - self.ends[low]
        } else if high - low == 1 {
            0
        } else {
            self.bytes[2 * node] + self.bytes[2 * node + 1]
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;
    use std::collections::BTreeSet;

    quickcheck! {
        fn bytes_are_those_of_a_set_of_bytes(ranges: Vec<(u8, u8)>, goes: Vec<bool>) -> bool {
            let ranges: Vec<(u64, u64)> = ranges
                .iter()
                .map(|(a, b)| (u64::from(*a.min(b)), u64::from(*a.max(b))))
                .collect();
            let ends = ranges.iter().flat_map(|(a, b)| [*a, *b]).collect();
            let mut cover = Cover::new(ends);
            ranges.iter().for_each(|(a, b)| cover.add(*a, *b));
            let gone = |at: usize| goes.get(at).copied().unwrap_or(false);
            for (at, (a, b)) in ranges.iter().enumerate() {
                if gone(at) {
                    cover.remove(*a, *b);
                }
            }
            let left = ranges.iter().enumerate().filter(|(at, _)| !gone(*at));
            let set: BTreeSet<u64> = left.flat_map(|(_, (a, b))| *a..*b).collect();
            cover.bytes() == set.len() as u64
        }
    }
}
