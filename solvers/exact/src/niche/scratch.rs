//! Per section, what one look needs.

use crate::units::{FAR, Unit};

/// Consecutive sections in which the lifted skyline is equally high.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) lo: u32,
    pub(super) hi: u32,
    pub(super) floor: Unit,
    /// Both neighbours are higher, or nobody reaches past the end.
    pub(super) niche: bool,
}

/// Vectors by section that are filled anew by every look.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The lifted skyline: the least offset of anybody in the section.
    pub(super) low: Vec<Unit>,
    /// Where the section ends when everybody goes one over the other, least offset first.
    pub(super) end: Vec<Unit>,
    /// Units of those left.
    pub(super) rest: Vec<Unit>,
    /// Least offset of those that reach past the niche.
    pub(super) past: Vec<Unit>,
    /// Least end of those inside or reaching in that end before the section.
    pub(super) before: Vec<Unit>,
    /// Least end of those that start after it.
    pub(super) after: Vec<Unit>,
    /// How many may lie on the floor.
    pub(super) count: Vec<u32>,
    /// The index in `runs`.
    pub(super) run: Vec<u32>,
    /// The runs of the part looked at, in order.
    pub(super) runs: Vec<Run>,
    /// Who may lie on the floor of some niche.
    pub(super) inside: Vec<u32>,
    /// By twin number, the one with the best rank.
    pub(super) first: Vec<u32>,
}

impl Scratch {
    pub(super) fn new(sections: usize, rects: usize) -> Self {
        let units = || vec![0; sections];
        Self {
            low: units(),
            end: units(),
            rest: units(),
            past: units(),
            before: units(),
            after: units(),
            count: vec![0; sections],
            run: vec![0; sections],
            runs: Vec::new(),
            inside: Vec::new(),
            first: vec![u32::MAX; rects],
        }
    }

    /// Empties the sections `lo..hi`.
    pub(super) fn clear(&mut self, lo: usize, hi: usize) {
        self.low[lo..hi].fill(FAR);
        self.end[lo..hi].fill(0);
        self.rest[lo..hi].fill(0);
        self.past[lo..hi].fill(FAR);
        self.before[lo..hi].fill(FAR);
        self.after[lo..hi].fill(FAR);
        self.count[lo..hi].fill(0);
        self.runs.clear();
        self.inside.clear();
    }

    /// Fills the runs from `low`.
    pub(super) fn find_runs(&mut self, lo: usize, hi: usize) {
        let mut from = lo;
        while from < hi {
            let floor = self.low[from];
            let same = self.low[from..hi].iter().take_while(|low| **low == floor).count();
            let to = from + same;
            let walled =
                (from == lo || self.low[from - 1] > floor) && (to == hi || self.low[to] > floor);
            self.run[from..to].fill(self.runs.len() as u32);
            self.runs.push(Run { lo: from as u32, hi: to as u32, floor, niche: walled });
            from = to;
        }
    }
}
