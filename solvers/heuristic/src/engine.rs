//! Places composites one by one beside what has been placed.

use std::ops::Range;

use memplan_packing::ItemId;
use memplan_packing::composite::Member;

use crate::placed::{Entry, Placed, SpanTree};
use crate::problem::Problem;

/// Bases that a placed item or a reserved range forbids.
///
/// ```text
///   placed item              |#######|
///   lowest clear above it            |composite|
///   highest clear below      |
///                  |composite|
///   forbidden bases:  ^...........^              (one base for each dot)
/// ```
#[derive(Clone, Copy, Debug)]
struct Forbidden {
    lo: u64,
    hi: u64,
    /// The one base in between that in-place allows: the start of the partner.
    hole: Option<u64>,
}

impl Forbidden {
    /// The bases at which the member shares a byte with `lo..hi`.
    fn new(m: Member, lo: u64, hi: u64, in_place: bool) -> Option<Self> {
        let hole = if in_place { lo.checked_sub(m.delta) } else { None };
        let (lo, hi) = ((lo + 1).saturating_sub(m.delta + m.size), hi.saturating_sub(m.delta));
        (lo < hi).then_some(Self { lo, hi, hole })
    }
}

/// Which of the free places to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The partner of an in-place pair, else the lowest.
    First,
    /// The partner of an in-place pair, else the smallest gap, the lowest of equal ones; the room
    /// above everything is taken last.
    Best,
    /// The lowest, in-place or not.
    Lowest,
    /// The partner of an in-place pair, else above everything that is in the way.
    Above,
    /// The one that adds the least pair cost, the lowest of equal ones; ends up to the limit are
    /// preferred to others.
    Cheapest {
        /// The limit.
        limit: u64,
    },
}

/// A packing in the making.
pub(crate) struct Engine<'p, 'a> {
    pub(crate) problem: &'p Problem<'a>,
    placed: Placed,
    /// Base of each composite that is placed.
    bases: Vec<Option<u64>>,
    /// Placed items that are alone.
    alone: Vec<ItemId>,
    /// Costs by item: the partner and the cost. Empty unless costs count.
    costs: Vec<Vec<(ItemId, u64)>>,
    forbidden: Vec<Forbidden>,
    /// False for every item outside of a look around.
    marks: Vec<bool>,
}

impl<'p, 'a> Engine<'p, 'a> {
    /// An engine with nothing placed.
    pub(crate) fn new(problem: &'p Problem<'a>) -> Self {
        Self {
            problem,
            placed: Placed::new(problem),
            bases: vec![None; problem.len()],
            alone: Vec::new(),
            costs: Vec::new(),
            forbidden: Vec::new(),
            marks: vec![false; problem.instance.items.len()],
        }
    }

    /// An engine that knows the pair costs, as [`Rule::Cheapest`] demands.
    pub(crate) fn with_costs(problem: &'p Problem<'a>) -> Self {
        let mut costs = vec![Vec::new(); problem.instance.items.len()];
        for c in &problem.instance.costs {
            costs[c.first as usize].push((c.second, c.cost));
            costs[c.second as usize].push((c.first, c.cost));
        }
        Self { costs, ..Self::new(problem) }
    }

    /// Places every pinned composite; `None` when one has no place.
    pub(crate) fn place_pinned(&mut self) -> Option<()> {
        for composite in self.problem.pinned() {
            let base = self.find(composite, Rule::Lowest)?;
            self.place(composite, base);
        }
        Some(())
    }

    /// Places the composite by the rule and returns its base.
    pub(crate) fn put(&mut self, composite: u32, rule: Rule) -> Option<u64> {
        let base = self.find(composite, rule)?;
        self.place(composite, base);
        Some(base)
    }

    /// The base of a composite, if it is placed.
    pub(crate) fn base(&self, composite: u32) -> Option<u64> {
        self.bases[composite as usize]
    }

    /// The offset of an item, if it is placed.
    pub(crate) fn offset(&self, item: ItemId) -> Option<u64> {
        let (group, delta) = self.problem.relations.group[item as usize];
        self.base(group).map(|base| base + delta)
    }

    pub(crate) fn place(&mut self, composite: u32, base: u64) {
        self.bases[composite as usize] = Some(base);
        for m in self.problem.members(composite).iter().filter(|m| m.size > 0) {
            self.placed.insert(self.problem, m.item, base + m.delta);
            if self.problem.instance.items[m.item as usize].alone {
                self.alone.push(m.item);
            }
        }
    }

    pub(crate) fn take(&mut self, composite: u32) {
        self.bases[composite as usize] = None;
        for m in self.problem.members(composite).iter().filter(|m| m.size > 0) {
            self.placed.remove(m.item);
            self.alone.retain(|&item| item != m.item);
        }
    }

