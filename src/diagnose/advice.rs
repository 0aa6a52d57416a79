//! Single changes of the input that make a scope fit, each checked by solving again.

use crate::model::{
    Advice, Attempt, AttemptEnd, BufferId, Capacity, Change, Overflow, Problem, ScopeAnswer,
    ScopeId,
};
use crate::plan::{self, Options, Strategy};

/// Buffers whose changes are tried, at most: the largest first.
const MAX_BUFFERS: usize = 24;

/// Above so many buffers in a scope one solve takes too long to try changes.
const MAX_SCOPE: usize = 5_000;

/// Search nodes of one try, at most.
const NODES: u64 = 20_000;

/// Changes reported of each kind, at most.
const MAX_ADVICE: usize = 4;

/// Tries changes of one scope of one function.
pub(super) struct Advisor<'a> {
    problem: &'a Problem,
    index: usize,
    scope: ScopeId,
    options: Options,
}

impl<'a> Advisor<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        index: usize,
        scope: ScopeId,
        options: &Options,
    ) -> Self {
        let nodes = options.nodes.map(|nodes| nodes.min(NODES));
        let strategy = match options.strategy {
            Strategy::Optimal | Strategy::Milp => Strategy::Auto,
            other => other,
        };
        Self { problem, index, scope, options: Options { nodes, strategy, ..options.clone() } }
    }

    fn solve(&self, problem: &Problem) -> Option<ScopeAnswer> {
        let answer = plan::scope(problem, self.index, self.scope, &self.options);
        answer.verdict.has_plan().then_some(answer)
    }

    /// The smallest capacity for which a plan is known.
    pub(super) fn smallest_capacity(&self) -> Option<u64> {
        let mut problem = self.problem.clone();
        let scope = &mut problem.scopes[self.scope];
        if !scope.partitions.is_empty() {
            return None;
        }
        scope.capacity = Capacity::Unbounded;
        self.solve(&problem)?.peak
    }

    /// Changes that make it fit, cheapest first.
    pub(super) fn advice(
        &self,
        lower_bound: u64,
        overflow: &Overflow,
        attempts: &[Attempt],
    ) -> Vec<Advice> {
        let mut out = Vec::new();
        out.extend(self.lower_level(attempts));
        let function = &self.problem.functions[self.index];
        let mine = |id: &BufferId| function.buffers[*id].scope == self.scope;
        let mut buffers: Vec<BufferId> = function.buffers.ids().filter(mine).collect();
        if buffers.len() <= MAX_SCOPE {
            buffers.sort_by_key(|id| {
                let b = &function.buffers[*id];
                (std::cmp::Reverse(b.size.0.saturating_mul(b.slots.into())), *id)
            });
            buffers.truncate(MAX_BUFFERS);
            let mut changes: Vec<Advice> = Vec::new();
            changes.extend(buffers.iter().filter_map(|&id| self.unpinned(id)));
            changes.extend(buffers.iter().filter_map(|&id| self.fewer_slots(id)));
            changes.extend(buffers.iter().filter_map(|&id| self.smaller(id)));
            changes.sort_by_key(|a| (a.cost, rank(&a.change)));
            for kind in 0..3 {
                let same = changes.iter().filter(|a| rank(&a.change) == kind);
                out.extend(same.take(MAX_ADVICE).cloned());
            }
            out.sort_by_key(|a| (a.cost, rank(&a.change)));
        }
        // What is required is a bound at the level allowed, unless it is a heuristic's peak.
        let bound = (overflow.requires_is != "heuristic peak").then_some(overflow.requires);
        if let (Some(to), Some(now)) = (overflow.works_at, self.problem.scopes[self.scope].bytes())
        {
            out.push(Advice {
                change: Change::Capacity { to, proven: to == lower_bound || bound == Some(to) },
                cost: to.saturating_sub(now),
                peak: to,
                level: None,
            });
        }
        out
    }

    /// The lower level that the ladder looked at and found to fit.
    fn lower_level(&self, attempts: &[Attempt]) -> Option<Advice> {
        let floor = self.options.level?;
        let below = attempts.iter().filter(|a| a.end == AttemptEnd::Found);
        let fits = below.filter(|a| a.level.is_some_and(|l| l > floor)).min_by_key(|a| a.level)?;
        let to = fits.level?;
        Some(Advice { change: Change::Level { to }, cost: 0, peak: fits.peak?, level: Some(to) })
    }

    fn unpinned(&self, id: BufferId) -> Option<Advice> {
        self.problem.functions[self.index].buffers[id].pin.as_ref()?;
        let mut problem = self.problem.clone();
        problem.functions[self.index].buffers[id].pin = None;
        let answer = self.solve(&problem)?;
        let change = Change::Unpin { buffer: id };
        Some(Advice { change, cost: 0, peak: answer.peak?, level: answer.level })
    }

    /// The largest smaller number of slots that fits.
    fn fewer_slots(&self, id: BufferId) -> Option<Advice> {
        let buffer = &self.problem.functions[self.index].buffers[id];
        if buffer.pin.is_some() {
            return None;
        }
        let from = buffer.slots;
        for to in (1..from).rev() {
            let mut problem = self.problem.clone();
            let function = &mut problem.functions[self.index];
            function.buffers[id].slots = to;
            // What is the same bytes has the same slots.
            for relation in &function.relations {
                let pair = [relation.first, relation.second];
                if matches!(relation.kind, crate::model::RelationKind::Colocate { .. })
                    && pair.contains(&id)
                {
                    return None;
                }
            }
            if to == 1 {
                function.buffers[id].rotates_in = None;
            }
            if let Some(answer) = self.solve(&problem) {
                let cost = buffer.size.0.saturating_mul(u64::from(from - to));
                let change = Change::Slots { buffer: id, from, to };
                return Some(Advice { change, cost, peak: answer.peak?, level: answer.level });
            }
        }
        None
    }

    /// The largest size that fits, in steps of the alignment.
    fn smaller(&self, id: BufferId) -> Option<Advice> {
        let buffer = &self.problem.functions[self.index].buffers[id];
        let from = buffer.size.0;
        let step = buffer.alignment.max(1);
        let fits = |size: u64| {
            let mut problem = self.problem.clone();
            let buffer = &mut problem.functions[self.index].buffers[id];
            buffer.size.0 = size;
            buffer.shape = None;
            self.solve(&problem)
        };
        // Steps of the alignment: 0 .. most; `most` itself does not fit.
        let most = from.div_ceil(step);
        let mut best = fits(0).map(|answer| (0, answer))?;
        let (mut low, mut high) = (0, most);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match fits(middle * step) {
                Some(answer) => {
                    best = (middle * step, answer);
                    low = middle;
                }
                None => high = middle,
            }
        }
        let (to, answer) = best;
        // A buffer of no bytes is no way out.
        if to == 0 {
            return None;
        }
        let cost = (from - to).saturating_mul(buffer.slots.into());
        let change = Change::Size { buffer: id, from, to };
        Some(Advice { change, cost, peak: answer.peak?, level: answer.level })
    }
}

/// The order of changes of equal cost.
fn rank(change: &Change) -> u8 {
    match change {
        Change::Unpin { .. } => 0,
        Change::Slots { .. } => 1,
        Change::Size { .. } => 2,
        Change::Level { .. } => 3,
        Change::Capacity { .. } => 4,
    }
}
