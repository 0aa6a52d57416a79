//! One input: read, planned, checked, explained.

use crate::cli::input::{Loaded, Ready};
use crate::cli::{defect, plans};
use crate::diag::{Code, Diagnostic, Severity};
use crate::diagnose;
use crate::model::{Answer, Finding, Problem};
use crate::plan::{self, Options, Progress};
use crate::verify;

/// One input after planning.
#[derive(Debug)]
pub(super) struct Solved {
    /// The input, with its problem.
    pub(super) loaded: Loaded,
    /// The answer; none for a broken input.
    pub(super) answer: Answer,
    /// Faults that the judge finds in our own plan.
    pub(super) bugs: Vec<Diagnostic>,
    /// What analysis and judge say about the program itself, whatever the plan.
    pub(super) warnings: Vec<Diagnostic>,
}

/// Plans an input, and checks the plan before anybody sees it.
pub(super) fn solve(loaded: Loaded, options: &Options, on: &(dyn Fn(&Progress) + Sync)) -> Solved {
    let Ok(Ready { problem, .. }) = &loaded.outcome else {
        let (bugs, warnings) = (Vec::new(), Vec::new());
        return Solved { loaded, answer: Answer::default(), bugs, warnings };
    };
    let mut answer = plan::solve(problem, options, on);
    let (bugs, warnings) = check(problem, &answer);
    let failed = answer.functions.iter().flat_map(|f| &f.scopes).any(|s| !s.verdict.has_plan());
    if failed {
        diagnose::explain(problem, &mut answer, options);
    }
    Solved { loaded, answer, bugs, warnings }
}

/// The judge on our own plan: an error there is ours, but for reads of what nothing has written,
/// which no plan can help, and what the judge could not decide.
fn check(problem: &Problem, answer: &Answer) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let findings = verify::verify(problem, &plans::of(problem, answer));
    let told = [Code::VerifyReadBeforeWrite, Code::VerifyUndecided];
    let (told, others): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|f| told.contains(&f.code));
    let ours = others
        .into_iter()
        .filter(|f| f.severity == Severity::Error && !excused(answer, problem, f));
    let bug = |f: &Finding| {
        let what = format!(
            "the plan of `{}` fails its own check: {} [{}]",
            f.function,
            f.message,
            f.code.name()
        );
        defect::bug(&what).maybe_at(f.loc, "")
    };
    let bugs = ours.take(20).map(bug).collect();
    // The judge, who has executed the ops, knows better what is read too early.
    let own = |d: &&Diagnostic| d.code != Code::SpecReadBeforeWrite;
    let all = answer.functions.iter().flat_map(|f| &f.warnings);
    let mut warnings: Vec<Diagnostic> = all.filter(own).cloned().collect();
    let warning = |f: &&Finding| {
        let code = match f.code {
            Code::VerifyReadBeforeWrite => Code::SpecReadBeforeWrite,
            other => other,
        };
        Diagnostic::warning(code, f.message.as_str()).maybe_at(f.loc, "")
    };
    warnings.extend(told.iter().take(20).map(warning));
    (bugs, warnings)
}

/// True for what follows from a scope having no plan: it is told as an overflow, not as a defect.
fn excused(answer: &Answer, problem: &Problem, finding: &Finding) -> bool {
    let Some(f) = answer.functions.iter().find(|f| f.name == finding.function) else {
        return false;
    };
    let failed: Vec<&str> = f
        .scopes
        .iter()
        .filter(|s| !s.verdict.has_plan())
        .map(|s| problem.scopes[s.scope].name.as_str())
        .collect();
    if failed.is_empty() {
        return false;
    }
    match &finding.scope {
        Some(scope) => failed.contains(&scope.as_str()),
        // Ops cannot be replayed on buffers that lie nowhere.
        None => matches!(finding.code, Code::VerifyUnplaced | Code::VerifyClobbered),
    }
}
