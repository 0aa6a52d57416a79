//! How many findings of one kind are worth printing.

use super::case::Case;
use super::say::Say;
use crate::diag::{Code, Severity};
use crate::model::Finding;

/// Findings of one kind listed for one function; the rest is counted.
pub(super) const MAX_LISTED: usize = 1_000;

/// Faults counted before a check stops; without a limit, a plan that puts 200,000 buffers at
/// offset 0 would cost twenty thousand million pairs.
pub(super) const MAX_COUNTED: usize = 100_000;

/// Says how many findings were not listed.
pub(super) fn rest(case: &Case<'_>, code: Code, count: usize, findings: &mut Vec<Finding>) {
    if count <= MAX_LISTED {
        return;
    }
    let more = count - MAX_LISTED;
    let least = if count >= MAX_COUNTED { "at least " } else { "" };
    let message = format!("and {least}{more} more of this kind");
    Say::about(&case.function.name, code, Severity::Error, message).to(findings);
}
