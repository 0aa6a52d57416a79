//! The multi-level machine: level by level, rollback, restart (4.7, 4.11), and the plan of one
//! level (4.6).
//!
//! Positions are child indices plus one: 0 is the root.
//!
//! It ends: a rollback to a child lowers its level and leaves all before it alone, so the sequence
//! of levels falls in lexicographic order. There may be some `n^3` rollbacks in a phase, so there
//! is a limit that no function of practical size reaches ([`MOST_STEPS`]).

use super::history::{Area, Record};
use super::levels::{LIFE, PIPE};
use super::outline::{Holder, Outline};

/// Bounds, records and lives looked at before the machine gives up as if nothing had fitted. Ours,
/// not the pass's, which would go on for hours. Functions of 200 entries use a tenth of it.
pub(super) const MOST_STEPS: u64 = 50_000_000;

/// Places everything at one level without a limit on memory; the total in bits, or none if that
/// is beyond 2^64.
pub(super) fn single_level(area: &mut Area<'_, '_>, order: &[usize], level: u8) -> Option<u64> {
    let mut total = 0;
    for (at, &slot) in order.iter().enumerate() {
        if !area.search(level, at, slot) {
            return None;
        }
        total = total.max(area.slots[slot].end());
    }
    Some(total)
}

/// Places everything within the capacity, from a first level on; false when that cannot be done.
/// The area is left in split mode if a restart was needed.
pub(super) fn multi_level(
    area: &mut Area<'_, '_>,
    order: &[usize],
    capacity: u64,
    level: u8,
) -> bool {
    let mut machine = Machine { area, order, capacity, at: 0, start: 1, level };
    while machine.at < order.len() {
        if machine.place() {
            continue;
        }
        if machine.area.steps > machine.area.most_steps {
            machine.area.split = true;
            return false;
        }
        if machine.roll_back() {
            continue;
        }
        if machine.area.split {
            return false;
        }
        machine.restart();
    }
    true
}

struct Machine<'m, 's, 'a> {
    area: &'m mut Area<'s, 'a>,
    order: &'m [usize],
    capacity: u64,
    /// The position being placed (`child`).
    at: usize,
    /// The position whose success raises the level again.
    start: usize,
    level: u8,
}

impl Machine<'_, '_, '_> {
    /// Places the next entry at the highest level that works (4.7).
    fn place(&mut self) -> bool {
        let slot = self.order[self.at];
        // A slot that was placed together with another one is there already.
        let there = self.area.slots[slot].recorded;
        if !there && !(LIFE..=self.level).rev().any(|l| self.area.search(l, self.at, slot)) {
            return false;
        }
        if self.at == self.start {
            self.level = PIPE;
        }
        self.at += 1;
        true
    }

    /// Takes back placements up to one that may be tried at a lower level (4.11); false when there
    /// is none.
    fn roll_back(&mut self) -> bool {
        self.start = self.start.max(self.at);
        let failing = self.area.slots[self.order[self.at]].size;
        while let Some(record) = self.area.pop() {
            // The root is never degraded; a slot follows its first slot.
            if record.at == 0 || record.level == LIFE || record.joint || self.follows(&record) {
                continue;
            }
            self.area.avoid = Some((record.at, record.offset));
            if record.offset.wrapping_add(failing) > self.capacity {
                continue;
            }
            self.at = record.at;
            self.level = record.level - 1;
            return true;
        }
        false
    }

    /// True for another slot than the first of an entry, whose first was applied at the same level.
    fn follows(&self, record: &Record) -> bool {
        let Holder::Slot(slot) = record.holder else { return false };
        let first = self.area.slots[slot].first;
        first != slot && self.area.slots[first].level == Some(record.level)
    }

    /// From the root again, with lives kept apart.
    fn restart(&mut self) {
        while self.area.pop().is_some() {}
        self.area.outline = Outline::new(self.capacity);
        self.area.split = true;
        self.area.avoid = None;
        (self.at, self.start, self.level) = (0, 1, PIPE);
    }
}
