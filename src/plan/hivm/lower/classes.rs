//! Which buffers transfers and scalar code touch (HIVM spec, section 4.5).

use super::{Facts, Fatal};
use crate::ir::hivm::{
    HwPipe, PlanMode, destination_operands, is_local, lowers_to_scalar_loops, op_traits, pipe_of,
};
use crate::ir::mlir::{Op, OpId, Role, ValueId};
use crate::model::IdVec;

/// Sets of allocs.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// Destinations of MTE2.
    pub(super) loaded: IdVec<ValueId, bool>,
    /// Sources of MTE3.
    pub(super) stored: IdVec<ValueId, bool>,
    /// Sources of FIX.
    pub(super) fixed: IdVec<ValueId, bool>,
    /// Touched by scalar code.
    pub(super) scalar: IdVec<ValueId, bool>,
}

impl Classes {
    /// True for a DMA buffer.
    pub(super) fn is_dma(&self, alloc: ValueId) -> bool {
        self.loaded[alloc] || self.stored[alloc] || self.fixed[alloc]
    }
}

/// Looks at every op in pre-order; a workspace has no classes.
pub(super) fn classify(facts: &Facts<'_>) -> Result<Classes, Fatal> {
    let none = IdVec::filled(false, facts.function.values.len());
    let mut classes =
        Classes { loaded: none.clone(), stored: none.clone(), fixed: none.clone(), scalar: none };
    if facts.options.mode == PlanMode::Workspace {
        return Ok(classes);
    }
    let simt = facts.function.attrs.has("hivm.vector_function")
        && facts.function.attrs.get("hivm.vf_mode").and_then(|a| a.word()) == Some("SIMT");
    for (id, op) in facts.function.ops.enumerate() {
        let operand = |n: usize| op.operands.get(n).map(|o| o.value);
        if lowers_to_scalar_loops(facts.function, op, facts.target.reg_based, simt) {
            let all = op.operands.iter().map(|o| o.value);
            set(facts, &mut classes.scalar, id, all)?;
        } else if op_traits(&op.name).is_some_and(|t| t.structured) {
            transfer(facts, &mut classes, id, op)?;
        } else if op.name == "memref.load" {
            set(facts, &mut classes.scalar, id, operand(0))?;
        } else if op.name == "memref.store" {
            set(facts, &mut classes.scalar, id, operand(1))?;
        }
    }
    Ok(classes)
}

fn transfer(facts: &Facts<'_>, classes: &mut Classes, id: OpId, op: &Op) -> Result<(), Fatal> {
    let pipe = pipe_of(facts.function, op).map_err(|error| Fatal::new(error.message(), id))?;
    let sources = op.operands.iter().filter(|o| o.role != Role::Out).map(|o| o.value);
    match pipe {
        Some(HwPipe::Mte2) => set(facts, &mut classes.loaded, id, destination_operands(op)),
        Some(HwPipe::Mte3) => set(facts, &mut classes.stored, id, sources),
        Some(HwPipe::Fix) => set(facts, &mut classes.fixed, id, sources),
        Some(HwPipe::Mte1 | HwPipe::V | HwPipe::M | HwPipe::S) | None => Ok(()),
    }
}

fn set(
    facts: &Facts<'_>,
    class: &mut IdVec<ValueId, bool>,
    op: OpId,
    operands: impl IntoIterator<Item = ValueId>,
) -> Result<(), Fatal> {
    for value in operands {
        if is_local(facts.function.ty(value)).map_err(|message| Fatal::new(message, op))? {
            class[facts.roots.of(value)] = true;
        }
    }
    Ok(())
}
