//! Another number of slots.

use std::collections::BTreeSet;

use super::fits;
use crate::model::{BufferId, Function, LoopId, OpId, Order, RelationKind};

/// Slots of a buffer, at most: as many as a spec may say.
const MAX_SLOTS: u32 = 4096;

/// The function in which a buffer has another number of slots, together with what is the same bytes.
/// A buffer that had one slot rotates with the trips of the innermost loop around all its ops; pins of
/// slots that are gone go, too.
///
/// # Errors
/// Why there is no such function, as a fragment.
pub fn with_slots(function: &Function, buffer: BufferId, slots: u32) -> Result<Function, String> {
    if slots == 0 || slots > MAX_SLOTS {
        return Err(format!("a buffer has 1 to {MAX_SLOTS} slots"));
    }
    let mut out = function.clone();
    for id in together(function, buffer) {
        let old = &function.buffers[id];
        let new = &mut out.buffers[id];
        if let Some(pins) = &mut new.pin {
            if (slots as usize) > pins.len() {
                return Err(format!("`{}` is pinned in {} slots", old.name, old.slots));
            }
            pins.truncate(slots as usize);
        }
        new.slots = slots;
        new.rotates_in = match slots {
            1 => None,
            _ => old.rotates_in.or(old.lives_in).or_else(|| innermost(function, id)),
        };
        if slots > 1 && new.rotates_in.is_none() && old.live.is_none() {
            return Err(format!("no loop holds all ops of `{}`", old.name));
        }
    }
    fits(&out)?;
    Ok(out)
}

/// A buffer and all that must be the same bytes.
fn together(function: &Function, buffer: BufferId) -> BTreeSet<BufferId> {
    let mut group = BTreeSet::from([buffer]);
    loop {
        let before = group.len();
        for relation in &function.relations {
            let pair = [relation.first, relation.second];
            if matches!(relation.kind, RelationKind::Colocate { .. })
                && pair.iter().any(|id| group.contains(id))
            {
                group.extend(pair);
            }
        }
        if group.len() == before {
            return group;
        }
    }
}

/// The innermost loop around all ops that touch a buffer.
fn innermost(function: &Function, buffer: BufferId) -> Option<LoopId> {
    let touches = |op: &OpId| {
        let mut accesses = function.ops[*op].accesses.iter();
        accesses.any(|access| function.roots(access.value).contains(&buffer))
    };
    let order = Order::of(function);
    order.common_loops(function.ops.ids().filter(touches)).last().copied()
}
