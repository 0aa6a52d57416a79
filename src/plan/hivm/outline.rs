//! The outline: the scope as a row of bounds, each with the lives of all that lies there (4.8).
//!
//! ```text
//!   plain:  | A | B | free |  + C over A and B  ->  | C: lives A+B+C | tail of B | free |
//!   split:                                      ->  | A+C | B+C      | tail of B | free |
//! ```

use super::Life;
use super::lives::union;

/// What lies last in a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// A slot.
    Slot(usize),
    /// A slot that this slot got by promotion (4.10).
    Promoted(usize),
}

impl Holder {
    /// The slot whose entry it belongs to.
    pub(super) fn slot(self) -> usize {
        match self {
            Self::Slot(slot) | Self::Promoted(slot) => slot,
        }
    }
}

/// A stretch of the scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) offset: u64,
    pub(super) extent: u64,
    pub(super) lives: Vec<Life>,
    pub(super) last: Option<Holder>,
}

/// What a placement changed, to undo it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    at: usize,
    made: usize,
    replaced: Vec<Bound>,
}

/// Bounds that cover a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    pub(super) bounds: Vec<Bound>,
}

impl Outline {
    pub(super) fn new(capacity: u64) -> Self {
        let all = Bound { offset: 0, extent: capacity, lives: Vec::new(), last: None };
        Self { bounds: vec![all] }
    }

    /// Puts `size` bits at the start of bound `i`, over bounds `i` to `j`.
    pub(super) fn put(
        &mut self,
        (i, j): (usize, usize),
        (holder, size, lives): (Holder, u64, &[Life]),
        split: bool,
    ) -> Change {
        let old = &self.bounds[i..=j];
        let offset = old[0].offset;
        let held: u64 = old.iter().map(|b| b.extent).sum();
        // Less than asked only for a promoted slot at the end of the scope (4.10).
        let size = size.min(held);
        let with = |bounds: &[Bound]| {
            let under = bounds.iter().flat_map(|b| b.lives.iter().copied());
            union(lives.iter().copied().chain(under).collect())
        };
        let last = Some(holder);
        let mut made = Vec::new();
        if split {
            let mut left = size;
            for bound in old {
                let extent = bound.extent.min(left);
                left -= extent;
                let lives = with(std::slice::from_ref(bound));
                made.push(Bound { offset: bound.offset, extent, lives, last });
            }
        } else {
            made.push(Bound { offset, extent: size, lives: with(old), last });
        }
        if let Some(under) = old.last().filter(|_| held > size) {
            let (lives, last) = (under.lives.clone(), under.last);
            made.push(Bound { offset: offset + size, extent: held - size, lives, last });
        }
        let count = made.len();
        let replaced = self.bounds.splice(i..=j, made).collect();
        Change { at: i, made: count, replaced }
    }

    /// Undoes the last change that is not undone yet.
    pub(super) fn take_back(&mut self, change: Change) {
        self.bounds.splice(change.at..change.at + change.made, change.replaced);
    }

    /// The bound that starts at an offset.
    pub(super) fn starting_at(&self, offset: u64) -> Option<usize> {
        self.bounds.binary_search_by_key(&offset, |b| b.offset).ok()
    }

    /// The bounds from `i` on that hold `size` bits, or all there are.
    pub(super) fn reach(&self, i: usize, size: u64) -> usize {
        let mut held = 0;
        for (j, bound) in self.bounds.iter().enumerate().skip(i) {
            held += bound.extent;
            if held >= size {
                return j;
            }
        }
        self.bounds.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(start: i64, end: i64, buffer: u32) -> Vec<Life> {
        vec![Life { start, end, buffer }]
    }

    /// Offset, extent, lives.
    type Row = (u64, u64, Vec<(i64, i64)>);

    fn row(outline: &Outline) -> Vec<Row> {
        let lives = |b: &Bound| b.lives.iter().map(|l| (l.start, l.end)).collect();
        outline.bounds.iter().map(|b| (b.offset, b.extent, lives(b))).collect()
    }

    /// Two neighbours of 10, then 15 over both: plain unites their lives, split keeps them apart,
    /// and both leave a tail of 5 with the lives of the second.
    #[test]
    fn a_placement_over_two_bounds_can_be_undone() {
        let mut outline = Outline::new(100);
        outline.put((0, 0), (Holder::Slot(0), 10, &life(0, 1, 0)), false);
        outline.put((1, 1), (Holder::Slot(1), 10, &life(4, 5, 1)), false);
        let before = outline.clone();
        let tail = [(15, 5, vec![(4, 5)]), (20, 80, vec![])];

        let change = outline.put((0, 1), (Holder::Slot(2), 15, &life(8, 9, 2)), false);
        let mut plain = vec![(0, 15, vec![(0, 1), (4, 5), (8, 9)])];
        plain.extend(tail.clone());
        assert_eq!(row(&outline), plain);
        assert_eq!(outline.bounds[1].last, Some(Holder::Slot(1)), "the tail keeps its last entry");
        outline.take_back(change);
        assert_eq!(outline, before);

        let change = outline.put((0, 1), (Holder::Slot(2), 15, &life(8, 9, 2)), true);
        let mut split = vec![(0, 10, vec![(0, 1), (8, 9)]), (10, 5, vec![(4, 5), (8, 9)])];
        split.extend(tail);
        assert_eq!(row(&outline), split);
        outline.take_back(change);
        assert_eq!(outline, before);
    }
}
