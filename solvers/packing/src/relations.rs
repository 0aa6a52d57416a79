//! The relations of an instance, ready for look-up.

use crate::instance::{Instance, ItemId};

/// Whether two items may lie on the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// They may share bytes.
    None,
    /// They may share bytes only when both start at the same offset (in-place).
    UnlessSameOffset,
    /// Their bytes are disjoint.
    Always,
}

/// A symmetric relation: for each item the sorted list of its partners.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    starts: Vec<u32>,
    partners: Vec<ItemId>,
}

impl Pairs {
    /// The relation that holds for `pairs`, in both directions, among `items` items.
    pub fn new(items: usize, pairs: impl Iterator<Item = (ItemId, ItemId)>) -> Self {
        let mut both: Vec<(ItemId, ItemId)> = pairs.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        if both.is_empty() {
            return Self::default();
        }
        both.sort_unstable();
        both.dedup();
        let mut starts = vec![0u32; items + 1];
        for &(a, _) in &both {
            starts[a as usize + 1] += 1;
        }
        for i in 0..items {
            starts[i + 1] += starts[i];
        }
        Self { starts, partners: both.into_iter().map(|(_, b)| b).collect() }
    }

    /// The partners of an item, in ascending order.
    pub fn of(&self, item: ItemId) -> &[ItemId] {
        let at = item as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&from), Some(&to)) => &self.partners[from as usize..to as usize],
            _ => &[],
        }
    }

    /// True when the relation holds for the two items.
    pub fn has(&self, a: ItemId, b: ItemId) -> bool {
        self.of(a).binary_search(&b).is_ok()
    }

    /// True when the relation holds for nobody.
    pub fn is_empty(&self) -> bool {
        self.partners.is_empty()
    }
}

/// All pairwise relations of an instance but the overlap in time, which stays in the spans: a
/// graph of it would be quadratic.
///
/// Promotions are looked at as if none were in force ([`crate::promotion::expand`] puts them
/// into force).
#[derive(Clone, Debug)]
pub struct Relations {
    /// For each item its colocation group and its distance from the group's base.
    pub group: Vec<(u32, u64)>,
    /// The `separate` pairs.
    pub separate: Pairs,
    /// The `exclusive` pairs.
    pub exclusive: Pairs,
    /// The in-place pairs, in both directions.
    pub inplace: Pairs,
}

impl Relations {
    /// The relations of a validated instance.
    pub fn new(instance: &Instance) -> Self {
        let n = instance.items.len();
        // A validated instance has groups; alone, every item would be its own.
        let own = || (0..n).map(|i| (i as u32, 0)).collect();
        let inplace = instance.inplace.iter().map(|i| (i.from, i.into));
        Self {
            group: instance.groups().unwrap_or_else(|_| own()),
            separate: Pairs::new(n, instance.separate.iter().copied()),
            exclusive: Pairs::new(n, instance.exclusive.iter().copied()),
            inplace: Pairs::new(n, inplace),
        }
    }

    /// True when one name of the two stands for (a part of) the other.
    pub fn colocated(&self, a: ItemId, b: ItemId) -> bool {
        self.group[a as usize].0 == self.group[b as usize].0
    }

    /// What two different items may do.
    pub fn conflict(&self, instance: &Instance, a: ItemId, b: ItemId) -> Conflict {
        let (x, y) = (&instance.items[a as usize], &instance.items[b as usize]);
        if x.size == 0 || y.size == 0 || self.colocated(a, b) {
            Conflict::None
        } else if x.alone || y.alone || self.separate.has(a, b) {
            Conflict::Always
        } else if self.exclusive.has(a, b) || !x.meets(y) {
            Conflict::None
        } else if self.inplace.has(a, b) {
            Conflict::UnlessSameOffset
        } else {
            Conflict::Always
        }
    }
}
