//! First fit and best fit in the order of the starts, in n log n.
//!
//! In that order everything alive at an item's start is what the item conflicts with, so the free
//! bytes can be kept as a list of gaps: a start takes bytes, an end gives them back.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use memplan_packing::{Budget, Packing, Stop};

use crate::count;
use crate::greedy::clock;
use crate::order::{BY_START, order};
use crate::problem::Problem;

/// Packs a plain problem.
pub(crate) fn by_start(
    problem: &Problem<'_>,
    best: bool,
    budget: &Budget,
) -> Result<Packing, Stop> {
    let items = &problem.instance.items;
    let mut clock = clock(budget);
    let mut gaps = Gaps::new(best, &problem.instance.reserved);
    // A plain problem has one item for each composite, with the same number.
    let mut offsets = vec![0; items.len()];
    let mut ends: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    for id in order(problem, BY_START) {
        clock()?;
        let item = &items[id as usize];
        let hull = item.hull();
        while let Some(&Reverse((end, dead))) = ends.peek() {
            if end > hull.start {
                break;
            }
            ends.pop();
            let lo = offsets[dead as usize];
            gaps.free(lo, lo + items[dead as usize].size);
        }
        if item.size == 0 {
            offsets[id as usize] = 0;
            continue;
        }
        let found =
            if best { gaps.best(item.size, item.align) } else { gaps.first(item.size, item.align) };
        let (gap, base) = found.ok_or(Stop::Failed)?;
        gaps.take(gap, base, base + item.size);
        offsets[id as usize] = base;
        ends.push(Reverse((hull.end, id)));
    }
    Ok(Packing { offsets, promoted: Vec::new() })
}

/// The free byte ranges, up to the end of 64 bits.
///
/// ```text
///   |gap|####|  gap  |##|gap|#####|   the last gap: everything above
/// ```
struct Gaps {
    /// Whether best fit asks or first fit; the index of the other one stays empty.
    for_best: bool,
    /// By length, for best fit. The last gap is by far the longest.
    by_length: BTreeSet<(u64, u64)>,
    /// By power of two of the length, then by place: for first fit, all gaps of a higher class
    /// are long enough, and of the own class about every second one.
    classes: Vec<BTreeMap<u64, u64>>,
    /// The start of the gap that ends at a place.
    by_end: BTreeMap<u64, u64>,
    /// The end of the gap that starts at a place.
    by_start: BTreeMap<u64, u64>,
}

impl Gaps {
    fn new(for_best: bool, reserved: &[std::ops::Range<u64>]) -> Self {
        let mut gaps = Self {
            for_best,
            by_length: BTreeSet::new(),
            classes: vec![BTreeMap::new(); 64],
            by_end: BTreeMap::new(),
            by_start: BTreeMap::new(),
        };
        let mut at = 0;
        for range in reserved {
            gaps.insert(at, range.start);
            at = range.end;
        }
        gaps.insert(at, u64::MAX);
        gaps
    }

    fn insert(&mut self, lo: u64, hi: u64) {
        count::step();
        if lo < hi {
            if self.for_best {
                self.by_length.insert((hi - lo, lo));
            } else {
                self.classes[(hi - lo).ilog2() as usize].insert(lo, hi);
            }
            self.by_end.insert(hi, lo);
            self.by_start.insert(lo, hi);
        }
    }

    fn remove(&mut self, lo: u64, hi: u64) {
        if self.for_best {
            self.by_length.remove(&(hi - lo, lo));
        } else {
            self.classes[(hi - lo).ilog2() as usize].remove(&lo);
        }
        self.by_end.remove(&hi);
        self.by_start.remove(&lo);
    }

    /// Takes `[lo, hi)` out of a gap.
    fn take(&mut self, gap: (u64, u64), lo: u64, hi: u64) {
        self.remove(gap.0, gap.1);
        self.insert(gap.0, lo);
        self.insert(hi, gap.1);
    }

    /// Gives `[lo, hi)` back, joined with the gaps beside it.
    fn free(&mut self, mut lo: u64, mut hi: u64) {
        if let Some(&start) = self.by_end.get(&lo) {
            self.remove(start, lo);
            lo = start;
        }
        if let Some(&end) = self.by_start.get(&hi) {
            self.remove(hi, end);
            hi = end;
        }
        self.insert(lo, hi);
    }

    /// The shortest gap that holds so many aligned bytes, and where in it.
    fn best(&self, size: u64, align: u64) -> Option<((u64, u64), u64)> {
        let gaps = self.by_length.range((size, 0)..).map(|&(length, lo)| (lo, lo + length));
        fitting(gaps, size, align).next()
    }

    /// The lowest gap that holds so many aligned bytes, and where in it.
    fn first(&self, size: u64, align: u64) -> Option<((u64, u64), u64)> {
        let classes = &self.classes[size.ilog2() as usize..];
        let first = |class: &BTreeMap<u64, u64>| {
            fitting(class.iter().map(|(&lo, &hi)| (lo, hi)), size, align).next()
        };
        classes.iter().filter_map(first).min_by_key(|&(_, base)| base)
    }
}

fn fitting(
    gaps: impl Iterator<Item = (u64, u64)>,
    size: u64,
    align: u64,
) -> impl Iterator<Item = ((u64, u64), u64)> {
    gaps.filter_map(move |(lo, hi)| {
        count::step();
        let base = lo.checked_next_multiple_of(align)?;
        let end = base.checked_add(size)?;
        (end <= hi).then_some(((lo, hi), base))
    })
}

#[cfg(test)]
mod tests {
    use memplan_packing::sample::Shape;
    use quickcheck::quickcheck;

    use super::*;
    use crate::engine::Rule;
    use crate::greedy::in_order;

    quickcheck! {
        fn the_gaps_are_those_that_the_engine_finds(seed: u64, items: u8) -> bool {
            let mut shape = Shape::plain(1 + items as usize % 60);
            (shape.aligns, shape.reserved) = (true, true);
            let instance = shape.instance(seed);
            let problem = Problem::new(&instance);
            let budget = Budget::default();
            [(false, Rule::First), (true, Rule::Best)].into_iter().all(|(best, rule)| {
                let order = order(&problem, BY_START);
                by_start(&problem, best, &budget) == in_order(&problem, order, rule, &budget)
            })
        }
    }
}
