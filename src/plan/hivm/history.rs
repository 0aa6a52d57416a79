//! The work area of one plan: outline, the stack of placements, and how one is made and taken back
//! (4.8).

use super::conflict::Rules;
use super::machine::MOST_STEPS;
use super::outline::{Change, Holder, Outline};
use super::slots::Slot;

/// A placement.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// The level at which it was made.
    pub(super) level: u8,
    /// The position in the order of placing; 0 is the root.
    pub(super) at: usize,
    /// What was placed.
    pub(super) holder: Holder,
    /// Where.
    pub(super) offset: u64,
    /// Its rounded size.
    pub(super) size: u64,
    /// True for a slot placed together with another one by promotion (4.10).
    pub(super) joint: bool,
    change: Change,
}

impl Record {
    /// True when it shares bits with `[offset, offset + size)`.
    pub(super) fn covers(&self, offset: u64, size: u64) -> bool {
        self.offset < offset.saturating_add(size) && offset < self.offset.saturating_add(self.size)
    }
}

/// Where a placement goes and in which name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// The level.
    pub(super) level: u8,
    /// The position of the entry being placed.
    pub(super) at: usize,
    /// The first and the last bound.
    pub(super) bounds: (usize, usize),
    /// True for a slot placed together with another one.
    pub(super) joint: bool,
}

/// A plan of one scope in the making.
pub(super) struct Area<'s, 'a> {
    pub(super) rules: &'s Rules<'a>,
    pub(super) slots: &'s mut [Slot<'a>],
    pub(super) outline: Outline,
    pub(super) history: Vec<Record>,
    /// True when a placement keeps the lives of the bounds under it apart.
    pub(super) split: bool,
    /// The position that must not be placed at this address again.
    pub(super) avoid: Option<(usize, u64)>,
    /// Bounds, records and lives looked at.
    pub(super) steps: u64,
    /// How many of them there may be before a rollback.
    pub(super) most_steps: u64,
}

impl<'s, 'a> Area<'s, 'a> {
    pub(super) fn new(
        rules: &'s Rules<'a>,
        slots: &'s mut [Slot<'a>],
        capacity: u64,
        split: bool,
    ) -> Self {
        // Offsets and levels of earlier plans stay, the history does not (D.8).
        slots.iter_mut().for_each(|s| s.recorded = false);
        let outline = Outline::new(capacity);
        let (history, most_steps) = (Vec::new(), rules.input.patience.unwrap_or(MOST_STEPS));
        Self { rules, slots, outline, history, split, avoid: None, steps: 0, most_steps }
    }

    /// Places a slot, or one that it got by promotion, and remembers it.
    pub(super) fn push(&mut self, holder: Holder, spot: Spot) {
        let slot = &mut self.slots[holder.slot()];
        let offset = self.outline.bounds[spot.bounds.0].offset;
        if matches!(holder, Holder::Slot(_)) {
            slot.offset = offset;
            slot.level = Some(spot.level);
            slot.recorded = true;
        }
        let what = (holder, slot.size, slot.entry.lives.as_slice());
        let change = self.outline.put(spot.bounds, what, self.split);
        self.steps += self.outline.bounds[spot.bounds.0].lives.len() as u64;
        let Spot { level, at, joint, .. } = spot;
        self.history.push(Record { level, at, holder, offset, size: slot.size, joint, change });
    }

    /// Takes back the last placement. Its offset stays where it was (D.8).
    pub(super) fn pop(&mut self) -> Option<Record> {
        let mut record = self.history.pop()?;
        let none = Change::default();
        self.outline.take_back(std::mem::replace(&mut record.change, none));
        if let Holder::Slot(slot) = record.holder {
            self.slots[slot].recorded = false;
            self.slots[slot].promoted.clear();
        }
        Some(record)
    }
}
