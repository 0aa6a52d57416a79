//! The verdict of a run in one line.

use super::run::{Outcome, Run};
use crate::diag::Severity;
use crate::report::words;

/// `reject: 3 cases: 1 accept, 1 reject, 1 broken; 2 errors, 1 warning`.
pub(super) fn verdict(run: &Run) -> String {
    let word = match run.exit {
        0 => "accept",
        1 => "reject",
        3 => "undecided",
        _ => "broken",
    };
    let all = [Outcome::Accepted, Outcome::Undecided, Outcome::Rejected, Outcome::Broken];
    let of = |outcome| run.cases.iter().filter(|c| c.outcome == outcome).count();
    let outcomes: Vec<String> = all
        .iter()
        .filter(|outcome| of(**outcome) > 0)
        .map(|outcome| format!("{} {}", words::number(of(*outcome) as u64), outcome.name()))
        .collect();
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    let remarks: Vec<String> = severities
        .iter()
        .filter(|s| run.count(**s) > 0)
        .map(|s| words::count(run.count(*s), words::severity(*s)))
        .collect();
    let cases = words::count(run.cases.len(), "case");
    let outcomes = match outcomes.is_empty() {
        true => String::new(),
        false => format!(": {}", outcomes.join(", ")),
    };
    let remarks = match remarks.is_empty() {
        true => "nothing found".to_owned(),
        false => remarks.join(", "),
    };
    format!("{word}: {cases}{outcomes}; {remarks}")
}
