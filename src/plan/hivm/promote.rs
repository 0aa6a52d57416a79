//! Level 1: an entry takes the place of a multi-buffer by becoming one (4.10).

use super::history::{Area, Spot};
use super::outline::Holder;

impl Area<'_, '_> {
    /// Tries the one bound of `spot`; places the slot, its other slots and its promoted ones.
    pub(super) fn promote(&mut self, slot: usize, spot: Spot) -> bool {
        let Some(spare) = self.spare(slot, spot) else { return false };
        self.push(Holder::Slot(slot), spot);
        let mut others = self.slots[slot].others.clone();
        for offset in spare {
            let holder = match others.next() {
                Some(other) => {
                    self.slots[other].offset = offset;
                    Holder::Slot(other)
                }
                None => {
                    self.slots[slot].promoted.push(offset);
                    Holder::Promoted(slot)
                }
            };
            // A slot at which no bound starts is not placed: nothing will keep off it.
            if let Some(i) = self.outline.starting_at(offset) {
                let j = self.outline.reach(i, self.slots[slot].size);
                self.push(holder, Spot { bounds: (i, j), joint: true, ..spot });
            }
        }
        true
    }

    /// The offsets of the further slots, if the last entry of the bound has any to share.
    fn spare(&mut self, slot: usize, spot: Spot) -> Option<Vec<u64>> {
        let (i, j) = spot.bounds;
        if i != j {
            return None;
        }
        // Other slots and promoted ones have no slots of their own (D.7).
        let Some(Holder::Slot(held)) = self.outline.bounds[i].last else { return None };
        let (mine, held) = (&self.slots[slot], &self.slots[held]);
        let offsets: Vec<u64> = if held.is_multi() {
            self.slots[held.others.clone()].iter().map(|o| o.offset).collect()
        } else {
            held.promoted.clone()
        };
        // A slot at address 0 never counts; others not placed yet count where they lay before.
        let spare: Vec<u64> = offsets.into_iter().filter(|&o| o != 0).collect();
        if spare.is_empty() || mine.anchor.is_none() || mine.anchor != held.anchor {
            return None;
        }
        if mine.is_multi() && (mine.first != slot || spare.len() < mine.others.len()) {
            return None;
        }
        let taken = |&x: &u64| {
            let mut there = self.history.iter().filter(|r| r.covers(x, mine.size));
            there.any(|r| self.rules.meets(mine.entry, &self.slots[r.holder.slot()].entry.lives))
        };
        let free = !spare.iter().any(taken);
        self.steps += (self.history.len() * spare.len()) as u64;
        free.then_some(spare)
    }
}
