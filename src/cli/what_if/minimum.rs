//! The smallest capacities of one function, each with a plan that the judge accepts.

use super::one::{Run, bug};
use crate::cli::judge;
use crate::diag::{Code, Diagnostic, Severity};
use crate::diagnose::whatif;
use crate::format::json_whatif::MinCapacity;
use crate::model::{
    Answer, Capacity, Finding, FunctionPlan, Placement, Problem, ReuseLevel, ScopeId,
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
        if !function.buffers.iter().any(|b| b.scope == scope) {
            continue;
        }
        let own = match run.ready.module {
            Some(_) => Err("no plan is known".to_owned()),
            None => whatif::min_capacity(problem, index, scope, run.options),
        };
        let text = text.and_then(|text| {
            let answer = text.scopes.iter().find(|answer| answer.scope == scope)?;
            Some((answer, &text.plan))
        });
        if let Some((_, plan)) = text
            && run.ready.module.is_some()
        {
            placements.clone_from(&plan.placements);
        }
        let levels = !problem.pipes.is_empty() && run.ready.module.is_none();
        let mut row = row(run, index, scope, levels);
        match (own, text.filter(|(answer, _)| answer.verdict.has_plan())) {
            (Ok(own), text) => {
                (row.found, row.lower_bound) = (own.found, Some(own.bound));
                let mut chosen = own.placements;
                if let Some((answer, plan)) = text {
                    // A proof by our facts alone is none about what the compiler's facts allow.
                    row.lower_bound = Some(answer.lower_bound.min(own.bound));
                    if answer.peak < row.found {
                        row.found = answer.peak;
                        let name = problem.scopes[scope].name.as_str();
                        let mine = |p: &&Placement| p.scope.as_deref() == Some(name);
                        chosen = plan.placements.iter().filter(mine).cloned().collect();
                    }
                }
                placements.extend(chosen);
            }
            (Err(_), Some((answer, _))) if run.ready.module.is_some() => {
                (row.found, row.lower_bound) = (answer.peak, Some(answer.lower_bound));
            }
            (Err(why), _) => row.reason = Some(why),
        }
        row.proven = row.found.is_some() && row.found == row.lower_bound;
        out.rows.push(row);
    }
    out.bugs = judged(problem, index, &out.rows, placements);
    out
}

fn row(run: &Run<'_>, index: usize, scope: ScopeId, levels: bool) -> MinCapacity {
    let problem = &run.ready.problem;
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
            scope.capacity = Capacity::Bytes(found);
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
