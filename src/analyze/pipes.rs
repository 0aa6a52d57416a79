//! Which pipes touch a buffer, and in which loop it lives.

use super::uses::Uses;
use crate::model::{BufferId, Function, IdVec, Live, LoopId, Order, PipeId, PipeKind, Problem};

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

impl PipeClass {
    /// The class of a buffer that these pipes touch.
    pub fn of(problem: &Problem, pipes: &[PipeId]) -> Self {
        let moves = |p: &PipeId| problem.pipes.get(*p).is_some_and(|p| p.kind == PipeKind::Dma);
        match pipes {
            [] => Self::Unknown,
            _ if pipes.iter().any(moves) => Self::Dma,
            [one] => Self::Single(*one),
            _ => Self::Mixed,
        }
    }

    /// True when sharing bytes ties no two pipes together.
    pub fn shares_with(self, other: Self) -> bool {
        match (self, other) {
            (Self::Dma, _) | (_, Self::Dma) => false,
            (Self::Unknown, _) | (_, Self::Unknown) => true,
            (Self::Single(a), Self::Single(b)) => a == b,
            (Self::Mixed, _) | (_, Self::Mixed) => false,
        }
    }
}

pub(super) fn pipes(function: &Function, uses: &Uses) -> IdVec<BufferId, Vec<PipeId>> {
    let of = |(id, buffer): (BufferId, &crate::model::Buffer)| {
        let given = buffer.pipes.iter().map(|u| u.pipe);
        let mut all: Vec<PipeId> = given.chain(uses.of[id].iter().filter_map(|u| u.pipe)).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    function.buffers.enumerate().map(of).collect()
}

/// The innermost loop that holds all uses and the whole life of each buffer, or the loop that the
/// input gives.
pub(super) fn homes(
    function: &Function,
    order: &Order,
    uses: &Uses,
    live: &IdVec<BufferId, Vec<Live>>,
) -> IdVec<BufferId, Option<LoopId>> {
    let home = |(id, buffer): (BufferId, &crate::model::Buffer)| {
        if uses.of[id].is_empty() {
            return buffer.lives_in;
        }
        let common = order.common_loops(uses.of[id].iter().map(|u| u.op));
        let holds = |l: &LoopId| {
            let steps = order.loops[*l];
            live[id].iter().all(|r| steps.begin <= r.start && r.end.0 <= steps.end.0 + 1)
        };
        common.into_iter().rev().find(holds)
    };
    function.buffers.enumerate().map(home).collect()
}
