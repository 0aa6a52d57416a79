//! What one entry made of one scope.

use std::time::Duration;

use crate::model::{LimitedBy, Mode, ReuseLevel, Verdict};

/// What one entry made of one scope of one function of one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// Its physical size; none where unbounded.
    pub capacity: Option<u64>,
    /// Buffers in it.
    pub buffers: usize,
    /// The name of the entry.
    pub entry: String,
    /// What it made of it.
    pub outcome: Outcome,
}

/// What an entry made of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing: it cannot be asked; the reason.
    Skipped(String),
    /// An answer.
    Answered(Box<Answered>),
}

/// An answer, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The verdict.
    pub verdict: Verdict,
    /// Largest end of a placed buffer; none without a plan.
    pub peak: Option<u64>,
    /// Largest sum of bytes alive at once.
    pub max_load: u64,
    /// A proven bound on the peak at level `lifetime`; see [`super::share_bounds`].
    pub lower_bound: u64,
    /// Sum of the costs of stalling reuses.
    pub reuse_cost: u64,
    /// A proven bound on that sum at the level of the plan; none where nobody looks for one.
    pub reuse_cost_bound: Option<u64>,
    /// How many reuses stall; none where nobody knows.
    pub stalls: Option<usize>,
    /// How it was planned.
    pub mode: Mode,
    /// The level of the plan.
    pub level: Option<ReuseLevel>,
    /// Search nodes opened; none where nobody tells.
    pub nodes: Option<u64>,
    /// What ended the search early.
    pub limited_by: Option<LimitedBy>,
    /// Why there is no plan, or why at that level.
    pub message: Option<String>,
    /// What the judge has against the plan.
    pub refuted: Option<String>,
    /// The time of the planner; see [`super::measure`]. Of one from outside, that of its process.
    pub planning: Duration,
    /// The time of the judge on all plans of the input; of the checker on a plan from outside.
    pub replay: Duration,
}

impl Row {
    /// The answer, where there is one.
    pub fn answered(&self) -> Option<&Answered> {
        match &self.outcome {
            Outcome::Answered(answered) => Some(answered),
            Outcome::Skipped(_) => None,
        }
    }

    /// The answer, to be changed.
    pub(super) fn answered_mut(&mut self) -> Option<&mut Answered> {
        match &mut self.outcome {
            Outcome::Answered(answered) => Some(answered),
            Outcome::Skipped(_) => None,
        }
    }
}

impl Answered {
    /// True when there is a plan, right or wrong.
    pub fn fits(&self) -> bool {
        self.verdict.has_plan()
    }

    /// The peak of a plan that the judge accepts.
    pub fn sound_peak(&self) -> Option<u64> {
        self.peak.filter(|_| self.fits() && self.refuted.is_none())
    }
}
