//! One input with the plan that is drawn.

use crate::analyze;
use crate::cli::args::ReportArgs;
use crate::cli::input::{Loaded, Ready};
use crate::cli::placing::{Shown, Stage};
use crate::cli::solve::{self, Explain};
use crate::cli::subject::{self, Wanted};
use crate::diag::{Diagnostic, Severity};
use crate::model::{Answer, BufferId, Finding, FunctionAnswer};
use crate::plan::{Options, Progress};
use crate::report::context::Input;
use crate::report::picture::{Extra, Note, Picture};

/// Findings that stand on a picture at most.
const MOST: usize = 20;

/// An input and its plan.
pub(super) struct Subject {
    /// The input.
    pub(super) loaded: Loaded,
    /// The plan, or why there is none.
    pub(super) answer: Answer,
    /// What the judge finds in a plan from outside.
    findings: Vec<Finding>,
    /// What is to be known about the program.
    pub(super) told: Vec<Diagnostic>,
    /// True when the judge refuses our own plan.
    pub(super) defect: bool,
    /// What the replays have shown.
    shown: Shown,
    /// True when the plan is our own.
    pub(super) ours: bool,
}

/// Plans an input, or takes the plan that is given.
pub(super) fn of(
    loaded: Loaded,
    args: &ReportArgs,
    options: &Options,
    stage: &Stage,
    limit: u64,
    on: &(dyn Fn(&Progress) + Sync),
) -> Subject {
    // Where every buffer has its place already, that is the plan, as it is for `verify`.
    let placed = loaded.outcome.as_ref().is_ok_and(|ready| subject::pinned(&ready.problem));
    if args.plan.is_some() || placed {
        let wanted = Wanted {
            plan: args.plan.clone(),
            planning: placed.then_some(options),
            stage,
            limit,
            function: args.input.function.as_deref(),
            measured: true,
        };
        let subject::Subject { loaded, answer, findings, told, defect, shown, ours, .. } =
            subject::of(loaded, &wanted);
        return Subject { loaded, answer, findings, told, defect, shown, ours };
    }
    let solved = solve::one(loaded, options, stage, Explain::All, on);
    let defect = !solved.bugs.is_empty();
    let mut told = solved.warnings;
    told.extend(solved.bugs);
    let findings = solved.shown.findings();
    let (loaded, answer, shown) = (solved.loaded, solved.answer, solved.shown);
    Subject { loaded, answer, findings, told, defect, shown, ours: true }
}

impl Subject {
    /// True when the judge finds an error.
    pub(super) fn rejected(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }

    /// The picture; none of a broken input.
    pub(super) fn picture(&self) -> Option<Picture<'_>> {
        let ready = self.loaded.outcome.as_ref().ok()?;
        let (name, sources) = (self.loaded.name.as_str(), &self.loaded.sources);
        let input = Input { name, sources, problem: &ready.problem };
        Some(Picture::of(input, &self.answer, |_, f| self.extra(ready, f)))
    }

    fn extra<'a>(&'a self, ready: &Ready, f: &'a FunctionAnswer) -> Extra<'a> {
        let owed = self.shown.owed.iter().find(|one| one.timeline.function == f.name);
        let mine = || self.findings.iter().filter(|finding| finding.function == f.name);
        let wrong = mine().any(|finding| finding.severity == Severity::Error);
        Extra {
            timeline: owed.map(|one| &one.timeline),
            owed: owed.map_or(&[], |one| &one.edges),
            inplace: inplace(ready, f),
            notes: found(mine().collect::<Vec<_>>().as_slice(), wrong).into_iter().collect(),
            accepted: (!self.ours).then_some(!wrong),
        }
    }
}

/// Pairs that may share at the step at which one becomes the other; a plan shows it itself.
fn inplace(ready: &Ready, f: &FunctionAnswer) -> Vec<(BufferId, BufferId)> {
    let planned = f.scopes.iter().all(|scope| scope.verdict.has_plan());
    let Some(function) = ready.problem.functions.get(f.index) else { return Vec::new() };
    // The heaps of a module have rules of their own.
    if planned || ready.module.is_some() {
        return Vec::new();
    }
    let facts = analyze::facts(&ready.problem, function);
    facts.inplace.iter().map(|pair| (pair.from, pair.into)).collect()
}

/// What the judge found, for the page.
fn found(findings: &[&Finding], wrong: bool) -> Option<Note> {
    if findings.is_empty() {
        return None;
    }
    let line = |f: &&Finding| format!("{} [{}]", f.message, f.code.name());
    let mut worst = findings.to_vec();
    worst.sort_by_key(|f| std::cmp::Reverse(f.severity));
    let mut lines: Vec<String> = worst.iter().take(MOST).map(line).collect();
    if findings.len() > MOST {
        lines.push(format!("{} more", findings.len() - MOST));
    }
    let head = if wrong { "This plan is wrong" } else { "What the judge found" };
    Some(Note { scope: None, head: head.to_owned(), lines })
}
