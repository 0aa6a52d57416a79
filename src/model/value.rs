//! A value is not a buffer: it is a name that stands for bytes of one of several buffers.

use super::{BranchId, BufferId, LoopId, ValueId};
use crate::diag::Loc;

/// What a value stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A whole buffer (in a rotating buffer, the slot of the current trip).
    Buffer(BufferId),
    /// Bytes of another value.
    View {
        /// The other value.
        base: ValueId,
        /// Bytes from the start of `base`; `None` when unknown.
        delta: Option<u64>,
        /// Bytes of the view; `None` when unknown.
        length: Option<u64>,
    },
    /// One of several values, chosen at run time.
    Select(Vec<ValueId>),
    /// What a loop carries: its `init` in the first trip, the `next` of the trip before later.
    Carry(LoopId, u32),
    /// What a loop leaves behind: the last `next`, or `init` after zero trips.
    LoopResult(LoopId, u32),
    /// What a branch leaves behind: the value of the side that ran.
    BranchResult(BranchId, u32),
}

/// A name for bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The name.
    pub name: String,
    /// Where it is written.
    pub loc: Option<Loc>,
    /// What it stands for.
    pub kind: ValueKind,
}
