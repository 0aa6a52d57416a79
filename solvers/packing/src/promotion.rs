//! Promotions put into force as colocated items.

use crate::instance::{Colocation, Instance, Item, ItemId, PairCost};
use crate::outcome::Packing;
use crate::relations::Relations;

/// An instance in which some promotions are in force, written as ordinary items.
///
/// The items of the original keep their ids; the ghosts, one for each further slot, follow.
///
/// ```text
///   slot 0   slot 1   slot 2            slot 0   slot 1   slot 2
///  +------+ +------+ +------+          +------+ +------+ +------+
///  |      | |      | |      |    and   |single| |ghost | |ghost |   each colocated with its slot
///  +------+ +------+ +------+          +------+ +------+ +------+
/// ```
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The instance to pack. It has no promotions.
    pub instance: Instance,
    /// Promotions in force, sorted.
    pub promoted: Vec<u32>,
    /// How many items the original has.
    items: usize,
}

impl Expanded {
    /// The packing of the original that a packing of [`Self::instance`] stands for. It has the
    /// same peak, and it is right exactly when that one is.
    ///
    /// Its cost is at most that of the expanded packing: there each copy of a single pays for
    /// itself, here a pair pays once.
    pub fn collapse(&self, packing: &Packing) -> Packing {
        let offsets = packing.offsets.iter().take(self.items).copied().collect();
        Packing { offsets, promoted: self.promoted.clone() }
    }
}

/// Puts the promotions `chosen` into force; the others never happen, their separate pairs hold.
///
/// `None` when the choice contradicts itself: an index twice or unknown, two promotions of one
/// single, a slot that is itself promoted, or items that would lie on the same bytes of a slot
/// although they conflict (two singles that meet, or a single and another name of the slot).
pub fn expand(instance: &Instance, chosen: &[u32]) -> Option<Expanded> {
    let mut promoted = chosen.to_vec();
    promoted.sort_unstable();
    let n = instance.items.len();
    let mut items = instance.items.clone();
    let mut colocated = instance.colocated.clone();
    // For each promoted single its promotion and all its copies.
    let mut copies: Vec<Vec<ItemId>> = (0..n as ItemId).map(|id| vec![id]).collect();
    let mut slots: Vec<&[ItemId]> = vec![&[]; n];

    for &index in &promoted {
        let promotion = instance.promotions.get(index as usize)?;
        let single = promotion.single;
        if !slots[single as usize].is_empty() {
            return None;
        }
        slots[single as usize] = &promotion.slots;
        let mut taken: Vec<ItemId> = Vec::new();
        for &slot in &promotion.slots {
            if taken.contains(&slot) {
                continue;
            }
            let copy = if taken.is_empty() { single } else { items.len() as ItemId };
            if !taken.is_empty() {
                items.push(instance.items[single as usize].clone());
                copies[single as usize].push(copy);
            }
            taken.push(slot);
            colocated.push(Colocation { first: slot, second: copy, delta: 0 });
        }
    }
    let chained = |&index: &u32| {
        let promotion = &instance.promotions[index as usize];
        promotion.slots.iter().any(|&slot| !slots[slot as usize].is_empty())
    };
    if promoted.iter().any(chained) {
        return None;
    }

    let exempt =
        |a: ItemId, b: ItemId| slots[a as usize].contains(&b) || slots[b as usize].contains(&a);
    let spread = |a: ItemId, b: ItemId| {
        let (firsts, seconds) = (&copies[a as usize], &copies[b as usize]);
        firsts.iter().flat_map(move |&x| seconds.iter().map(move |&y| (x, y)))
    };
    let tied = |&&(a, b): &&(ItemId, ItemId)| !exempt(a, b);
    let costs = instance.costs.iter().filter(|c| !exempt(c.first, c.second));
    let expanded = Instance {
        capacity: instance.capacity,
        reserved: instance.reserved.clone(),
        separate: instance.separate.iter().filter(tied).flat_map(|&(a, b)| spread(a, b)).collect(),
        exclusive: instance.exclusive.iter().flat_map(|&(a, b)| spread(a, b)).collect(),
        inplace: instance.inplace.clone(),
        promotions: Vec::new(),
        costs: costs
            .flat_map(|c| {
                let cost = c.cost;
                spread(c.first, c.second).map(move |(first, second)| PairCost {
                    first,
                    second,
                    cost,
                })
            })
            .collect(),
        items,
        colocated,
    };
    // The copies may be too large for 64 bits together.
    expanded.validate().ok()?;
    if contradictory(&expanded, &copies, &slots) {
        return None;
    }
    Some(Expanded { instance: expanded, promoted, items: n })
}

/// True when colocation with a slot would hide a conflict of the single with somebody who lies on
/// the same bytes.
fn contradictory(expanded: &Instance, copies: &[Vec<ItemId>], slots: &[&[ItemId]]) -> bool {
    let relations = Relations::new(expanded);
    let mut members: Vec<(u32, ItemId)> = (relations.group.iter().enumerate())
        .map(|(id, &(group, _))| (group, id as ItemId))
        .collect();
    members.sort_unstable();
    let mut single_of: Vec<Option<ItemId>> = vec![None; expanded.items.len()];
    for single in (0..slots.len()).filter(|&id| !slots[id].is_empty()) {
        for &copy in &copies[single] {
            single_of[copy as usize] = Some(single as ItemId);
        }
    }
    let clash = |copy: ItemId, single: ItemId, other: ItemId| {
        let (a, b) = (&expanded.items[copy as usize], &expanded.items[other as usize]);
        let (x, y) = (relations.group[copy as usize].1, relations.group[other as usize].1);
        let overlap = x < y.saturating_add(b.size) && y < x.saturating_add(a.size);
        let excused = slots[single as usize].contains(&other);
        overlap && !excused && conflict(expanded, &relations, copy, other)
    };
    let of_group = |group: u32| {
        let from = members.partition_point(|&(g, _)| g < group);
        members[from..].iter().take_while(move |&&(g, _)| g == group).map(|&(_, id)| id)
    };
    (0..expanded.items.len() as ItemId).any(|copy| {
        single_of[copy as usize].is_some_and(|single| {
            let (group, _) = relations.group[copy as usize];
            let mut others = of_group(group).filter(|&m| single_of[m as usize] != Some(single));
            others.any(|other| clash(copy, single, other))
        })
    })
}

/// Whether two items conflict, colocation aside. A single is in no in-place pair.
fn conflict(instance: &Instance, relations: &Relations, a: ItemId, b: ItemId) -> bool {
    let (x, y): (&Item, &Item) = (&instance.items[a as usize], &instance.items[b as usize]);
    let never = x.alone || y.alone || relations.separate.has(a, b);
    x.size > 0 && y.size > 0 && (never || (x.meets(y) && !relations.exclusive.has(a, b)))
}
