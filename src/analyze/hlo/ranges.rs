//! Live ranges over the flattened schedule (spec/xla-memory.md 7).

use super::ValueId;
use crate::ir::hlo::{ComputationId, InstructionId};
use crate::model::IdVec;

/// When a value is alive: logical times, both included. `end` may be the schedule's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    /// When it is born.
    pub start: u32,
    /// When it is needed last.
    pub end: u32,
}

/// The flattened schedule and the range of every value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// Instructions by time.
    pub flat: Vec<InstructionId>,
    /// The time of every instruction that is scheduled.
    pub time: IdVec<InstructionId, Option<u32>>,
    /// First time and end of every computation that was flattened (7.1).
    pub span: IdVec<ComputationId, Option<Range>>,
    /// The range of every value that has one, normalised (7.3).
    pub live: IdVec<ValueId, Option<Range>>,
    /// The number of scheduled instructions.
    pub end: u32,
}
