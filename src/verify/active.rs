//! What lies where at one moment: slots on their bytes, found by bytes.
//!
//! Slots are kept in classes of similar size, each ordered by start. A slot of a class is shorter
//! than `2 * low`, so one that reaches into the bytes asked for starts less than that before them:
//!
//! ```text
//!   class [64, 128)      asked:          [=========)
//!   starts looked at:            [-128 ............)
//! ```
//!
//! In a plan that is right the active slots of a class are disjoint, so at most two of those
//! looked at do not share bytes with what was asked for.

use std::collections::BTreeMap;

use super::case::Slot;
use crate::model::Live;

/// A slot during one of its live ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stay {
    pub slot: Slot,
    pub live: Live,
}

type Key = (u128, u32, u32);

/// The slots that are alive now.
#[derive(Debug, Default)]
pub(super) struct Active {
    classes: BTreeMap<u32, BTreeMap<Key, Stay>>,
}

impl Active {
    pub(super) fn insert(&mut self, stay: Stay) {
        self.classes.entry(class(stay.slot)).or_default().insert(key(stay.slot), stay);
    }

    pub(super) fn remove(&mut self, stay: Stay) {
        if let Some(class) = self.classes.get_mut(&class(stay.slot)) {
            class.remove(&key(stay.slot));
        }
    }

    /// Everything that shares bytes with `slot`, and how many slots were looked at.
    pub(super) fn touching(&self, slot: Slot, found: &mut Vec<Stay>) -> u64 {
        let mut looked = 0;
        for (&class, members) in &self.classes {
            let reach = 1u128 << (class + 1);
            let from = (slot.start.saturating_sub(reach), 0, 0);
            for stay in members.range(from..(slot.end, 0, 0)).map(|(_, stay)| stay) {
                looked += 1;
                if stay.slot.end > slot.start {
                    found.push(*stay);
                }
            }
        }
        looked
    }
}

/// The power of two at or below the size.
fn class(slot: Slot) -> u32 {
    (slot.end - slot.start).max(1).ilog2()
}

fn key(slot: Slot) -> Key {
    (slot.start, slot.buffer.0, slot.slot)
}
