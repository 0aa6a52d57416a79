//! Element-wise ops: element `i` of the result needs element `i` of an operand (spec/xla-memory.md
//! 5.2, 22.8).

use std::collections::BTreeSet;

use super::{ComputationId, InstructionId, Module, Opcode, Shape};
use crate::model::IdVec;

/// True when the instruction is element-wise on its operand in that slot. For a fusion (`kLoop`
/// only) that costs as much as the computations inside it; [`Elementwise`] remembers them.
pub fn is_elementwise_on(module: &Module, instruction: InstructionId, slot: usize) -> bool {
    let whole = |fusion| {
        let mut seen = BTreeSet::new();
        let mut todo = vec![fusion];
        while let Some(next) = todo.pop() {
            let Some(fused) = loop_fused(module, next) else { return false };
            if seen.insert(fused) {
                for &inner in &module.computations[fused].instructions {
                    match is_whole(module, inner) {
                        Some(true) => {}
                        Some(false) => return false,
                        None => todo.push(inner),
                    }
                }
            }
        }
        true
    };
    on(module, instruction, slot, whole)
}

/// Which fused computations are element-wise throughout.
#[derive(Clone, Debug)]
pub struct Elementwise(IdVec<ComputationId, bool>);

impl Elementwise {
    /// Looks at every instruction once.
    pub fn new(module: &Module) -> Self {
        let mut known = Self(IdVec::filled(true, module.computations.len()));
        let mut outer = IdVec::filled(Vec::new(), module.computations.len());
        let mut broken = Vec::new();
        for (id, op) in module.instructions.enumerate() {
            match (is_whole(module, id), loop_fused(module, id)) {
                (Some(true), _) => {}
                (None, Some(fused)) => outer[fused].push(op.computation),
                _ => broken.push(op.computation),
            }
        }
        while let Some(computation) = broken.pop() {
            if std::mem::replace(&mut known.0[computation], false) {
                broken.append(&mut outer[computation]);
            }
        }
        known
    }

    /// True when the instruction is element-wise on its operand in that slot.
    pub fn on(&self, module: &Module, instruction: InstructionId, slot: usize) -> bool {
        on(module, instruction, slot, |fusion| {
            loop_fused(module, fusion).is_some_and(|fused| self.0[fused])
        })
    }

    /// True when the instruction is element-wise on all its operands.
    pub(super) fn everywhere(&self, module: &Module, instruction: InstructionId) -> bool {
        is_whole(module, instruction)
            .unwrap_or_else(|| loop_fused(module, instruction).is_some_and(|fused| self.0[fused]))
    }
}

/// The rule for one slot, given which fusions are element-wise throughout.
fn on(
    module: &Module,
    instruction: InstructionId,
    slot: usize,
    whole: impl Fn(InstructionId) -> bool,
) -> bool {
    let op = &module.instructions[instruction];
    let may = match &op.opcode {
        Opcode::DynamicUpdateSlice => slot == 0,
        Opcode::Fusion => whole(instruction),
        opcode => is_elementwise(opcode),
    };
    may && op
        .operands
        .get(slot)
        .is_some_and(|o| same_dims(&op.shape, &module.instructions[*o].shape))
}

/// Whether the instruction is element-wise on all its operands; `None` for a fusion, where it depends
/// on what is inside. A parameter does not count against its computation.
fn is_whole(module: &Module, instruction: InstructionId) -> Option<bool> {
    let op = &module.instructions[instruction];
    match &op.opcode {
        Opcode::Fusion => None,
        Opcode::Parameter | Opcode::Constant => Some(true),
        opcode => {
            let mut operands = op.operands.iter().map(|o| &module.instructions[*o].shape);
            Some(is_elementwise(opcode) && operands.all(|operand| same_dims(&op.shape, operand)))
        }
    }
}

/// The computation of a `kLoop` fusion.
fn loop_fused(module: &Module, instruction: InstructionId) -> Option<ComputationId> {
    let is_loop = module.instructions[instruction].raw("kind") == Some("kLoop");
    module.fused(instruction).filter(|_| is_loop)
}

/// True for arrays of the same dimensions.
fn same_dims(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Array(a), Shape::Array(b)) => {
            a.dims.len() == b.dims.len()
                && a.dims.iter().zip(&b.dims).all(|(a, b)| a.size == b.size)
        }
        _ => false,
    }
}

/// The list of 22.8.
fn is_elementwise(opcode: &Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Abs | Cbrt
            | Ceil
            | Clz
            | Convert
            | BitcastConvert
            | Copy
            | Cosine
            | Sine
            | Tan
            | Erf
            | Exponential
            | ExponentialMinusOne
            | Floor
            | Imag
            | Real
            | IsFinite
            | Log
            | LogPlusOne
            | Logistic
            | Not
            | Negate
            | PopulationCount
            | ReducePrecision
            | RoundNearestAfz
            | RoundNearestEven
            | Rsqrt
            | Sqrt
            | Sign
            | Tanh
            | Atan2
            | Add
            | Compare
            | Complex
            | Divide
            | Maximum
            | Minimum
            | Multiply
            | Power
            | Remainder
            | Subtract
            | And
            | Or
            | Xor
            | ShiftLeft
            | ShiftRightArithmetic
            | ShiftRightLogical
            | Select
            | Clamp
            | Map
            | StochasticConvert
    )
}
