//! Where the objects of the replay lie.

use super::case::Case;
use super::memory::{Area, SHIFT};
use crate::model::{BufferId, IdVec};
use crate::runtime::program::Ref;

/// The objects of a function: each slot of each colocation group.
///
/// A promoted buffer is one object with several copies: the program knows one buffer, and what it
/// wrote in one trip it may read in the next.
pub(super) struct Objects {
    /// The first object of each group.
    first: Vec<u32>,
    /// For each group, whether its members lie as they must; if not, that is a finding already,
    /// and what they read is not judged.
    sound: Vec<bool>,
    promoted: IdVec<BufferId, bool>,
}

impl Objects {
    pub(super) fn of(case: &Case<'_>) -> Self {
        let n = case.groups.len();
        let mut slots = vec![1u32; n];
        let mut sound = vec![true; n];
        let mut promoted = IdVec::filled(false, case.function.buffers.len());
        // For each group the bases of its slots, as its first member has them.
        let mut bases: Vec<Option<Vec<u128>>> = vec![None; n];
        for (id, buffer) in case.function.buffers.enumerate() {
            let group = case.groups.group(id) as usize;
            let offsets = case.offsets(id);
            promoted[id] = buffer.slots <= 1 && offsets.len() > 1;
            if !promoted[id] {
                let count = u32::try_from(offsets.len()).unwrap_or(u32::MAX);
                slots[group] = slots[group].max(count);
            }
            let own: Vec<u128> = (0..offsets.len()).map(|slot| base(case, id, slot)).collect();
            match &bases[group] {
                None => bases[group] = Some(own),
                Some(first) => sound[group] &= *first == own,
            }
        }
        let first = slots.iter().scan(0u32, |next, &count| {
            let first = *next;
            *next = next.saturating_add(count);
            Some(first)
        });
        Self { first: first.collect(), sound, promoted }
    }

    /// The bytes of a reference; none when it has none, or the buffer no place.
    pub(super) fn area(&self, case: &Case<'_>, r: &Ref) -> Option<Area> {
        let &offset = case.offsets(r.buffer).get(r.slot as usize)?;
        if r.bytes.is_empty() {
            return None;
        }
        // The machine rounds sizes up: who touches the last byte touches the rest of its block.
        let size = case.buffer(r.buffer).size.0;
        let end = if r.bytes.end >= size { case.sizes[r.buffer] } else { r.bytes.end };
        let start = scope(case, r.buffer) + u128::from(offset);
        Some(Area {
            buffer: r.buffer,
            object: self.object(case, r.buffer, r.slot),
            base: base(case, r.buffer, r.slot as usize),
            lo: start + u128::from(r.bytes.start),
            hi: start + u128::from(end),
        })
    }

    /// All slots of a buffer, whole.
    pub(super) fn areas(&self, case: &Case<'_>, id: BufferId) -> impl Iterator<Item = Area> {
        let scope = scope(case, id);
        case.slots(id).map(move |slot| Area {
            buffer: id,
            object: self.object(case, id, slot.slot),
            base: base(case, id, slot.slot as usize),
            lo: scope + slot.start,
            hi: scope + slot.end,
        })
    }

    /// The bases of the other copies of an object.
    pub(super) fn copies(&self, case: &Case<'_>, area: Area) -> Vec<u128> {
        if !self.promoted[area.buffer] {
            return Vec::new();
        }
        let all = (0..case.offsets(area.buffer).len()).map(|slot| base(case, area.buffer, slot));
        all.filter(|&other| other != area.base).collect()
    }

    /// True when what a buffer reads can be judged.
    pub(super) fn sound(&self, case: &Case<'_>, id: BufferId) -> bool {
        self.sound[case.groups.group(id) as usize]
    }

    /// The object that a slot of a buffer belongs to.
    pub(super) fn object(&self, case: &Case<'_>, id: BufferId, slot: u32) -> u32 {
        let first = self.first[case.groups.group(id) as usize];
        if self.promoted[id] { first } else { first.saturating_add(slot) }
    }
}

/// The key of a scope's byte 0.
pub(super) fn scope(case: &Case<'_>, id: BufferId) -> u128 {
    u128::from(case.buffer(id).scope.0) << SHIFT
}

/// The key of the first byte of the group that the buffer belongs to, as its own offset has it.
fn base(case: &Case<'_>, id: BufferId, slot: usize) -> u128 {
    let offset = case.offsets(id).get(slot).copied().unwrap_or(0);
    (scope(case, id) + u128::from(offset)).wrapping_sub(u128::from(case.groups.lead(id)))
}