    /// The packing, once everything is placed.
    pub(crate) fn packing(&self) -> Option<memplan_packing::Packing> {
        let bases: Option<Vec<u64>> = self.bases.iter().copied().collect();
        Some(self.problem.packing(&bases?))
    }

    /// The base that the rule chooses; `None` when there is no legal one.
    pub(crate) fn find(&mut self, composite: u32, rule: Rule) -> Option<u64> {
        self.gather(composite);
        match rule {
            Rule::First => self.hole(composite).or_else(|| self.lowest(composite)),
            Rule::Best => self.hole(composite).or_else(|| self.best(composite)),
            Rule::Lowest => {
                let (hole, lowest) = (self.hole(composite), self.lowest(composite));
                hole.into_iter().chain(lowest).min()
            }
            Rule::Above => self.hole(composite).or_else(|| self.above(composite)),
            Rule::Cheapest { limit } => self.cheapest(composite, limit),
        }
    }

    /// Collects what is forbidden to the composite, in the order of the lower ends.
    fn gather(&mut self, composite: u32) {
        self.forbidden.clear();
        let problem = self.problem;
        let instance = problem.instance;
        for &m in problem.members(composite).iter().filter(|m| m.size > 0) {
            match &self.placed {
                Placed::Scan(entries) => {
                    scan(problem, m, entries, &mut self.marks, &mut self.forbidden);
                }
                Placed::Tree(tree) => {
                    let found = self.search(m, tree);
                    self.forbidden.extend(found);
                }
            }
            for range in &instance.reserved {
                self.forbidden.extend(Forbidden::new(m, range.start, range.end, false));
            }
        }
        self.forbidden.sort_by_key(|f| f.lo);
    }

    /// Asks the tree for who is alive with the item, and the lists for who conflicts anyway.
    fn search(&self, m: Member, tree: &SpanTree) -> Vec<Forbidden> {
        let problem = self.problem;
        let item = &problem.instance.items[m.item as usize];
        let mut found = Vec::new();
        let mut always = |other: ItemId| {
            let size = problem.instance.items[other as usize].size;
            if let Some(lo) = self.offset(other).filter(|_| size > 0) {
                found.extend(Forbidden::new(m, lo, lo + size, false));
            }
        };
        if item.alone {
            (0..problem.instance.items.len() as ItemId).for_each(always);
        } else {
            problem.relations.separate.of(m.item).iter().copied().for_each(&mut always);
            self.alone.iter().copied().for_each(always);
            tree.near(&item.live, |other, lo, hi| {
                if let Some(in_place) = in_time(problem, m.item, other) {
                    found.extend(Forbidden::new(m, lo, hi, in_place));
                }
            });
        }
        found
    }

    /// True when nothing forbids the base.
    fn clear(&self, base: u64) -> bool {
        let until = self.forbidden.partition_point(|f| f.lo <= base);
        self.forbidden[..until].iter().all(|f| f.hi <= base || f.hole == Some(base))
    }

    /// The lowest legal base that only in-place allows.
    fn hole(&self, composite: u32) -> Option<u64> {
        let shape = self.problem.shape(composite);
        let holes = self.forbidden.iter().filter_map(|f| f.hole);
        holes.filter(|&base| shape.allows(base) && self.clear(base)).min()
    }

    /// Calls `gap` for every run of free bases from below, with its lowest aligned base, its
    /// start, and its end; stops when it answers `true`.
    fn gaps(&self, composite: u32, mut gap: impl FnMut(u64, Range<u64>) -> bool) {
        let shape = self.problem.shape(composite);
        let mut at = shape.low;
        for f in &self.forbidden {
            if f.lo > at {
                let Some(base) = shape.align(at) else { return };
                if base < f.lo && gap(base, at..f.lo) {
                    return;
                }
            }
            at = at.max(f.hi);
        }
        if let Some(base) = shape.align(at) {
            gap(base, at..u64::MAX);
        }
    }

    fn lowest(&self, composite: u32) -> Option<u64> {
        let mut lowest = None;
        self.gaps(composite, |base, _| {
            lowest = Some(base);
            true
        });
        lowest
    }

    fn best(&self, composite: u32) -> Option<u64> {
        let mut best: Option<(u64, u64)> = None;
        self.gaps(composite, |base, range| {
            let found = (range.end - range.start, base);
            best = Some(best.map_or(found, |best| best.min(found)));
            false
        });
        best.map(|(_, base)| base)
    }

    /// Above everything that is in the way. A window may end below that: then the lowest.
    fn above(&self, composite: u32) -> Option<u64> {
        let top = self.forbidden.iter().map(|f| f.hi).max().unwrap_or(0);
        self.problem.shape(composite).align(top).or_else(|| self.lowest(composite))
    }

