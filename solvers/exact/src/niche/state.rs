//! Where what is left may lie, with a trail to go back.

use super::problem::Problem;
use crate::units::Unit;

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
enum Undo {
    Least { rect: u32, least: Unit, real: Unit },
    Last { class: u32, rect: u32 },
}

/// The skyline, as seen by those who are left.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The least offset of each rectangle that is left: nothing goes below the skyline.
    pub(super) least: Vec<Unit>,
    /// The same without what was raised since the last split.
    pub(super) real: Vec<Unit>,
    /// The offsets of those placed.
    pub(super) offsets: Vec<Unit>,
    placed: Vec<Placed>,
    /// By class the rectangle placed last.
    last: Vec<u32>,
    trail: Vec<Undo>,
}

impl State {
    /// Nothing is placed.
    pub(super) fn new(problem: &Problem) -> Self {
        let n = problem.rects.len();
        Self {
            least: vec![0; n],
            real: vec![0; n],
            offsets: vec![0; n],
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
    pub(super) fn undo(&mut self, mark: usize) {
        for undo in self.trail.drain(mark..).rev() {
            match undo {
                Undo::Least { rect, least, real } => {
                    self.least[rect as usize] = least;
                    self.real[rect as usize] = real;
                }
                Undo::Last { class, rect } => self.last[class as usize] = rect,
            }
        }
    }

    fn set(&mut self, rect: u32, least: Unit, real: Unit) {
        let at = rect as usize;
        if (self.least[at], self.real[at]) != (least, real) {
            self.trail.push(Undo::Least { rect, least: self.least[at], real: self.real[at] });
            self.least[at] = least;
            self.real[at] = real;
        }
    }

    /// Places a rectangle at its least offset; `rest` is who else is left.
    pub(super) fn place(&mut self, problem: &Problem, rect: u32, rest: &[u32], how: Placed) {
        let it = &problem.rects[rect as usize];
        let offset = self.least[rect as usize];
        let end = offset + it.size;
        self.offsets[rect as usize] = offset;
        self.placed[rect as usize] = how;
        self.trail.push(Undo::Last { class: it.class, rect: self.last[it.class as usize] });
        self.last[it.class as usize] = rect;
        for &other in rest {
            let o = &problem.rects[other as usize];
            if o.lo < it.hi && it.lo < o.hi {
                let at = other as usize;
                self.set(other, self.least[at].max(end), self.real[at].max(end));
            }
        }
    }

    /// Nobody of `rest` lies below `floor` in the section.
    pub(super) fn raise(&mut self, problem: &Problem, section: u32, floor: Unit, rest: &[u32]) {
        for &other in rest {
            let o = &problem.rects[other as usize];
            if o.lo <= section && section < o.hi {
                let at = other as usize;
                self.set(other, self.least[at].max(floor), self.real[at]);
            }
        }
    }

    /// After a split what was raised counts as if something lay there.
    pub(super) fn settle(&mut self, rest: &[u32]) {
        for &rect in rest {
            let least = self.least[rect as usize];
            self.set(rect, least, least);
        }
    }

    /// Nothing is under the rectangle at its least offset, and nothing can get there.
    pub(super) fn floats(&self, rect: u32) -> bool {
        self.real[rect as usize] < self.least[rect as usize]
    }

    /// The rectangle would lie right on one of the same sections in whose stead it was refuted:
    /// swap the two and see.
    pub(super) fn swaps(&self, problem: &Problem, rect: u32, ranks: &[u32], level: u32) -> bool {
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
