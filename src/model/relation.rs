//! What two buffers must or may do with each other's bytes.

use super::BufferId;
use crate::diag::Loc;

/// A rule about two buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RelationKind {
    /// Must be the same bytes: `offset(second) == offset(first) + delta`, slot by slot.
    Colocate {
        /// Bytes from `first` to `second`.
        delta: u64,
    },
    /// `second` may take the bytes of `first` at the identical start, if it is not larger.
    Inplace,
    /// `second` takes over the bytes of `first`: it must start where `first` does, and what `first`
    /// held is gone once `second` is written. Unlike colocated buffers they are not two names for
    /// one thing (XLA's must-alias values: the states of a loop, an update in place).
    Handover,
    /// Never share bytes.
    Separate,
    /// Never alive together, whatever the live ranges say.
    Exclusive,
    /// May share bytes, at a price: paid once when any byte is shared.
    Cost {
        /// The price, in any unit; summed over pairs.
        cost: u64,
    },
}

/// A rule about two buffers, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The rule.
    pub kind: RelationKind,
    /// One buffer (`a` in a spec).
    pub first: BufferId,
    /// The other (`b` in a spec).
    pub second: BufferId,
    /// Why, in the words of whoever gave it.
    pub why: Option<String>,
    /// Where it is written.
    pub loc: Option<Loc>,
}

impl RelationKind {
    /// The word of the spec.
    pub fn name(self) -> &'static str {
        match self {
            Self::Colocate { .. } => "colocate",
            Self::Inplace => "inplace",
            Self::Handover => "handover",
            Self::Separate => "separate",
            Self::Exclusive => "exclusive",
            Self::Cost { .. } => "cost",
        }
    }
}
