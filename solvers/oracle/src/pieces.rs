//! An instance with its promotions decided, as rigid groups of byte ranges.

use memplan_packing::{Colocation, Instance, ItemId};

use crate::apart::Place;

/// The bytes of one item at one place: `[base(group) + shift, + size)`.
pub(crate) struct Piece {
    pub(crate) place: Place,
    pub(crate) group: usize,
    pub(crate) shift: i128,
    pub(crate) size: i128,
}

/// All pieces: the items, of which promoted singles take no bytes, then their copies.
pub(crate) struct Pieces {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) groups: usize,
    pub(crate) promoted: Vec<u32>,
}

/// Every way to put promotions into force: which ones, and on which slot each single starts.
pub(crate) fn every_way(instance: &Instance) -> Vec<Pieces> {
    let mut choices: Vec<Vec<(u32, usize)>> = vec![Vec::new()];
    for (p, promotion) in instance.promotions.iter().enumerate() {
        let mut more = Vec::new();
        for choice in &choices {
            let taken =
                |&(q, _): &(u32, usize)| instance.promotions[q as usize].single == promotion.single;
            if !choice.iter().any(taken) {
                for slot in 0..promotion.slots.len() {
                    let mut longer = choice.clone();
                    longer.push((p as u32, slot));
                    more.push(longer);
                }
            }
        }
        choices.extend(more);
    }
    choices.iter().filter_map(|choice| decided(instance, choice)).collect()
}

fn decided(instance: &Instance, choice: &[(u32, usize)]) -> Option<Pieces> {
    let mut tied = instance.clone();
    for &(p, slot) in choice {
        let promotion = &instance.promotions[p as usize];
        let (first, second) = (promotion.slots[slot], promotion.single);
        tied.colocated.push(Colocation { first, second, delta: 0 });
    }
    let groups = tied.groups().ok()?;
    let in_force = |p: &(u32, usize)| &instance.promotions[p.0 as usize];
    let piece = |item: usize, slot: Option<ItemId>| {
        let at = slot.map_or(item, |slot| slot as usize);
        let single = choice.iter().any(|p| in_force(p).single as usize == item);
        let size = if single && slot.is_none() { 0 } else { instance.items[item].size };
        Piece {
            place: Place { item: item as ItemId, slot },
            group: groups[at].0 as usize,
            shift: i128::from(groups[at].1),
            size: i128::from(size),
        }
    };
    let mut pieces: Vec<Piece> = (0..instance.items.len()).map(|i| piece(i, None)).collect();
    for promotion in choice.iter().map(in_force) {
        let copies = promotion.slots.iter();
        pieces.extend(copies.map(|&slot| piece(promotion.single as usize, Some(slot))));
    }
    let chained = |slot: &ItemId| choice.iter().any(|p| in_force(p).single == *slot);
    if choice.iter().any(|p| in_force(p).slots.iter().any(chained)) {
        return None;
    }
    let count = groups.iter().map(|g| g.0 as usize + 1).max().unwrap_or(0);
    Some(Pieces { pieces, groups: count, promoted: choice.iter().map(|c| c.0).collect() })
}
