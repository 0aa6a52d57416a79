//! Whether a packing is right.
//!
//! The checker knows the instance and the packing and nothing of the solvers: it does not use
//! their bounds, their indices or their relations tables.

mod active;
mod overlap;
mod pieces;

use crate::instance::{Instance, ItemId};
use crate::outcome::Packing;
use pieces::{Piece, Pieces};

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The number of offsets is not the number of items, a promotion index does not exist, or
    /// the promotion indices are not sorted.
    Shape,
    /// Past the capacity, or the end does not fit 64 bits.
    Capacity(ItemId),
    /// Not a multiple of the alignment.
    Misaligned(ItemId),
    /// Not at its pin.
    Pin(ItemId),
    /// Outside its window.
    Window(ItemId),
    /// On reserved bytes.
    Reserved(ItemId),
    /// Colocated items at another distance.
    Apart(ItemId, ItemId),
    /// Two items that conflict and share bytes; the lower id first.
    Overlap(ItemId, ItemId),
    /// A promotion in force whose single is on none of the slots, or twice in force, or whose
    /// copies share bytes, or whose slot is itself a promoted single.
    Promotion(u32),
}

/// All faults of a packing of a validated instance, in a fixed order; none means that it is right.
///
/// The order: [`Fault::Shape`] alone; else item by item capacity, alignment, pin, window,
/// reserved ranges; then distances of colocated items as listed, promotions by index, and
/// overlaps by pair, each pair once. `separate` and `alone` win over in-place as they win over
/// `exclusive`. The work is n log n plus what the faulty and the excused pairs take.
pub fn check(instance: &Instance, packing: &Packing) -> Vec<Fault> {
    let known = packing.promoted.iter().all(|&p| (p as usize) < instance.promotions.len());
    let sorted = packing.promoted.is_sorted();
    if packing.offsets.len() != instance.items.len() || !known || !sorted {
        return vec![Fault::Shape];
    }
    let pieces = Pieces::new(instance, packing);
    let mut faults = Vec::new();
    for id in 0..instance.items.len() as ItemId {
        place(instance, packing, id, pieces.of(id), &mut faults);
    }
    for c in &instance.colocated {
        let expected = packing.offsets[c.first as usize].checked_add(c.delta);
        if expected != Some(packing.offsets[c.second as usize]) {
            faults.push(Fault::Apart(c.first, c.second));
        }
    }
    let found = overlap::find(instance, &pieces);
    let mut broken: Vec<u32> = pieces.broken.iter().copied().chain(found.promotions).collect();
    broken.sort_unstable();
    broken.dedup();
    faults.extend(broken.into_iter().map(Fault::Promotion));
    faults.extend(found.pairs.into_iter().map(|(a, b)| Fault::Overlap(a, b)));
    faults
}

/// The rules of one item on its own; a promoted single has to obey them on every slot.
fn place(
    instance: &Instance,
    packing: &Packing,
    id: ItemId,
    pieces: &[Piece],
    faults: &mut Vec<Fault>,
) {
    let item = &instance.items[id as usize];
    let bytes = item.size > 0;
    let past = |p: &Piece| match p.lo.checked_add(item.size) {
        Some(end) => instance.capacity.is_some_and(|capacity| end > capacity),
        None => true,
    };
    if bytes && pieces.iter().any(past) {
        faults.push(Fault::Capacity(id));
    }
    let offset = packing.offsets[id as usize];
    let off_grid = |offset: u64| !offset.is_multiple_of(item.align);
    if off_grid(offset) || pieces.iter().any(|p| off_grid(p.lo)) {
        faults.push(Fault::Misaligned(id));
    }
    if item.pin.is_some_and(|pin| pin != offset) {
        faults.push(Fault::Pin(id));
    }
    if let Some(window) = &item.window {
        let inside = |p: &Piece| window.start <= p.lo && p.hi <= window.end;
        if bytes && !pieces.iter().all(inside) {
            faults.push(Fault::Window(id));
        }
    }
    let reserved = |p: &Piece| {
        let next = instance.reserved.partition_point(|r| r.end <= p.lo);
        instance.reserved.get(next).is_some_and(|r| r.start < p.hi)
    };
    if bytes && pieces.iter().any(reserved) {
        faults.push(Fault::Reserved(id));
    }
}