    fn cheapest(&self, composite: u32, limit: u64) -> Option<u64> {
        let shape = self.problem.shape(composite);
        let paid = self.cost_ranges(composite);
        // Between two of these the cost is constant or grows, so the lowest base counts.
        let ends = self.forbidden.iter().map(|f| f.hi).chain(paid.iter().map(|(r, _)| r.end));
        let mut candidates: Vec<u64> =
            ends.chain([shape.low]).filter_map(|from| shape.align(from)).collect();
        let holes: Vec<u64> = self.forbidden.iter().filter_map(|f| f.hole).collect();
        candidates.extend(&holes);
        candidates.sort_unstable();
        candidates.dedup();
        // Candidates and forbidden bases both ascend: one pass over the two.
        let (mut next, mut reach) = (0, 0);
        let legal = candidates.into_iter().filter(|&base| {
            while let Some(f) = self.forbidden.get(next).filter(|f| f.lo <= base) {
                reach = reach.max(f.hi);
                next += 1;
            }
            let clear = reach <= base || (holes.contains(&base) && self.clear(base));
            clear && shape.allows(base)
        });
        legal.min_by_key(|&base| {
            let over = (base + shape.extent).saturating_sub(limit);
            (over, paid_at(&paid, base), base)
        })
    }

    /// What the composite pays at this base for sharing with what is placed.
    pub(crate) fn cost(&self, composite: u32, base: u64) -> u64 {
        paid_at(&self.cost_ranges(composite), base)
    }

    /// At which bases the composite pays for sharing with what is placed, pair by pair.
    fn cost_ranges(&self, composite: u32) -> Vec<(Range<u64>, u64)> {
        let mut ranges = Vec::new();
        for m in self.problem.members(composite).iter().filter(|m| m.size > 0) {
            let Some(costs) = self.costs.get(m.item as usize) else { continue };
            for &(partner, cost) in costs {
                let size = self.problem.instance.items[partner as usize].size;
                let Some(lo) = self.offset(partner).filter(|_| size > 0) else { continue };
                let from = (lo + 1).saturating_sub(m.delta + m.size);
                let to = (lo + size).saturating_sub(m.delta);
                if from < to {
                    ranges.push((from..to, cost));
                }
            }
        }
        ranges
    }
}

/// Looks at everything placed, in the order of the bytes, so that hardly anything is left to sort.
fn scan(
    problem: &Problem<'_>,
    m: Member,
    entries: &[Entry],
    marks: &mut [bool],
    forbidden: &mut Vec<Forbidden>,
) {
    let item = &problem.instance.items[m.item as usize];
    let hull = item.hull();
    let separate = problem.relations.separate.of(m.item);
    separate.iter().for_each(|&other| marks[other as usize] = true);
    for e in entries {
        let conflict = if item.alone || e.alone || marks[e.item as usize] {
            Some(false)
        } else if e.hull.meets(hull) {
            in_time(problem, m.item, e.item)
        } else {
            None
        };
        forbidden.extend(conflict.and_then(|in_place| Forbidden::new(m, e.lo, e.hi, in_place)));
    }
    separate.iter().for_each(|&other| marks[other as usize] = false);
}

/// Whether two items conflict because they are alive together, and if so, whether in-place makes
/// an exception. Colocated items do not ask: they are placed together.
fn in_time(problem: &Problem<'_>, a: ItemId, b: ItemId) -> Option<bool> {
    let items = &problem.instance.items;
    let conflict = items[a as usize].meets(&items[b as usize])
        && !(problem.related && problem.relations.exclusive.has(a, b));
    conflict.then(|| problem.related && problem.relations.inplace.has(a, b))
}

fn paid_at(ranges: &[(Range<u64>, u64)], base: u64) -> u64 {
    let here = ranges.iter().filter(|(range, _)| range.contains(&base));
    here.fold(0, |sum, &(_, cost)| sum.saturating_add(cost))
}

#[cfg(test)]
mod tests {
    use memplan_packing::sample::Shape;
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn a_tree_and_a_scan_find_the_same_places(seed: u64, items: u8) -> bool {
            let instance = Shape::full(2 + items as usize % 40).instance(seed);
            let problem = Problem::new(&instance);
            let mut scan = Engine::new(&problem);
            let mut tree = Engine::new(&problem);
            tree.placed = Placed::Tree(Box::new(SpanTree::new(&problem)));
            let order: Vec<u32> = problem.movable().collect();
            order.into_iter().all(|composite| {
                let same = [Rule::First, Rule::Best, Rule::Lowest]
                    .into_iter()
                    .all(|rule| scan.find(composite, rule) == tree.find(composite, rule));
                scan.put(composite, Rule::First) == tree.put(composite, Rule::First) && same
            })
        }
    }
}
