//! Instructions do not wait for each other, and scheduled text is in the order of execution.

use super::super::read::{Error, Errors, error};
use super::super::{Computation, InstructionId, Module, Opcode};
use crate::diag::Code;
use crate::model::IdVec;

/// How far an instruction has been looked into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    Open,
    Done,
}

/// Labels that the error about a cycle has at most.
const SHOWN: usize = 8;

pub(super) fn check(module: &Module, errors: &mut Errors) {
    let mut seen = IdVec::filled(Seen::Not, module.instructions.len());
    let mut fused = IdVec::filled(false, module.computations.len());
    for fusion in module.instructions.iter().filter(|i| i.opcode == Opcode::Fusion) {
        fusion.called().for_each(|callee| fused[callee] = true);
    }
    for (id, computation) in module.computations.enumerate() {
        if errors.full() {
            return;
        }
        let early = if module.is_scheduled && !fused[id] {
            early(module, computation, &mut seen)
        } else {
            cycle(module, computation, &mut seen)
        };
        if let Some(error) = early {
            errors.push(error);
        }
    }
}

/// What must have run before an instruction.
fn before(module: &Module, id: InstructionId) -> impl Iterator<Item = InstructionId> {
    let instruction = &module.instructions[id];
    instruction.operands.iter().chain(instruction.control_predecessors()).copied()
}

/// The first use of a value in front of its definition.
fn early(
    module: &Module,
    computation: &Computation,
    seen: &mut IdVec<InstructionId, Seen>,
) -> Option<Error> {
    for &user in &computation.instructions {
        if let Some(late) = before(module, user).find(|&i| seen[i] != Seen::Done) {
            let (user, late) = (&module.instructions[user], &module.instructions[late]);
            let message = format!(
                "`{}` runs before `{}`, which it needs: the text of a scheduled module is its order",
                user.name, late.name
            );
            let error = error(Code::HloCycle, message, user.loc, "runs first")
                .at(late.loc, "runs later")
                .help("move it, or take `is_scheduled=true` out of the first line");
            return Some(error.into());
        }
        seen[user] = Seen::Done;
    }
    None
}

/// The first instructions that wait for each other.
fn cycle(
    module: &Module,
    computation: &Computation,
    seen: &mut IdVec<InstructionId, Seen>,
) -> Option<Error> {
    let mut stack: Vec<(InstructionId, Vec<InstructionId>)> = Vec::new();
    let open = |seen: &mut IdVec<_, Seen>, id| {
        seen[id] = Seen::Open;
        (id, before(module, id).collect::<Vec<_>>())
    };
    for &start in &computation.instructions {
        if seen[start] != Seen::Not {
            continue;
        }
        stack.push(open(seen, start));
        while let Some((at, left)) = stack.last_mut() {
            let at = *at;
            match left.pop() {
                None => {
                    seen[at] = Seen::Done;
                    stack.pop();
                }
                Some(next) => match seen[next] {
                    Seen::Done => {}
                    Seen::Not => stack.push(open(seen, next)),
                    Seen::Open => {
                        let from = stack.iter().position(|(id, _)| *id == next).unwrap_or(0);
                        let ids = stack.iter().skip(from).map(|(id, _)| *id);
                        return Some(waiting(module, &ids.collect::<Vec<_>>()));
                    }
                },
            }
        }
    }
    None
}

/// Instructions each of which waits for the next, and the last for the first.
fn waiting(module: &Module, ids: &[InstructionId]) -> Error {
    let name = |id: &InstructionId| &module.instructions[*id].name;
    let first = ids.first().map_or("", |id| name(id));
    let message = match ids.len() {
        1 => format!("`{first}` waits for itself"),
        count => format!("{count} instructions wait for each other, one of them `{first}`"),
    };
    let mut out = crate::diag::Diagnostic::error(Code::HloCycle, message);
    let next = ids.iter().skip(1).chain(ids.first());
    for (id, next) in ids.iter().zip(next).take(SHOWN) {
        out = out.at(module.instructions[*id].loc, format!("waits for `{}`", name(next)));
    }
    out.into()
}
