//! The byte ranges that the items of a packing hold.

use crate::instance::{Instance, ItemId};
use crate::outcome::Packing;

/// One byte range `[lo, hi)` of an item. A promoted single has one for each of its slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) item: ItemId,
    /// The slot whose place is taken, for a promoted single.
    pub(super) slot: Option<ItemId>,
    pub(super) lo: u64,
    pub(super) hi: u64,
    /// Pieces of one family never conflict: colocated items that are not promoted.
    pub(super) family: u32,
}

/// All pieces of a packing, in the order of the items.
pub(super) struct Pieces {
    pub(super) all: Vec<Piece>,
    first: Vec<usize>,
    /// The colocation group of each item.
    pub(super) group: Vec<u32>,
    /// The promotion in force of each single; empty when none is in force.
    force: Vec<Option<u32>>,
    /// Promotions that are wrong on their own, whatever else lies around.
    pub(super) broken: Vec<u32>,
}

impl Pieces {
    pub(super) fn new(instance: &Instance, packing: &Packing) -> Self {
        let n = instance.items.len();
        let group: Vec<u32> = match instance.groups() {
            Ok(groups) => groups.into_iter().map(|(group, _)| group).collect(),
            Err(_) => (0..n as u32).collect(),
        };
        let mut force: Vec<Option<u32>> = Vec::new();
        let mut broken = Vec::new();
        for &index in &packing.promoted {
            force.resize(n, None);
            let single = instance.promotions[index as usize].single as usize;
            if force[single].is_some() {
                broken.push(index);
            } else {
                force[single] = Some(index);
            }
        }
        for &index in &packing.promoted {
            let promotion = &instance.promotions[index as usize];
            let at = packing.offsets[promotion.single as usize];
            let on_slot = promotion.slots.iter().any(|&s| packing.offsets[s as usize] == at);
            let chained = promotion.slots.iter().any(|&s| force[s as usize].is_some());
            if !on_slot || chained {
                broken.push(index);
            }
        }
        let mut pieces = Self {
            all: Vec::with_capacity(n),
            first: Vec::with_capacity(n + 1),
            group,
            force,
            broken,
        };
        // Families above `n` are the promoted singles', one for each piece.
        let mut family = n as u32;
        for (id, item) in instance.items.iter().enumerate() {
            pieces.first.push(pieces.all.len());
            let item_id = id as ItemId;
            let piece = |slot, lo: u64, family| {
                let hi = lo.saturating_add(item.size);
                Piece { item: item_id, slot, lo, hi, family }
            };
            match pieces.promotion(item_id) {
                None => pieces.all.push(piece(None, packing.offsets[id], pieces.group[id])),
                Some(index) => {
                    let mut slots = instance.promotions[index as usize].slots.clone();
                    slots.sort_unstable();
                    slots.dedup();
                    for slot in slots {
                        pieces.all.push(piece(Some(slot), packing.offsets[slot as usize], family));
                        family += 1;
                    }
                }
            }
        }
        pieces.first.push(pieces.all.len());
        pieces
    }

    /// The pieces of an item.
    pub(super) fn of(&self, item: ItemId) -> &[Piece] {
        let at = item as usize;
        &self.all[self.first[at]..self.first[at + 1]]
    }

    /// The promotion in force of an item.
    pub(super) fn promotion(&self, item: ItemId) -> Option<u32> {
        self.force.get(item as usize).copied().flatten()
    }
}
