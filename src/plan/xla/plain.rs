//! XLA's heap on a packing problem that was not read from HLO text, to compare with.

use memplan_packing::{Instance, Missing, Packing};

use super::heap;
use crate::analyze::hlo::{Event, EventKind, ValueId};

/// Packs rectangles as XLA would: an item's bytes are its own from its first to its last step.
///
/// # Errors
/// What XLA's heap does not know: pins, windows, reserved bytes, relations, several alignments.
pub(in crate::plan) fn place(instance: &Instance) -> Result<Packing, Missing> {
    takes(instance)?;
    let id = |at: usize| ValueId(u32::try_from(at).unwrap_or(u32::MAX));
    // Whoever ends at a step is gone before the next one begins there.
    let mut order: Vec<(u64, bool, u32)> = Vec::new();
    for (at, item) in instance.items.iter().enumerate() {
        let (Some(first), Some(last)) = (item.live.first(), item.live.last()) else { continue };
        order.extend([(first.start, true, id(at).0), (last.end, false, id(at).0)]);
    }
    order.sort_unstable();
    let event = |&(_, starts, at): &(u64, bool, u32)| Event {
        kind: if starts { EventKind::Alloc } else { EventKind::Free },
        value: ValueId(at),
        size: instance.items.get(at as usize).map_or(0, |item| item.size),
    };
    let events: Vec<Event> = order.iter().map(event).collect();
    let alignment = instance.items.first().map_or(1, |item| item.align);
    if !heap::fits(&events, alignment) {
        return Err(Missing::TooLarge(instance.items.len() as u64));
    }
    let packed = heap::choose_best(&events, alignment);
    let offset = |at: usize| packed.chunks.get(&id(at)).map_or(0, |chunk| chunk.offset);
    let offsets = (0..instance.items.len()).map(offset).collect();
    Ok(Packing { offsets, promoted: Vec::new() })
}

fn takes(instance: &Instance) -> Result<(), Missing> {
    let alignment = instance.items.first().map_or(1, |item| item.align);
    let wrong = [
        (instance.items.iter().any(|i| i.align != alignment), Missing::Alignment),
        (instance.items.iter().any(|i| i.pin.is_some() || i.window.is_some()), Missing::Pins),
        (!instance.reserved.is_empty(), Missing::Reserved),
        (!instance.separate.is_empty(), Missing::Separate),
        (instance.items.iter().any(|i| i.alone), Missing::Separate),
        (!instance.colocated.is_empty(), Missing::Colocation),
        (!instance.inplace.is_empty(), Missing::Inplace),
    ];
    match wrong.into_iter().find(|(wrong, _)| *wrong) {
        Some((_, missing)) => Err(missing),
        None => Ok(()),
    }
}
