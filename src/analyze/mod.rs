//! What follows from a program: order, aliases, live ranges, in-place pairs, pipes.

use crate::diag::Diagnostic;
use crate::model::{BufferId, Function, IdVec, Live, LoopId, OpId, Order, PipeId, Problem};

/// What follows from a function.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The linear order.
    pub order: Order,
    /// When each buffer is alive: sorted, disjoint, not touching.
    pub live: IdVec<BufferId, Vec<Live>>,
    /// Pairs that may share in place, in the order in which they were found.
    pub inplace: Vec<InplacePair>,
    /// Which pipes touch each buffer, sorted.
    pub pipes: IdVec<BufferId, Vec<PipeId>>,
    /// Who may share with it at level `pipe`.
    pub class: IdVec<BufferId, PipeClass>,
    /// The innermost loop that holds the whole life of each buffer.
    pub home: IdVec<BufferId, Option<LoopId>>,
    /// Warnings about the program.
    pub warnings: Vec<Diagnostic>,
}

/// `into` may take the bytes of `from` at the identical start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InplacePair {
    /// The operand that dies.
    pub from: BufferId,
    /// The result.
    pub into: BufferId,
    /// The op at which one becomes the other; none for a pair that the input gave.
    pub op: Option<OpId>,
}

/// Who may share bytes with a buffer at level `pipe`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PipeClass {
    /// No pipe is known to touch it: sharing ties nothing.
    #[default]
    Unknown,
    /// One pipe that moves no data: shares with buffers of the same pipe.
    Single(PipeId),
    /// A pipe that moves data touches it: shares with nobody.
    Dma,
    /// Several pipes touch it: shares with nobody that a pipe touches.
    Mixed,
}

/// Derives the facts of a function.
pub fn facts(problem: &Problem, function: &Function) -> Facts {
    let _ = (problem, function);
    Facts::default()
}
