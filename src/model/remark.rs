//! What is to be said about an input, in a form that outlives its texts.

use crate::diag::{Code, Place, Severity};

/// A finding, a diagnostic of a reader or a verdict of the gate: what the reports for CI are made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its class.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence with names and numbers.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The input, as given on the command line; empty for what belongs to none.
    pub input: String,
    /// The function.
    pub function: Option<String>,
    /// The scope.
    pub scope: Option<String>,
    /// The buffers at fault, by name.
    pub buffers: Vec<String>,
    /// Where it is written.
    pub place: Option<Place>,
    /// Other places, with a word about each.
    pub related: Vec<(Place, String)>,
    /// How to see it.
    pub witness: Option<String>,
}
