//! The facts of a function as a report.

use super::load;
use crate::analyze::{self, Facts, PipeClass};
use crate::diag::Diagnostic;
use crate::format::json_inspect::Function as Report;
use crate::format::json_inspect::{Buffer, Inplace, Step};
use crate::model::{self, AccessMode, BufferId, Function, IdVec, Index, Node, Op, Order, PipeId};
use crate::report::context::{Input, slot_bytes};

/// What follows from a function, and warnings about it.
pub(super) fn function(input: Input<'_>, function: &Function) -> (Report, Vec<Diagnostic>) {
    let facts = analyze::facts(input.problem, function);
    let report = Report {
        name: function.name.clone(),
        input: input.name.to_owned(),
        fingerprint: model::fingerprint(input.problem, function),
        steps: steps(input, function, &facts.order),
        buffers: buffers(input, function, &facts),
        inplace: inplace(function, &facts),
        scopes: load::scopes(input, function, &facts),
    };
    (report, facts.warnings)
}

fn steps(input: Input<'_>, function: &Function, order: &Order) -> Vec<Step> {
    let mut depth: u64 = 0;
    let steps = order.at.iter().enumerate().map(|(at, node)| {
        let step = model::Step(at as u64);
        let (begins, ends) = ends(order, *node, step);
        depth = depth.saturating_sub(u64::from(ends));
        let here = depth;
        depth += u64::from(begins);
        let name = order.describe(function, step).unwrap_or_default();
        let mut row = Step {
            step: step.0,
            name,
            depth: here,
            pipe: None,
            reads: Vec::new(),
            writes: Vec::new(),
            loc: None,
        };
        match *node {
            Node::Op(id) => {
                let op = &function.ops[id];
                row.pipe = op.pipe.map(|p| pipe(input, p));
                row.reads = operands(function, op, AccessMode::Read);
                row.writes = operands(function, op, AccessMode::Write);
                row.writes.extend(operands(function, op, AccessMode::Temporary));
                row.loc = input.place(op.loc);
            }
            Node::Loop(id) => row.loc = input.place(function.loops[id].loc),
            Node::Branch(id) => row.loc = input.place(function.branches[id].loc),
        }
        row
    });
    steps.collect()
}

/// Whether a step opens a region, and whether it closes one.
fn ends(order: &Order, node: Node, step: model::Step) -> (bool, bool) {
    match node {
        Node::Op(_) => (false, false),
        Node::Loop(id) => {
            let begins = order.loops[id].begin == step;
            (begins, !begins)
        }
        Node::Branch(id) => {
            let steps = order.branches[id];
            (step != steps.end, step != steps.begin)
        }
    }
}

fn operands(function: &Function, op: &Op, mode: AccessMode) -> Vec<String> {
    let these = op.accesses.iter().filter(|a| a.mode == mode);
    these.filter_map(|a| function.values.get(a.value)).map(|v| v.name.clone()).collect()
}

fn pipe(input: Input<'_>, id: PipeId) -> String {
    input.problem.pipes.get(id).map_or_else(|| "?".to_owned(), |p| p.name.clone())
}

fn buffers(input: Input<'_>, function: &Function, facts: &Facts) -> Vec<Buffer> {
    let row = |(id, buffer): (BufferId, &model::Buffer)| {
        let scope = &input.problem.scopes[buffer.scope];
        let slot = slot_bytes(scope, buffer);
        let class = get(&facts.class, id).copied().unwrap_or_default();
        let home = get(&facts.home, id).copied().flatten();
        Buffer {
            id: id.0,
            name: buffer.name.clone(),
            scope: scope.name.clone(),
            size: buffer.size.0,
            slots: buffer.slots,
            bytes: slot.saturating_mul(u64::from(buffer.slots)),
            live: get(&facts.live, id)
                .into_iter()
                .flatten()
                .map(|l| [l.start.0, l.end.0])
                .collect(),
            pipes: get(&facts.pipes, id).into_iter().flatten().map(|p| pipe(input, *p)).collect(),
            class: match class {
                PipeClass::Unknown => "unknown".to_owned(),
                PipeClass::Single(id) => pipe(input, id),
                PipeClass::Dma => "dma".to_owned(),
                PipeClass::Mixed => "mixed".to_owned(),
            },
            home: home.and_then(|id| function.loops.get(id)).map(|l| l.name.clone()),
            loc: input.place(buffer.loc),
        }
    };
    function.buffers.enumerate().map(row).collect()
}

fn get<I: Index, T>(all: &IdVec<I, T>, id: I) -> Option<&T> {
    all.get(id)
}

fn inplace(function: &Function, facts: &Facts) -> Vec<Inplace> {
    let pair = |p: &analyze::InplacePair| Inplace {
        from: p.from.0,
        into: p.into.0,
        op: p.op.and_then(|op| function.ops.get(op)).map(|op| op.name.clone()),
    };
    facts.inplace.iter().map(pair).collect()
}
