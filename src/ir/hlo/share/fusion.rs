//! Operands of fusions (rule 5).

use super::Sharing;
use crate::ir::hlo::{Elementwise, InstructionId, Module, Opcode};
use crate::model::IdVec;

impl Sharing<'_> {
    /// Rule 5, for an operand in these slots.
    pub(super) fn fusion(&self, fusion: InstructionId, slots: &[usize]) -> bool {
        let parameters = self.fused_parameters(fusion, slots);
        let all = |rule: &dyn Fn(InstructionId) -> bool| {
            parameters.as_ref().is_some_and(|all| all.iter().all(|parameter| rule(*parameter)))
        };
        match self.module.instructions[fusion].raw("kind") {
            Some("kLoop" | "kInput") => all(&|parameter| self.flows[parameter]),
            Some("kOutput") => all(&|parameter| self.is_added_to_product(fusion, parameter)),
            _ => false,
        }
    }

    /// The parameters of a fusion's computation for these slots.
    pub(super) fn fused_parameters(
        &self,
        fusion: InstructionId,
        slots: &[usize],
    ) -> Option<Vec<InstructionId>> {
        let fused = &self.module.computations[self.module.fused(fusion)?];
        slots.iter().map(|slot| fused.parameters.get(*slot).copied()).collect()
    }

    /// True when all that is done with the parameter is to add it to a dot or a convolution at the
    /// root.
    fn is_added_to_product(&self, fusion: InstructionId, parameter: InstructionId) -> bool {
        let Some(fused) = self.module.fused(fusion) else { return false };
        let root = self.module.root(fused);
        let op = &self.module.instructions[root];
        let is_product = |other: &InstructionId| {
            matches!(self.module.instructions[*other].opcode, Opcode::Dot | Opcode::Convolution)
        };
        op.opcode == Opcode::Add
            && self.only_user(parameter) == Some(root)
            && self.slots(parameter, root).len() == 1
            && op.operands.iter().any(is_product)
    }
}

/// For every instruction: is each of its transitive uses element-wise on it, or a tuple?
pub(super) fn flows(module: &Module, elementwise: &Elementwise) -> IdVec<InstructionId, bool> {
    let mut flows = IdVec::filled(true, module.instructions.len());
    let mut stopped = Vec::new();
    for (user, op) in module.instructions.enumerate() {
        for (slot, &operand) in op.operands.iter().enumerate() {
            if op.opcode != Opcode::Tuple && !elementwise.on(module, user, slot) {
                stopped.push(operand);
            }
        }
    }
    while let Some(at) = stopped.pop() {
        if std::mem::replace(&mut flows[at], false) {
            stopped.extend(&module.instructions[at].operands);
        }
    }
    flows
}
