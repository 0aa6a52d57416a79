//! One input with the plan that counts: one from outside, the pins of the input, or our own. What looks at
//! plans (the gate, `diff`, pictures) need not know which.

use std::path::{Path, PathBuf};

use super::input::{self, Codes, Loaded, Ready, Toml};
use super::placing::{Shown, Stage};
use super::{codes, plans, solve};
use crate::diag::{Code, Diagnostic, Severity, Sources};
use crate::diagnose;
use crate::format;
use crate::front::csv;
use crate::model::{Answer, Finding, Fragmentation, FunctionAnswer, Plan, Problem};
use crate::plan::{self, Options, Question};
use crate::verify;

/// Which plan, and what is to be known about it.
pub(super) struct Wanted<'a> {
    /// A plan from outside.
    pub(super) plan: Option<PathBuf>,
    /// How to plan an input that places nothing; none: that is an error.
    pub(super) planning: Option<&'a Options>,
    /// What plans are replayed on.
    pub(super) stage: &'a Stage,
    /// The largest file that is read.
    pub(super) limit: u64,
    /// The only function that counts.
    pub(super) function: Option<&'a str>,
    /// True where the plan is also measured: [`Subject::answer`].
    pub(super) measured: bool,
}

/// An input and its plan.
pub(super) struct Subject {
    /// The input; broken where the input or its plan cannot be read.
    pub(super) loaded: Loaded,
    /// The plan with its numbers; empty where nobody has asked.
    pub(super) answer: Answer,
    /// What the judge says about a plan from outside.
    pub(super) findings: Vec<Finding>,
    /// Why there is no plan of our own, and what is wrong with the program.
    pub(super) told: Vec<Diagnostic>,
    /// A defect of memplan: the judge refuses our own plan.
    pub(super) defect: bool,
    /// What the replays have shown.
    pub(super) shown: Shown,
    /// True when the plan is our own.
    pub(super) ours: bool,
    /// The holes of a plan from outside, by the function's place in the problem.
    pub(super) holes: Vec<(usize, Fragmentation)>,
}

/// Buffers of a function whose plan is looked at for holes, at most: moves are looked for pair by pair.
const MAX_FRAGMENTED: usize = 2_000;

impl Subject {
    /// True when there is nothing to say about it.
    pub(super) fn is_clean(&self) -> bool {
        let planned = !self.ours || self.answer.verdict().is_none_or(|v| v.has_plan());
        planned && self.findings.is_empty() && self.told.is_empty() && !self.defect
    }

    /// True when the plan is that of the compiler's pass, and wrong.
    pub(super) fn refuted(&self) -> bool {
        self.answer.functions.iter().any(FunctionAnswer::refuted)
    }

    /// An input that is no question.
    pub(super) fn broken(loaded: Loaded) -> Self {
        Self {
            loaded,
            answer: Answer::default(),
            findings: Vec::new(),
            told: Vec::new(),
            defect: false,
            shown: Shown::default(),
            ours: false,
            holes: Vec::new(),
        }
    }
}

/// Finds the plan of an input and judges it.
pub(super) fn of(loaded: Loaded, wanted: &Wanted<'_>) -> Subject {
    let mut loaded = loaded.strict();
    let Ok(Ready { problem, .. }) = &loaded.outcome else { return Subject::broken(loaded) };
    let pins = || plans::of_pins(problem).filter(|_| wanted.planning.is_none() || pinned(problem));
    let plan = match &wanted.plan {
        Some(path) => Some(read_plan(path, problem, wanted.limit, &mut loaded.sources)),
        None => match (pins(), wanted.planning) {
            (Some(plan), _) => Some(Ok(plan)),
            (None, None) => Some(Err(vec![nothing_to_verify(&loaded.name)])),
            (None, Some(_)) => None,
        },
    };
    match (plan, wanted.planning) {
        (Some(Ok(plan)), _) => given(loaded, plan, wanted),
        (None, Some(options)) => ours(loaded, options, wanted.stage),
        (Some(Err(errors)), _) => Subject::broken(Loaded { outcome: Err(errors), ..loaded }),
        (None, None) => Subject::broken(loaded),
    }
}

/// True when every buffer has its place already.
pub(super) fn pinned(problem: &Problem) -> bool {
    problem.functions.iter().all(|f| f.buffers.iter().all(|b| b.pin.is_some()))
}

