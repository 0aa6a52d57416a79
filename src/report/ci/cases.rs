//! Remarks and kernels as the cases of a run.

use std::collections::BTreeMap;

use super::run::{Case, Outcome, Run};
use super::{page, summary};
use crate::diag::{Code, Severity};
use crate::model::{Comparison, Kernel, Remark, Verdict};

impl Run {
    /// A run from what a command has: a case for each kernel in order, and one for each function or broken
    /// input that only remarks know. `exit` is the exit code, `least` the severity that is refused. What
    /// comparisons have to say joins the line of numbers.
    pub fn of(
        command: &'static str,
        exit: u8,
        least: Severity,
        kernels: &[Kernel],
        remarks: Vec<Remark>,
        comparisons: &[Comparison],
    ) -> Self {
        let mut cases = Cases::default();
        for kernel in kernels {
            let case = cases.of(&kernel.input, Some(&kernel.name));
            case.place.clone_from(&kernel.place);
            case.outcome = kernel.verdict.map_or(Outcome::Accepted, of_verdict);
            case.summary = Some(summary(kernel)).filter(|line| !line.is_empty());
            case.kernel = Some(numbers(kernel));
        }
        let mut general = Vec::new();
        for remark in remarks {
            // What is no error and belongs to no function is about the input as a whole.
            let whole = remark.function.is_none() && remark.severity < least;
            if remark.input.is_empty() || whole {
                general.push(remark);
                continue;
            }
            let case = cases.of(&remark.input, remark.function.as_deref());
            // What was answered is not broken.
            let most = if exit == 2 { Outcome::Broken } else { Outcome::Rejected };
            case.outcome = case.outcome.max(of_remark(&remark, least).min(most));
            case.remarks.push(remark);
        }
        for comparison in comparisons.iter().filter(|c| !c.text.is_empty()) {
            let case = cases.of(&comparison.input, Some(&comparison.function));
            let line = case.summary.get_or_insert_default();
            if !line.is_empty() {
                line.push_str("; ");
            }
            line.push_str(&comparison.text);
        }
        Self { command, exit, cases: cases.all, general }
    }
}

/// Cases in the order in which they come, found by input and function.
#[derive(Default)]
struct Cases {
    all: Vec<Case>,
    at: BTreeMap<(String, Option<String>), usize>,
}

impl Cases {
    fn of(&mut self, input: &str, function: Option<&str>) -> &mut Case {
        let key = (input.to_owned(), function.map(str::to_owned));
        let at = *self.at.entry(key).or_insert_with_key(|(input, function)| {
            let (input, function) = (input.clone(), function.clone());
            self.all.push(Case { input, function, ..Case::default() });
            self.all.len() - 1
        });
        &mut self.all[at]
    }
}

/// The kernel without its buffers, which reports do not look at.
fn numbers(kernel: &Kernel) -> Kernel {
    let scope = |s: &crate::model::KernelScope| crate::model::KernelScope {
        name: s.name.clone(),
        buffers: Vec::new(),
        ..*s
    };
    Kernel {
        input: kernel.input.clone(),
        name: kernel.name.clone(),
        place: kernel.place.clone(),
        fingerprint: kernel.fingerprint.clone(),
        verdict: kernel.verdict,
        steps: None,
        makespan: kernel.makespan,
        scopes: kernel.scopes.iter().map(scope).collect(),
    }
}

fn of_verdict(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Optimal | Verdict::Feasible => Outcome::Accepted,
        Verdict::Undecided => Outcome::Undecided,
        Verdict::NotFound | Verdict::Infeasible => Outcome::Rejected,
    }
}

fn of_remark(remark: &Remark, least: Severity) -> Outcome {
    if remark.code == Code::InternalBug {
        return Outcome::Broken;
    }
    if remark.severity < least {
        return Outcome::Accepted;
    }
    match remark.code {
        Code::PlanUndecided | Code::VerifyUndecided | Code::ReplayBounded => Outcome::Undecided,
        code if remark.function.is_none()
            && remark.severity == Severity::Error
            && !judges(code) =>
        {
            Outcome::Broken
        }
        _ => Outcome::Rejected,
    }
}

/// True for codes of what was judged; the others are of readers and options.
fn judges(code: Code) -> bool {
    let name = page::short(code);
    let of_traces = name.starts_with("replay::trace_") || name.starts_with("replay::machine_");
    matches!(page::area(code), "verify" | "plan" | "gate" | "replay") && !of_traces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::ci::fixture::remark;

    fn kernel(input: &str, name: &str, verdict: Verdict) -> Kernel {
        Kernel {
            input: input.to_owned(),
            name: name.to_owned(),
            verdict: Some(verdict),
            ..Kernel::default()
        }
    }

    fn of(input: &str, function: Option<&str>, code: Code, severity: Severity) -> Remark {
        let function = function.map(str::to_owned);
        Remark { function, ..remark(code, severity, input, "m") }
    }

    #[test]
    fn a_remark_goes_to_its_function_and_decides_with_the_verdict() {
        let kernels = [
            kernel("a", "f", Verdict::Optimal),
            kernel("a", "g", Verdict::Undecided),
            kernel("b", "f", Verdict::Feasible),
        ];
        let remarks = vec![
            of("a", Some("f"), Code::VerifyOverlap, Severity::Error),
            of("b", Some("f"), Code::PlanStall, Severity::Warning),
            of("b", None, Code::SpecReadBeforeWrite, Severity::Warning),
            of("c", None, Code::SpecSyntax, Severity::Error),
            of("t", None, Code::ReplayBounded, Severity::Error),
            of("", None, Code::ConfigBadOption, Severity::Error),
        ];
        let outcomes = |least| {
            let run = Run::of("verify", 2, least, &kernels, remarks.clone(), &[]);
            let words: Vec<String> = run
                .cases
                .iter()
                .map(|c| format!("{} {} {}", c.input, c.name("-"), c.outcome.name()))
                .collect();
            (words.join(", "), run.general.len())
        };
        let (words, general) = outcomes(Severity::Error);
        assert_eq!(words, "a f reject, a g undecided, b f accept, c - broken, t - undecided");
        assert_eq!(general, 2);
        let (words, general) = outcomes(Severity::Warning);
        assert!(words.contains("b f reject") && words.contains("b - reject"), "{words}");
        assert_eq!(general, 1);
    }

    #[test]
    fn what_changed_joins_the_numbers() {
        let comparison = Comparison {
            input: "a".to_owned(),
            function: "f".to_owned(),
            text: "`ub` grew".to_owned(),
            ..Comparison::default()
        };
        let kernels = [kernel("a", "f", Verdict::Optimal)];
        let run = Run::of("diff", 0, Severity::Error, &kernels, Vec::new(), &[comparison]);
        assert_eq!(run.cases[0].summary.as_deref(), Some("`ub` grew"));
    }
}
