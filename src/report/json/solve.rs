//! Plans and the reasons for them.

use super::diagnosis;
use crate::format::json_solve as json;
use crate::model::{
    Allocation, Answer, Attempt, AttemptEnd, Bytes, Function, FunctionAnswer, Load, Overflow,
    Reuse, Scope, ScopeAnswer,
};
use crate::report::context::{Input, offsets};
use crate::report::words;

/// The functions of one input.
pub fn functions(input: Input<'_>, answer: &Answer) -> Vec<json::Function> {
    let known = |f: &FunctionAnswer| input.problem.functions.get(f.index);
    answer
        .functions
        .iter()
        .filter_map(|f| known(f).map(|function| (f, function)))
        .map(|(f, function)| json::Function {
            name: f.name.clone(),
            input: input.name.to_owned(),
            fingerprint: f.fingerprint.clone(),
            verdict: f.verdict.name(),
            message: f.message.clone(),
            scopes: f.scopes.iter().map(|s| scope(input, function, f, s)).collect(),
            allocations: f.allocations.iter().map(allocation).collect(),
        })
        .collect()
}

fn allocation(a: &Allocation) -> json::Allocation {
    json::Allocation {
        kind: a.kind.name(),
        size: a.size,
        memory_space: a.memory_space,
        parameter: a.parameter.as_ref().map(|(number, _)| *number),
        index: a.parameter.as_ref().map(|(_, index)| index.clone()),
        aliased: a.aliased,
        values: a.values.clone(),
    }
}

fn scope(
    input: Input<'_>,
    function: &Function,
    f: &FunctionAnswer,
    answer: &ScopeAnswer,
) -> json::Scope {
    let scope = &input.problem.scopes[answer.scope];
    json::Scope {
        name: scope.name.clone(),
        capacity: scope.bytes(),
        usable: scope.usable(),
        peak: answer.peak,
        max_load: answer.max_load.bytes,
        max_load_at: at(input, function, &answer.max_load),
        lower_bound: answer.lower_bound,
        verdict: answer.verdict.name(),
        reuse_cost: answer.reuse_cost,
        reuse_cost_bound: answer.reuse_cost_bound,
        mode: words::mode(answer.mode),
        level: answer.level.map(|l| l.name()),
        strategy: answer.strategy.clone(),
        message: answer.message.clone(),
        warnings: answer.warnings.clone(),
        nodes: answer.nodes,
        limited_by: answer.limited_by.map(words::limited_by),
        buffers: buffers(input, function, f, answer),
        reuse: answer.reuse.iter().map(|r| reuse(input, function, r)).collect(),
        attempts: answer.attempts.iter().map(attempt).collect(),
        overflow: answer.overflow.as_ref().map(|o| overflow(input, function, scope, answer, o)),
        diagnosis: answer.diagnosis.as_ref().map(|d| diagnosis::body(function, scope, answer, d)),
    }
}

fn buffers(
    input: Input<'_>,
    function: &Function,
    f: &FunctionAnswer,
    answer: &ScopeAnswer,
) -> Vec<json::Buffer> {
    let offsets = offsets(function, &f.plan.placements);
    let one = |(id, live): &(crate::model::BufferId, Vec<crate::model::Live>)| {
        let buffer = &function.buffers[*id];
        json::Buffer {
            id: id.0,
            name: buffer.name.clone(),
            size: buffer.size.0,
            slots: buffer.slots,
            offsets: offsets.get(&id.0).map(|o| o.to_vec()).unwrap_or_default(),
            live: live.iter().map(|l| [l.start.0, l.end.0]).collect(),
            loc: input.place(buffer.loc),
        }
    };
    answer.buffers.iter().map(one).collect()
}

/// The moment of a load.
pub fn at(input: Input<'_>, function: &Function, load: &Load) -> json::At {
    let loc = load.op.and_then(|op| function.ops.get(op)).and_then(|op| op.loc);
    json::At { step: load.at.0, name: load.step_name.clone(), loc: input.place(loc) }
}

fn reuse(input: Input<'_>, function: &Function, r: &Reuse) -> json::Reuse {
    json::Reuse {
        first: r.first.0,
        second: r.second.0,
        first_name: function.buffers[r.first].name.clone(),
        second_name: function.buffers[r.second].name.clone(),
        level: r.level.map(|level| level.name()),
        stall: r.stall,
        pipes: r.pipes.iter().map(|p| input.problem.pipes[*p].name.clone()).collect(),
        cost: r.cost,
        reason: r.why.clone(),
        inplace: r.inplace,
    }
}

fn attempt(a: &Attempt) -> json::Attempt {
    let reason = match &a.end {
        AttemptEnd::Skipped(reason) => Some(reason.clone()),
        AttemptEnd::Found | AttemptEnd::Refuted | AttemptEnd::GaveUp => None,
    };
    json::Attempt {
        level: a.level.map(|l| l.name()),
        solver: a.solver.clone(),
        end: words::attempt_end(&a.end),
        reason,
        peak: a.peak,
        bound: a.bound,
        nodes: a.nodes,
        note: a.note.clone(),
    }
}

fn overflow(
    input: Input<'_>,
    function: &Function,
    scope: &Scope,
    answer: &ScopeAnswer,
    o: &Overflow,
) -> json::Overflow {
    let alive = |(id, bytes): &(crate::model::BufferId, u64)| {
        let buffer = &function.buffers[*id];
        json::Alive {
            id: id.0,
            name: buffer.name.clone(),
            size: buffer.size.0,
            slots: buffer.slots,
            bytes: *bytes,
            temporary: buffer.temporary,
            owner: buffer.owner.clone(),
            loc: input.place(buffer.loc),
        }
    };
    json::Overflow {
        impossible: o.impossible,
        owner: o.owner.clone(),
        requires: o.requires,
        requires_is: o.requires_is.to_owned(),
        bits: Bytes(o.requires).bits(),
        available_bits: Some(Bytes(o.available).bits()),
        at: at(input, function, &answer.max_load),
        live: answer.max_load.buffers.iter().map(alive).collect(),
        core: o.core.iter().map(|id| id.0).collect(),
        core_is: o.core_is.name(),
        works_at: o.works_at,
        advice: o.advice.iter().map(|a| diagnosis::advice(function, scope, a)).collect(),
    }
}
