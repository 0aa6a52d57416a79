//! The core of a refutation: buffers that do not fit together, though any of them less would.

use std::collections::BTreeMap;

use memplan_exact::Exact;
use memplan_packing::{Budget, Goal, Instance, ItemId, Outcome, Solver};

use super::instance::{Built, Scene, Sharing, build};
use super::{Arena, Options};
use crate::analyze;
use crate::model::{BufferId, CoreIs, Problem, ReuseLevel, ScopeId};

/// Buffers of a core that are left out one after the other, at most; larger sets stay witnesses.
const MAX_CORE: usize = 400;

/// Buffers that do not fit together in the part of `owner`, at the lowest level that the options allow, and
/// what is known of them.
///
/// `witness` are buffers already known not to fit; without any, one is searched. The set is
/// [`CoreIs::Proven`] when the exact search has placed, within the budget, what is left without each one
/// of its buffers; a buffer counts with all of its slots.
pub fn core(
    problem: &Problem,
    index: usize,
    (scope, owner): (ScopeId, Option<&str>),
    witness: &[BufferId],
    options: &Options,
) -> (Vec<BufferId>, CoreIs) {
    let unproven = || {
        let is = if witness.is_empty() { CoreIs::Unknown } else { CoreIs::Witness };
        (witness.to_vec(), is)
    };
    let function = &problem.functions[index];
    let facts = analyze::facts(problem, function);
    let scene = Scene { problem, function, facts: &facts, scope };
    let arenas = Arena::of(problem, function, scope);
    let Some(arena) = arenas.iter().find(|a| a.owner.as_deref() == owner) else {
        return unproven();
    };
    let level = options.level.unwrap_or(ReuseLevel::Lifetime);
    let Ok(built) = build(&scene, arena, Sharing::Level { level, promote: false }) else {
        return unproven();
    };
    // What does not fit here might at the level: the instance allows less than the level does.
    if built.partial {
        return unproven();
    }
    let mut filter = Filter::new(&built, options.budget());
    let mut start = witness.to_vec();
    if start.is_empty() || filter.fits(&start) != Some(false) {
        let Some(items) = memplan_exact::core(&built.instance, &options.budget()) else {
            return unproven();
        };
        start = items.iter().map(|&item| built.items[item as usize].0).collect();
        start.sort_unstable();
        start.dedup();
    }
    filter.reduce(start)
}

/// Leaves out buffers for as long as the rest does not fit.
struct Filter<'a> {
    instance: Instance,
    items: BTreeMap<BufferId, Vec<ItemId>>,
    sizes: &'a [memplan_packing::Item],
    budget: Budget,
}

impl<'a> Filter<'a> {
    fn new(built: &'a Built, budget: Budget) -> Self {
        let mut items: BTreeMap<BufferId, Vec<ItemId>> = BTreeMap::new();
        for ((buffer, _), item) in built.items.iter().zip(0..) {
            items.entry(*buffer).or_default().push(item);
        }
        // Whether it fits has nothing to do with what sharing costs.
        let instance = Instance { costs: Vec::new(), ..built.instance.clone() };
        Self { instance, items, sizes: &built.instance.items, budget }
    }

    /// Whether buffers fit alone; `None` when the budget does not tell.
    fn fits(&mut self, buffers: &[BufferId]) -> Option<bool> {
        let known = buffers.iter().filter_map(|id| self.items.get(id));
        let mut items: Vec<ItemId> = known.flatten().copied().collect();
        items.sort_unstable();
        let part = memplan_exact::keep(&self.instance, &items);
        let exact = Exact::default();
        exact.can(&part, Goal::Fit).ok()?;
        let outcome = exact.solve(&part, Goal::Fit, None, &self.budget, &mut |_| ());
        let (Outcome::Packed { nodes, .. }
        | Outcome::Refuted { nodes, .. }
        | Outcome::GaveUp { nodes, .. }) = outcome;
        if let Some(left) = &mut self.budget.nodes {
            *left = left.saturating_sub(nodes);
        }
        match outcome {
            Outcome::Packed { .. } => Some(true),
            Outcome::Refuted { .. } => Some(false),
            Outcome::GaveUp { .. } => None,
        }
    }

    /// The small ones are left out first, so that those stay that matter.
    fn reduce(&mut self, mut core: Vec<BufferId>) -> (Vec<BufferId>, CoreIs) {
        let bytes = |id: &BufferId| {
            let items = self.items.get(id).into_iter().flatten();
            items.map(|&i| self.sizes[i as usize].size).fold(0, u64::saturating_add)
        };
        core.sort_by_key(|id| (bytes(id), std::cmp::Reverse(*id)));
        let mut proven = core.len() <= MAX_CORE;
        let mut at = 0;
        while proven && at < core.len() {
            let mut rest = core.clone();
            rest.remove(at);
            match self.fits(&rest) {
                Some(false) => core = rest,
                Some(true) => at += 1,
                None => proven = false,
            }
        }
        core.sort_unstable();
        (core, if proven { CoreIs::Proven } else { CoreIs::Witness })
    }
}
