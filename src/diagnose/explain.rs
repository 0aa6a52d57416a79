//! The verdict in three parts, scope by scope.

use std::sync::atomic::Ordering;

use super::advice::{self, Found};
use super::asker::{Asker, Goal};
use super::{fragmentation, holders, tight};
use crate::model::{
    Advice, Answer, Change, CoreIs, Diagnosis, FunctionPlan, Problem, Ruling, ScopeAnswer, Verdict,
};
use crate::plan::{self, Options, Strategy};

/// Buffers of a scope whose plan is looked at for holes, at most.
const MAX_FRAGMENTED: usize = 2_000;

/// Fills [`ScopeAnswer::diagnosis`] of every scope, and [`crate::model::Overflow`] of those without a plan:
/// the core of the proof, the smallest capacity that works, changes that make it fit. Every change was
/// asked of the planner again.
///
/// Of a plan that is tight ([`crate::model::Tight`]) the changes are those that avoid its stalls, or reach a
/// stricter level; only where `auto` was asked for, which wants neither. The questions of one scope have a budget
/// ([`Asker`]), so scopes of thousands of buffers take seconds; [`Diagnosis::complete`] says whether it was
/// enough.
pub fn explain(problem: &Problem, answer: &mut Answer, options: &Options) {
    let options = &options.started();
    for function in &mut answer.functions {
        let index = function.index;
        if problem.functions.get(index).is_none() {
            continue;
        }
        let sums = function
            .scopes
            .iter()
            .map(|s| (s.scope.0 as usize, s.peak.unwrap_or(s.max_load.bytes), s.buffers.len()));
        let sums: Vec<(usize, u64, usize)> = sums.collect();
        let plan = &function.plan;
        for scope in &mut function.scopes {
            if options.cancel.load(Ordering::Relaxed) {
                return;
            }
            let mut diagnosis = look(problem, index, scope, plan, options);
            diagnosis.holders = holders::holders(problem, &problem.functions[index], scope, &sums);
            scope.diagnosis = Some(diagnosis);
        }
    }
}

fn look(
    problem: &Problem,
    index: usize,
    scope: &mut ScopeAnswer,
    plan: &FunctionPlan,
    options: &Options,
) -> Diagnosis {
    let mut diagnosis = Diagnosis {
        ruling: ruling(scope),
        tight: Vec::new(),
        advice: Vec::new(),
        holders: Vec::new(),
        fragmentation: None,
        tries: 0,
        complete: true,
    };
    let function = &problem.functions[index];
    let faulty = function.faults.iter().any(|(id, _)| function.buffers[*id].scope == scope.scope);
    if scope.verdict.has_plan() {
        diagnosis.tight = tight::tight(&problem.scopes[scope.scope], scope);
        let goal = tight::goal(&diagnosis.tight).filter(|_| options.strategy == Strategy::Auto);
        if let Some(goal) = goal.filter(|_| !advice::coupled(problem, index, scope.scope)) {
            let found = advice::to_improve(problem, index, scope, goal, options);
            take(found, &mut diagnosis.advice, (&mut diagnosis.tries, &mut diagnosis.complete));
        }
        let holes = scope.verdict == Verdict::Feasible && scope.peak > Some(scope.lower_bound);
        // Our own plans lie as levels and stalls want it; a move could only spoil that.
        if holes && named(options) && scope.buffers.len() <= MAX_FRAGMENTED {
            diagnosis.fragmentation = fragmentation::of_scope(problem, function, plan, scope.scope);
        }
        return diagnosis;
    }
    if !faulty && !advice::coupled(problem, index, scope.scope) {
        failed(problem, index, scope, options, &mut diagnosis);
    }
    diagnosis
}

/// True where one named method was asked for, and not for the best plan.
fn named(options: &Options) -> bool {
    matches!(options.strategy, Strategy::Heuristic(_) | Strategy::Hivm { .. } | Strategy::Xla)
}

/// Why there is no plan, and what would make one.
fn failed(
    problem: &Problem,
    index: usize,
    scope: &mut ScopeAnswer,
    options: &Options,
    diagnosis: &mut Diagnosis,
) {
    if named(options) && !another(problem, index, scope, options, diagnosis) {
        return;
    }
    if let Some(overflow) = &mut scope.overflow
        && (overflow.impossible || diagnosis.ruling == Ruling::Impossible)
    {
        let (core, is) = plan::core(
            problem,
            index,
            (scope.scope, overflow.owner.as_deref()),
            &overflow.core,
            options,
        );
        (overflow.core, overflow.core_is) = (core, is);
    }
    let found = advice::to_fit(problem, index, scope, scope.overflow.as_ref(), options);
    let mut all = Vec::new();
    take(found, &mut all, (&mut diagnosis.tries, &mut diagnosis.complete));
    let Some(overflow) = &mut scope.overflow else {
        diagnosis.advice = all;
        return;
    };
    let works_at = all.iter().find_map(|a| match a.change {
        Change::Capacity { to, .. } => Some(to),
        _ => None,
    });
    overflow.works_at = overflow.works_at.into_iter().chain(works_at).min();
    overflow.advice = all;
}

