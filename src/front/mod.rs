//! Readers: text in, [`Problem`] out; every named thing keeps its place.

pub mod csv;
pub mod dsa;
mod errors;
pub mod hivm;
pub mod hlo;
pub mod machine;
pub mod spec;
pub mod trace;

use crate::diag::Diagnostic;
use crate::model::Problem;

/// What a reader returns: a problem and warnings about it.
#[derive(Debug)]
pub struct Read {
    /// The problem.
    pub problem: Problem,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}
