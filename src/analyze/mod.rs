//! What follows from a program: order, aliases, live ranges, in-place pairs, pipes, reuse levels.
//!
//! Each rule is one sentence in `docs/DESIGN.md`. Nothing here is trusted by `verify`.

pub mod explain;
pub mod hlo;
mod inplace;
mod levels;
mod liveness;
mod pipes;
mod stalls;
mod tree;
mod uses;

pub use levels::{allowed_at, common_loops, promotable, stall_cost};
pub use pipes::PipeClass;
pub use stalls::{SlotUse, Stall, Stalls};

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
    /// The innermost loop that holds all uses and the whole life of each buffer.
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

/// Derives the facts of a function.
pub fn facts(problem: &Problem, function: &Function) -> Facts {
    let order = Order::of(function);
    let tree = tree::Tree::of(function);
    let uses = uses::uses(function, &order);
    let mut warnings = Vec::new();
    let live = liveness::live(function, &order, &tree, &uses, &mut warnings);
    let inplace = inplace::pairs(problem, function, &order, &live, &uses, &mut warnings);
    let pipes = pipes::pipes(function, &uses);
    let class = pipes.iter().map(|p| PipeClass::of(problem, p)).collect();
    let home = pipes::homes(function, &order, &uses, &live);
    Facts { order, live, inplace, pipes, class, home, warnings }
}
