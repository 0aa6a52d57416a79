//! Linear time (HIVM spec, section 2.1).

use crate::ir::mlir::OpId;
use crate::plan::hivm::BufferNo;

/// A point of linear time; its index is the time.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The op.
    pub(super) op: OpId,
    /// True for an op that the text omits; `op` is then the one around it.
    pub(super) implicit: bool,
    /// Buffers first written here, in order.
    pub(super) gens: Vec<BufferNo>,
    /// Buffers that die here, in order.
    pub(super) kills: Vec<BufferNo>,
}

impl Entry {
    pub(super) fn new(op: OpId, implicit: bool) -> Self {
        Self { op, implicit, gens: Vec::new(), kills: Vec::new() }
    }
}

/// True for ops whose custom form omits a terminator that takes a time step all the same.
pub(super) fn omits_terminator(name: &str) -> bool {
    matches!(
        name,
        "scf.for"
            | "scf.if"
            | "scf.forall"
            | "scf.parallel"
            | "scope.scope"
            | "affine.for"
            | "affine.if"
            | "affine.parallel"
            | "vector.mask"
    )
}

/// True for the terminators of the dialects that memplan reads.
pub(super) fn is_terminator(name: &str) -> bool {
    matches!(
        name,
        "func.return"
            | "scf.yield"
            | "scf.condition"
            | "scf.forall.in_parallel"
            | "scf.reduce"
            | "scope.return"
            | "cf.br"
            | "cf.cond_br"
            | "cf.switch"
            | "affine.yield"
            | "linalg.yield"
            | "vector.yield"
    )
}
