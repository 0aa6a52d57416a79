//! What there is to say about a run beside its outcome.

use memplan_packing::Stop;

/// The size of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Columns: bases, alignment multiples, orders and the peak.
    pub variables: usize,
    /// Rows.
    pub rows: usize,
    /// "This or that" decisions: pairs and reserved ranges whose order is open.
    pub disjunctions: usize,
}

/// How a run went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The size of the program; zero when none was stated.
    pub model: Model,
    /// Why the run ended.
    pub stop: Stop,
    /// What happened, in words.
    pub note: String,
}
