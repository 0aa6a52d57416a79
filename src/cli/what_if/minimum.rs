//! The smallest capacities of one function, each with a plan that the judge accepts.

use super::one::{Run, bug};
use crate::cli::judge;
use crate::diag::{Code, Diagnostic, Severity};
use crate::diagnose::whatif;
use crate::format::json_whatif::MinCapacity;
use crate::model::{
    Answer, Capacity, Finding, FunctionAnswer, FunctionPlan, Placement, Problem, ReuseLevel,
    ScopeAnswer, ScopeId,
};
use crate::plan::{self, Question, xla::Planned};
use crate::verify;

/// What is known about a function.
#[derive(Debug, Default)]
pub(super) struct Minimum {
    /// One row for each scope.
    pub(super) rows: Vec<MinCapacity>,
    /// What is wrong with our own plans.
    pub(super) bugs: Vec<Diagnostic>,
}

/// Finds the smallest capacity of each scope of a function.
pub(super) fn minimum(run: &Run<'_>, text: Option<&Answer>, index: usize) -> Minimum {
    let problem = &run.ready.problem;
    let function = &problem.functions[index];
    let text = text.and_then(|answer| answer.functions.iter().find(|f| f.index == index));
    let mut out = Minimum::default();
    let mut placements: Vec<Placement> = Vec::new();
    for scope in problem.scopes.ids() {
        let answer = text.and_then(|text| text.scopes.iter().find(|a| a.scope == scope));
        // Of a module the heaps are planned; the rest has allocations of its own.
        let planned = run.ready.module.is_none() || answer.is_some();
        if !planned || !function.buffers.iter().any(|b| b.scope == scope) {
            continue;
        }
        let mut row = row(run, index, scope);
        match known(run, text.zip(answer), index, scope) {
            Ok(known) => {
                (row.found, row.lower_bound) = (known.found, Some(known.bound));
                row.proven = known.proven();
                placements.extend(known.placements);
            }
            Err(why) => row.reason = Some(why),
        }
        out.rows.push(row);
    }
    if let Some(text) = text.filter(|_| run.ready.module.is_some()) {
        // With what lies outside of the heaps.
        placements.clone_from(&text.plan.placements);
    }
    out.bugs = judged(problem, index, &out.rows, placements);
    out
}

/// The smallest capacity of a scope, by our facts, by what the planner does with the whole text, or by the
/// better of both.
fn known(
    run: &Run<'_>,
    text: Option<(&FunctionAnswer, &ScopeAnswer)>,
    index: usize,
    scope: ScopeId,
) -> Result<whatif::Minimum, String> {
    let problem = &run.ready.problem;
    let level = run.options.level.unwrap_or(ReuseLevel::Lifetime);
    let text = text.filter(|(_, answer)| answer.verdict.has_plan()).map(|(function, answer)| {
        let name = problem.scopes[scope].name.as_str();
        let mine = |p: &&Placement| p.scope.as_deref() == Some(name);
        let placements = function.plan.placements.iter().filter(mine).cloned().collect();
        whatif::Minimum { level, found: answer.peak, bound: answer.lower_bound, placements }
    });
    if run.ready.module.is_some() {
        return text.ok_or_else(|| "no plan is known".to_owned());
    }
    match (whatif::min_capacity(problem, index, scope, run.options), text) {
        (Ok(own), None) => Ok(own),
        // A proof by our facts alone is none about what the compiler's facts allow.
        (Ok(own), Some(text)) => {
            let bound = own.bound.min(text.bound);
            let worse = own.found.is_none_or(|own| text.found.is_some_and(|text| text < own));
            let better = if worse { text } else { own };
            Ok(whatif::Minimum { bound, ..better })
        }
        // Buffers that two functions share are planned with both.
        (Err(_), Some(text)) if problem.scopes[scope].partitions.is_empty() => Ok(text),
        (Err(why), _) => Err(why),
    }
}

fn row(run: &Run<'_>, index: usize, scope: ScopeId) -> MinCapacity {
    let problem = &run.ready.problem;
    let levels = !problem.pipes.is_empty() && run.ready.module.is_none();
    let level = run.options.level.unwrap_or(ReuseLevel::Lifetime);
    MinCapacity {
        input: run.input.loaded.name.clone(),
        function: problem.functions[index].name.clone(),
        scope: problem.scopes[scope].name.clone(),
        level: levels.then(|| level.name()),
        capacity: problem.scopes[scope].bytes(),
        found: None,
        lower_bound: None,
        proven: false,
        reason: None,
    }
}

/// What the planner does with the whole text where capacities do not count; none where the problem says
/// everything.
pub(super) fn by_text(run: &Run<'_>) -> Option<Answer> {
    if run.ready.kernels.is_none() && run.ready.module.is_none() {
        return None;
    }
    let mut roomy = run.ready.problem.clone();
    for scope in roomy.scopes.iter_mut().filter(|s| s.partitions.is_empty()) {
        scope.capacity = Capacity::Unbounded;
    }
    let accepts = |index: usize, plan: &FunctionPlan| judge::accepts(&roomy, index, plan);
    let module: Option<Planned> = run.ready.module.as_deref().map(|module| {
        let mut module = module.clone();
        module.problem.clone_from(&roomy);
        module
    });
    let question = Question {
        problem: &roomy,
        kernels: run.ready.kernels.as_ref(),
        module: module.as_ref(),
        judge: &accepts,
    };
    Some(plan::solve(&question, run.options, &|_| ()))
}

/// The judge on the plan in scopes of just that size.
fn judged(
    problem: &Problem,
    index: usize,
    rows: &[MinCapacity],
    mut placements: Vec<Placement>,
) -> Vec<Diagnostic> {
    let function = &problem.functions[index];
    let mut tight = problem.clone();
    for row in rows {
        let Some(found) = row.found else { continue };
        for scope in tight.scopes.iter_mut().filter(|s| s.name == row.scope) {
            scope.resize(found);
        }
    }
    placements.sort_by_key(|p| p.id);
    let plan = FunctionPlan { name: function.name.clone(), fingerprint: None, placements };
    let whole = rows.iter().all(|row| row.found.is_some());
    let found = |f: &Finding| {
        let known = rows.iter().filter(|row| row.found.is_some());
        // Ops cannot be replayed on buffers that lie nowhere.
        whole || known.map(|row| &row.scope).any(|scope| f.scope.as_ref() == Some(scope))
    };
    let aside = |code: Code| {
        matches!(code, Code::VerifyReadBeforeWrite | Code::VerifyUndecided)
            || code.name().starts_with("memplan::replay::")
    };
    let wrong = verify::one(&tight, function, &plan);
    let wrong =
        wrong.iter().filter(|f| f.severity == Severity::Error && !aside(f.code) && found(f));
    wrong.take(5).map(bug).collect()
}
