//! Which results may take the bytes of which operands (HIVM spec 3.2, 3.3), as far as it is sound: the
//! pair must also lie element on element.

use super::lower::Lower;
use crate::ir::mlir::{self, OpId};
use crate::model::{BufferId, Relation, RelationKind};

/// Operand and result.
pub(super) type Pair = (BufferId, BufferId);

/// The pairs that a destination-style op allows.
pub(super) fn op(_lower: &Lower<'_>, _op: OpId) -> Vec<Pair> {
    Vec::new()
}

/// The pairs that a call of a vector function allows.
pub(super) fn vector_call(_lower: &Lower<'_>, _op: OpId) -> Vec<Pair> {
    Vec::new()
}

impl Lower<'_> {
    /// Notes pairs; the place is left out, for nobody asked for them by name.
    pub(super) fn inplace(&mut self, pairs: Vec<Pair>, _op: OpId) {
        for (first, second) in pairs {
            let kind = RelationKind::Inplace;
            let known = self.out.relations.iter().any(|r| {
                r.kind == kind && (r.first, r.second) == (first, second)
            });
            if !known {
                self.out.relations.push(Relation { kind, first, second, why: None, loc: None });
            }
        }
    }

    /// The only buffer that a value stands for, from its first byte on or from elsewhere.
    pub(super) fn root(&self, value: mlir::ValueId) -> Option<BufferId> {
        let bound = self.get(value)?;
        match self.out.roots(bound.value).as_slice() {
            [one] if !bound.maybe => Some(*one),
            _ => None,
        }
    }
}
