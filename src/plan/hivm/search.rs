//! First fit by address: the search for a place at one level (4.8).

use super::history::{Area, Spot};
use super::levels::{LOOP, PIPE, SLOT, Traits, conflict};
use super::outline::Holder;

/// How far a candidate that starts at one bound gets.
enum Extent {
    /// Its last bound is this one.
    Fits(usize),
    /// This bound is in the way.
    Blocked(usize),
    /// The scope ends before.
    Short,
}

impl Area<'_, '_> {
    /// Places a slot at a level, if it fits anywhere. `at` is its position in the order of placing.
    pub(super) fn search(&mut self, level: u8, at: usize, slot: usize) -> bool {
        if self.slots[slot].size == 0 {
            self.slots[slot].offset = 0;
            return true;
        }
        let barred = match level {
            LOOP | PIPE => self.barred(level, slot),
            _ => Vec::new(),
        };
        let mut i = 0;
        while i < self.outline.bounds.len() {
            let j = match self.extent(i, at, slot) {
                Extent::Fits(j) => j,
                Extent::Blocked(j) => {
                    i = j + 1;
                    continue;
                }
                // No later start reaches further.
                Extent::Short => return false,
            };
            let spot = Spot { level, at, bounds: (i, j), joint: false };
            match level {
                SLOT => {
                    if self.promote(slot, spot) {
                        return true;
                    }
                    i += 1;
                    continue;
                }
                LOOP | PIPE => match self.first_free(&barred, i, slot) {
                    // What is barred from here on is barred from every later start on.
                    None => return false,
                    Some(k) if k != i => {
                        i = k;
                        continue;
                    }
                    Some(_) => {}
                },
                _ => {}
            }
            self.push(Holder::Slot(slot), spot);
            return true;
        }
        false
    }

    fn extent(&mut self, i: usize, at: usize, slot: usize) -> Extent {
        let Self { rules, slots, outline, avoid, steps, .. } = self;
        let (entry, size) = (slots[slot].entry, slots[slot].size);
        if *avoid == Some((at, outline.bounds[i].offset)) {
            return Extent::Blocked(i);
        }
        let mut held = 0;
        for (j, bound) in outline.bounds.iter().enumerate().skip(i) {
            *steps += 1;
            if rules.forbids(entry, &bound.lives) {
                return Extent::Blocked(j);
            }
            held += bound.extent;
            if held >= size {
                return Extent::Fits(j);
            }
        }
        Extent::Short
    }

    /// The bits that a slot must not touch at level 2 or 3: sorted, disjoint `[start, end)`.
    fn barred(&mut self, level: u8, slot: usize) -> Vec<(u64, u64)> {
        let traits = |slot: usize| {
            let slot = &self.slots[slot];
            Traits { kinds: slot.kinds, anchor: slot.anchor }
        };
        let mine = traits(slot);
        let held = self.history.iter().filter(|r| conflict(level, traits(r.holder.slot()), mine));
        let mut all: Vec<(u64, u64)> =
            held.map(|r| (r.offset, r.offset.saturating_add(r.size))).collect();
        self.steps += self.history.len() as u64;
        all.sort_unstable();
        let mut out: Vec<(u64, u64)> = Vec::with_capacity(all.len());
        for (start, end) in all {
            match out.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => out.push((start, end)),
            }
        }
        out
    }

    /// The first bound from `i` on at which nothing is barred. Only the last bound is asked whether
    /// the slot fits there.
    fn first_free(&self, barred: &[(u64, u64)], i: usize, slot: usize) -> Option<usize> {
        let size = self.slots[slot].size;
        let bounds = &self.outline.bounds;
        (i..bounds.len()).find(|&k| {
            let bound = &bounds[k];
            let end = bound.offset.saturating_add(size);
            let next = barred.partition_point(|b| b.1 <= bound.offset);
            let free = barred.get(next).is_none_or(|b| b.0 >= end);
            free && (k + 1 < bounds.len() || bound.extent >= size)
        })
    }
}
