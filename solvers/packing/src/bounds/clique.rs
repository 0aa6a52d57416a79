//! The heaviest set of mutually conflicting items among items of which some may share.

use super::load::Weights;
use crate::components::UnionFind;
use crate::instance::{Instance, ItemId};
use crate::relations::Relations;

/// Up to so many items the heaviest set is searched for completely: 2^16 subsets are the most
/// that a step of a sweep should cost.
const EXACT_ITEMS: usize = 16;
/// And so many subsets are the most that are looked at; what was found until then is a bound too.
const EXACT_SUBSETS: u32 = 1 << 16;
/// Up to so many items all pairs are looked at to find alternatives (if-branches).
const PAIRED_ITEMS: usize = 256;
/// The greedy search starts from each of so many items.
const GREEDY_STARTS: usize = 16;

const NOWHERE: u32 = u32::MAX;

/// Looks for heaviest sets; keeps its tables between calls.
pub(super) struct Search<'a> {
    instance: &'a Instance,
    relations: &'a Relations,
    weights: &'a Weights,
    place: Vec<u32>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        instance: &'a Instance,
        relations: &'a Relations,
        weights: &'a Weights,
    ) -> Self {
        Self { instance, relations, weights, place: Vec::new() }
    }

    /// The weight of the heaviest set among `live`, and the set.
    ///
    /// The pairs that may share form a graph. Its connected parts add up; inside a part, sets
    /// that may share pair by pair are alternatives and the largest counts. Nested conditionals
    /// fall apart completely under these two rules:
    ///
    /// ```text
    ///   if { a b } else { c }; d        {a b | c} + {d}        max(a + b, c) + d
    /// ```
    pub(super) fn heaviest(&mut self, live: &mut [ItemId]) -> (u64, Vec<ItemId>) {
        live.sort_unstable();
        match *live {
            [] => return (0, Vec::new()),
            [only] => return (self.weights.size[only as usize], vec![only]),
            _ => {}
        }
        let mut sum = (0, Vec::new());
        for part in self.parts(live) {
            let (weight, items) = self.part(&part);
            sum.0 += weight;
            sum.1.extend(items);
        }
        sum
    }

    /// True when the two may lie on the same bytes while both count.
    ///
    /// In-place pairs may in any case here: weaker than the rules, never wrong.
    fn may_share(&self, a: ItemId, b: ItemId) -> bool {
        let alone = |id: ItemId| self.instance.items[id as usize].alone;
        let excluded = || {
            self.relations.exclusive.has(a, b)
                && !alone(a)
                && !alone(b)
                && !self.relations.separate.has(a, b)
        };
        !self.relations.colocated(a, b) && (self.relations.inplace.has(a, b) || excluded())
    }

    /// Connected parts of the graph of pairs that may share or are colocated.
    fn parts(&mut self, live: &[ItemId]) -> Vec<Vec<ItemId>> {
        self.place.resize(self.instance.items.len(), NOWHERE);
        for (at, &id) in live.iter().enumerate() {
            self.place[id as usize] = at as u32;
        }
        let mut sets = UnionFind::new(live.len());
        for (at, &id) in live.iter().enumerate() {
            let partners = self.relations.inplace.of(id).iter();
            for &partner in partners.chain(self.relations.exclusive.of(id)) {
                let there = self.place[partner as usize];
                let new = there != NOWHERE && sets.find(at as u32) != sets.find(there);
                if new && self.may_share(id, partner) {
                    sets.join(at as u32, there);
                }
            }
        }
        for &id in live {
            self.place[id as usize] = NOWHERE;
        }
        let mut grouped: Vec<(u32, u32)> = (live.iter().enumerate())
            .map(|(at, &id)| (self.relations.group[id as usize].0, at as u32))
            .collect();
        grouped.sort_unstable();
        for pair in grouped.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            sets.join(pair[0].1, pair[1].1);
        }
        name(sets.sets(), live)
    }

    fn part(&mut self, items: &[ItemId]) -> (u64, Vec<ItemId>) {
        if items.len() > PAIRED_ITEMS {
            return self.greedy(items);
        }
        let mut sets = UnionFind::new(items.len());
        let mut sharing = false;
        for (i, &a) in items.iter().enumerate() {
            for (j, &b) in items.iter().enumerate().skip(i + 1) {
                if self.may_share(a, b) {
                    sharing = true;
                } else {
                    sets.join(i as u32, j as u32);
                }
            }
        }
        if !sharing {
            return self.cover(items);
        }
        let mut alternatives = name(sets.sets(), items);
        if alternatives.len() > 1 {
            let mut best = (0, Vec::new());
            for alternative in &mut alternatives {
                let found = self.heaviest(alternative);
                if found.0 > best.0 {
                    best = found;
                }
            }
            return best;
        }
        if items.len() > EXACT_ITEMS {
            return self.greedy(items);
        }
        let order = self.by_size(items);
        let mut rest: Vec<u64> = vec![0; order.len() + 1];
        for (i, &id) in order.iter().enumerate().rev() {
            rest[i] = rest[i + 1] + self.weights.size[id as usize];
        }
        let mut exact = Exact { order, rest, chosen: Vec::new(), best: (0, Vec::new()), looked: 0 };
        self.exact(&mut exact, 0, 0);
        exact.best
    }

    fn exact(&self, state: &mut Exact, at: usize, weight: u64) {
        state.looked += 1;
        if weight > state.best.0 {
            state.best = self.cover(&state.chosen);
        }
        let hopeless = weight + state.rest[at] <= state.best.0;
        if at == state.order.len() || hopeless || state.looked > EXACT_SUBSETS {
            return;
        }
        let id = state.order[at];
        if !state.chosen.iter().any(|&other| self.may_share(id, other)) {
            state.chosen.push(id);
            let with = self.cover(&state.chosen).0;
            self.exact(state, at + 1, with);
            state.chosen.pop();
        }
        self.exact(state, at + 1, weight);
    }

    fn greedy(&self, items: &[ItemId]) -> (u64, Vec<ItemId>) {
        let order = self.by_size(items);
        let mut best = (0, Vec::new());
        for &start in order.iter().take(GREEDY_STARTS) {
            let mut chosen = vec![start];
            for &id in &order {
                if id != start && !chosen.iter().any(|&other| self.may_share(id, other)) {
                    chosen.push(id);
                }
            }
            let found = self.cover(&chosen);
            if found.0 > best.0 {
                best = found;
            }
        }
        best
    }

    fn by_size(&self, items: &[ItemId]) -> Vec<ItemId> {
        let mut order = items.to_vec();
        order.sort_by_key(|&id| (std::cmp::Reverse(self.weights.size[id as usize]), id));
        order
    }

    /// The bytes that items need of which no two may share: colocated ones what they cover
    /// together, the others their sum. Items that cover nothing of their own are left out.
    fn cover(&self, items: &[ItemId]) -> (u64, Vec<ItemId>) {
        let mut ranges: Vec<(u32, u64, std::cmp::Reverse<u64>, ItemId)> = (items.iter())
            .map(|&id| {
                let (group, delta) = self.relations.group[id as usize];
                let end = delta.saturating_add(self.weights.size[id as usize]);
                (group, delta, std::cmp::Reverse(end), id)
            })
            .collect();
        ranges.sort_unstable();
        let (mut sum, mut kept) = (0, Vec::new());
        let mut covered = None;
        for (group, delta, std::cmp::Reverse(end), id) in ranges {
            let from = match covered {
                Some((same, until)) if same == group => delta.max(until),
                _ => delta,
            };
            if from < end {
                sum += end - from;
                kept.push(id);
                covered = Some((group, end));
            }
        }
        (sum, kept)
    }
}

struct Exact {
    order: Vec<ItemId>,
    /// The weight of all items from an index on.
    rest: Vec<u64>,
    chosen: Vec<ItemId>,
    best: (u64, Vec<ItemId>),
    looked: u32,
}

fn name(sets: Vec<Vec<u32>>, items: &[ItemId]) -> Vec<Vec<ItemId>> {
    let named = |set: Vec<u32>| set.into_iter().map(|at| items[at as usize]).collect();
    sets.into_iter().map(named).collect()
}
