//! How bad a thing is.

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what was meant; exit code 0 unless asked otherwise.
    Warning,
    /// Wrong: the plan is refused.
    Error,
}
