//! The formats of CI, from what a command has to say.

use super::args::Format;
use super::exit::Exit;
use crate::diag::Severity;
use crate::model::{Kernel, Remark, Verdict};
use crate::report::ci::{Case, Kind, Outcome, Run, summary};

/// The report that a format stands for; none for formats of people and of our own.
pub(super) fn kind(format: Format) -> Option<Kind> {
    match format {
        Format::Sarif => Some(Kind::Sarif),
        Format::Junit => Some(Kind::Junit),
        Format::Github => Some(Kind::Github),
        Format::Markdown => Some(Kind::Markdown),
        Format::Human | Format::Json | Format::Csv => None,
    }
}

/// A run with a case for each kernel, and one for each input about which something is said that belongs to
/// no function. `least` is the severity that the command refuses.
pub(super) fn run(
    command: &'static str,
    exit: Exit,
    least: Severity,
    kernels: &[Kernel],
    remarks: Vec<Remark>,
) -> Run {
    let mut cases: Vec<Case> = kernels.iter().map(case).collect();
    let mut general = Vec::new();
    for remark in remarks {
        if remark.input.is_empty() {
            general.push(remark);
            continue;
        }
        let of = |c: &&mut Case| c.input == remark.input && c.function == remark.function;
        let case = match cases.iter_mut().find(of) {
            Some(case) => case,
            None => {
                // Beside the functions of the same input.
                let last = cases.iter().rposition(|c| c.input == remark.input);
                let at = last.map_or(cases.len(), |last| last + 1);
                let (input, function) = (remark.input.clone(), remark.function.clone());
                cases.insert(at, Case { input, function, ..Case::default() });
                &mut cases[at]
            }
        };
        if remark.severity >= least {
            // What has no kernel could not be read.
            let bad = if case.kernel.is_some() || case.function.is_some() {
                Outcome::Rejected
            } else {
                broken(&remark, exit)
            };
            case.outcome = case.outcome.max(bad);
        }
        case.remarks.push(remark);
    }
    Run { command, exit: exit.code(), cases, general }
}

/// An input without functions: broken where the reader refused it.
fn broken(remark: &Remark, exit: Exit) -> Outcome {
    let reader = ["spec", "hivm", "hlo", "csv", "dsa", "config", "internal"];
    let area = remark.code.name().split("::").nth(1).unwrap_or_default();
    let refused = reader.contains(&area) && remark.severity == Severity::Error;
    if refused && exit == Exit::Broken { Outcome::Broken } else { Outcome::Rejected }
}

fn case(kernel: &Kernel) -> Case {
    let outcome = match kernel.verdict {
        Some(Verdict::Undecided) => Outcome::Undecided,
        Some(Verdict::Infeasible | Verdict::NotFound) => Outcome::Rejected,
        Some(Verdict::Optimal | Verdict::Feasible) | None => Outcome::Accepted,
    };
    Case {
        input: kernel.input.clone(),
        function: Some(kernel.name.clone()),
        place: kernel.place.clone(),
        outcome,
        remarks: Vec::new(),
        summary: Some(summary(kernel)),
        kernel: Some(kernel.clone()),
    }
}
