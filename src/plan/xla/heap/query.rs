//! How much of a heap is in use over a stretch of time (spec/xla-memory.md 8.6).

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::groups::{Member, groups};
use super::{Chunk, Heap};
use crate::analyze::hlo::Event;

/// Bytes of the values alive at each step of a stretch; values that share count each on their own.
/// A step is the index of an event, and a value is alive from the event that gives it bytes to the
/// one that frees it, both included. The stretch is cut to the steps that there are.
pub fn memory_used(events: &[Event], heap: &Heap, steps: RangeInclusive<u64>) -> Vec<u64> {
    let mut sum = 0u64;
    sweep(events, heap, steps, |changes| {
        for change in changes {
            match change {
                Change::Born(chunk) => sum = sum.saturating_add(chunk.size),
                Change::Gone(chunk) => sum = sum.saturating_sub(chunk.size),
            }
        }
        sum
    })
}

/// The largest end of a chunk of a value alive at each step of a stretch, as in [`memory_used`].
pub fn heap_size(events: &[Event], heap: &Heap, steps: RangeInclusive<u64>) -> Vec<u64> {
    let mut ends: BTreeMap<u64, usize> = BTreeMap::new();
    sweep(events, heap, steps, |changes| {
        for change in changes {
            match change {
                Change::Born(chunk) => *ends.entry(chunk.end()).or_default() += 1,
                Change::Gone(chunk) => {
                    if let Some(count) = ends.get_mut(&chunk.end()) {
                        *count -= 1;
                        if *count == 0 {
                            ends.remove(&chunk.end());
                        }
                    }
                }
            }
        }
        ends.last_key_value().map_or(0, |(&end, _)| end)
    })
}

/// What happens to a chunk.
#[derive(Clone, Copy, Debug)]
enum Change {
    Born(Chunk),
    Gone(Chunk),
}

/// Tells the changes step by step from the first, and keeps the answers of the stretch.
fn sweep(
    events: &[Event],
    heap: &Heap,
    steps: RangeInclusive<u64>,
    mut answer: impl FnMut(&[Change]) -> u64,
) -> Vec<u64> {
    let mut changes: Vec<Vec<Change>> = vec![Vec::new(); events.len() + 2];
    for (Member { start, end, .. }, chunk) in placed(events, heap) {
        changes[start as usize].push(Change::Born(chunk));
        changes[end as usize + 1].push(Change::Gone(chunk));
    }
    let mut all = Vec::new();
    for (step, changes) in changes.iter().take(events.len()).enumerate() {
        let value = answer(changes);
        if steps.contains(&(step as u64)) {
            all.push(value);
        }
    }
    all
}

/// The values that the heap holds, with their lives and their chunks.
pub(super) fn placed(events: &[Event], heap: &Heap) -> Vec<(Member, Chunk)> {
    let (groups, _) = groups(events);
    let members = groups.into_iter().flat_map(|group| group.members);
    members.filter_map(|member| Some((member, *heap.chunks.get(&member.value)?))).collect()
}
