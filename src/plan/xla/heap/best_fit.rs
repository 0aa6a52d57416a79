//! Global decreasing size best fit (spec/xla-memory.md 8.3), and heaps that try several (8.5).

use super::groups::{Group, groups};
use super::{Chooser, Chunk, Heap, SortOrder, Space};
use crate::analyze::hlo::{Event, ValueId};

/// Places the groups of sharers one after the other, each at the lowest offset of the gap that the
/// chooser takes among the chunks placed before that live at a common step.
pub fn best_fit(events: &[Event], alignment: u64, order: SortOrder, chooser: Chooser) -> Heap {
    best_of(events, alignment, &[(order, chooser)])
}

/// The smaller of the heaps of the spatial and the temporal order, the former where they are equal:
/// what XLA's buffer assignment does.
pub fn choose_best(events: &[Event], alignment: u64) -> Heap {
    let ways = [SortOrder::Spatial, SortOrder::Temporal].map(|order| (order, Chooser::BestFit));
    best_of(events, alignment, &ways)
}

/// The smallest heap of both choosers with each of the spatial, temporal and area orders, the first
/// of them where several are equal.
pub fn search(events: &[Event], alignment: u64) -> Heap {
    let orders = [SortOrder::Spatial, SortOrder::Temporal, SortOrder::Area];
    let choosers = [Chooser::BestFit, Chooser::LowestOffset];
    let ways: Vec<_> =
        choosers.iter().flat_map(|&chooser| orders.map(|order| (order, chooser))).collect();
    best_of(events, alignment, &ways)
}

/// The smallest heap of some orders and choosers, the first of them where several are equal; an empty
/// heap when there are none.
pub fn best_of(events: &[Event], alignment: u64, ways: &[(SortOrder, Chooser)]) -> Heap {
    let (groups, empty) = groups(events);
    // A value that nobody frees is alive at the step past the last.
    let mut space = Space::new(events.len() + 1, alignment);
    let mut best: Option<Heap> = None;
    for &(order, chooser) in ways {
        space.clear();
        let mut heap = without_bytes(&empty);
        for at in order.sorted(&groups) {
            let group = &groups[at];
            let chunk = room(&mut space, group, chooser);
            place(&mut space, &mut heap, group, chunk);
        }
        if best.as_ref().is_none_or(|best| heap.size < best.size) {
            best = Some(heap);
        }
    }
    best.unwrap_or_default()
}

/// A heap with the values that ask for no bytes: all at offset 0.
pub(super) fn without_bytes(empty: &[ValueId]) -> Heap {
    let mut heap = Heap::default();
    empty.iter().for_each(|&value| heap.put(value, Chunk { offset: 0, size: 0 }));
    heap
}

/// Where a group goes.
pub(super) fn room(space: &mut Space, group: &Group, chooser: Chooser) -> Chunk {
    let lives = group.members.iter().map(|member| (member.start, member.end));
    let offset = space.find(lives, group.size, None, chooser);
    Chunk { offset, size: group.size }
}

/// Puts it there.
pub(super) fn place(space: &mut Space, heap: &mut Heap, group: &Group, chunk: Chunk) {
    for member in &group.members {
        space.place((member.start, member.end), chunk);
        heap.put(member.value, chunk);
    }
}
