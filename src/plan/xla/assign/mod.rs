//! Every buffer gets an allocation and an offset (spec/xla-memory.md 9.1 to 9.4).

mod allocation;
mod combine;
mod decide;
mod fit;
mod occupied;
mod order;
mod reusable;

pub use allocation::{Allocation, Assignment, HeapTrace, Placed};

use std::collections::BTreeSet;

use crate::analyze::hlo::{Analysis, Event, EventOptions, GroupId, Simulator, ValueId};
use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::Sharing;
use crate::model::IdVec;
use crate::plan::xla::heap::Heap;

use decide::Decider;
use order::Decisions;

/// Bytes of all buffers together above which nothing is planned: sums of sums stay in 64 bits.
const LIMIT: u64 = 1 << 60;

/// Assigns every buffer. What may lie in no other allocation is packed by `pack`, which is called once for
/// each memory space, the lowest first.
///
/// # Errors
///
/// A must-alias group over several memory spaces ([`Code::HloMixedSpaces`]); more than 2^60 bytes in
/// all ([`Code::HloSizeOverflow`]); a packing that leaves out a value ([`Code::InternalBug`]).
pub fn assign(
    analysis: &Analysis<'_>,
    sharing: &Sharing<'_>,
    pack: &mut dyn FnMut(u32, &[Event]) -> Heap,
) -> Result<Assignment, Diagnostic> {
    check_total(analysis)?;
    let spaces = spaces(analysis)?;
    let order = Decisions::of(analysis);
    let mut decider = Decider::new(analysis, sharing, &spaces);
    for &group in &order.scoped {
        decider.decide(group);
    }
    let Decider { mut allocations, left, .. } = decider;

    let simulator = Simulator::new(analysis.module, &analysis.values, &analysis.groups, sharing);
    let mut heaps = Vec::new();
    for (space, subset) in left {
        let trace = simulate(&simulator, analysis, space, &subset, pack, allocations.len());
        allocations.push(of_heap(analysis, &trace, &subset)?);
        heaps.push(trace);
    }
    for &group in &order.embedded {
        allocations.push(decide::embedded(analysis, &spaces, group));
    }
    let alignment = analysis.options.platform.alignment();
    let allocations = combine::combine(allocations, &mut heaps, alignment);
    Ok(Assignment { allocations, heaps })
}

fn simulate(
    simulator: &Simulator<'_>,
    analysis: &Analysis<'_>,
    memory_space: u32,
    subset: &BTreeSet<ValueId>,
    pack: &mut dyn FnMut(u32, &[Event]) -> Heap,
    allocation: usize,
) -> HeapTrace {
    let options = EventOptions { subset: Some(subset), ..EventOptions::default() };
    let events = simulator.events(&analysis.ranges, options);
    let heap = pack(memory_space, &events);
    HeapTrace { memory_space, events, heap, allocation, base: 0 }
}

/// The allocation of a packed heap.
fn of_heap(
    analysis: &Analysis<'_>,
    trace: &HeapTrace,
    subset: &BTreeSet<ValueId>,
) -> Result<Allocation, Diagnostic> {
    let mut allocation = Allocation::new(trace.heap.size, trace.memory_space);
    for &value in subset {
        let Some(chunk) = trace.heap.chunks.get(&value) else {
            let message = format!("the heap has no offset for value {}", value.0);
            return Err(Diagnostic::error(Code::InternalBug, message));
        };
        let size = analysis.values.values[value].size;
        allocation.values.push(Placed { value, offset: chunk.offset, size });
    }
    Ok(allocation)
}

fn check_total(analysis: &Analysis<'_>) -> Result<(), Diagnostic> {
    let mut total = 0_u64;
    for (id, &size) in analysis.groups.size.enumerate() {
        total = total.saturating_add(size);
        if total > LIMIT {
            let first = analysis.groups.groups[id].first();
            let at = first.map(|&value| analysis.values.values[value].definition.instruction);
            let loc = at.map(|at| analysis.module.instructions[at].loc);
            let message = format!("all buffers together have more than {LIMIT} bytes");
            return Err(Diagnostic::error(Code::HloSizeOverflow, message)
                .maybe_at(loc, format!("{size} bytes")));
        }
    }
    Ok(())
}

/// The memory space of each group: that of its values where they are born (16.1).
fn spaces(analysis: &Analysis<'_>) -> Result<IdVec<GroupId, u32>, Diagnostic> {
    let module = analysis.module;
    let space = |value: ValueId| {
        let born = &analysis.values.values[value].definition;
        let shape = module.instructions[born.instruction].shape.at(&born.index);
        shape.map_or(0, |shape| shape.memory_space())
    };
    let of_group = |values: &Vec<ValueId>| {
        let Some((&first, rest)) = values.split_first() else { return Ok(0) };
        let of_first = space(first);
        let Some(&other) = rest.iter().find(|&&value| space(value) != of_first) else {
            return Ok(of_first);
        };
        let names = [first, other].map(|value| {
            let at = analysis.values.values[value].definition.instruction;
            &module.instructions[at]
        });
        let [a, b] = names.map(|instruction| instruction.name.as_str());
        let message = format!(
            "`{a}` in memory space {of_first} and `{b}` in memory space {} must be the same bytes",
            space(other)
        );
        let [at, and] = names.map(|instruction| instruction.loc);
        Err(Diagnostic::error(Code::HloMixedSpaces, message)
            .at(at, format!("memory space {of_first}"))
            .at(and, format!("memory space {}", space(other)))
            .help("copy the value to the other memory space, or drop the alias"))
    };
    analysis.groups.groups.iter().map(of_group).collect()
}
