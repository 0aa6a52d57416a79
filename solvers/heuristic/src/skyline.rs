//! Lowest first on a skyline, near n log n.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use memplan_packing::sections::Sections;
use memplan_packing::{Budget, Packing, Stop};

use crate::greedy::clock;
use crate::problem::Problem;

/// Repeatedly places the composite that can lie lowest on top of what is placed; among those the
/// one with the largest priority.
///
/// ```text
///   bytes             +-----+
///         +----+      |  b  |            the skyline is the upper edge; nothing is ever put
///         | a  |------+-----+            below it, so one number for each section of time is
///         |    |    c       |            all there is to know
///         +----+------------+--> time
/// ```
///
/// A heap holds a lower bound of each composite's place. The skyline only rises, so a bound that
/// still holds when it is the smallest one is the place.
pub(crate) fn lowest_first(
    problem: &Problem<'_>,
    sections: &Sections,
    priority: &[u128],
    budget: &Budget,
) -> Result<Packing, Stop> {
    let mut clock = clock(budget);
    let mut skyline = Skyline::new(sections.len());
    let mut bases = vec![0; problem.len()];
    let mut heap: BinaryHeap<Reverse<(u64, u128, u32)>> = BinaryHeap::with_capacity(problem.len());
    for composite in problem.movable() {
        let base = problem.composites.lowest(composite, 0).ok_or(Stop::Failed)?;
        heap.push(Reverse((base, u128::MAX - priority[composite as usize], composite)));
    }
    while let Some(mut top) = heap.peek_mut() {
        clock()?;
        let Reverse((known, rank, composite)) = *top;
        let members = problem.members(composite);
        let mut floor = 0;
        for m in members {
            for range in sections.of(m.item) {
                floor = floor.max(skyline.top(range).saturating_sub(m.delta));
            }
        }
        if floor > known {
            let base = problem.composites.lowest(composite, floor).ok_or(Stop::Failed)?;
            // In place of the old one: one sift instead of two.
            *top = Reverse((base, rank, composite));
            continue;
        }
        std::collections::binary_heap::PeekMut::pop(top);
        bases[composite as usize] = known;
        for m in members {
            for range in sections.of(m.item) {
                skyline.raise(range, known + m.delta + m.size);
            }
        }
    }
    Ok(problem.packing(&bases))
}

/// The upper edge by section: a segment tree with the largest value under each node (`most`) and
/// what holds for all sections under it (`all`).
struct Skyline {
    most: Vec<u64>,
    all: Vec<u64>,
    leaves: usize,
}

impl Skyline {
    fn new(sections: usize) -> Self {
        let leaves = sections.next_power_of_two();
        Self { most: vec![0; 2 * leaves], all: vec![0; 2 * leaves], leaves }
    }

    /// The highest edge in the range: walks up from both ends; every node passed on the way adds
    /// what holds for all below it.
    fn top(&self, range: &Range<u32>) -> u64 {
        let (mut l, mut r) = (self.leaves + range.start as usize, self.leaves + range.end as usize);
        let (mut first, mut last) = (l, r - 1);
        let mut top = 0;
        while l < r {
            if l % 2 == 1 {
                top = top.max(self.most[l]);
                l += 1;
            }
            if r % 2 == 1 {
                r -= 1;
                top = top.max(self.most[r]);
            }
            (l, r) = (l / 2, r / 2);
        }
        while first > 0 {
            top = top.max(self.all[first]).max(self.all[last]);
            (first, last) = (first / 2, last / 2);
        }
        top
    }

    /// Raises every edge in the range to at least `to`.
    fn raise(&mut self, range: &Range<u32>, to: u64) {
        let (mut l, mut r) = (self.leaves + range.start as usize, self.leaves + range.end as usize);
        let (mut first, mut last) = (l / 2, (r - 1) / 2);
        while l < r {
            if l % 2 == 1 {
                self.lift(l, to);
                l += 1;
            }
            if r % 2 == 1 {
                r -= 1;
                self.lift(r, to);
            }
            (l, r) = (l / 2, r / 2);
        }
        while first > 0 {
            for node in [first, last] {
                self.most[node] = self.most[node].max(to);
            }
            (first, last) = (first / 2, last / 2);
        }
    }

    fn lift(&mut self, node: usize, to: u64) {
        self.most[node] = self.most[node].max(to);
        self.all[node] = self.all[node].max(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_packing::random::SplitMix64;

    #[test]
    fn the_tree_is_a_row_of_numbers() {
        let mut random = SplitMix64::new(7);
        for size in 1..20u64 {
            let (mut tree, mut row) = (Skyline::new(size as usize), vec![0; size as usize]);
            for _ in 0..60 {
                let a = random.below(size) as u32;
                let range = a..a + 1 + random.below(size - u64::from(a)) as u32;
                let at = range.start as usize..range.end as usize;
                assert_eq!(tree.top(&range), row[at.clone()].iter().copied().max().unwrap_or(0));
                let to = random.below(100);
                row[at].iter_mut().for_each(|edge| *edge = to.max(*edge));
                tree.raise(&range, to);
            }
        }
    }
}