/// Where one named planner failed: whether `auto` does. False when its plan is all the advice there is.
fn another(
    problem: &Problem,
    index: usize,
    scope: &mut ScopeAnswer,
    options: &Options,
    diagnosis: &mut Diagnosis,
) -> bool {
    // Without a reason there is nothing to tell: the pass gave up elsewhere.
    let Some(overflow) = &mut scope.overflow else { return false };
    let options = Options { strategy: Strategy::Auto, ..options.clone() };
    let mut asker = Asker::new(problem, index, scope.scope, Goal::Fit, &options);
    let found = asker.ask(&asker.problem.clone(), scope.scope);
    diagnosis.tries += asker.tries;
    let Some(found) = found else { return false };
    if found.verdict.has_plan() {
        overflow.advice = vec![advice::planner("auto", &found)];
        overflow.works_at = overflow.works_at.into_iter().chain(found.peak).min();
        return false;
    }
    if let Some(theirs) = found.overflow.filter(|o| o.impossible) {
        diagnosis.ruling = Ruling::Impossible;
        (overflow.core, overflow.core_is) = (theirs.core, theirs.core_is);
        overflow.owner = theirs.owner;
    }
    true
}

fn take(found: Found, to: &mut Vec<Advice>, (tries, complete): (&mut u32, &mut bool)) {
    *to = found.advice;
    *tries += found.tries;
    *complete &= found.complete;
}

fn ruling(scope: &ScopeAnswer) -> Ruling {
    match scope.verdict {
        Verdict::Optimal | Verdict::Feasible => Ruling::Possible {
            excess: scope.peak.unwrap_or(0).saturating_sub(scope.lower_bound),
            stalls: scope.reuse.iter().filter(|r| r.stall).count(),
            reuse_cost: scope.reuse_cost,
        },
        Verdict::Infeasible => Ruling::Impossible,
        // One planner's failure is no proof; that more is alive than fits is one.
        Verdict::NotFound | Verdict::Undecided => {
            let over = scope.overflow.as_ref().is_some_and(|o| scope.max_load.bytes > o.available);
            if over { Ruling::Impossible } else { Ruling::Open }
        }
    }
}

/// Adds that another order of the module fits: `to` is its name as `--order` takes it, `answer` what it
/// leads to. Nothing changes where that does not fit either, or where there is a plan.
pub fn order(answer: &mut Answer, to: &str, other: &Answer) {
    for function in &mut answer.functions {
        let Some(theirs) = other.functions.iter().find(|f| f.name == function.name) else {
            continue;
        };
        for scope in &mut function.scopes {
            let Some(overflow) = &mut scope.overflow else { continue };
            let same = theirs.scopes.iter().find(|s| s.scope == scope.scope);
            let Some(fits) = same.filter(|s| s.verdict.has_plan()) else { continue };
            let peak = fits.peak.unwrap_or(0);
            let change = Change::Order { to: to.to_owned() };
            overflow.advice.insert(0, super::search::advice(change, Vec::new(), 0, fits));
            overflow.works_at = overflow.works_at.into_iter().chain([peak]).min();
        }
    }
}

/// The three parts for the heaps of an HLO module, whose values live by XLA's rules: no change of a
/// buffer is asked of its planner, the rulings and sums are its own.
pub fn modules(problem: &Problem, answer: &mut Answer) {
    for function in &mut answer.functions {
        let Some(of) = problem.functions.get(function.index) else { continue };
        for scope in &mut function.scopes {
            let tight = match scope.verdict.has_plan() {
                true => tight::tight(&problem.scopes[scope.scope], scope),
                false => Vec::new(),
            };
            scope.diagnosis = Some(Diagnosis {
                ruling: ruling(scope),
                tight,
                advice: Vec::new(),
                holders: holders::holders(problem, of, scope, &[]),
                fragmentation: None,
                tries: 0,
                complete: true,
            });
            if let Some(overflow) = &mut scope.overflow
                && overflow.core_is == CoreIs::Witness
            {
                shrink(scope.max_load.buffers.as_slice(), overflow);
            }
        }
    }
}

/// As many of the values alive at once, largest first, as already do not fit.
fn shrink(alive: &[(crate::model::BufferId, u64)], overflow: &mut crate::model::Overflow) {
    let mut sum = 0u64;
    let mut core = Vec::new();
    for (id, bytes) in alive {
        sum = sum.saturating_add(*bytes);
        core.push(*id);
        if sum > overflow.available {
            core.sort_unstable();
            overflow.core = core;
            return;
        }
    }
}
