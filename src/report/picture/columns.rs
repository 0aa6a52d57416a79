//! Buffers of a scope as columns.

use std::collections::{BTreeMap, BTreeSet};

use super::names::Names;
use crate::format::picture::Columns;
use crate::model::{BufferId, Function, FunctionAnswer, Index, PipeId, Problem, ScopeAnswer};
use crate::report::context::{Input, offsets, slot_bytes};
use crate::report::words;

/// The buffers of a scope in the order of the answer.
pub(super) fn columns(
    input: Input<'_>,
    function: &Function,
    f: &FunctionAnswer,
    answer: &ScopeAnswer,
    touched: &Touched,
) -> Columns {
    let offsets = offsets(function, &f.plan.placements);
    let mut columns = Columns::default();
    let mut pipes = Names::default();
    for (id, live) in &answer.buffers {
        let Some(buffer) = function.buffers.get(*id) else { continue };
        columns.id.push(id.0);
        columns.name.push(words::name(&buffer.name));
        columns.size.push(buffer.size.0);
        let scope = &input.problem.scopes[buffer.scope];
        columns.taken.push(slot_bytes(scope, buffer));
        columns.slots.push(buffer.slots);
        columns.offsets.push(offsets.get(&id.0).map(|o| o.to_vec()).unwrap_or_default());
        columns.live.push(live.iter().flat_map(|l| [l.start.0, l.end.0]).collect());
        columns.line.push(input.line(buffer.loc));
        columns.pipes.push(pipes.at(&touched.words(input.problem, *id)));
    }
    columns.pipe_words = pipes.words();
    if columns.taken == columns.size {
        columns.taken = Vec::new();
    }
    if columns.line.iter().all(String::is_empty) {
        columns.line = Vec::new();
    }
    if columns.pipe_words.iter().all(String::is_empty) {
        (columns.pipes, columns.pipe_words) = (Vec::new(), Vec::new());
    }
    columns
}

/// Positions of buffers in their column, by their ordinals.
pub(super) fn positions(columns: &Columns) -> BTreeMap<u32, u32> {
    columns.id.iter().copied().zip(0..).collect()
}

/// The pipes that touch each buffer.
#[derive(Debug, Default)]
pub(super) struct Touched {
    by: BTreeMap<BufferId, BTreeSet<PipeId>>,
}

impl Touched {
    /// Of a function: those of its ops, else those that the input gives.
    pub(super) fn of(function: &Function) -> Self {
        let mut by: BTreeMap<BufferId, BTreeSet<PipeId>> = BTreeMap::new();
        for op in function.ops.iter() {
            for access in &op.accesses {
                let Some(pipe) = access.pipe.or(op.pipe) else { continue };
                if access.value.at() >= function.values.len() {
                    continue;
                }
                for root in function.direct_roots(access.value) {
                    by.entry(root).or_default().insert(pipe);
                }
            }
        }
        for (id, buffer) in function.buffers.enumerate().filter(|(_, b)| !b.pipes.is_empty()) {
            by.entry(id).or_default().extend(buffer.pipes.iter().map(|p| p.pipe));
        }
        Self { by }
    }

    /// `MTE2 V`.
    fn words(&self, problem: &Problem, id: BufferId) -> String {
        let pipes = self.by.get(&id).into_iter().flatten();
        let names = pipes.filter_map(|p| problem.pipes.get(*p)).map(|p| words::name(&p.name));
        names.collect::<Vec<_>>().join(" ")
    }
}
