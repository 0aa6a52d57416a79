//! Is an order a schedule (spec/xla-memory.md 10.5)?

use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{ComputationId, InstructionId, Module, Sequences};
use crate::model::IdVec;

/// Checks that every instruction of every computation runs exactly once, after its operands and its
/// control predecessors.
///
/// # Errors
///
/// `HloBadOrder` for the first instruction that does not.
pub fn valid(module: &Module, order: &Sequences) -> Result<(), Diagnostic> {
    let (have, want) = (order.0.len(), module.computations.len());
    if have != want {
        let message = format!("the order is of {have} computations, the module has {want}");
        return Err(Diagnostic::error(Code::HloBadOrder, message).at(module.loc, ""));
    }
    let mut done = IdVec::filled(false, module.instructions.len());
    order.0.enumerate().try_for_each(|(id, sequence)| one(module, id, sequence, &mut done))
}

fn one(
    module: &Module,
    id: ComputationId,
    sequence: &[InstructionId],
    done: &mut IdVec<InstructionId, bool>,
) -> Result<(), Diagnostic> {
    let computation = &module.computations[id];
    let bad = |message| Diagnostic::error(Code::HloBadOrder, message);
    for &at in sequence {
        let Some(instruction) = module.instructions.get(at).filter(|i| i.computation == id) else {
            let message = format!("`{}` is given an instruction of another", computation.name);
            return Err(bad(message).at(computation.loc, "this computation"));
        };
        if done[at] {
            let message = format!("`{}` runs twice", instruction.name);
            return Err(bad(message).at(instruction.loc, "this instruction"));
        }
        let before = instruction.operands.iter().map(|&on| (on, "its operand"));
        let control = instruction.control_predecessors().iter();
        let before = before.chain(control.map(|&on| (on, "its control predecessor")));
        for (on, what) in before {
            if !done[on] {
                let first = &module.instructions[on];
                let message = format!("`{}` runs before {what} `{}`", instruction.name, first.name);
                return Err(bad(message)
                    .at(instruction.loc, "runs first")
                    .at(first.loc, "must run before it")
                    .help("order operands and control predecessors before their users"));
            }
        }
        done[at] = true;
    }
    match computation.instructions.iter().find(|&&at| !done[at]) {
        None => Ok(()),
        Some(&left) => {
            let left = &module.instructions[left];
            let message = format!("`{}` never runs", left.name);
            Err(bad(message).at(left.loc, "this instruction is not in the order"))
        }
    }
}
