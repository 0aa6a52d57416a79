//! In-place pairs: a result that may take the bytes of an operand that dies where it is written.
//!
//! Both lie in one scope, the result is not larger, their live ranges share exactly the step of
//! the op, and the op allows it (or the input names the pair). Both are touched from the same
//! byte on and the op writes no more than it reads, so that element `i` of the result lies on
//! element `i` of the operand; and it touches neither in another way.

use super::InplacePair;
use super::uses::{Use, Uses};
use crate::diag::{Code, Diagnostic};
use crate::model::{
    AccessMode, BufferId, Function, IdVec, InplaceRule, Live, OpId, Order, Problem, RelationKind,
    Step,
};

pub(super) fn pairs(
    problem: &Problem,
    function: &Function,
    order: &Order,
    live: &IdVec<BufferId, Vec<Live>>,
    uses: &Uses,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<InplacePair> {
    let mut out = given(function, order, live, uses, warnings);
    for (op, touched) in by_op(function, uses).enumerate() {
        let body = &function.ops[op];
        if !problem.inplace.allows(body.inplace) {
            continue;
        }
        let step = order.ops[op];
        for (into, write) in touched.iter().filter(|(_, u)| u.mode == AccessMode::Write) {
            for (from, read) in touched.iter().filter(|(_, u)| u.mode == AccessMode::Read) {
                let known = out.iter().any(|p| (p.from, p.into) == (*from, *into));
                let starts = match (read.bytes, write.bytes) {
                    (Some(r), Some(w)) => r.start == w.start && w.end <= r.end,
                    _ => false,
                };
                // A second read from elsewhere in the operand would see the result.
                let others = touched.iter().filter(|(b, u)| {
                    b == from && u.mode == AccessMode::Read && u.bytes != read.bytes
                });
                if known || !starts || others.count() > 0 || !fits(function, *from, *into) {
                    continue;
                }
                let mut uses = touched.iter();
                let clean = uses.all(|(b, u)| match u.mode {
                    AccessMode::Read => b != into,
                    AccessMode::Write => b != from && (b != into || u.bytes == write.bytes),
                    AccessMode::Temporary => b != from && b != into,
                    AccessMode::Fresh => true,
                });
                if !clean {
                    continue;
                }
                if hands_over(&live[*from], &live[*into], step) {
                    out.push(InplacePair { from: *from, into: *into, op: Some(op) });
                }
            }
        }
    }
    out
}

/// The uses of each op.
fn by_op(function: &Function, uses: &Uses) -> IdVec<OpId, Vec<(BufferId, Use)>> {
    let mut out = IdVec::filled(Vec::new(), function.ops.len());
    for (buffer, list) in uses.of.enumerate() {
        for u in list {
            let list: &mut Vec<(BufferId, Use)> = &mut out[u.op];
            list.push((buffer, *u));
        }
    }
    out
}

fn fits(function: &Function, from: BufferId, into: BufferId) -> bool {
    let (a, b) = (&function.buffers[from], &function.buffers[into]);
    let fixed = |x: &crate::model::Buffer| x.unique;
    // Data from before the function, or for after it, is not handed over inside it.
    let wanted = a.live.is_none() && a.class.wanted_at_exit();
    let filled = b.live.is_none() && b.class.filled_at_entry();
    let related = function.relations.iter().any(|r| {
        let pair = (r.first, r.second) == (from, into) || (r.second, r.first) == (from, into);
        pair && matches!(r.kind, RelationKind::Separate | RelationKind::Colocate { .. })
    });
    from != into
        && a.scope == b.scope
        && b.size <= a.size
        && a.slots == b.slots
        && a.rotates_in == b.rotates_in
        && !fixed(a)
        && !fixed(b)
        && !wanted
        && !filled
        && !related
}

/// Pairs that the input names; one whose operand is still needed afterwards has no effect.
fn given(
    function: &Function,
    order: &Order,
    live: &IdVec<BufferId, Vec<Live>>,
    uses: &Uses,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<InplacePair> {
    let mut out = Vec::new();
    for relation in &function.relations {
        if relation.kind != RelationKind::Inplace {
            continue;
        }
        let (from, into) = (relation.first, relation.second);
        let both = shared(&live[from], &live[into]);
        if both.is_empty() {
            continue;
        }
        let ranges = function.buffers[from].live.is_some() || function.buffers[into].live.is_some();
        let op = order.op_at(both[0].start);
        // In a program the step at which they meet is an op that reads one and writes the other.
        let does =
            |b: BufferId, mode| uses.of[b].iter().any(|u| Some(u.op) == op && u.mode == mode);
        let legal = if ranges {
            live[into].first().is_some_and(|l| l.start == both[0].start)
        } else {
            let kept = !does(from, AccessMode::Write) && !does(from, AccessMode::Temporary);
            kept && does(from, AccessMode::Read) && does(into, AccessMode::Write)
        };
        let turns = || alternate(function, order, &both, uses, [from, into]);
        let meets = hands_over(&live[from], &live[into], both[0].start) || (!ranges && turns());
        if legal && meets && fits(function, from, into) {
            out.push(InplacePair { from, into, op: op.filter(|_| !ranges) });
            continue;
        }
        // Only who has asked for the pair wants to hear that it cannot be.
        if relation.loc.is_none() {
            continue;
        }
        let (a, b) = (&function.buffers[from], &function.buffers[into]);
        let d = Diagnostic::warning(
            Code::SpecInplaceNoEffect,
            format!("`{}` cannot take the bytes of `{}`: both are needed then", b.name, a.name),
        );
        let d = d.maybe_at(relation.loc, "");
        warnings.push(d.help("an in-place operand dies at the op that writes the result"));
    }
    out
}

/// True when the two hand one content back and forth: at every step at which both are alive, one is
/// read for the last time before it is written anew, and the other is written.
///
/// Told for functions without loops and branches alone, where the next use is the next one listed.
fn alternate(
    function: &Function,
    order: &Order,
    both: &[Live],
    uses: &Uses,
    [a, b]: [BufferId; 2],
) -> bool {
    if !function.loops.is_empty()
        || !function.branches.is_empty()
        || function.buffers[a].size != function.buffers[b].size
    {
        return false;
    }
    let hands = |op: OpId, from: BufferId, into: BufferId| {
        let at = |buffer: BufferId| uses.of[buffer].iter().filter(move |u| u.op == op);
        let related = function
            .relations
            .iter()
            .any(|r| r.kind == RelationKind::Inplace && (r.first, r.second) == (from, into));
        // Nothing else is asked of the bytes before they are replaced.
        let next = uses.of[from].iter().find(|u| u.step > order.ops[op]);
        let dies = next.is_none_or(|next| {
            let mut same = uses.of[from].iter().filter(|u| u.op == next.op);
            same.all(|u| u.mode == AccessMode::Fresh || (u.mode == AccessMode::Write && u.surely))
        });
        related
            && dies
            && function.ops[op].inplace != InplaceRule::Never
            && at(from).all(|u| u.mode == AccessMode::Read)
            && at(into)
                .all(|u| u.mode == AccessMode::Fresh || (u.mode == AccessMode::Write && u.surely))
            && at(from).count() > 0
            && at(into).count() > 0
    };
    let mut steps = both.iter().flat_map(|l| l.start.0..l.end.0);
    steps.all(|step| order.op_at(Step(step)).is_some_and(|op| hands(op, a, b) || hands(op, b, a)))
}

/// True when one dies at the step at which the other is born, and they meet at no other.
fn hands_over(from: &[Live], into: &[Live], step: Step) -> bool {
    let after = Step(step.0 + 1);
    shared(from, into) == [Live { start: step, end: after }]
        && from.iter().any(|l| l.end == after)
        && into.iter().any(|l| l.start == step)
}

/// The steps at which both are alive.
fn shared(a: &[Live], b: &[Live]) -> Vec<Live> {
    let (mut i, mut j) = (0, 0);
    let mut out: Vec<Live> = Vec::new();
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let both = Live { start: x.start.max(y.start), end: x.end.min(y.end) };
        if both.start < both.end {
            out.push(both);
        }
        if x.end <= y.end { i += 1 } else { j += 1 }
    }
    out
}
