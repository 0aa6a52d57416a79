//! Per section, who is left and how low: kept up to date where something changed.

use std::ops::Range;

use super::level::Level;
use super::part::Part;
use super::problem::Problem;
use super::state::State;

/// What is known of each section.
#[derive(Clone, Debug, Default)]
pub(super) struct Skyline<L: Level> {
    /// The lifted skyline: the least offset of anybody left in the section.
    pub(super) low: Vec<L>,
    /// Where the section ends when everybody goes one over the other, least offset first.
    end: Vec<L>,
    order: Vec<L::Pair>,
}

impl<L: Level> Skyline<L> {
    pub(super) fn new(sections: usize) -> Self {
        let units = || vec![L::default(); sections];
        Self { low: units(), end: units(), order: Vec::new() }
    }

    /// Lifts the skyline to the least offset in every section of a range and checks the room above
    /// it; answers a section that is too full.
    ///
    /// ```text
    ///      +--+      +--+        In the gap lives only c, which reaches over a: the skyline of the
    ///      |  |      |  |        gap is lifted to the top of a.
    ///   ---+  +------+  +---     Everybody in a section lies one over the other. Taken least
    ///      a    c lives in       offset first, they end as low as they can: that must be within
    ///      ^^^^^^^^              the capacity.
    /// ```
    pub(super) fn lift(
        &mut self,
        problem: &Problem<L>,
        state: &State<L>,
        left: &[u32],
        range: Range<u32>,
        capacity: L,
        release: bool,
    ) -> Option<u32> {
        let all = range.start as usize..range.end as usize;
        self.low[all.clone()].fill(L::FAR);
        self.end[all.clone()].fill(L::default());
        self.order.clear();
        for &r in left {
            let (lo, hi) = problem.spans[r as usize];
            if lo < range.end && range.start < hi {
                self.order.push(state.least[r as usize].with(r));
            }
        }
        self.order.sort_unstable();
        // The first one in a section is its lowest.
        let mut open = all.clone();
        for &pair in &self.order {
            let (at, r) = L::parts(pair);
            let (lo, hi) = problem.spans[r as usize];
            let span = lo.max(range.start) as usize..hi.min(range.end) as usize;
            let news = span.start.max(open.start)..span.end.min(open.end);
            if !news.is_empty() {
                for low in &mut self.low[news] {
                    *low = at.min(*low);
                }
                if span.start <= open.start {
                    open.start = span.end.max(open.start);
                } else if span.end >= open.end {
                    open.end = span.start;
                }
            }
            if release {
                let size = problem.rects[r as usize].size;
                for end in &mut self.end[span] {
                    *end = at.max(*end) + size;
                }
            }
        }
        // A section without anybody is a wall.
        let full = |&at: &usize| {
            let (low, rest) = (self.low[at], state.rest[at]);
            self.end[at] > capacity || rest > L::default() && low + rest > capacity
        };
        all.into_iter().find(full).map(|at| at as u32)
    }

    /// The stretch of equal height around a section of a part.
    pub(super) fn stretch(&self, part: Part, section: u32) -> Range<u32> {
        let height = self.low[section as usize];
        let (mut lo, mut hi) = (section, section + 1);
        while lo > part.lo && self.low[lo as usize - 1] == height {
            lo -= 1;
        }
        while hi < part.hi && self.low[hi as usize] == height {
            hi += 1;
        }
        lo..hi
    }

    /// True when both ends of a stretch meet a wall or the end of the part.
    pub(super) fn walled(&self, part: Part, stretch: &Range<u32>) -> bool {
        let height = self.low[stretch.start as usize];
        let left = stretch.start == part.lo || self.low[stretch.start as usize - 1] > height;
        left && (stretch.end == part.hi || self.low[stretch.end as usize] > height)
    }
}
