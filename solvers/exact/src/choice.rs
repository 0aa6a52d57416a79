//! Which promotions are in force.

use memplan_packing::{Instance, ItemId};

/// What one single does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is an ordinary item.
    Plain,
    /// It is left out: a relaxation, for whatever it will do needs no fewer bytes.
    Absent,
    /// This promotion is in force and the single starts on this slot of it.
    Joined { promotion: u32, slot: u32 },
}

/// A role for every item that has a promotion; all others are plain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice(pub(crate) Vec<(ItemId, Role)>);

impl Choice {
    pub(crate) fn role(&self, item: ItemId) -> Role {
        self.0.iter().find(|(single, _)| *single == item).map_or(Role::Plain, |s| s.1)
    }

    /// The promotions in force, sorted.
    pub(crate) fn promoted(&self) -> Vec<u32> {
        let joined = |&(_, role): &(ItemId, Role)| match role {
            Role::Joined { promotion, .. } => Some(promotion),
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

/// Every role of one single. On which slot it starts matters only to those that join it in turn.
pub(crate) fn roles(instance: &Instance, single: ItemId) -> Vec<Role> {
    let is_slot = instance.promotions.iter().any(|p| p.slots.contains(&single));
    let mut roles = vec![Role::Plain];
    for (index, promotion) in instance.promotions.iter().enumerate() {
        if promotion.single == single {
            let starts = if is_slot { promotion.slots.len() as u32 } else { 1 };
            let promotion = index as u32;
            roles.extend((0..starts).map(|slot| Role::Joined { promotion, slot }));
        }
    }
    roles
}
