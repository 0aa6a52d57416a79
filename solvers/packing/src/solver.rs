//! The seam between the planner and the solvers.

use crate::budget::Budget;
use crate::instance::Instance;
use crate::outcome::{Outcome, Packing};

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Any packing within the capacity.
    Fit,
    /// The packing of smallest peak (within the capacity, if there is one).
    Peak,
    /// The packing of least pair cost and, among those, of smallest peak.
    CostThenPeak,
}

/// A feature of the instance that a solver does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Several spans.
    Gaps,
    /// Alignment above 1.
    Alignment,
    /// Pins or windows.
    Pins,
    /// Reserved ranges.
    Reserved,
    /// `separate` pairs or items that are alone.
    Separate,
    /// `exclusive` pairs.
    Exclusive,
    /// Colocation.
    Colocation,
    /// In-place pairs.
    Inplace,
    /// Promotions.
    Promotions,
    /// Pair costs as the goal.
    Costs,
    /// The instance is too large: this many items or pairs are too many.
    TooLarge(u64),
}

/// Something that happened on the way, for progress lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A better packing was found.
    Incumbent {
        /// Its peak in bytes.
        peak: u64,
    },
    /// A better lower bound was proven.
    Bound {
        /// The bound in bytes.
        bound: u64,
    },
    /// So many nodes were opened.
    Nodes {
        /// The number.
        nodes: u64,
    },
}

/// Packs instances.
pub trait Solver {
    /// The name that the command line and the reports use.
    fn name(&self) -> &'static str;

    /// Whether the solver takes such an instance.
    ///
    /// # Errors
    /// The first feature that it does not take.
    fn can(&self, instance: &Instance, goal: Goal) -> Result<(), Missing>;

    /// Solves. `instance` has passed [`Instance::validate`] and [`Solver::can`]; `warm` is a
    /// packing that passes [`crate::check`] and may be improved on.
    fn solve(
        &self,
        instance: &Instance,
        goal: Goal,
        warm: Option<&Packing>,
        budget: &Budget,
        on: &mut dyn FnMut(Event),
    ) -> Outcome;
}
