//! What has been placed so far, and who of it may be in the way.

use memplan_packing::{ItemId, Span};

use crate::problem::Problem;

/// A placed item and its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) item: ItemId,
    pub(crate) lo: u64,
    pub(crate) hi: u64,
    pub(crate) hull: Span,
    pub(crate) alone: bool,
}

/// The placed items, ready to be looked at.
pub(crate) enum Placed {
    /// All entries in the order of their lowest byte.
    Scan(Vec<Entry>),
    /// A tree over all spans of the instance.
    Tree(Box<SpanTree>),
}

impl Placed {
    pub(crate) fn new(problem: &Problem<'_>) -> Self {
        if problem.sparse() {
            Self::Tree(Box::new(SpanTree::new(problem)))
        } else {
            Self::Scan(Vec::new())
        }
    }

    /// Adds an item with bytes.
    pub(crate) fn insert(&mut self, problem: &Problem<'_>, item: ItemId, lo: u64) {
        let it = &problem.instance.items[item as usize];
        match self {
            Self::Scan(entries) => {
                let entry = Entry { item, lo, hi: lo + it.size, hull: it.hull(), alone: it.alone };
                let at = entries.partition_point(|e| (e.lo, e.item) < (lo, item));
                entries.insert(at, entry);
            }
            Self::Tree(tree) => tree.set(item, Some((lo, lo + it.size))),
        }
    }

    /// Takes an item away again.
    pub(crate) fn remove(&mut self, item: ItemId) {
        match self {
            Self::Scan(entries) => entries.retain(|entry| entry.item != item),
            Self::Tree(tree) => tree.set(item, None),
        }
    }
}

/// All spans sorted by their start; a node knows the latest end of the placed ones under it.
pub(crate) struct SpanTree {
    starts: Vec<u64>,
    /// The item and the end of each span.
    spans: Vec<(ItemId, u64)>,
    /// For each item where its spans are.
    places: Vec<u32>,
    first: Vec<u32>,
    tree: Vec<u64>,
    leaves: usize,
    bytes: Vec<(u64, u64)>,
}

impl SpanTree {
    pub(crate) fn new(problem: &Problem<'_>) -> Self {
        let items = &problem.instance.items;
        let mut all: Vec<(u64, u64, ItemId)> = Vec::new();
        for (id, item) in items.iter().enumerate() {
            all.extend(item.live.iter().map(|span| (span.start, span.end, id as ItemId)));
        }
        all.sort_unstable();
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        order.sort_by_key(|&at| all[at as usize].2);
        let mut first = vec![0u32; items.len() + 1];
        for (id, item) in items.iter().enumerate() {
            first[id + 1] = first[id] + item.live.len() as u32;
        }
        let leaves = all.len().next_power_of_two();
        Self {
            starts: all.iter().map(|&(start, _, _)| start).collect(),
            spans: all.iter().map(|&(_, end, id)| (id, end)).collect(),
            places: order,
            first,
            tree: vec![0; 2 * leaves],
            leaves,
            bytes: vec![(0, 0); items.len()],
        }
    }

    fn set(&mut self, item: ItemId, bytes: Option<(u64, u64)>) {
        let at = item as usize;
        self.bytes[at] = bytes.unwrap_or((0, 0));
        for place in self.first[at]..self.first[at + 1] {
            let place = self.places[place as usize] as usize;
            let mut node = self.leaves + place;
            self.tree[node] = if bytes.is_some() { self.spans[place].1 } else { 0 };
            while node > 1 {
                node /= 2;
                self.tree[node] = self.tree[2 * node].max(self.tree[2 * node + 1]);
            }
        }
    }

    /// Calls `found` for all placed items that meet one of the spans, perhaps more than once.
    pub(crate) fn near(&self, live: &[Span], mut found: impl FnMut(ItemId, u64, u64)) {
        for &span in live {
            self.visit(1, 0, self.leaves, span, &mut found);
        }
    }

    fn visit(
        &self,
        node: usize,
        first: usize,
        width: usize,
        span: Span,
        found: &mut impl FnMut(ItemId, u64, u64),
    ) {
        if self.tree[node] <= span.start {
            return;
        }
        if self.starts.get(first).is_none_or(|&start| start >= span.end) {
            return;
        }
        if width == 1 {
            let (item, _) = self.spans[first];
            let (lo, hi) = self.bytes[item as usize];
            found(item, lo, hi);
            return;
        }
        let half = width / 2;
        self.visit(2 * node, first, half, span, found);
        self.visit(2 * node + 1, first + half, half, span, found);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use memplan_packing::random::SplitMix64;
    use memplan_packing::sample::Shape;
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn the_tree_finds_everybody_who_meets(seed: u64, items: u8) -> bool {
            let instance = Shape::full(2 + items as usize % 40).instance(seed);
            let problem = Problem::new(&instance);
            let mut tree = SpanTree::new(&problem);
            let mut random = SplitMix64::new(seed);
            let mut placed = BTreeSet::new();
            let n = instance.items.len() as u64;
            (0..100).all(|_| {
                let id = random.below(n) as ItemId;
                let item = &instance.items[id as usize];
                let mut near = BTreeSet::new();
                tree.near(&item.live, |id, _, _| {
                    near.insert(id);
                });
                let meets = |other: &&ItemId| instance.items[**other as usize].meets(item);
                let expected: BTreeSet<ItemId> = placed.iter().filter(meets).copied().collect();
                let right = near == expected;
                if item.size > 0 && placed.remove(&id) {
                    tree.set(id, None);
                } else if item.size > 0 {
                    placed.insert(id);
                    let lo = random.below(9);
                    tree.set(id, Some((lo, lo + item.size)));
                }
                right
            })
        }
    }
}
