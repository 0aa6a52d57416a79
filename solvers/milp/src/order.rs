//! Who lies below whom, and the least offsets that follow.

use memplan_packing::composite::Composites;
use memplan_packing::relations::{Conflict, Relations};
use memplan_packing::{Instance, ItemId, Packing};

/// Two items that lie in different composites and conflict, or pay when they share bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) first: ItemId,
    pub(crate) second: ItemId,
    /// They may start at one offset.
    pub(crate) equal: bool,
    /// What sharing costs; `None` where it is not allowed.
    pub(crate) price: Option<u64>,
}

/// What was decided about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first lies below the second.
    Below,
    /// The first lies above the second.
    Above,
    /// Both start at one offset.
    Equal,
    /// They may lie anywhere, for a price.
    Free,
}

/// An instance without promotions, with its relations looked up.
pub(crate) struct Frame<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) relations: Relations,
    pub(crate) composites: Composites,
    pub(crate) pairs: Vec<Pair>,
}

impl<'a> Frame<'a> {
    /// With `priced`, pairs that cost something are pairs like others.
    pub(crate) fn new(instance: &'a Instance, priced: bool) -> Self {
        let relations = Relations::new(instance);
        let composites = Composites::new(instance, &relations);
        let mut pairs = Vec::new();
        for second in 0..instance.items.len() as ItemId {
            for first in 0..second {
                let conflict = relations.conflict(instance, first, second);
                if conflict != Conflict::None {
                    let equal = conflict == Conflict::UnlessSameOffset;
                    pairs.push(Pair { first, second, equal, price: None });
                }
            }
        }
        for cost in instance.costs.iter().filter(|cost| priced && cost.cost > 0) {
            let (first, second) = (cost.first.min(cost.second), cost.first.max(cost.second));
            let [a, b] = [first, second].map(|item| relations.group[item as usize].0);
            let bytes = |item: ItemId| instance.items[item as usize].size > 0;
            let free = relations.conflict(instance, first, second) == Conflict::None;
            // What lies in one composite pays or does not, whatever is decided.
            if free && a != b && bytes(first) && bytes(second) {
                pairs.push(Pair { first, second, equal: false, price: Some(cost.cost) });
            }
        }
        Self { instance, relations, composites, pairs }
    }

    /// Composite and distance from its base.
    pub(crate) fn at(&self, item: ItemId) -> (u32, u64) {
        self.relations.group[item as usize]
    }

    /// The packing with the least offsets that obey the orders; `None` when its peak would be
    /// above `most` or there is none.
    pub(crate) fn least(&self, orders: &[Order], most: u64) -> Option<Packing> {
        let count = self.composites.len() as u32;
        let mut bases: Vec<u64> = Vec::with_capacity(count as usize);
        for c in 0..count {
            bases.push(self.composites.lowest(c, 0)?);
        }
        // Each round passes an order on at least one composite further; only contradicting orders
        // or odd alignments take longer.
        for _ in 0..4 * count + 8 {
            let mut still = true;
            for (pair, order) in self.pairs.iter().zip(orders) {
                let (low, high, by) = match order {
                    Order::Below => (pair.first, pair.second, self.size(pair.first)),
                    Order::Above => (pair.second, pair.first, self.size(pair.second)),
                    Order::Equal => (pair.first, pair.second, 0),
                    Order::Free => continue,
                };
                still &= !self.push(&mut bases, low, high, by)?;
                if *order == Order::Equal {
                    still &= !self.push(&mut bases, high, low, 0)?;
                }
            }
            if still {
                let offset = |&(group, delta): &(u32, u64)| bases[group as usize] + delta;
                let offsets = self.relations.group.iter().map(offset).collect();
                let packing = Packing { offsets, promoted: Vec::new() };
                return (packing.peak(self.instance) <= most).then_some(packing);
            }
            if bases.iter().any(|&base| base > most) && self.all_take_bytes() {
                return None;
            }
        }
        None
    }

    /// `offset(high) >= offset(low) + by`; true when that moved the composite of `high`.
    fn push(&self, bases: &mut [u64], low: ItemId, high: ItemId, by: u64) -> Option<bool> {
        let ((below, d), (above, e)) = (self.at(low), self.at(high));
        let least = bases[below as usize].checked_add(d)?.checked_add(by)?.saturating_sub(e);
        if bases[above as usize] >= least {
            return Some(false);
        }
        bases[above as usize] = self.composites.lowest(above, least)?;
        Some(true)
    }

    fn size(&self, item: ItemId) -> u64 {
        self.instance.items[item as usize].size
    }

    /// Items without bytes may lie anywhere, so their offsets tell nothing about the peak.
    fn all_take_bytes(&self) -> bool {
        self.instance.items.iter().all(|item| item.size > 0)
    }
}
