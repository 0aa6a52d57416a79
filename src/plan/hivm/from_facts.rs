//! A spec as the pass would see it (Appendix C): what [`place`](super::place) needs, from the
//! facts of a function.
//!
//! The pass knows less than a spec may say. It does not know reserved ranges, partitions, pins,
//! alignments of single buffers, or pairs that must stay apart: all of a scope is its memory, and a
//! plan may break such rules. `verify` tells.

use super::facts_inplace::pairs;
use super::{Buffer, Entry, Input, Life, Scope, merge};
use crate::analyze::{Facts, PipeClass};
use crate::ir::hivm::PassOptions;
use crate::model::{
    BufferId, Bytes, Function, IdVec, Index, Live, LoopId, PipeKind, Problem, ValueId,
};

/// The input of one attempt at a function of a spec. Buffers keep their ordinals, scopes theirs.
///
/// * scopes: capacity and alignment in bits; an unbounded one is a workspace;
/// * entries: one a buffer that is ever alive, by (first step, ordinal), with inclusive lives;
///   then merged by [`merge`];
/// * DMA: any pipe that moves data touches the buffer; scalar: any scalar pipe does (the pass
///   looks at MTE2 results and at MTE3 and FIX operands only, which ops of a spec need not tell);
/// * anchor: the innermost loop that holds the whole life, else all uses;
/// * stall pairs and coupled pairs: none.
pub fn from_facts(
    problem: &Problem,
    function: &Function,
    facts: &Facts,
    options: &PassOptions,
) -> Input {
    let entries = merge(entries(function, facts), &pairs(function, facts, options));
    Input {
        scopes: problem.scopes.iter().map(|s| scope(s, options)).collect(),
        buffers: buffers(problem, function, facts),
        entries,
        pass: options.pass,
        largest_first: options.largest_first,
        ..Input::default()
    }
}

/// A size in bits; what passes 2^64 stays there and fits nowhere.
fn bits(bytes: u64) -> u64 {
    u64::try_from(Bytes(bytes).bits()).unwrap_or(u64::MAX)
}

fn scope(scope: &crate::model::Scope, options: &PassOptions) -> Scope {
    Scope {
        name: printed(&scope.name).to_owned(),
        capacity: scope.bytes().map(bits),
        alignment: bits(scope.alignment),
        sequential_only: !options.workspace_reuse,
    }
}

/// The name of an address space as the pass prints it (1.4).
fn printed(name: &str) -> &str {
    match name {
        "l1" => "cbuf",
        "l0a" => "ca",
        "l0b" => "cb",
        "l0c" => "cc",
        other => other,
    }
}

fn buffers(problem: &Problem, function: &Function, facts: &Facts) -> Vec<Buffer> {
    let common = common_loops(function, facts);
    let of = |(id, buffer): (BufferId, &crate::model::Buffer)| {
        let kind = |p| problem.pipes.get(p).map(|p| p.kind);
        let scalar = |&p: &_| kind(p) == Some(PipeKind::Scalar);
        Buffer {
            unique: buffer.unique,
            dma: facts.class[id] == PipeClass::Dma,
            scalar: facts.pipes[id].iter().any(scalar),
            anchor: facts.home[id].or(common[id]).map(|l| l.0),
            coupled: buffer.coupling.map(i64::from),
        }
    };
    function.buffers.enumerate().map(of).collect()
}

/// The innermost loop around all ops that touch each buffer.
fn common_loops(function: &Function, facts: &Facts) -> IdVec<BufferId, Option<LoopId>> {
    let mut roots: IdVec<ValueId, Option<Vec<BufferId>>> =
        IdVec::filled(None, function.values.len());
    let mut ops = IdVec::filled(Vec::new(), function.buffers.len());
    for (op, body) in function.ops.enumerate() {
        for access in &body.accesses {
            let of = &mut roots[access.value];
            for &buffer in of.get_or_insert_with(|| function.roots(access.value)).iter() {
                let list: &mut Vec<_> = &mut ops[buffer];
                list.push(op);
            }
        }
    }
    ops.iter().map(|list| facts.order.common_loops(list.iter().copied()).pop()).collect()
}

fn entries(function: &Function, facts: &Facts) -> Vec<Entry> {
    let entry = |(id, buffer): (BufferId, &crate::model::Buffer)| {
        let lives: Vec<Life> = lives(&facts.live[id], id).collect();
        (!lives.is_empty()).then(|| Entry {
            scope: buffer.scope.at(),
            buffers: vec![id.0],
            bits: bits(buffer.size.0),
            slots: buffer.slots.max(1),
            lives,
        })
    };
    let mut entries: Vec<Entry> = function.buffers.enumerate().filter_map(entry).collect();
    // Stable: of one step, by ordinal.
    entries.sort_by_key(|e| e.lives.first().map(|l| l.start));
    entries
}

/// Half-open ranges as inclusive ones.
pub(super) fn lives(ranges: &[Live], buffer: BufferId) -> impl Iterator<Item = Life> {
    let step = |at: u64| i64::try_from(at).unwrap_or(i64::MAX);
    let alive = ranges.iter().filter(|r| r.start < r.end);
    alive.map(move |r| Life { start: step(r.start.0), end: step(r.end.0 - 1), buffer: buffer.0 })
}
