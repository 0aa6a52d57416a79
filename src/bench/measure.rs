//! One input planned by one entry.

use std::time::{Duration, Instant};

use super::entry::Entry;
use super::row::{Answered, Outcome, Row};
use crate::model::{Answer, Finding, Problem, ScopeAnswer, ScopeId};
use crate::plan::{self, Options, Progress, Question, Stopwatch};

/// What the entries are asked, and who judges.
#[derive(Clone, Copy)]
pub struct Contest<'a> {
    /// What is to be planned.
    pub question: Question<'a>,
    /// What is wrong with the plans of an answer.
    pub judge: &'a (dyn Fn(&Answer) -> Vec<Finding> + Sync),
}

/// Plans an input as an entry does: a row for each scope of each function, in their order.
///
/// The time of a row is that of the planner alone: what it took for this scope, and an equal share
/// of the work that belongs to no scope (facts, the compiler's pass).
pub fn measure(
    contest: &Contest<'_>,
    entry: &Entry,
    options: &Options,
    on: &(dyn Fn(&Progress) + Sync),
) -> Vec<Row> {
    let problem = contest.question.problem;
    let Some(strategy) = entry.strategy() else {
        return skip(&contest.question, entry, "it is not ours");
    };
    let watch = Stopwatch::default();
    let options = Options {
        strategy,
        level: entry.level.or(options.level),
        // Side by side, functions would take each other's time; the planner of one may have it all.
        jobs: if problem.functions.len() > 1 { 1 } else { options.jobs },
        stopwatch: Some(watch.clone()),
        ..options.clone()
    };
    let start = Instant::now();
    let answer = plan::solve(&contest.question, &options, on);
    let planning = start.elapsed();
    let start = Instant::now();
    let findings = (contest.judge)(&answer);
    let replay = start.elapsed();
    let places = places(&contest.question);
    let own: Duration = places.iter().map(|(index, scope)| watch.of(*index, *scope)).sum();
    let count = u32::try_from(places.len()).unwrap_or(u32::MAX).max(1);
    let share = planning.saturating_sub(own) / count;
    let row = |&(index, scope): &(usize, ScopeId)| {
        let function = answer.functions.iter().find(|f| f.index == index);
        let found = function.and_then(|f| f.scopes.iter().find(|s| s.scope == scope));
        let outcome = match found {
            None => Outcome::Skipped("not planned".to_owned()),
            Some(found) => {
                let mut answered = answered(found, watch.of(index, scope) + share, replay);
                answered.message = found.message.clone().or(function?.message.clone());
                answered.refuted = refuted(problem, index, found, &findings);
                Outcome::Answered(Box::new(answered))
            }
        };
        Some(blank(problem, (index, scope), entry, outcome))
    };
    places.iter().filter_map(row).collect()
}

/// The rows of an entry that cannot be asked about an input.
pub fn skip(question: &Question<'_>, entry: &Entry, why: &str) -> Vec<Row> {
    let row = |place| blank(question.problem, place, entry, Outcome::Skipped(why.to_owned()));
    places(question).into_iter().map(row).collect()
}

/// The scopes that are planned, function by function (by index); of an HLO module its heaps alone.
pub fn places(question: &Question<'_>) -> Vec<(usize, ScopeId)> {
    if let Some(module) = question.module {
        return module.heaps.iter().map(|heap| (0, heap.scope)).collect();
    }
    let problem = question.problem;
    let functions = problem.functions.iter().enumerate();
    let places = functions.flat_map(|(index, function)| {
        let used = |id: &ScopeId| function.buffers.iter().any(|b| b.scope == *id);
        problem.scopes.ids().filter(used).map(move |id| (index, id)).collect::<Vec<_>>()
    });
    places.collect()
}

/// A row about a scope of a function.
pub fn blank(
    problem: &Problem,
    (index, scope): (usize, ScopeId),
    entry: &Entry,
    outcome: Outcome,
) -> Row {
    let function = &problem.functions[index];
    Row {
        function: function.name.clone(),
        scope: problem.scopes[scope].name.clone(),
        capacity: problem.scopes[scope].bytes(),
        buffers: function.buffers.iter().filter(|b| b.scope == scope).count(),
        entry: entry.name.clone(),
        outcome,
    }
}

fn answered(scope: &ScopeAnswer, planning: Duration, replay: Duration) -> Answered {
    Answered {
        verdict: scope.verdict,
        peak: scope.peak,
        max_load: scope.max_load.bytes,
        lower_bound: scope.lower_bound,
        reuse_cost: scope.reuse_cost,
        reuse_cost_bound: Some(scope.reuse_cost_bound),
        stalls: Some(scope.reuse.iter().filter(|r| r.stall).count()),
        mode: scope.mode,
        level: scope.level,
        nodes: Some(scope.nodes),
        limited_by: scope.limited_by,
        message: None,
        refuted: None,
        planning,
        replay,
    }
}

/// The first thing that the judge has against the plan of a scope; what belongs to no scope is held
/// against every plan of its function.
fn refuted(
    problem: &Problem,
    index: usize,
    scope: &ScopeAnswer,
    findings: &[Finding],
) -> Option<String> {
    let (function, name) = (&problem.functions[index].name, &problem.scopes[scope.scope].name);
    let against = |f: &&Finding| {
        f.function == *function && f.scope.as_ref().is_none_or(|scope| scope == name)
    };
    let found = findings.iter().find(against).filter(|_| scope.verdict.has_plan())?;
    Some(format!("{} [{}]", found.message, found.code.name()))
}
