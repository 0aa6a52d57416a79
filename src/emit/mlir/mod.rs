//! The text with its addresses filled in (HIVM spec, section 6): a source edit, not a reprint.
//!
//! ```text
//!   memref.alloc              -> hivm.hir.pointer_cast(%addr, ..)     one operand a slot
//!   alloc_workspace from %w   -> alloc_workspace from %w offset = [%o, ..]
//!   addresses                 -> constants at the start of the entry block
//!   casts marked multi-buffer -> moved to the front of their loop's body, with their marks
//!   unmarked casts            -> uses of the marked cast with the same type and addresses
//! ```

mod edits;
mod local;
mod names;
mod statement;
mod workspace;

use std::collections::BTreeMap;

use crate::ir::hivm::{Kernels, PlanMode};
use crate::ir::mlir::{Function, OpId};
use crate::model::FunctionPlan;

use edits::Edits;

/// The text of a file with the plan's addresses. `plans` are those of the problem's functions, in its
/// order, with the ordinals of their buffers.
pub fn mlir(text: &str, kernels: &Kernels, plans: &[&FunctionPlan]) -> String {
    let mut edits = Edits::default();
    for (kernel, plan) in kernels.functions.iter().zip(plans) {
        let function = &kernels.file.chunks[kernel.chunk].functions[kernel.function];
        let mut offsets: BTreeMap<OpId, &[u64]> = BTreeMap::new();
        for placement in &plan.placements {
            let id = placement.id.unwrap_or(u32::MAX) as usize;
            if let Some(maker) = kernel.makers.get(id) {
                offsets.insert(*maker, &placement.offsets);
            }
        }
        let rewrite = Rewrite { text, function, offsets };
        match kernels.options.mode {
            PlanMode::Local => rewrite.local(&mut edits),
            PlanMode::Workspace => rewrite.workspace(&mut edits),
        }
    }
    edits.apply(text)
}

struct Rewrite<'a> {
    text: &'a str,
    function: &'a Function,
    /// Addresses by the op that makes the buffer.
    offsets: BTreeMap<OpId, &'a [u64]>,
}
