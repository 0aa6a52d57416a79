//! Which values an allocation holds when, and a quick answer to "not there".
//!
//! A buffer is offered to every reusable allocation in turn (9.2). In a training step there are thousands of
//! both, and nearly all offers fail because the allocation is in use. So the clock is cut into
//! [`BLOCKS`] blocks, and a bit per allocation and block says that it is in use in some of it, or in all
//! of it: 64 allocations are refused with one look at the blocks of the buffer. A refusal is sure; what is
//! left is looked at exactly.

use std::collections::BTreeSet;

use crate::analyze::hlo::{Range, ValueId};

/// The ranges of the values of one allocation. They meet at their ends at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Occupied(BTreeSet<(u32, u32, ValueId)>);

impl Occupied {
    pub(super) fn insert(&mut self, value: ValueId, range: Range) {
        self.0.insert((range.start, range.end, value));
    }

    /// The values whose ranges have a time in common with that one, ends included, with their ranges.
    pub(super) fn meeting(&self, range: Range) -> impl Iterator<Item = (ValueId, Range)> {
        // Ranges that only meet at their ends are in the same order by start and by end.
        let until = (range.end, u32::MAX, ValueId(u32::MAX));
        self.0
            .range(..=until)
            .rev()
            .take_while(move |&&(_, end, _)| end >= range.start)
            .map(|&(start, end, value)| (value, Range { start, end }))
    }
}

/// How many parts the clock has.
const BLOCKS: usize = 512;

/// 64 allocations: who is in use in some or all of each block.
#[derive(Clone, Debug)]
struct Word {
    some: Vec<u64>,
    all: Vec<u64>,
}

/// The bits of all reusable allocations, in the order in which they were added.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    width: u32,
    len: usize,
    words: Vec<Word>,
}

/// A block that a buffer is alive in; true when in all of it.
type Part = (usize, bool);

impl Blocks {
    /// For a clock with times `0..=end`.
    pub(super) fn new(end: u32) -> Self {
        let width = end.div_ceil(BLOCKS as u32).max(1);
        Self { width, len: 0, words: Vec::new() }
    }

    /// The ordinal of a new allocation.
    pub(super) fn add(&mut self) -> usize {
        if self.len.is_multiple_of(64) {
            self.words.push(Word { some: vec![0; BLOCKS], all: vec![0; BLOCKS] });
        }
        self.len += 1;
        self.len - 1
    }

    /// Allocation `ordinal` is in use during `range`.
    pub(super) fn occupy(&mut self, ordinal: usize, range: Range) {
        let bit = 1 << (ordinal % 64);
        let parts: Vec<Part> = self.parts(range).collect();
        let Some(word) = self.words.get_mut(ordinal / 64) else { return };
        for (block, whole) in parts {
            word.some[block] |= bit;
            if whole {
                word.all[block] |= bit;
            }
        }
    }

    /// The ordinals of allocations that may be free during all of `ranges`, last added first.
    pub(super) fn candidates(&self, ranges: &[Range]) -> impl Iterator<Item = usize> {
        let mut parts: Vec<Part> = ranges.iter().flat_map(|&range| self.parts(range)).collect();
        parts.sort_unstable();
        parts.dedup();
        (0..self.words.len()).rev().flat_map(move |at| {
            let used = parts.iter().fold(0, |used, &(block, whole)| {
                let word = &self.words[at];
                used | if whole { word.some[block] } else { word.all[block] }
            });
            let here = (self.len - at * 64).min(64);
            let mut free = !used & (u64::MAX >> (64 - here));
            std::iter::from_fn(move || {
                let bit = free.checked_ilog2()?;
                free &= !(1 << bit);
                Some(at * 64 + bit as usize)
            })
        })
    }

    /// The blocks in which a range holds bytes between two times: ranges that meet at an end have no such
    /// moment in common. A range of one time is in its block, unless it may meet a range that fills the
    /// block at its end.
    fn parts(&self, range: Range) -> impl Iterator<Item = Part> + use<> {
        let width = self.width;
        let Range { start, end } = range;
        let blocks = match start == end {
            true if start.is_multiple_of(width) => 0..0,
            true => start / width..start / width + 1,
            false => start / width..end.div_ceil(width),
        };
        blocks.map(move |block| {
            let from = block.saturating_mul(width);
            let whole = start <= from && from.saturating_add(width) <= end;
            ((block as usize).min(BLOCKS - 1), whole)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u32, end: u32) -> Range {
        Range { start, end }
    }

    #[test]
    fn a_refusal_is_sure() {
        // Every pair of ranges over a short and a long clock.
        for end in [7, 1_500] {
            let times: Vec<u32> = (0..=6).map(|at| at * end / 6).collect();
            let ranges = times.iter().flat_map(|&s| times.iter().map(move |&e| (s, e)));
            let ranges: Vec<Range> =
                ranges.filter(|(s, e)| s <= e).map(|(s, e)| range(s, e)).collect();
            for a in &ranges {
                let mut blocks = Blocks::new(end);
                let ordinal = blocks.add();
                blocks.occupy(ordinal, *a);
                for b in &ranges {
                    let refused = blocks.candidates(&[*b]).next().is_none();
                    let overlap = a.start < b.end && b.start < a.end;
                    assert!(!refused || overlap, "{a:?} {b:?}");
                    assert!(refused || !overlap || a.start == a.end || b.start == b.end);
                }
            }
        }
    }

    #[test]
    fn candidates_come_last_added_first() {
        let mut blocks = Blocks::new(10);
        (0..130).for_each(|_| _ = blocks.add());
        blocks.occupy(100, range(2, 5));
        let found: Vec<usize> = blocks.candidates(&[range(3, 4)]).collect();
        let wanted: Vec<usize> = (0..130).rev().filter(|&at| at != 100).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_range_meets_those_that_touch_it() {
        let mut held = Occupied::default();
        for (value, (start, end)) in (0..).zip([(0, 3), (3, 3), (3, 8), (9, 12)]) {
            held.insert(ValueId(value), range(start, end));
        }
        let met = |s, e| held.meeting(range(s, e)).map(|(v, _)| v.0).collect::<Vec<_>>();
        assert_eq!(met(3, 3), [2, 1, 0]);
        assert_eq!(met(8, 9), [3, 2]);
        assert_eq!(met(4, 5), [2]);
        assert_eq!(met(13, 20), [0_u32; 0]);
    }
}
