//! What callers pass to the parameters of computations (spec/xla-memory.md 4.3).

use std::collections::BTreeMap;

use super::{ComputationId, Instruction, InstructionId, Module, Opcode, bound_operands};

/// What a caller passes to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// That instruction.
    Of(InstructionId),
    /// The state of a loop: what enters it, and the root of the body, meet.
    Loop {
        /// What enters.
        init: InstructionId,
        /// The root of the body.
        next: InstructionId,
    },
}

/// What every parameter gets from the callers that execute its computation: call, while,
/// conditional, and the links of asynchronous chains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments(BTreeMap<(ComputationId, u32), Vec<Argument>>);

impl Arguments {
    /// The arguments of a module.
    pub fn of(module: &Module) -> Self {
        let mut out = Self::default();
        for (id, caller) in module.instructions.enumerate() {
            out.add(module, id, caller);
        }
        for passed in out.0.values_mut() {
            passed.sort_unstable();
            passed.dedup();
        }
        out
    }

    /// What is passed to a parameter, each once; nothing where only embedded callers (2.4) call its
    /// computation.
    pub fn to(&self, computation: ComputationId, number: u32) -> &[Argument] {
        self.0.get(&(computation, number)).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, module: &Module, id: InstructionId, caller: &Instruction) {
        let mut pass = |computation, first: u32, operands: &[InstructionId]| {
            for (number, &operand) in (first..).zip(operands) {
                self.0.entry((computation, number)).or_default().push(Argument::Of(operand));
            }
        };
        match (&caller.opcode, &caller.operands[..]) {
            (Opcode::Call | Opcode::AsyncStart, operands) => {
                caller.called().take(1).for_each(|callee| pass(callee, 0, operands));
            }
            (Opcode::AsyncUpdate | Opcode::AsyncDone, [before, late @ ..]) if !late.is_empty() => {
                if let Some(callee) = module.async_callee(id) {
                    pass(callee, bound_operands(&module.instructions[*before].shape), late);
                }
            }
            (Opcode::Conditional, [_, operands @ ..]) => {
                for (branch, operand) in caller.branches().into_iter().zip(operands) {
                    pass(branch, 0, std::slice::from_ref(operand));
                }
            }
            (Opcode::While, &[init, ..]) => {
                let [body] = caller.computations("body") else { return };
                let state = Argument::Loop { init, next: module.root(*body) };
                for callee in caller.called() {
                    self.0.entry((callee, 0)).or_default().push(state);
                }
            }
            _ => {}
        }
    }
}
