//! Where what is left may lie, with a trail to go back.

use std::ops::Range;

use super::level::Level;
use super::problem::Problem;

/// No rectangle.
const NONE: u32 = u32::MAX;

/// How a rectangle came to its place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placed {
    /// Every rectangle of the same sections and lower rank was refuted there before.
    pub(super) chosen: bool,
    /// How often the problem had been split.
    pub(super) level: u32,
}

#[derive(Clone, Copy, Debug)]
enum Undo<L> {
    Least { rect: u32, least: L, real: L },
    Place { rect: u32, last: u32 },
}

/// The skyline, as seen by those who are left.
#[derive(Clone, Debug)]
pub(super) struct State<L> {
    /// The least offset of each rectangle that is left: nothing goes below the skyline.
    pub(super) least: Vec<L>,
    /// The same without what was raised since the last split.
    real: Vec<L>,
    /// The offsets of those placed.
    pub(super) offsets: Vec<L>,
    /// Units of those left, by section.
    pub(super) rest: Vec<L>,
    /// How many of those left live both in section `k - 1` and in section `k`, by `k`.
    pub(super) crossing: Vec<u32>,
    /// All sections in which anything changed since somebody emptied this range.
    pub(super) changed: Range<u32>,
    placed: Vec<Placed>,
    /// By class the rectangle placed last.
    last: Vec<u32>,
    trail: Vec<Undo<L>>,
}

impl<L: Level> State<L> {
    /// Nothing is placed.
    pub(super) fn new(problem: &Problem<L>) -> Self {
        let n = problem.rects.len();
        let mut crossing = vec![0; problem.loads.len() + 1];
        for rect in &problem.rects {
            let inner = rect.lo as usize + 1..rect.hi as usize;
            crossing[inner].iter_mut().for_each(|count| *count += 1);
        }
        Self {
            least: vec![L::default(); n],
            real: vec![L::default(); n],
            offsets: vec![L::default(); n],
            rest: problem.loads.iter().map(|&load| L::of(load)).collect(),
            crossing,
            changed: 0..0,
            placed: vec![Placed::default(); n],
            last: vec![NONE; problem.classes],
            trail: Vec::new(),
        }
    }

    /// A mark to come back to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Goes back to a mark.
    pub(super) fn undo(&mut self, problem: &Problem<L>, mark: usize) {
        while self.trail.len() > mark {
            let Some(undo) = self.trail.pop() else { return };
            match undo {
                Undo::Least { rect, least, real } => {
                    self.touch(problem, rect);
                    self.least[rect as usize] = least;
                    self.real[rect as usize] = real;
                }
                Undo::Place { rect, last } => {
                    self.touch(problem, rect);
                    let it = &problem.rects[rect as usize];
                    let (lo, hi) = (it.lo as usize, it.hi as usize);
                    self.rest[lo..hi].iter_mut().for_each(|rest| *rest += it.size);
                    self.crossing[lo + 1..hi].iter_mut().for_each(|count| *count += 1);
                    self.last[it.class as usize] = last;
                }
            }
        }
    }

    /// The sections of the rectangle have changed.
    fn touch(&mut self, problem: &Problem<L>, rect: u32) {
        let it = &problem.rects[rect as usize];
        self.change(it.lo..it.hi);
    }

    /// These sections are to be looked at anew.
    pub(super) fn change(&mut self, sections: Range<u32>) {
        self.changed = if self.changed.is_empty() {
            sections
        } else {
            self.changed.start.min(sections.start)..self.changed.end.max(sections.end)
        };
    }

    fn set(&mut self, problem: &Problem<L>, rect: u32, least: L, real: L) {
        let at = rect as usize;
        if (self.least[at], self.real[at]) != (least, real) {
            self.trail.push(Undo::Least { rect, least: self.least[at], real: self.real[at] });
            self.least[at] = least;
            self.real[at] = real;
            self.touch(problem, rect);
        }
    }

    /// Places a rectangle at its least offset; `rest` is who else is left.
    pub(super) fn place(&mut self, problem: &Problem<L>, rect: u32, rest: &[u32], how: Placed) {
        let it = problem.rects[rect as usize];
        let offset = self.least[rect as usize];
        let end = offset + it.size;
        self.offsets[rect as usize] = offset;
        self.placed[rect as usize] = how;
        let (lo, hi) = (it.lo as usize, it.hi as usize);
        self.rest[lo..hi].iter_mut().for_each(|rest| *rest -= it.size);
        self.crossing[lo + 1..hi].iter_mut().for_each(|count| *count -= 1);
        self.trail.push(Undo::Place { rect, last: self.last[it.class as usize] });
        self.last[it.class as usize] = rect;
        self.touch(problem, rect);
        for &other in rest {
            let (lo, hi) = problem.spans[other as usize];
            let at = other as usize;
            if lo < it.hi && it.lo < hi && self.real[at] < end {
                self.set(problem, other, self.least[at].max(end), end);
            }
        }
    }

    /// Nobody of `rest` lies below `floor` in the section.
    pub(super) fn raise(&mut self, problem: &Problem<L>, section: u32, floor: L, rest: &[u32]) {
        for &other in rest {
            let (lo, hi) = problem.spans[other as usize];
            let at = other as usize;
            if lo <= section && section < hi && self.least[at] < floor {
                self.set(problem, other, floor, self.real[at]);
            }
        }
    }

    /// After a split what was raised counts as if something lay there.
    pub(super) fn settle(&mut self, problem: &Problem<L>, rest: &[u32]) {
        for &rect in rest {
            let least = self.least[rect as usize];
            self.set(problem, rect, least, least);
        }
    }

    /// Nothing is under the rectangle at its least offset, and nothing can get there.
    pub(super) fn floats(&self, rect: u32) -> bool {
        self.real[rect as usize] < self.least[rect as usize]
    }

    /// The rectangle would lie right on one of the same sections in whose stead it was refuted:
    /// swap the two and see.
    pub(super) fn swaps(&self, problem: &Problem<L>, rect: u32, ranks: &[u32], level: u32) -> bool {
        let below = self.last[problem.rects[rect as usize].class as usize];
        if below == NONE {
            return false;
        }
        let (at, how) = (below as usize, self.placed[below as usize]);
        how.chosen
            && how.level == level
            && self.offsets[at] + problem.rects[at].size == self.least[rect as usize]
            && ranks[rect as usize] < ranks[at]
    }
}
