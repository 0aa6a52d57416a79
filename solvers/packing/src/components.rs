//! Parts of an instance that do not touch each other.

use crate::instance::{Colocation, Inplace, Instance, ItemId, PairCost, Promotion};
use crate::solver::Goal;

/// The independent parts of an instance: each can be packed on its own, and the packings lie
/// over each other. The peak of the whole is the largest peak of a part.
///
/// Two items are in one part when they meet in time, or something ties them: a relation other
/// than `exclusive`, a promotion, and for [`Goal::CostThenPeak`] a pair cost.
///
/// ```text
///   |  a ----     |    c --------         parts {a, b} and {c, d, e}: at the bar nobody is alive
///   |     b ----  |      d ---   e ---    (were a and d colocated, all would be one part)
///                 ^
/// ```
///
/// Parts and the items in them are in ascending order; items without bytes are parts of their
/// own unless something ties them.
pub fn components(instance: &Instance, goal: Goal) -> Vec<Vec<ItemId>> {
    let n = instance.items.len();
    let mut parts = UnionFind::new(n);

    let mut spans: Vec<(u64, u64, ItemId)> = Vec::new();
    for (id, item) in instance.items.iter().enumerate().filter(|(_, item)| item.size > 0) {
        spans.extend(item.live.iter().map(|s| (s.start, s.end, id as ItemId)));
    }
    spans.sort_unstable();
    let mut run: Option<(u64, ItemId)> = None;
    for (start, end, id) in spans {
        run = match run {
            Some((until, first)) if start < until => {
                parts.join(first, id);
                Some((until.max(end), first))
            }
            _ => Some((end, id)),
        };
    }

    // What is alone has everybody as its neighbour.
    if let Some(alone) = instance.items.iter().position(|item| item.alone && item.size > 0) {
        for (id, _) in instance.items.iter().enumerate().filter(|(_, item)| item.size > 0) {
            parts.join(alone as ItemId, id as ItemId);
        }
    }
    for &(a, b) in &instance.separate {
        parts.join(a, b);
    }
    for c in &instance.colocated {
        parts.join(c.first, c.second);
    }
    for i in &instance.inplace {
        parts.join(i.from, i.into);
    }
    for p in &instance.promotions {
        for &slot in &p.slots {
            parts.join(p.single, slot);
        }
    }
    if goal == Goal::CostThenPeak {
        for c in &instance.costs {
            parts.join(c.first, c.second);
        }
    }
    parts.sets()
}

impl Instance {
    /// The instance that consists of these items (ascending) and of the relations among them.
    ///
    /// The item at index `i` of the result is `items[i]` here. Capacity and reserved ranges stay.
    /// A promotion stays when all of its items do.
    pub fn restrict(&self, items: &[ItemId]) -> Instance {
        let to = |id: ItemId| items.binary_search(&id).ok().map(|at| at as ItemId);
        let pair = |&(a, b): &(ItemId, ItemId)| Some((to(a)?, to(b)?));
        Instance {
            items: items.iter().map(|&id| self.items[id as usize].clone()).collect(),
            capacity: self.capacity,
            reserved: self.reserved.clone(),
            separate: self.separate.iter().filter_map(pair).collect(),
            exclusive: self.exclusive.iter().filter_map(pair).collect(),
            colocated: (self.colocated.iter())
                .filter_map(|c| {
                    Some(Colocation { first: to(c.first)?, second: to(c.second)?, delta: c.delta })
                })
                .collect(),
            inplace: (self.inplace.iter())
                .filter_map(|i| Some(Inplace { from: to(i.from)?, into: to(i.into)? }))
                .collect(),
            promotions: (self.promotions.iter())
                .filter_map(|p| {
                    let slots: Option<Vec<ItemId>> = p.slots.iter().map(|&s| to(s)).collect();
                    Some(Promotion { single: to(p.single)?, slots: slots? })
                })
                .collect(),
            costs: (self.costs.iter())
                .filter_map(|c| {
                    Some(PairCost { first: to(c.first)?, second: to(c.second)?, cost: c.cost })
                })
                .collect(),
        }
    }
}

/// Disjoint sets of items.
#[derive(Clone, Debug)]
pub(crate) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    pub(crate) fn new(n: usize) -> Self {
        Self { parent: (0..n as u32).collect() }
    }

    pub(crate) fn find(&mut self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            let above = self.parent[self.parent[item as usize] as usize];
            self.parent[item as usize] = above;
            item = above;
        }
        item
    }

    /// The lower root stays the root, so a set is named by its lowest item.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    pub(crate) fn sets(&mut self) -> Vec<Vec<u32>> {
        let n = self.parent.len();
        let mut number = vec![u32::MAX; n];
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for item in 0..n as u32 {
            let root = self.find(item) as usize;
            if number[root] == u32::MAX {
                number[root] = sets.len() as u32;
                sets.push(Vec::new());
            }
            sets[number[root] as usize].push(item);
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Item;

    fn picture() -> Instance {
        let spans = [(0, 4), (3, 7), (9, 17), (11, 14), (16, 19)];
        let items = spans.map(|(start, end)| Item::new(1, 1, start, end)).to_vec();
        Instance { items, ..Instance::default() }
    }

    #[test]
    fn parts_are_split_where_nobody_lives() {
        assert_eq!(components(&picture(), Goal::Peak), [vec![0, 1], vec![2, 3, 4]]);
    }

    #[test]
    fn a_tie_joins_parts_and_a_cost_only_when_costs_count() {
        let mut instance = picture();
        instance.costs.push(PairCost { first: 0, second: 3, cost: 1 });
        assert_eq!(components(&instance, Goal::Peak).len(), 2);
        assert_eq!(components(&instance, Goal::CostThenPeak).len(), 1);
        instance.separate.push((1, 4));
        assert_eq!(components(&instance, Goal::Peak).len(), 1);
    }

    #[test]
    fn a_restriction_keeps_the_relations_inside_it() {
        let mut instance = picture();
        instance.separate = vec![(0, 2), (2, 4)];
        let part = instance.restrict(&[2, 3, 4]);
        assert_eq!(part.items.len(), 3);
        assert_eq!(part.separate, [(0, 2)]);
    }
}
