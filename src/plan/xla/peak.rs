//! What is alive when most memory is in use (spec/xla-memory.md 9.6, 16.3).

use std::cmp::Reverse;

use super::stats::fixed_bytes;
use super::{Assignment, HeapTrace};
use crate::analyze::hlo::{Analysis, EventKind, Peak, ValueId, exact_peak};
use crate::ir::hlo::InstructionId;

/// A value that holds bytes at the peak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeakValue {
    /// The value; of those that share bytes, one that holds them at that moment.
    pub value: ValueId,
    /// Bytes.
    pub bytes: u64,
    /// The allocation that holds it.
    pub allocation: usize,
    /// True in an allocation that is there for the whole run: a parameter, a constant, a result.
    pub fixed: bool,
}

/// The moment of most bytes in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeakMoment {
    /// `peak_memory_in_bytes` (16.3): what is there for the whole run, and the most that is alive in a
    /// heap.
    pub bytes: u64,
    /// Bytes of `bytes` that are alive in a heap.
    pub heap_bytes: u64,
    /// The instruction that makes the value with which the peak is reached; `None` without a heap.
    pub at: Option<InstructionId>,
    /// What holds bytes then, the largest first, then by id.
    pub values: Vec<PeakValue>,
}

/// What holds bytes at the peak of the whole module.
pub fn peak_values(analysis: &Analysis<'_>, assignment: &Assignment) -> PeakMoment {
    let fixed = assignment.allocations.iter().enumerate().filter_map(|(allocation, of)| {
        let largest = of.values.iter().max_by_key(|placed| (placed.size, Reverse(placed.value)))?;
        let bytes = fixed_bytes(of);
        let value = largest.value;
        (bytes > 0).then_some(PeakValue { value, bytes, allocation, fixed: true })
    });
    let mut values: Vec<PeakValue> = fixed.collect();
    let fixed_bytes = values.iter().fold(0_u64, |sum, value| sum.saturating_add(value.bytes));

    let mut most: Option<(&HeapTrace, Peak)> = None;
    for heap in &assignment.heaps {
        let peak = exact_peak(&heap.events);
        if most.as_ref().is_none_or(|(_, most)| peak.bytes > most.bytes) {
            most = Some((heap, peak));
        }
    }
    let mut moment = PeakMoment { bytes: fixed_bytes, ..PeakMoment::default() };
    if let Some((heap, peak)) = most {
        moment.bytes = fixed_bytes.saturating_add(peak.bytes);
        moment.heap_bytes = peak.bytes;
        let event = peak.at.and_then(|at| heap.events.get(at));
        moment.at = event.map(|event| analysis.values.values[event.value].definition.instruction);
        values.extend(alive(heap, &peak));
    }
    values.sort_by_key(|value| (Reverse(value.bytes), value.value));
    moment.values = values;
    moment
}

/// The moment of most bytes in use in one heap.
#[derive(Clone, Debug, Default)]
pub(super) struct HeapPeak {
    pub(super) bytes: u64,
    /// The event with which it is reached.
    pub(super) at: Option<usize>,
    /// What holds bytes then, the largest first, then by id.
    pub(super) values: Vec<(ValueId, u64)>,
}

/// What holds bytes at the peak of one heap.
pub(super) fn heap_peak(heap: &HeapTrace) -> HeapPeak {
    let peak = exact_peak(&heap.events);
    let mut values: Vec<(ValueId, u64)> =
        alive(heap, &peak).into_iter().map(|value| (value.value, value.bytes)).collect();
    values.sort_by_key(|&(value, bytes)| (Reverse(bytes), value));
    HeapPeak { bytes: peak.bytes, at: peak.at, values }
}

/// The values of a heap alive at its peak, one for each piece of shared bytes: the youngest that is alive.
fn alive(heap: &HeapTrace, peak: &Peak) -> Vec<PeakValue> {
    let len = heap.events.iter().map(|event| event.value.0 as usize + 1).max().unwrap_or(0);
    // By value: who gave it its bytes; is it alive; by the first that had the bytes: their size.
    let mut root: Vec<ValueId> = (0..).map(ValueId).take(len).collect();
    let mut size = vec![0_u64; len];
    let mut youngest: Vec<Vec<ValueId>> = vec![Vec::new(); len];
    let until = peak.at.map_or(0, |at| at + 1);
    for (index, event) in heap.events.iter().enumerate() {
        let value = event.value.0 as usize;
        if let EventKind::Share(with) = event.kind {
            root[value] = root.get(with.0 as usize).copied().unwrap_or(event.value);
        }
        let of = root[value].0 as usize;
        size[of] = size[of].max(event.size);
        if index < until {
            match event.kind {
                EventKind::Free => youngest[of].retain(|alive| *alive != event.value),
                _ => youngest[of].push(event.value),
            }
        }
    }
    let held = peak.live.iter().filter_map(|root| {
        let at = root.0 as usize;
        Some(PeakValue {
            value: *youngest.get(at)?.last()?,
            bytes: *size.get(at)?,
            allocation: heap.allocation,
            fixed: false,
        })
    });
    held.filter(|value| value.bytes > 0).collect()
}
