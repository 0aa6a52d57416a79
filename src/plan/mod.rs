//! The ladder of reuse levels and the portfolio of solvers.
//!
//! ```text
//!   solve -> function -> scope (ladder) -> arena + level -> Instance   (instance)
//!                          |                  -> rung: bounds, heuristics, exact, milp
//!                          v                  <- Packing
//!                        ScopeAnswer  <- reuse (who shares with whom, and does it stall)
//! ```

mod answer;
mod arena;
mod core;
pub mod hivm;
mod instance;
mod ladder;
mod options;
mod reuse;
mod rung;

pub use arena::Arena;
pub use core::core;
pub use instance::{Built, Scene, Sharing, build};
pub use options::{DEFAULT_NODES, HEURISTICS, Options, Progress, Strategy};

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::analyze;
use crate::model::{
    Answer, FunctionAnswer, FunctionPlan, Problem, ScopeAnswer, ScopeId, Verdict, fingerprint,
};

/// Plans every function of a problem. The answer does not depend on [`Options::jobs`].
pub fn solve(problem: &Problem, options: &Options, on: &(dyn Fn(&Progress) + Sync)) -> Answer {
    let count = problem.functions.len();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<FunctionAnswer>>> = Mutex::new(vec![None; count]);
    let options = &options.started();
    std::thread::scope(|threads| {
        for _ in 0..options.jobs.clamp(1, count.max(1)) {
            threads.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let answer = function(problem, index, options, on);
                    if let Ok(mut done) = done.lock() {
                        done[index] = Some(answer);
                    }
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_default();
    Answer { functions: done.into_iter().flatten().collect() }
}

/// Plans one function.
pub fn function(
    problem: &Problem,
    index: usize,
    options: &Options,
    on: &(dyn Fn(&Progress) + Sync),
) -> FunctionAnswer {
    let function = &problem.functions[index];
    let facts = analyze::facts(problem, function);
    let mut plan = FunctionPlan { name: function.name.clone(), ..FunctionPlan::default() };
    let mut scopes = Vec::new();
    for id in problem.scopes.ids() {
        if function.buffers.iter().any(|b| b.scope == id) {
            let scene = Scene { problem, function, facts: &facts, scope: id };
            let (answer, placements) = ladder::scope(&scene, options, on);
            scopes.push(answer);
            plan.placements.extend(placements);
        }
    }
    // In the order of the buffers, not of the scopes.
    plan.placements.sort_by_key(|p| p.id);
    let verdict = scopes.iter().map(|s| s.verdict).max().unwrap_or(Verdict::Optimal);
    let fingerprint = fingerprint(problem, function);
    plan.fingerprint = Some(fingerprint.clone());
    FunctionAnswer {
        name: function.name.clone(),
        index,
        fingerprint,
        verdict,
        warnings: facts.warnings,
        message: None,
        scopes,
        plan,
    }
}

/// Plans one scope of one function of a (changed) problem; for what-if questions.
pub fn scope(problem: &Problem, index: usize, scope: ScopeId, options: &Options) -> ScopeAnswer {
    let function = &problem.functions[index];
    let facts = analyze::facts(problem, function);
    let scene = Scene { problem, function, facts: &facts, scope };
    ladder::scope(&scene, options, &|_| ()).0
}
