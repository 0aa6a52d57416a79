//! The ladder of reuse levels and the portfolio of solvers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::model::{Answer, Problem, ReuseLevel};

/// How to plan.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who places.
    pub strategy: Strategy,
    /// Do not go below this level; none = down to `lifetime`.
    pub level: Option<ReuseLevel>,
    /// Search nodes for each scope; answers repeat.
    pub nodes: u64,
    /// Wall time for the whole run; answers do not repeat.
    pub time: Option<Duration>,
    /// Seed of the randomised heuristics.
    pub seed: u64,
    /// Threads; the answer does not depend on it.
    pub jobs: usize,
    /// Set to stop soon.
    pub cancel: Arc<AtomicBool>,
}

/// Who places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// The ladder of levels with the portfolio of solvers.
    #[default]
    Auto,
    /// Smallest peak at level `lifetime`, whatever the capacity.
    Optimal,
    /// The ladder with the MILP rung alone (and its visible fallback).
    Milp,
    /// The ladder with one named heuristic, such as `first-fit`.
    Heuristic(&'static str),
}

/// Nodes a scope may open unless `--nodes` says otherwise.
pub const DEFAULT_NODES: u64 = 200_000;

impl Default for Options {
    fn default() -> Self {
        Self {
            strategy: Strategy::Auto,
            level: None,
            nodes: DEFAULT_NODES,
            time: None,
            seed: 0,
            jobs: 1,
            cancel: Arc::default(),
        }
    }
}

impl Strategy {
    /// The strategy of that name, as `--strategy` takes it.
    pub fn find(name: &str) -> Option<Self> {
        let _ = name;
        None
    }

    /// All names.
    pub fn names() -> Vec<&'static str> {
        vec!["auto", "optimal", "milp"]
    }
}

/// How far a long run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// The level.
    pub level: Option<ReuseLevel>,
    /// The solver.
    pub solver: &'static str,
    /// Nodes opened.
    pub nodes: u64,
    /// The best peak so far.
    pub best: Option<u64>,
    /// The best bound so far.
    pub bound: u64,
}

/// Plans every function of a problem.
pub fn solve(problem: &Problem, options: &Options, on: &(dyn Fn(&Progress) + Sync)) -> Answer {
    let _ = (problem, options, on);
    Answer::default()
}
