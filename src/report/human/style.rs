//! Colours.

use anstyle::{AnsiColor, Style};

use crate::diag::Severity;
use crate::model::Verdict;

/// Names.
pub(super) const BOLD: Style = Style::new().bold();
/// Things that are less important.
pub(super) const DIM: Style = Style::new().dimmed();
/// Yes.
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Beware.
pub(super) const WARN: Style = AnsiColor::Yellow.on_default().bold();
/// No.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Text in a style.
pub(super) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The colour of a verdict.
pub(super) fn verdict(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Optimal | Verdict::Feasible => GOOD,
        Verdict::Undecided => WARN,
        Verdict::NotFound | Verdict::Infeasible => BAD,
    }
}

/// The colour of a severity.
pub(super) fn severity(severity: Severity) -> Style {
    match severity {
        Severity::Note => DIM,
        Severity::Warning => WARN,
        Severity::Error => BAD,
    }
}
