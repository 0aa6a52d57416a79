//! Branches: both sides, from a fork.

use super::executor::{Choice, Executor};
use super::observe::Shadow;
use super::worlds::Flow;
use crate::model::{BranchId, BranchResult, Region, Step, ValueId};

impl<S: Shadow> Executor<'_, S> {
    pub(super) fn branch(&mut self, id: BranchId, flow: &mut Flow<S>) {
        let function = self.function;
        let (branch, steps) = (&function.branches[id], self.order.branches[id]);
        self.go(flow, steps.begin);
        let mut then = flow.clone();
        then.trail = self.turn(steps.begin, |trails| trails.side(flow.trail, id, true));
        self.side(Choice::Side(id, true), &branch.then, &mut then);
        self.leave(&mut then, &branch.results, |r| r.then, steps.end);
        let mut otherwise = flow.clone();
        otherwise.trail = self.turn(steps.begin, |trails| trails.side(flow.trail, id, false));
        if !self.stopped {
            self.go(&mut otherwise, steps.middle);
            self.side(Choice::Side(id, false), &branch.otherwise, &mut otherwise);
        }
        self.leave(&mut otherwise, &branch.results, |r| r.otherwise, steps.end);
        flow.worlds = then.worlds;
        flow.worlds.append(&mut otherwise.worlds);
        flow.at = Some(steps.end);
        self.merge(&mut flow.worlds, steps.end);
    }

    /// One side, unless it is left out.
    fn side(&mut self, choice: Choice, body: &Region, flow: &mut Flow<S>) {
        if self.limits.without == Some(choice) {
            flow.worlds.clear();
        } else {
            self.region(body, flow);
        }
    }

    /// Binds the results of a side and forgets the names that end with it.
    fn leave(
        &mut self,
        side: &mut Flow<S>,
        results: &[BranchResult],
        of: impl Fn(&BranchResult) -> ValueId,
        end: Step,
    ) {
        self.go(side, end);
        for world in &mut side.worlds {
            let refs: Vec<_> =
                results.iter().map(|r| self.resolver.bind(&world.env, of(r))).collect();
            for (result, refs) in results.iter().zip(refs) {
                world.env.bind(result.value, refs);
            }
            world.env.retain(|value| self.uses.after(value, end));
        }
    }
}
