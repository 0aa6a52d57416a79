//! Who is left, in parts that nobody crosses between.

use super::problem::Problem;

/// A stretch of the list of rectangles, and the sections that they live in.
///
/// Whoever is placed moves to the end of the stretch, which shrinks by one; a split sorts the
/// stretch and cuts it. So a part is the same set again when the search comes back to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) lo: u32,
    pub(super) hi: u32,
    /// How often the problem has been split.
    pub(super) level: u32,
}

impl Part {
    /// The part without `rect`, which is moved behind it.
    pub(super) fn without(self, list: &mut [u32], rect: u32) -> Self {
        let stretch = &mut list[self.from..self.to];
        if let Some(at) = stretch.iter().position(|&r| r == rect) {
            stretch.swap(at, self.to - self.from - 1);
        }
        Self { to: self.to - 1, ..self }
    }

    /// Cuts where nobody crosses from one section to the next, or at sections without anybody.
    ///
    /// ```text
    ///    a ----    |   c ------       a, b | c, d: the bar is a cut
    ///       b ---- |     d ------
    /// ```
    ///
    /// `parts` gets all parts, or nothing when there is only one that fills all sections.
    pub(super) fn split<L>(
        self,
        problem: &Problem<L>,
        list: &mut [u32],
        crossing: &[u32],
        parts: &mut Vec<Self>,
    ) {
        if !crossing[self.lo as usize + 1..self.hi as usize].contains(&0) {
            return;
        }
        let stretch = &mut list[self.from..self.to];
        stretch.sort_unstable_by_key(|&r| (problem.rects[r as usize].lo, r));
        let mut from = self.from;
        while from < self.to {
            let lo = problem.rects[list[from] as usize].lo;
            let (mut to, mut hi) = (from, lo);
            while to < self.to && (to == from || problem.rects[list[to] as usize].lo < hi) {
                hi = hi.max(problem.rects[list[to] as usize].hi);
                to += 1;
            }
            parts.push(Self { from, to, lo, hi, level: self.level + 1 });
            from = to;
        }
    }
}
