//! One run of a command, as the reports for CI see it.

use super::{github, junit, markdown, sarif};
use crate::diag::{Place, Severity};
use crate::model::{Kernel, Remark};

/// The format of a report for CI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML: a suite for each input, a test for each function.
    Junit,
    /// Annotations of GitHub Actions, and a line of the log for each function.
    Github,
    /// A summary in GitHub's markdown, for a job or a pull request.
    Markdown,
}

/// What became of a case. Worst last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Yes: it fits, it is right, nothing got worse.
    #[default]
    Accepted,
    /// Do not know: a budget or limit was reached.
    Undecided,
    /// No, by the severity that the command refuses.
    Rejected,
    /// The question is broken: the input cannot be read, or memplan has a defect.
    Broken,
}

/// One function of one input, or an input that has none: a trace, or what cannot be read.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The input, as given on the command line.
    pub input: String,
    /// The function.
    pub function: Option<String>,
    /// Where it is written.
    pub place: Option<Place>,
    /// What became of it.
    pub outcome: Outcome,
    /// What is to be said about it.
    pub remarks: Vec<Remark>,
    /// One line of numbers: `ub 182,272 of 196,608 B, optimal`. [`super::summary`] makes it.
    pub summary: Option<String>,
    /// What it takes; its buffers are not looked at and may be left out.
    pub kernel: Option<Kernel>,
}

/// One run of a command.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// `solve`, `verify`, `replay`, `diff`.
    pub command: &'static str,
    /// The exit code of the process: 0 yes, 1 no, 2 broken, 3 do not know.
    pub exit: u8,
    /// The cases in the order of the inputs.
    pub cases: Vec<Case>,
    /// What belongs to no case: to a whole input, to a file of options, to the command line.
    pub general: Vec<Remark>,
}

/// The report, with a line end.
pub fn render(kind: Kind, run: &Run) -> String {
    match kind {
        Kind::Sarif => sarif::sarif(run),
        Kind::Junit => junit::junit(run),
        Kind::Github => github::github(run),
        Kind::Markdown => markdown::markdown(run),
    }
}

impl Run {
    /// All remarks: the general ones, then those of the cases.
    pub(super) fn remarks(&self) -> impl Iterator<Item = &Remark> {
        self.general.iter().chain(self.cases.iter().flat_map(|c| &c.remarks))
    }

    /// The same, the worst first.
    pub(super) fn by_severity(&self) -> Vec<&Remark> {
        let mut all: Vec<&Remark> = self.remarks().collect();
        all.sort_by_key(|r| std::cmp::Reverse(r.severity));
        all
    }

    /// How many remarks there are of a severity.
    pub(super) fn count(&self, severity: Severity) -> usize {
        self.remarks().filter(|r| r.severity == severity).count()
    }
}

impl Outcome {
    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accept",
            Self::Undecided => "undecided",
            Self::Rejected => "reject",
            Self::Broken => "broken",
        }
    }
}

impl Case {
    /// What the case is called inside its input: the function, or what was done to the input.
    pub(super) fn name<'a>(&'a self, command: &'a str) -> &'a str {
        self.function.as_deref().filter(|name| !name.is_empty()).unwrap_or(command)
    }
}
