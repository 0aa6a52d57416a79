//! The core of a refutation: buffers that do not fit together, though any of them less would.

use super::instance::{Scene, Sharing, build};
use super::{Arena, Options};
use crate::analyze;
use crate::model::{BufferId, Problem, ReuseLevel, ScopeId};

/// An irreducible core at the lowest level that the options allow; empty when none was proven
/// within the budget.
pub fn core(problem: &Problem, index: usize, scope: ScopeId, options: &Options) -> Vec<BufferId> {
    let function = &problem.functions[index];
    let facts = analyze::facts(problem, function);
    let scene = Scene { problem, function, facts: &facts, scope };
    for arena in Arena::of(problem, function, scope) {
        let level = options.level.unwrap_or(ReuseLevel::Lifetime);
        let sharing = Sharing::Level { level, promote: false };
        let Ok(built) = build(&scene, &arena, sharing) else { continue };
        if let Some(items) = memplan_exact::core(&built.instance, &options.budget()) {
            let mut buffers: Vec<BufferId> =
                items.iter().map(|&item| built.items[item as usize].0).collect();
            buffers.dedup();
            return buffers;
        }
    }
    Vec::new()
}
