//! Slots: what the pass calls storage entries once multi-buffers are expanded (4.1).

use std::ops::Range;

use super::levels::Kinds;
use super::{Entry, Input};

/// One slot of an entry, what is known of it, and where it was put last.
///
/// Offset and level persist over the level-3 plan, rollback and restart (D.8).
pub(super) struct Slot<'a> {
    /// The entry.
    pub(super) entry: &'a Entry,
    /// The first slot of the entry; the slot itself if it is that.
    pub(super) first: usize,
    /// The other slots of the entry; none unless it is the first slot.
    pub(super) others: Range<usize>,
    /// Size rounded up, in bits.
    pub(super) size: u64,
    /// What touches it (4.9, level 3).
    pub(super) kinds: Kinds,
    /// Its anchor loop (4.9, level 2).
    pub(super) anchor: Option<u32>,
    /// Where it was put last; 0 before that.
    pub(super) offset: u64,
    /// The level at which it was put last.
    pub(super) level: Option<u8>,
    /// Offsets of slots that it got by promotion (4.10); emptied when it is taken back.
    pub(super) promoted: Vec<u64>,
    /// True while the history holds it.
    pub(super) recorded: bool,
}

impl Slot<'_> {
    /// True for a slot of an entry with several.
    pub(super) fn is_multi(&self) -> bool {
        self.entry.slots > 1
    }

    /// One past its last bit.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.size)
    }

    /// One past the last bit of it and of the slots that it got by promotion.
    pub(super) fn peak(&self) -> u64 {
        let promoted = self.promoted.iter().map(|o| o.saturating_add(self.size));
        promoted.fold(self.end(), u64::max)
    }
}

/// All first slots in list order, then the other slots, first slot by first slot (4.1).
pub(super) fn expand(input: &Input) -> Vec<Slot<'_>> {
    let mut slots: Vec<Slot<'_>> =
        input.entries.iter().enumerate().map(|(at, entry)| slot(input, entry, at)).collect();
    for first in 0..slots.len() {
        let entry = slots[first].entry;
        let begin = slots.len();
        slots.extend((1..entry.slots).map(|_| slot(input, entry, first)));
        slots[first].others = begin..slots.len();
    }
    slots
}

fn slot<'a>(input: &'a Input, entry: &'a Entry, first: usize) -> Slot<'a> {
    let scope = input.scopes.get(entry.scope);
    let workspace = scope.is_some_and(|s| s.capacity.is_none());
    // The pipe classification is not built for workspaces (section 5).
    let kinds = if workspace { Kinds::default() } else { Kinds::of(input, entry) };
    Slot {
        entry,
        first,
        others: 0..0,
        size: align_up(entry.bits, scope.map_or(1, |s| s.alignment)),
        kinds,
        anchor: super::levels::anchor(input, entry),
        offset: 0,
        level: None,
        promoted: Vec::new(),
        recorded: false,
    }
}

/// The scopes in order of first appearance, each with its slots in list order.
pub(super) fn by_scope(slots: &[Slot<'_>]) -> Vec<(usize, Vec<usize>)> {
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for (at, slot) in slots.iter().enumerate() {
        match groups.iter_mut().find(|(scope, _)| *scope == slot.entry.scope) {
            Some((_, list)) => list.push(at),
            None => groups.push((slot.entry.scope, vec![at])),
        }
    }
    groups
}

/// Rounds up; stops at the largest number.
pub(super) fn align_up(bits: u64, alignment: u64) -> u64 {
    match bits % alignment.max(1) {
        0 => bits,
        over => bits.saturating_add(alignment - over),
    }
}
