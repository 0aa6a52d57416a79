//! Who calls whom, and which computations are executed in time (spec/xla-memory.md 2.4).

use super::{ComputationId, InstructionId};
use crate::model::IdVec;

/// Whose rules about sharing bytes hold, and which alignment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Platform {
    /// No hints; 64 bytes.
    #[default]
    Cpu,
    /// The hints of 5.3; 256 bytes.
    Gpu,
}

/// The call graph. Recursion is refused when it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// Callers of each computation, in text order.
    pub callers: IdVec<ComputationId, Vec<InstructionId>>,
    /// True for the entry and what it reaches by call, while, conditional and async-start.
    pub scoped: IdVec<ComputationId, bool>,
    /// True for those called directly by `fusion`: they have no values of their own (22.2).
    pub fused: IdVec<ComputationId, bool>,
    /// All computations, callees before callers.
    pub post_order: Vec<ComputationId>,
}

impl Platform {
    /// Bytes to which allocations are aligned (9.1).
    pub fn alignment(self) -> u64 {
        match self {
            Self::Cpu => 64,
            Self::Gpu => 256,
        }
    }
}
