//! Fragmentation apart from capacity, for anybody's plan.

use crate::diag::{Code, Severity};
use crate::model::{
    BufferId, Finding, Fragmentation, Function, FunctionPlan, Moved, Placement, Problem, ScopeId,
};
use crate::{plan as planner, verify};

/// Free bytes and the largest hole of every scope with something placed, and where a buffer has no place
/// or the peak is above the load, who is in the way and the smallest move that cures it. The plan with the
/// move was given to the judge, who found nothing that he had not found before.
pub fn fragmentation(
    problem: &Problem,
    function: &Function,
    plan: &FunctionPlan,
) -> Vec<Fragmentation> {
    let scopes = problem.scopes.ids();
    scopes.filter_map(|scope| of_scope(problem, function, plan, scope)).collect()
}

/// The same for one scope.
pub(super) fn of_scope(
    problem: &Problem,
    function: &Function,
    plan: &FunctionPlan,
    scope: ScopeId,
) -> Option<Fragmentation> {
    if !function.buffers.iter().any(|b| b.scope == scope) {
        return None;
    }
    let live = planner::lives(problem, function);
    let mut before = None;
    let mut right = |moved: &Moved, wants: Option<BufferId>| {
        let before =
            before.get_or_insert_with(|| faults(&verify::one(problem, function, plan), &[]));
        let Some(after) = with(function, plan, moved, wants) else { return false };
        let findings = verify::one(problem, function, &after);
        let placed = [Some(moved.buffer), wants].map(|id| id.map(|id| name(function, id)));
        faults(&findings, &placed) <= *before
    };
    verify::fragmentation(problem, function, plan, (scope, &live), &mut right)
}

fn name(function: &Function, id: BufferId) -> &str {
    &function.buffers[id].name
}

/// Errors, but for buffers without a place that are not among `placed`.
fn faults(findings: &[Finding], placed: &[Option<&str>]) -> usize {
    let counts = |f: &&Finding| {
        let mine = |b: &String| placed.contains(&Some(b.as_str()));
        f.severity == Severity::Error
            && (f.code != Code::VerifyUnplaced || f.buffers.iter().any(mine))
            // Nothing has been written there whatever the plan.
            && f.code != Code::VerifyReadBeforeWrite
    };
    findings.iter().filter(counts).count()
}

/// The plan with a move made, and a place given to the buffer that has none.
fn with(
    function: &Function,
    plan: &FunctionPlan,
    moved: &Moved,
    wants: Option<BufferId>,
) -> Option<FunctionPlan> {
    let mut out = plan.clone();
    let buffer = function.buffers.get(moved.buffer)?;
    let repeats = function.buffers.iter().filter(|b| b.name == buffer.name).count() > 1;
    let mine =
        |p: &&mut Placement| p.name == buffer.name && (!repeats || p.id == Some(moved.buffer.0));
    let offset = out.placements.iter_mut().find(mine)?.offsets.get_mut(moved.slot as usize)?;
    *offset = moved.to;
    if let (Some(id), Some(at)) = (wants, moved.place) {
        out.placements.push(Placement {
            name: name(function, id).to_owned(),
            id: Some(id.0),
            scope: None,
            offsets: vec![at],
            loc: None,
        });
    }
    Some(out)
}