fn given(loaded: Loaded, mut plan: Plan, wanted: &Wanted<'_>) -> Subject {
    let Ok(ready) = &loaded.outcome else { return Subject::broken(loaded) };
    if let Some(only) = wanted.function {
        plan.functions.retain(|f| f.name == only);
    }
    let mut findings = verify::verify(&ready.problem, &plan);
    let shown = wanted.stage.show(&ready.problem, &plan);
    findings.extend(shown.findings());
    let answer = if wanted.measured { measured(ready, &plan) } else { Answer::default() };
    let holes = if wanted.measured { holes(&ready.problem, &answer) } else { Vec::new() };
    Subject { answer, findings, shown, holes, ..Subject::broken(loaded) }
}

/// Where a plan has free bytes that are no room for a buffer without a place, or that a move would make use of.
fn holes(problem: &Problem, answer: &Answer) -> Vec<(usize, Fragmentation)> {
    let mut out = Vec::new();
    for f in &answer.functions {
        let function = &problem.functions[f.index];
        if function.buffers.len() <= MAX_FRAGMENTED {
            let found = diagnose::fragmentation(problem, function, &f.plan);
            let worth = |found: &Fragmentation| {
                let scope = f.scopes.iter().find(|s| s.scope == found.scope);
                let usable = problem.scopes[found.scope].usable();
                // Where there is room to spare nobody has to move.
                let near = |usable: u64| {
                    let peak = scope.and_then(|s| s.peak).unwrap_or(0);
                    u128::from(peak) * 10 >= u128::from(usable) * 9
                };
                found.wants.is_some() || (found.moved.is_some() && usable.is_none_or(near))
            };
            out.extend(found.into_iter().filter(worth).map(|found| (f.index, found)));
        }
    }
    out
}

/// A plan from outside, measured.
pub(super) fn measured(ready: &Ready, plan: &Plan) -> Answer {
    let question = Question {
        kernels: ready.kernels.as_ref(),
        module: ready.module.as_deref(),
        ..Question::of(&ready.problem)
    };
    plan::adopt(&question, plan)
}

fn ours(loaded: Loaded, options: &Options, stage: &Stage) -> Subject {
    let solved = solve::one(loaded, options, stage, solve::Explain::Failures, &|_| ());
    let mut told = solved.warnings;
    if let Ok(ready) = &solved.loaded.outcome {
        // That a right plan stalls is for budgets to judge.
        let failures = codes::of(&ready.problem, &solved.answer).into_iter();
        told.extend(failures.filter(|d| d.severity == Severity::Error));
    }
    // What `solve` shows as the pass has it is judged here like any other plan.
    for refuted in told.iter_mut().filter(|d| d.code == Code::HivmRefuted) {
        refuted.severity = Severity::Error;
    }
    let defect = !solved.bugs.is_empty();
    told.extend(solved.bugs);
    let findings = solved.shown.findings();
    Subject {
        loaded: solved.loaded,
        answer: solved.answer,
        findings,
        told,
        defect,
        shown: solved.shown,
        ours: true,
        holes: Vec::new(),
    }
}

fn nothing_to_verify(name: &str) -> Diagnostic {
    let message = format!("`{name}` places nothing, and no plan is given");
    Diagnostic::error(Code::ConfigBadOption, message).help("give a plan with `--plan FILE`")
}

/// Reads a plan file, a CSV with offsets or a display of the compiler as a plan of the problem.
///
/// # Errors
/// Those of the file.
pub(super) fn read_plan(
    path: &Path,
    problem: &Problem,
    limit: u64,
    sources: &mut Sources,
) -> Result<Plan, Vec<Diagnostic>> {
    let name = path.display().to_string();
    let is_csv = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
    let codes = if is_csv { Codes::CSV } else { Codes::PLAN };
    let file = input::read_file(path, limit, codes, sources).map_err(|error| vec![error])?;
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
        let text = sources.get(file).map_or("", |s| &s.text);
        let info = format::memory_info::read(text).map_err(|why| {
            let message = format!("`{name}` is not a memory_info file: {why}");
            vec![Diagnostic::error(Code::VerifyPlanSyntax, message)]
        })?;
        return Ok(plans::of_memory_info(info, problem));
    }
    if is_csv {
        let rows = csv::read(sources, file)?.problem;
        return plans::of_rows(&rows, problem).ok_or_else(|| vec![nothing_to_verify(&name)]);
    }
    let names = plans::function_names(problem);
    let functions: Vec<&str> = names.iter().map(String::as_str).collect();
    let plan = format::plan::read(sources, file, &functions).map_err(|errors| {
        let text = sources.get(file).map_or("", |s| &s.text);
        if input::toml(text) == Toml::Spec {
            let message = format!("`{name}` is a spec, not a plan");
            return vec![Diagnostic::error(Code::VerifyPlanSyntax, message)];
        }
        errors
    })?;
    Ok(plans::renamed(plan, problem))
}
