//! Asks the planner about changed problems, within a budget.

use super::change::apply;
use crate::model::{Buffer, Change, Function, Mode, Problem, ReuseLevel, ScopeAnswer, ScopeId};
use crate::plan::{self, Options, Strategy};

/// Questions about one scope that does not fit, at most.
const TRIES: u32 = 240;

/// Questions about one scope that is tight, at most.
const TIGHT_TRIES: u32 = 40;

/// What the questions about one scope may cost together, in the unit of [`price`]: about 50 microseconds.
const WORK: u64 = 150_000;

/// The same for a scope that is tight.
const TIGHT_WORK: u64 = 60_000;

/// Search nodes of one question, at most; fewer for many buffers.
const NODES: u64 = 2_000;

/// What a change is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A plan.
    Fit,
    /// A plan in which no sharing stalls.
    NoStalls,
    /// A plan at a stricter level than this one.
    Above(ReuseLevel),
}

/// Asks about one scope of one function.
///
/// The budget is one of questions and of their size, never of time: the same input gets the same advice.
/// A question that the planner cannot answer within [`NODES`] counts as no.
pub(super) struct Asker {
    /// The machine with the one function.
    pub(super) problem: Problem,
    pub(super) scope: ScopeId,
    pub(super) goal: Goal,
    options: Options,
    left: u32,
    work: u64,
    price: u64,
    /// Questions asked.
    pub(super) tries: u32,
}

impl Goal {
    /// True when an answer is what is wanted.
    pub(super) fn met(self, answer: &ScopeAnswer) -> bool {
        answer.verdict.has_plan()
            && match self {
                Self::Fit => true,
                Self::NoStalls => answer.reuse_cost == 0 && !answer.reuse.iter().any(|r| r.stall),
                Self::Above(level) => answer.level.is_none_or(|l| l < level),
            }
    }
}

impl Asker {
    pub(super) fn new(
        problem: &Problem,
        index: usize,
        scope: ScopeId,
        goal: Goal,
        options: &Options,
    ) -> Self {
        let problem = problem.with(problem.functions[index].clone());
        let count = problem.functions[0].buffers.iter().filter(|b| b.scope == scope);
        let items = count.map(|b| u64::from(b.slots)).sum::<u64>().max(1);
        let nodes = (NODES * 3_600 / (items * items)).clamp(100, NODES);
        let nodes = Some(options.nodes.map_or(nodes, |most| most.min(nodes)));
        let strategy = match options.strategy {
            Strategy::Milp => Strategy::Milp,
            _ => Strategy::Auto,
        };
        let (left, work) = match goal {
            Goal::Fit => (TRIES, WORK),
            Goal::NoStalls | Goal::Above(_) => (TIGHT_TRIES, TIGHT_WORK),
        };
        let price = price(&problem, scope, items);
        let options = Options { nodes, strategy, ..options.clone() };
        Self { problem, scope, goal, options, left, work, price, tries: 0 }
    }

    pub(super) fn function(&self) -> &Function {
        &self.problem.functions[0]
    }

    /// False when no question is left.
    pub(super) fn may_ask(&self) -> bool {
        let cancelled = self.options.cancel.load(std::sync::atomic::Ordering::Relaxed);
        // The first one, after the smallest capacity, is asked whatever it costs.
        let paid = self.work >= self.price || (self.tries == 0 && self.goal == Goal::Fit);
        self.left > 0 && paid && !cancelled
    }

    /// The answer to a changed problem, met or not; `None` when no question is left.
    pub(super) fn ask(&mut self, problem: &Problem, scope: ScopeId) -> Option<ScopeAnswer> {
        let options = self.options.clone();
        self.ask_with(problem, scope, &options)
    }

    /// As [`Self::ask`], with other options.
    pub(super) fn ask_with(
        &mut self,
        problem: &Problem,
        scope: ScopeId,
        options: &Options,
    ) -> Option<ScopeAnswer> {
        if !self.may_ask() {
            return None;
        }
        self.left -= 1;
        self.tries += 1;
        let answer = plan::scope(problem, 0, scope, options);
        // What bounds alone refute, or fits with bytes for everybody, takes no search.
        let quick = match answer.verdict.has_plan() {
            true => answer.mode == Mode::Sequential,
            false => answer.nodes == 0,
        };
        self.work = self.work.saturating_sub(if quick { self.price / 4 } else { self.price });
        Some(answer)
    }

    /// The answer with a change, where it meets the goal.
    pub(super) fn with(&mut self, changes: &[Change]) -> Option<ScopeAnswer> {
        let mut problem = None;
        for change in changes {
            problem =
                Some(apply(problem.as_ref().unwrap_or(&self.problem), 0, self.scope, change)?);
        }
        let answer = self.ask(&problem?, self.scope)?;
        self.goal.met(&answer).then_some(answer)
    }

    /// The options of the questions.
    pub(super) fn options(&self) -> Options {
        self.options.clone()
    }
}

/// What a question about a scope may cost, as measured: rectangles are quick, but not in thousands; where
/// pipes touch buffers, every placement looks at all pairs of them; live ranges are derived from ops anew.
fn price(problem: &Problem, scope: ScopeId, items: u64) -> u64 {
    let function = &problem.functions[0];
    let ops = function.ops.len() as u64;
    let touched = |b: &&Buffer| b.scope == scope && (ops > 0 || !b.pipes.is_empty());
    let slots = function.buffers.iter().filter(touched).map(|b| u64::from(b.slots));
    let touched = if problem.pipes.is_empty() { 0 } else { slots.sum::<u64>() };
    20 + items + items.saturating_mul(items) / 4_000 + touched.saturating_mul(touched) / 2 + ops / 4
}
