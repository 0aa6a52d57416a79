//! Which of two packings is better.

use memplan_packing::{Goal, Instance, Packing};

/// Smaller is better: what fits, then (if costs count) what is cheap, then what is low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Score {
    /// Bytes above the capacity.
    pub(crate) over: u64,
    /// The pair cost; 0 when costs do not count.
    pub(crate) cost: u64,
    pub(crate) peak: u64,
}

impl Score {
    pub(crate) fn new(instance: &Instance, goal: Goal, packing: &Packing) -> Self {
        let peak = packing.peak(instance);
        let over = peak.saturating_sub(instance.capacity.unwrap_or(u64::MAX));
        let cost = if goal == Goal::CostThenPeak { packing.cost(instance) } else { 0 };
        Self { over, cost, peak }
    }

    pub(crate) fn cost_first(instance: &Instance, packing: &Packing) -> Self {
        Self::new(instance, Goal::CostThenPeak, packing)
    }

    /// True when nothing better can exist, given a lower bound on the peak.
    pub(crate) fn settles(&self, goal: Goal, bound: u64) -> bool {
        self.over == 0 && self.cost == 0 && (goal == Goal::Fit || self.peak <= bound)
    }
}
