//! Which instruction runs a computation under an order, and so which instructions of one computation two
//! instructions are part of.

use super::times::{Clock, Times};
use crate::ir::hlo::{ComputationId, InstructionId, Module};
use crate::model::IdVec;

/// The instruction that runs each computation: the first of its callers.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    parent: IdVec<ComputationId, Option<InstructionId>>,
    depth: IdVec<ComputationId, u32>,
}

impl Nest {
    /// Who runs whom under an order.
    pub(crate) fn of(module: &Module, times: &Times, clock: &Clock) -> Self {
        let mut parent = IdVec::filled(None, module.computations.len());
        let mut found: IdVec<ComputationId, Option<u32>> =
            IdVec::filled(None, module.computations.len());
        let mut by_time: Vec<_> = (module.instructions.ids())
            .filter_map(|id| clock.at(times.instruction(id)).map(|time| (time, id)))
            .collect();
        by_time.sort_unstable();
        for (time, id) in by_time {
            for &callee in times.runs(id) {
                if found[callee].is_none() && callee != module.entry {
                    found[callee] = Some(time);
                    parent[callee] = Some(id);
                }
            }
        }
        let mut nest = Self { parent, depth: IdVec::filled(0, module.computations.len()) };
        for id in module.computations.ids() {
            nest.depth[id] = nest.depth_of(module, id);
        }
        nest
    }

    /// The instruction that runs a computation; `None` for the entry and what never runs.
    pub(crate) fn parent(&self, id: ComputationId) -> Option<InstructionId> {
        self.parent[id]
    }

    fn depth_of(&self, module: &Module, id: ComputationId) -> u32 {
        let up =
            |id: &ComputationId| self.parent[*id].map(|at| module.instructions[at].computation);
        let path = std::iter::successors(Some(id), up).take(module.computations.len());
        u32::try_from(path.count()).unwrap_or(u32::MAX)
    }

    /// The computations around an instruction with the instruction of each that it is part of, the inner
    /// ones first.
    pub(crate) fn around<'a>(
        &'a self,
        module: &'a Module,
        at: InstructionId,
    ) -> impl Iterator<Item = InstructionId> + 'a {
        let up = |at: &InstructionId| self.parent[module.instructions[*at].computation];
        std::iter::successors(Some(at), up).take(module.computations.len())
    }

    /// The two different instructions of one computation that these are part of; `None` when they are
    /// part of one, or of none.
    pub(crate) fn siblings(
        &self,
        module: &Module,
        a: InstructionId,
        b: InstructionId,
    ) -> Option<(InstructionId, InstructionId)> {
        let (mut a, mut b) = (a, b);
        loop {
            let (of_a, of_b) =
                (module.instructions[a].computation, module.instructions[b].computation);
            if of_a == of_b {
                return (a != b).then_some((a, b));
            }
            if self.depth[of_a] >= self.depth[of_b] {
                a = self.parent[of_a]?;
            }
            if self.depth[of_b] >= self.depth[of_a] {
                b = self.parent[of_b]?;
            }
        }
    }
}
