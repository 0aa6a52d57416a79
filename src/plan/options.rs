//! How to plan.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use memplan_packing::Budget;

use super::stopwatch::Stopwatch;
use crate::model::ReuseLevel;

/// Search nodes that each question of a rung may open unless `--nodes` says otherwise; fewer where more
/// than 60 items are related in pairs, more where items are mere rectangles: [`PLAIN_FIT`] and
/// [`PLAIN_OPTIMAL`] times as many.
pub const DEFAULT_NODES: u64 = 20_000;

/// How many times [`DEFAULT_NODES`] it may take to find out whether rectangles fit.
pub(super) const PLAIN_FIT: u64 = 10;

/// How many times [`DEFAULT_NODES`] `--strategy optimal` may take for rectangles.
pub(super) const PLAIN_OPTIMAL: u64 = 50;

/// Heuristics that can be asked for by name.
pub const HEURISTICS: &[&str] = &memplan_heuristic::NAMES;

/// How to plan.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who places.
    pub strategy: Strategy,
    /// Whose live ranges; for HIVM text.
    pub liveness: Liveness,
    /// Do not go below this level; none = down to `lifetime`.
    pub level: Option<ReuseLevel>,
    /// Search nodes for each question that a rung asks, so that answers repeat; none for the
    /// default, [`DEFAULT_NODES`], which shrinks for large instances.
    pub nodes: Option<u64>,
    /// Wall time for the whole run; answers that it limits do not repeat.
    pub time: Option<Duration>,
    /// When the time is over; set by [`Options::started`].
    pub deadline: Option<Instant>,
    /// Seed of the randomised heuristics.
    pub seed: u64,
    /// Threads; the answer does not depend on it.
    pub jobs: usize,
    /// Set to stop soon.
    pub cancel: Arc<AtomicBool>,
    /// Takes the time of each scope, where somebody wants to know.
    pub stopwatch: Option<Stopwatch>,
    /// A test hook: the MILP rung breaks down on every instance.
    pub break_milp: bool,
}

/// Who places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// The ladder of levels with the portfolio of solvers.
    #[default]
    Auto,
    /// Smallest peak at level `lifetime`, whatever the capacity.
    Optimal,
    /// The ladder with the MILP alone; where it breaks down, the exact search takes over and the
    /// attempts say so.
    Milp,
    /// The ladder with one named heuristic, such as `first-fit`.
    Heuristic(&'static str),
    /// What the open-source compiler's pass decides.
    Hivm {
        /// With `plan-memory-strategy=largest-first`.
        largest_first: bool,
    },
    /// What XLA's buffer assignment decides.
    Xla,
}

/// Whose live ranges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Liveness {
    /// Ours, which are sound.
    #[default]
    Strict,
    /// Those of the compiler's pass, mistakes included.
    Compat,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strategy: Strategy::Auto,
            liveness: Liveness::Strict,
            level: None,
            nodes: None,
            time: None,
            deadline: None,
            seed: 0,
            jobs: 1,
            cancel: Arc::default(),
            stopwatch: None,
            break_milp: false,
        }
    }
}

impl Options {
    /// The same options with the clock running.
    #[must_use]
    pub fn started(&self) -> Self {
        let deadline = self.deadline.or_else(|| Some(Instant::now() + self.time?));
        Self { deadline, ..self.clone() }
    }

    /// The budget of one question.
    pub(super) fn budget(&self) -> Budget {
        Budget {
            // With a time limit alone people want the time used.
            nodes: match (self.nodes, self.time) {
                (None, Some(_)) => None,
                (nodes, _) => Some(nodes.unwrap_or(DEFAULT_NODES)),
            },
            deadline: self.deadline,
            cancel: Some(self.cancel.clone()),
            jobs: self.jobs,
        }
    }

    /// The lowest level allowed.
    pub(super) fn lowest(&self) -> ReuseLevel {
        self.level.unwrap_or(ReuseLevel::Lifetime)
    }
}

impl Strategy {
    /// The strategy of that name, as `--strategy` takes it.
    pub fn find(name: &str) -> Option<Self> {
        Some(match name {
            "auto" => Self::Auto,
            "optimal" => Self::Optimal,
            "milp" => Self::Milp,
            "xla" => Self::Xla,
            "hivm" => Self::Hivm { largest_first: false },
            "hivm-largest-first" => Self::Hivm { largest_first: true },
            _ => Self::Heuristic(HEURISTICS.iter().find(|n| **n == name)?),
        })
    }

    /// All names.
    pub fn names() -> Vec<&'static str> {
        let first = ["auto", "optimal", "milp", "hivm", "hivm-largest-first", "xla"];
        first.into_iter().chain(HEURISTICS.iter().copied()).collect()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Optimal => "optimal",
            Self::Milp => "milp",
            Self::Hivm { largest_first: false } => "hivm",
            Self::Hivm { largest_first: true } => "hivm-largest-first",
            Self::Xla => "xla",
            Self::Heuristic(name) => name,
        }
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
