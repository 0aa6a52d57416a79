//! Walking back from a node of a shape to where its bytes come from.

use super::{ComputationId, InstructionId, Module, Opcode, ShapeIndex};

/// A node of an instruction's shape, on the way back.
pub(super) struct Node {
    pub(super) instruction: InstructionId,
    /// The way from the top, last step first: steps come and go at the top.
    path: Vec<u32>,
}

impl Node {
    pub(super) fn new(instruction: InstructionId, index: &ShapeIndex) -> Self {
        Self { instruction, path: index.0.iter().rev().copied().collect() }
    }

    /// The node's way from the top.
    pub(super) fn index(&self) -> ShapeIndex {
        ShapeIndex(self.path.iter().rev().copied().collect())
    }

    pub(super) fn is_at(&self, index: &ShapeIndex) -> bool {
        self.path.iter().rev().eq(&index.0)
    }

    /// Through tuples and their elements, and through bitcasts of whole arrays; true when there was
    /// a bitcast on the way.
    pub(super) fn back_through_bitcasts(&mut self, module: &Module) -> bool {
        let mut through_bitcast = false;
        // An instruction is passed once at most.
        for _ in 0..module.instructions.len() {
            let op = &module.instructions[self.instruction];
            let operand = match op.opcode {
                Opcode::Tuple => self.path.last().copied(),
                Opcode::GetTupleElement => Some(0),
                Opcode::Bitcast if self.path.is_empty() => Some(0),
                _ => None,
            };
            let Some(next) = operand.and_then(|at| op.operands.get(at as usize)) else { break };
            match op.opcode {
                Opcode::Tuple => drop(self.path.pop()),
                Opcode::GetTupleElement => match op.tuple_index() {
                    Some(step) => self.path.push(step),
                    None => break,
                },
                _ => through_bitcast = true,
            }
            self.instruction = *next;
        }
        through_bitcast
    }
}

impl super::Instruction {
    /// The element that a `get-tuple-element` takes.
    pub fn tuple_index(&self) -> Option<u32> {
        self.raw("index")?.trim().parse().ok()
    }
}

impl Module {
    /// The computation of a fusion; `None` for all other instructions.
    pub fn fused(&self, instruction: InstructionId) -> Option<ComputationId> {
        let op = &self.instructions[instruction];
        let is_fusion = op.opcode == Opcode::Fusion;
        op.computations("calls").first().copied().filter(|_| is_fusion)
    }
}
