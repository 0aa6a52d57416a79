//! Which promotions are in force.

use memplan_packing::{Instance, ItemId};

/// What one single does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is an ordinary item.
    Plain,
    /// It is left out: a relaxation, for whatever it will do needs no fewer bytes.
    Absent,
    /// This promotion is in force.
    Joined(u32),
}

/// A role for every item that has a promotion; all others are plain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice(pub(crate) Vec<(ItemId, Role)>);

impl Choice {
    pub(crate) fn role(&self, item: ItemId) -> Role {
        self.0.iter().find(|(single, _)| *single == item).map_or(Role::Plain, |s| s.1)
    }

    /// True when a single joined a slot that joined others itself: that cannot be in force.
    pub(crate) fn chained(&self, instance: &Instance) -> bool {
        let promoted = self.promoted();
        let single = |slot: &ItemId| {
            promoted.iter().any(|&p| instance.promotions[p as usize].single == *slot)
        };
        promoted.iter().any(|&p| instance.promotions[p as usize].slots.iter().any(single))
    }

    /// The promotions in force, sorted.
    pub(crate) fn promoted(&self) -> Vec<u32> {
        let joined = |&(_, role): &(ItemId, Role)| match role {
            Role::Joined(promotion) => Some(promotion),
            Role::Plain | Role::Absent => None,
        };
        let mut promoted: Vec<u32> = self.0.iter().filter_map(joined).collect();
        promoted.sort_unstable();
        promoted
    }
}

/// The items that have promotions, each once, in the order of their numbers.
pub(crate) fn singles(instance: &Instance) -> Vec<ItemId> {
    let mut singles: Vec<ItemId> = instance.promotions.iter().map(|p| p.single).collect();
    singles.sort_unstable();
    singles.dedup();
    singles
}

/// Every role of one single.
pub(crate) fn roles(instance: &Instance, single: ItemId) -> Vec<Role> {
    let promotions = instance.promotions.iter().enumerate();
    let own = promotions.filter(|(_, promotion)| promotion.single == single);
    std::iter::once(Role::Plain).chain(own.map(|(index, _)| Role::Joined(index as u32))).collect()
}
