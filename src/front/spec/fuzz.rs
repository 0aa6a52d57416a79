//! What must hold for any bytes; called by a smoke test and by the fuzz target.

use super::targets::Embedded;
use crate::diag::{Loc, Sources};
use crate::format::read::MAX_ERRORS;
use crate::model::{Function, Index, Node, Problem, Region, ValueKind};

/// Reads any bytes as a spec; the problem, where they are one.
///
/// # Panics
/// When the reader breaks a promise: that is what a fuzzer looks for.
pub fn check(bytes: &[u8]) -> Option<Problem> {
    let text = String::from_utf8_lossy(bytes);
    let mut sources = Sources::default();
    let file = sources.add("fuzz.toml", text.as_ref());
    let read = super::read(&mut sources, file, None, &mut Embedded);
    let place = |loc: Loc| {
        let source = sources.get(loc.file).map(|s| &s.text);
        let (start, end) = (loc.start as usize, loc.end as usize);
        assert!(source.is_some_and(|s| s.get(start..end).is_some()), "{loc:?}");
    };
    let (problem, diagnostics) = match read {
        Ok(read) => (Some(read.problem), read.warnings),
        Err(errors) => {
            assert!((1..=MAX_ERRORS).contains(&errors.len()), "{} errors", errors.len());
            (None, errors)
        }
    };
    for diagnostic in &diagnostics {
        assert!(diagnostic.code.name().starts_with("memplan::spec::"), "{diagnostic:?}");
        assert!(!diagnostic.labels.is_empty(), "an error without a place: {diagnostic:?}");
        diagnostic.labels.iter().for_each(|label| place(label.loc));
    }
    if let Some(problem) = &problem {
        assert!(!problem.scopes.is_empty() && !problem.functions.is_empty());
        for function in &problem.functions {
            buffers(problem, function);
            values(function);
            program(problem, function);
            let locs = function.buffers.iter().map(|b| b.loc);
            let locs = locs.chain(function.values.iter().map(|v| v.loc));
            locs.chain(function.ops.iter().map(|o| o.loc)).flatten().for_each(place);
        }
    }
    problem
}

fn buffers(problem: &Problem, function: &Function) {
    let mut room = 0u64;
    for (id, buffer) in function.buffers.enumerate() {
        assert!(problem.scopes.get(buffer.scope).is_some());
        assert!(buffer.alignment > 0 && buffer.slots > 0);
        assert_eq!(function.values[buffer.value].kind, ValueKind::Buffer(id));
        let pins = buffer.pin.as_deref().unwrap_or_default();
        assert!(buffer.pin.is_none() || pins.len() == buffer.slots as usize);
        assert!(pins.iter().all(|p| p.is_multiple_of(buffer.alignment)));
        assert!(
            buffer.rotates_in.is_none_or(|l| buffer.slots > 1 && l.at() < function.loops.len())
        );
        if let Some(live) = &buffer.live {
            assert!(!live.is_empty() && live.iter().all(|l| l.start < l.end));
            // Disjoint and not touching.
            assert!(live.windows(2).all(|w| w[0].end < w[1].start));
        }
        let slot = buffer.size.0.checked_add(buffer.alignment);
        let all = slot.and_then(|s| s.checked_mul(buffer.slots.into()));
        room = all
            .and_then(|all| room.checked_add(all))
            .unwrap_or_else(|| unreachable!("the sizes of {} do not fit 64 bits", function.name));
    }
    for relation in &function.relations {
        assert_ne!(relation.first, relation.second);
        assert!(function.buffers.get(relation.first).is_some());
        assert!(function.buffers.get(relation.second).is_some());
    }
}

fn values(function: &Function) {
    let known = |id: crate::model::ValueId| assert!(function.values.get(id).is_some());
    for (id, value) in function.values.enumerate() {
        match &value.kind {
            ValueKind::Buffer(buffer) => assert_eq!(function.buffers[*buffer].value, id),
            ValueKind::View { base, .. } => known(*base),
            ValueKind::Select(of) => {
                assert!(of.len() > 1);
                of.iter().copied().for_each(known);
            }
            ValueKind::Carry(l, n) | ValueKind::LoopResult(l, n) => {
                let carry = &function.loops[*l].carries[*n as usize];
                [carry.init, carry.next].into_iter().for_each(known);
                assert!(carry.value == id || carry.result == id);
            }
            ValueKind::BranchResult(b, n) => {
                let result = &function.branches[*b].results[*n as usize];
                [result.then, result.otherwise].into_iter().for_each(known);
                assert_eq!(result.value, id);
            }
        }
        assert!(!function.roots(id).is_empty(), "`{}` stands for no buffer", value.name);
    }
}

/// Every op, loop and branch stands in the program once.
fn program(problem: &Problem, function: &Function) {
    let mut seen = [
        vec![0; function.ops.len()],
        vec![0; function.loops.len()],
        vec![0; function.branches.len()],
    ];
    let mut todo: Vec<&Region> = vec![&function.body];
    while let Some(region) = todo.pop() {
        for node in &region.nodes {
            match *node {
                Node::Op(id) => seen[0][id.at()] += 1,
                Node::Loop(id) => {
                    seen[1][id.at()] += 1;
                    todo.push(&function.loops[id].body);
                }
                Node::Branch(id) => {
                    seen[2][id.at()] += 1;
                    todo.extend([&function.branches[id].then, &function.branches[id].otherwise]);
                }
            }
        }
    }
    assert!(seen.iter().flatten().all(|n| *n == 1), "{seen:?}");
    for op in function.ops.iter() {
        assert!(op.pipe.is_none_or(|p| problem.pipes.get(p).is_some()));
        for access in &op.accesses {
            assert!(function.values.get(access.value).is_some());
            assert!(access.pipe.is_none_or(|p| problem.pipes.get(p).is_some()));
            assert!(access.range.is_none_or(|r| !r.is_empty()));
        }
    }
    for l in function.loops.iter() {
        assert!(l.parent.is_none_or(|p| p.at() < function.loops.len()));
    }
}
