//! The order in which buffers are decided (spec/xla-memory.md 9.2, 22.3).

use std::cmp::Reverse;

use crate::analyze::hlo::{Analysis, GroupId, Value, ValueId};
use crate::ir::hlo::{InstructionId, post_orders};
use crate::model::IdVec;

/// The buffers of a module, largest first; where sizes are equal those of the result first, then the
/// one whose first value comes first, callers before callees.
pub(super) struct Decisions {
    /// Those of computations that are executed in time.
    pub(super) scoped: Vec<GroupId>,
    /// Those of computations that are called for each element, such as a reduction's.
    pub(super) embedded: Vec<GroupId>,
}

impl Decisions {
    pub(super) fn of(analysis: &Analysis<'_>) -> Self {
        let position = positions(analysis);
        let groups = &analysis.groups;
        let mut all: Vec<_> = groups
            .groups
            .enumerate()
            .filter_map(|(id, values)| {
                let places = values.iter().map(|&value| position[definer(analysis, value)]);
                Some((Reverse(groups.size[id]), !groups.live_out[id], places.min()?, id))
            })
            .collect();
        all.sort_unstable();
        let ids = all.into_iter().map(|(.., id)| id);
        let (scoped, embedded) = ids.partition(|&id| is_scoped(analysis, id));
        Self { scoped, embedded }
    }
}

/// Where each instruction stands in a listing of all computations, last in the text first.
fn positions(analysis: &Analysis<'_>) -> IdVec<InstructionId, u32> {
    let module = analysis.module;
    let mut position = IdVec::filled(u32::MAX, module.instructions.len());
    let orders = post_orders(module);
    for (at, &instruction) in (0..).zip(orders.iter().rev().flatten()) {
        position[instruction] = at;
    }
    position
}

fn is_scoped(analysis: &Analysis<'_>, group: GroupId) -> bool {
    analysis.groups.groups[group].iter().any(|&value| {
        let at = definer(analysis, value);
        analysis.calls.scoped[analysis.module.instructions[at].computation]
    })
}

fn definer(analysis: &Analysis<'_>, value: ValueId) -> InstructionId {
    let value: &Value = &analysis.values.values[value];
    value.definition.instruction
}
