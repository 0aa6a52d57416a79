//! The codes of an answer: what a machine looks for in `diagnostics`. People see the same in the
//! answer itself.

use crate::diag::{Code, Diagnostic, Severity};
use crate::model::{
    Answer, BufferId, Bytes, Function, Objective, Problem, Remark, ScopeAnswer, Verdict,
};
use crate::report::ci;
use crate::report::context::{Input, offsets};
use crate::report::words;

/// Places named in one message.
const PLACES: usize = 3;

/// One diagnostic for each scope without a plan, and for each that stalls or promotes.
pub(super) fn of(problem: &Problem, answer: &Answer) -> Vec<Diagnostic> {
    each(problem, answer).into_iter().map(|(_, _, diagnostic)| diagnostic).collect()
}

/// The same as remarks, which know their function, scope and buffers.
pub(super) fn remarks(input: Input<'_>, answer: &Answer) -> Vec<Remark> {
    let remark = |(function, scope, diagnostic): (&Function, &ScopeAnswer, Diagnostic)| {
        let name = |id: BufferId| Some(function.buffers.get(id)?.name.clone());
        // Who is alive at the worst step may change with every edit; a proof has a core.
        let core = scope.overflow.iter().flat_map(|o| &o.core).take(PLACES);
        Remark {
            function: Some(function.name.clone()),
            scope: Some(input.problem.scopes[scope.scope].name.clone()),
            buffers: core.filter_map(|id| name(*id)).collect(),
            ..ci::of_diagnostic(input.name, &diagnostic, input.sources)
        }
    };
    each(input.problem, answer).into_iter().map(remark).collect()
}

fn each<'a>(
    problem: &'a Problem,
    answer: &'a Answer,
) -> Vec<(&'a Function, &'a ScopeAnswer, Diagnostic)> {
    let mut all = Vec::new();
    for f in &answer.functions {
        let Some(function) = problem.functions.get(f.index) else { continue };
        for scope in &f.scopes {
            let mut add = |diagnostic| all.push((function, scope, diagnostic));
            if scope.verdict.has_plan() {
                stalls(problem, function, scope).into_iter().for_each(&mut add);
                let placements = &f.plan.placements;
                promotions(problem, function, scope, placements).into_iter().for_each(&mut add);
            } else {
                add(failure(problem, function, scope));
            }
        }
    }
    all
}

fn failure(problem: &Problem, function: &Function, answer: &ScopeAnswer) -> Diagnostic {
    let scope = &problem.scopes[answer.scope];
    let (name, of) = (&scope.name, &function.name);
    let load = Bytes(answer.max_load.bytes);
    let usable = scope.usable().map_or("no limit".to_owned(), words::bytes);
    let (code, message) = match answer.verdict {
        Verdict::NotFound => (
            Code::PlanNotFound,
            format!("`{}` found no plan of `{name}` in `{of}`", answer.strategy),
        ),
        Verdict::Undecided => (
            Code::PlanUndecided,
            format!("the budget ran out before a plan of `{name}` in `{of}` was found or refuted"),
        ),
        _ if scope.usable().is_some_and(|usable| load.0 > usable) => (
            Code::PlanOverflow,
            format!(
                "`{name}` overflows in `{of}`: load {load} at {}, {usable} usable",
                words::moment(&answer.max_load)
            ),
        ),
        Verdict::Infeasible | Verdict::Optimal | Verdict::Feasible => (
            Code::PlanOverflow,
            format!("no plan of `{name}` in `{of}` exists at the levels allowed, {usable} usable"),
        ),
    };
    let mut diagnostic = Diagnostic::error(code, message);
    for (id, bytes) in answer.max_load.buffers.iter().take(PLACES) {
        let loc = function.buffers.get(*id).and_then(|b| b.loc);
        let label = format!("`{}`: {}", words::buffer(function, *id), Bytes(*bytes));
        diagnostic = diagnostic.maybe_at(loc, label);
    }
    let advice = answer.overflow.as_ref().and_then(|o| o.advice.first());
    match advice {
        Some(advice) => diagnostic.help(words::advice(function, name, advice)),
        None => diagnostic,
    }
}

fn stalls(problem: &Problem, function: &Function, answer: &ScopeAnswer) -> Option<Diagnostic> {
    let stalls = || answer.reuse.iter().filter(|r| r.stall);
    let dearest = stalls().max_by_key(|r| (r.cost, std::cmp::Reverse((r.first, r.second))))?;
    let message = format!(
        "{} in `{}` of `{}` {}: cost {}",
        words::count(stalls().count(), "reuse"),
        problem.scopes[answer.scope].name,
        function.name,
        match problem.objective {
            Objective::CostThenPeak => "have a price",
            Objective::AsNeeded | Objective::Peak => "make one pipe wait for another",
        },
        words::number(answer.reuse_cost)
    );
    let loc = |id| function.buffers.get(id).and_then(|b| b.loc);
    let dear = "the dearest pair";
    let diagnostic = Diagnostic::warning(Code::PlanStall, message);
    Some(diagnostic.maybe_at(loc(dearest.second), dear).maybe_at(loc(dearest.first), dear))
}

fn promotions(
    problem: &Problem,
    function: &Function,
    answer: &ScopeAnswer,
    placements: &[crate::model::Placement],
) -> Option<Diagnostic> {
    if placements.iter().all(|p| p.offsets.len() <= 1) {
        return None;
    }
    let offsets = offsets(function, placements);
    let promoted = |id: &crate::model::BufferId| {
        let slots = function.buffers[*id].slots as usize;
        offsets.get(&id.0).is_some_and(|o| o.len() > slots)
    };
    let ids: Vec<_> = answer.buffers.iter().map(|(id, _)| *id).filter(promoted).collect();
    let first = ids.first()?;
    let names: Vec<String> =
        ids.iter().take(10).map(|id| format!("`{}`", words::buffer(function, *id))).collect();
    let message = format!(
        "{} of `{}` in `{}` became multi-buffered to take others' slots: {}",
        words::count(ids.len(), "single buffer"),
        problem.scopes[answer.scope].name,
        function.name,
        names.join(", ")
    );
    let diagnostic =
        Diagnostic { severity: Severity::Note, ..Diagnostic::warning(Code::PlanPromoted, message) };
    Some(diagnostic.maybe_at(function.buffers[*first].loc, "one of them"))
}
