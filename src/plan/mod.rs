//! The ladder of reuse levels and the portfolio of solvers.
//!
//! ```text
//!   solve -> function -> scope (ladder) -> arena + level -> Instance   (instance)
//!                          |                  -> rung: bounds, heuristics, exact, milp
//!                          v                  <- Packing
//!                        ScopeAnswer  <- reuse (who shares with whom, and does it stall)
//! ```

mod adopt;
mod answer;
mod arena;
mod candidates;
mod core;
mod coupled;
pub mod hivm;
mod instance;
mod ladder;
mod options;
mod problems;
mod reuse;
mod rung;
mod smallest;
mod stopwatch;
#[cfg(test)]
mod tests;
mod units;
pub mod xla;

pub use adopt::adopt;
pub use arena::Arena;
pub use core::core;
pub use instance::{Built, Scene, Sharing, build};
pub use options::{DEFAULT_NODES, HEURISTICS, Liveness, Options, Progress, Strategy};
pub use problems::problems;
pub use reuse::MAX_LISTED;
pub use stopwatch::Stopwatch;

// The question turned round: not what fits, but how little does.
pub use smallest::{Smallest, smallest};

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::analyze;
use crate::ir::hivm::Kernels;
use crate::model::{
    Answer, BufferId, Function, FunctionAnswer, FunctionPlan, Problem, ScopeAnswer, ScopeId,
    Verdict, fingerprint,
};

/// What is to be planned.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The tree of HIVM text, where the problem was read from one.
    pub kernels: Option<&'a Kernels>,
    /// The heaps of an HLO module, where the problem was read from one.
    pub module: Option<&'a xla::Planned>,
    /// Replays the plan of a function (by its index); true when nothing is wrong with it. The planner
    /// asks it about plans that rest on the compiler's facts instead of its own.
    pub judge: &'a (dyn Fn(usize, &FunctionPlan) -> bool + Sync),
}

impl<'a> Question<'a> {
    /// A problem alone: nobody is asked.
    pub fn of(problem: &'a Problem) -> Self {
        Self { problem, kernels: None, module: None, judge: &|_, _| false }
    }
}

/// Plans every function of a problem. The answer does not depend on [`Options::jobs`].
pub fn solve(
    question: &Question<'_>,
    options: &Options,
    on: &(dyn Fn(&Progress) + Sync),
) -> Answer {
    let count = question.problem.functions.len();
    let options = &options.started();
    if let Some(module) = question.module {
        return Answer { functions: vec![xla::answer(module, options)] };
    }
    let compat = hivm::Runs::new(question, options);
    let written = question;
    let restricted = coupled::restricted(question);
    let question = &match &restricted {
        Some(problem) => Question { problem, ..*question },
        None => *question,
    };
    if let Strategy::Hivm { .. } = options.strategy {
        let all = (0..count).map(|index| hivm::answer(written, index, &compat, options));
        return Answer { functions: all.collect() };
    }
    let workers = options.jobs.clamp(1, count.max(1));
    // Threads that have no function of their own help with the search.
    let options = &Options { jobs: (options.jobs / workers).max(1), ..options.clone() };
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<FunctionAnswer>>> = Mutex::new(vec![None; count]);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                break;
            }
            let answer = function(question, index, options, &compat, on);
            if let Ok(mut done) = done.lock() {
                done[index] = Some(answer);
            }
        }
    };
    std::thread::scope(|threads| {
        for _ in 1..workers {
            // Where no thread is to be had, this one does the work.
            let _ = std::thread::Builder::new().spawn_scoped(threads, work);
        }
        work();
    });
    let done = done.into_inner().unwrap_or_default();
    let mut functions: Vec<FunctionAnswer> = done.into_iter().flatten().collect();
    coupled::exchange(written, options, &mut functions);
    Answer { functions }
}

/// Plans one function.
fn function(
    question: &Question<'_>,
    index: usize,
    options: &Options,
    compat: &hivm::Runs,
    on: &(dyn Fn(&Progress) + Sync),
) -> FunctionAnswer {
    let problem = question.problem;
    let function = &problem.functions[index];
    let facts = analyze::facts(problem, function);
    let mut plan = FunctionPlan { name: function.name.clone(), ..FunctionPlan::default() };
    let mut scopes = Vec::new();
    for id in problem.scopes.ids() {
        if function.buffers.iter().any(|b| b.scope == id) {
            let scene = Scene { problem, function, facts: &facts, scope: id };
            let climb = || ladder::scope(&scene, options, on);
            let (answer, placements) = match &options.stopwatch {
                Some(watch) => watch.measure(index, id, climb),
                None => climb(),
            };
            scopes.push(answer);
            plan.placements.extend(placements);
        }
    }
    let fingerprint = fingerprint(problem, function);
    plan.fingerprint = Some(fingerprint.clone());
    // In the order of the buffers, not of the scopes.
    plan.placements.sort_by_key(|p| p.id);
    let mut answer = FunctionAnswer {
        name: function.name.clone(),
        index,
        fingerprint,
        verdict: Verdict::Optimal,
        warnings: facts.warnings.clone(),
        message: None,
        errors: Vec::new(),
        scopes,
        plan,
        allocations: Vec::new(),
    };
    candidates::improve(question, &facts, options, compat, &mut answer);
    faulty(function, &mut answer);
    answer.verdict = answer.scopes.iter().map(|s| s.verdict).max().unwrap_or(Verdict::Optimal);
    answer
}

/// What no plan can make right has none: that is a proof, too.
fn faulty(function: &Function, answer: &mut FunctionAnswer) {
    for (buffer, fault) in &function.faults {
        let scope = function.buffers[*buffer].scope;
        answer
            .plan
            .placements
            .retain(|p| p.id.is_none_or(|id| function.buffers[BufferId(id)].scope != scope));
        for scope in answer.scopes.iter_mut().filter(|s| s.scope == scope) {
            scope.verdict = Verdict::Infeasible;
            (scope.peak, scope.overflow) = (None, None);
            scope.reuse.clear();
            scope.message = Some(format!("{} [{}]", fault.message, fault.code.name()));
        }
        answer.warnings.push(fault.clone());
    }
}

/// Plans one scope of one function of a (changed) problem; for what-if questions.
pub fn scope(problem: &Problem, index: usize, scope: ScopeId, options: &Options) -> ScopeAnswer {
    let function = &problem.functions[index];
    let facts = analyze::facts(problem, function);
    let scene = Scene { problem, function, facts: &facts, scope };
    ladder::scope(&scene, options, &|_| ()).0
}
