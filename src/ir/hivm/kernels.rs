//! A text that was read, with what connects its functions to the problem made of it.

use crate::diag::FileId;

use super::{PassOptions, TargetNumbers};
use crate::ir::mlir::{OpId, Tree};
use crate::model::BufferId;

/// HIVM text beside the problem that was made of it.
#[derive(Clone, Debug)]
pub struct Kernels {
    /// The text.
    pub text: FileId,
    /// The tree.
    pub file: Tree,
    /// The options of the pass.
    pub options: PassOptions,
    /// The numbers of the target, by chunk, without the SIMT rule.
    pub targets: Vec<TargetNumbers>,
    /// Capacities of the command line: scope and bytes, a later one wins.
    pub capacities: Vec<(String, u64)>,
    /// One for each function of the problem, in the same order.
    pub functions: Vec<Kernel>,
}

/// One function that is planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its chunk in [`Tree::chunks`].
    pub chunk: usize,
    /// Its place in [`crate::ir::mlir::Chunk::functions`].
    pub function: usize,
    /// For each buffer of the problem's function the op that makes it: `memref.alloc`,
    /// `memref_ext.alloc_workspace`, or a `hivm.hir.pointer_cast` of planned text.
    pub makers: Vec<OpId>,
    /// Coupled buffers that belong to the other core (HIVM spec 2.9).
    pub consumers: Vec<BufferId>,
}
