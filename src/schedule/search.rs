//! The search for an order that needs less than the best of the plain ones.

use super::choose::Budget;
use super::fixed::Fixed;
use super::meter::Cost;
use crate::ir::hlo::Sequences;

/// What the search found.
pub(crate) struct Found {
    /// The order.
    pub(crate) sequences: Sequences,
    /// What it costs.
    pub(crate) cost: Cost,
    /// True when no order needs less.
    pub(crate) proven: bool,
    /// Instructions that were run in the model.
    pub(crate) steps: u64,
}

/// Looks for a better order, from one that is there.
pub(crate) fn search(fixed: &Fixed<'_>, from: &Sequences, _budget: Budget) -> Found {
    Found { sequences: from.clone(), cost: fixed.meter.cost(from), proven: false, steps: 0 }
}
