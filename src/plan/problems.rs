//! What the solvers are asked, for somebody who wants to ask another one.

use super::instance::{Built, Scene, Sharing, build};
use super::{Arena, Question};
use crate::analyze;
use crate::model::{ReuseLevel, ScopeId};

/// The packing problem of a scope of a function (by its index) at a level, for each of its arenas.
///
/// # Errors
/// Why a packing alone would be no plan.
pub fn problems(
    question: &Question<'_>,
    index: usize,
    scope: ScopeId,
    level: ReuseLevel,
) -> Result<Vec<Built>, String> {
    let problem = question.problem;
    let function = &problem.functions[index];
    let mine = |id| function.buffers[id].scope == scope;
    if let Some((_, fault)) = function.faults.iter().find(|(id, _)| mine(*id)) {
        return Err(format!("no plan can be right: {}", fault.message));
    }
    if function.buffers.iter().any(|b| b.scope == scope && b.coupling.is_some()) {
        return Err("two functions share its buffers".to_owned());
    }
    let facts = analyze::facts(problem, function);
    let scene = Scene { problem, function, facts: &facts, scope };
    let arenas = Arena::of(problem, function, scope);
    let sharing = Sharing::Level { level, promote: false };
    arenas.iter().map(|arena| build(&scene, arena, sharing)).collect()
}
