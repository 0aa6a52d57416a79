//! Several heaps of a limited size (spec/xla-memory.md 8.5).

use super::best_fit::{place, room, without_bytes};
use super::groups::groups;
use super::{Chooser, Heap, SortOrder, Space};
use crate::analyze::hlo::Event;

/// Heaps of at most `limit` bytes each. A group that would end past the limit is left to the next
/// heap; an empty heap takes it whatever its size. What they need together is the sum of their sizes.
///
/// Values without bytes are in the first heap; there is one even when there are no events.
pub fn constrained(events: &[Event], alignment: u64, limit: u64, order: SortOrder) -> Vec<Heap> {
    let (groups, empty) = groups(events);
    let mut space = Space::new(events.len() + 1, alignment);
    let mut heaps = Vec::new();
    let mut heap = without_bytes(&empty);
    let mut waiting = order.sorted(&groups);
    loop {
        space.clear();
        waiting.retain(|&at| {
            let group = &groups[at];
            if group.size > limit && !space.is_empty() {
                return true;
            }
            let chunk = room(&mut space, group, Chooser::BestFit);
            let over = chunk.end() > limit && !space.is_empty();
            if !over {
                place(&mut space, &mut heap, group, chunk);
            }
            over
        });
        heaps.push(std::mem::take(&mut heap));
        if waiting.is_empty() {
            return heaps;
        }
    }
}
