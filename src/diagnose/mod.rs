//! Why it does not fit, and what would make it fit (asks `plan` again).

use crate::model::{Answer, Problem};
use crate::plan::Options;

/// Fills [`crate::model::Overflow`] of every scope without a plan: proof, smallest capacity that
/// works, changes that make it fit.
pub fn explain(problem: &Problem, answer: &mut Answer, options: &Options) {
    let _ = (problem, answer, options);
}
