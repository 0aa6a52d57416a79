//! Address spaces (HIVM spec, section 1.4).

use crate::ir::mlir::{MemRef, Type};

/// What the pass says where it is asked about a space that it does not know.
pub const NOT_PLANNABLE: &str = "Currently only support (UB | L1 | L0C) allocation";

/// A space that the pass tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// `ub`.
    Ub,
    /// `cbuf`: L1.
    Cbuf,
    /// `cc`: L0C.
    Cc,
    /// `ssbuf`.
    Ssbuf,
    /// `gm`.
    Gm,
    /// `ca`, `cb`, `zero`: to ask whether they are local is fatal.
    Unplannable,
    /// No space, or one that this dialect does not have.
    Elsewhere,
}

impl Space {
    /// The space of a memref.
    pub fn of(memref: &MemRef) -> Self {
        match memref.space.as_deref() {
            Some("ub") => Self::Ub,
            Some("cbuf") => Self::Cbuf,
            Some("cc") => Self::Cc,
            Some("ssbuf") => Self::Ssbuf,
            Some("gm") => Self::Gm,
            Some("ca" | "cb" | "zero") => Self::Unplannable,
            _ => Self::Elsewhere,
        }
    }

    /// The space of a type that may be no memref.
    pub fn of_type(ty: &Type) -> Option<Self> {
        ty.memref().map(Self::of)
    }
}

/// True for a memref in a local space; an error where the pass stops ([`NOT_PLANNABLE`]).
pub fn is_local(ty: &Type) -> Result<bool, &'static str> {
    match Space::of_type(ty) {
        Some(Space::Ub | Space::Cbuf | Space::Cc | Space::Ssbuf) => Ok(true),
        Some(Space::Unplannable) => Err(NOT_PLANNABLE),
        Some(Space::Gm | Space::Elsewhere) | None => Ok(false),
    }
}
