//! microlp under a budget of nodes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use memplan_packing::{Budget, Meter, Stop};
use microlp::{
    OptimizationDirection, Problem, ResumeOptions, SolveOptions, SolveOutcome, TerminationReason,
};

use crate::statement::Statement;

/// Nodes between two looks at the clock and the cancel flag.
const SLICE: u64 = 128;

/// What came out: the values of all columns, if any, and how it ended.
pub(crate) struct Raw {
    pub(crate) values: Option<Vec<f64>>,
    pub(crate) nodes: u64,
    pub(crate) stop: Stop,
    pub(crate) note: String,
}

/// Runs the program. It never panics, whatever microlp does.
pub(crate) fn run(statement: &Statement, budget: &Budget) -> Raw {
    let end = catch_unwind(AssertUnwindSafe(|| solve(statement, budget)));
    end.unwrap_or_else(|_| failed("microlp panicked".to_owned()))
}

fn failed(note: String) -> Raw {
    Raw { values: None, nodes: 0, stop: Stop::Failed, note }
}

fn solve(statement: &Statement, budget: &Budget) -> Raw {
    let problem = good_lp_inner(statement);
    // Columns are numbered by creation; a ruler of as many columns gives their handles.
    let mut ruler = Problem::new(OptimizationDirection::Minimize);
    let handles: Vec<_> =
        (0..statement.model.variables).map(|_| ruler.add_var(0.0, (0.0, 0.0))).collect();
    let mut options = SolveOptions::default();
    options.node_limit = Some(slice(budget, 0));
    options.time_limit = time_left(budget);
    let start = statement.start.as_ref();
    options.warm_start =
        start.map(|values| handles.iter().copied().zip(values.iter().copied()).collect());
    let mut outcome = match problem.solve_with(options) {
        Ok(outcome) => outcome,
        Err(error) => return failed(format!("microlp: {error}")),
    };
    let meter = Meter::new(budget);
    loop {
        let nodes = outcome.stats().nodes_solved;
        let stop = match outcome.termination_reason() {
            TerminationReason::NodeLimit if budget.nodes.is_some_and(|limit| nodes >= limit) => {
                Stop::Nodes
            }
            TerminationReason::NodeLimit => match meter.poll() {
                Err(stop) => stop,
                Ok(()) => {
                    let mut more = ResumeOptions::default();
                    more.node_limit = Some(slice(budget, nodes));
                    more.time_limit = time_left(budget);
                    outcome = match outcome.resume_with(more) {
                        Ok(outcome) => outcome,
                        Err(error) => return failed(format!("microlp: {error}")),
                    };
                    continue;
                }
            },
            TerminationReason::TimeLimit => Stop::Time,
            // It claims to be done. That is no proof, so for us it was one try.
            _ => Stop::Heuristic,
        };
        let note = match stop {
            Stop::Heuristic => format!("microlp ended after {nodes} nodes"),
            _ => format!("microlp was stopped after {nodes} nodes"),
        };
        let values = match &outcome {
            SolveOutcome::Solution(solution) => {
                Some(handles.iter().map(|&column| solution.var_value_raw(column)).collect())
            }
            SolveOutcome::Interrupted(_) => None,
        };
        return Raw { values, nodes, stop, note };
    }
}

fn good_lp_inner(statement: &Statement) -> &Problem {
    statement.problem.as_inner()
}

fn slice(budget: &Budget, spent: u64) -> u64 {
    budget.nodes.map_or(SLICE, |limit| limit.saturating_sub(spent).min(SLICE))
}

fn time_left(budget: &Budget) -> Option<Duration> {
    budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
}
