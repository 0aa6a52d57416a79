//! Who shares bytes with whom in a packing, by which right, and whether it stalls.

use std::collections::BTreeMap;

use memplan_packing::Packing;

use super::instance::{Built, Scene, slot_use};
use crate::analyze::{SlotUse, Stalls, allowed_at, stall_cost};
use crate::model::{BufferId, PipeId, Reuse, ReuseLevel};

/// Buffers of a scope, at most, whose reuse is listed: the list may be quadratic.
pub(super) const MAX_LISTED: usize = 2_000;

/// One placed copy of a buffer.
struct Copy {
    buffer: BufferId,
    start: u64,
    end: u64,
    slot: SlotUse,
    promoted_onto: Option<BufferId>,
}

/// The pairs of buffers that share bytes, in order.
pub(super) fn reuse(scene: &Scene<'_>, built: &Built, packing: &Packing) -> Vec<Reuse> {
    let (function, facts) = (scene.function, scene.facts);
    let mut copies = copies(scene, built, packing);
    copies.sort_by_key(|c| (c.start, c.buffer));
    let stalls = Stalls::new(scene.problem, function, facts);
    let mut found: BTreeMap<(BufferId, BufferId), Reuse> = BTreeMap::new();
    for (at, a) in copies.iter().enumerate() {
        for b in copies[at + 1..].iter().take_while(|b| b.start < a.end) {
            if a.buffer == b.buffer {
                continue;
            }
            let place = |id: BufferId| (facts.live[id].first().copied(), id);
            let (x, y) = if place(a.buffer) <= place(b.buffer) { (a, b) } else { (b, a) };
            let promoted = x.promoted_onto == Some(y.buffer) || y.promoted_onto == Some(x.buffer);
            let stall = if promoted { None } else { stalls.between(x.slot, y.slot) };
            let mut level = allowed_at(function, facts, x.buffer, y.buffer);
            if level == ReuseLevel::Slot && !promoted {
                level = ReuseLevel::Lifetime;
            }
            let cost = match stall {
                Some(_) => stall_cost(function, facts, x.buffer, y.buffer),
                None => 0,
            };
            let inplace = facts.inplace.iter().any(|p| {
                (p.from, p.into) == (x.buffer, y.buffer) || (p.into, p.from) == (x.buffer, y.buffer)
            });
            let reuse = Reuse {
                first: x.buffer,
                second: y.buffer,
                level,
                stall: stall.is_some(),
                pipes: tied(scene, x.buffer, y.buffer),
                cost,
                inplace,
            };
            found
                .entry((x.buffer, y.buffer))
                .and_modify(|old| {
                    old.stall |= reuse.stall;
                    old.cost = old.cost.max(reuse.cost);
                    old.level = old.level.max(reuse.level);
                })
                .or_insert(reuse);
        }
    }
    found.into_values().collect()
}

/// The pipes of both buffers, where the sharing ties two of them together.
fn tied(scene: &Scene<'_>, a: BufferId, b: BufferId) -> Vec<PipeId> {
    let facts = scene.facts;
    if facts.class[a].shares_with(facts.class[b]) {
        return Vec::new();
    }
    let mut pipes: Vec<PipeId> = facts.pipes[a].iter().chain(&facts.pipes[b]).copied().collect();
    pipes.sort_unstable();
    pipes.dedup();
    if pipes.len() > 1 { pipes } else { Vec::new() }
}

fn copies(scene: &Scene<'_>, built: &Built, packing: &Packing) -> Vec<Copy> {
    let mut out = Vec::new();
    for (item, &offset) in packing.offsets.iter().enumerate() {
        let size = built.instance.items[item].size;
        let slot = slot_use(scene.function, built, item as u32);
        if size > 0 {
            let end = offset.saturating_add(size);
            out.push(Copy { buffer: slot.buffer, start: offset, end, slot, promoted_onto: None });
        }
    }
    for &index in &packing.promoted {
        let promotion = &built.instance.promotions[index as usize];
        let single = built.items[promotion.single as usize].0;
        let multi = built.items[promotion.slots[0] as usize].0;
        let size = built.instance.items[promotion.single as usize].size;
        let slots = promotion.slots.len() as u32;
        out.retain(|copy| copy.buffer != single);
        for (n, &slot) in promotion.slots.iter().enumerate() {
            let start = packing.offsets[slot as usize];
            let rotates_in = scene.function.buffers[multi].rotates_in;
            let slot = SlotUse { buffer: single, slot: n as u32, slots, rotates_in };
            let end = start.saturating_add(size);
            out.push(Copy { buffer: single, start, end, slot, promoted_onto: Some(multi) });
        }
    }
    out
}
