//! One input: read, planned, checked, explained.

use crate::cli::defect;
use crate::cli::input::{Loaded, Ready};
use crate::cli::judge::{self, Judged};
use crate::cli::owing;
use crate::cli::placing::{Shown, Stage};
use crate::diag::{Code, Diagnostic, Severity};
use crate::diagnose;
use crate::model::{Answer, Finding, FunctionPlan, Problem, REFUTED};
use crate::plan::{self, Liveness, Options, Progress, Question, Strategy};
use crate::verify;

/// Which answers are explained, at the price of some more solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Explain {
    /// Those without a plan, and tight ones.
    All,
    /// Those without a plan.
    Failures,
}

/// One input after planning.
#[derive(Debug)]
pub(in crate::cli) struct Solved {
    /// The input, with its problem.
    pub(in crate::cli) loaded: Loaded,
    /// The answer; none for a broken input.
    pub(in crate::cli) answer: Answer,
    /// Faults that the judge finds in our own plan.
    pub(in crate::cli) bugs: Vec<Diagnostic>,
    /// What analysis and judge say about the program itself, whatever the plan.
    pub(in crate::cli) warnings: Vec<Diagnostic>,
    /// What the plans owe.
    pub(in crate::cli) shown: Shown,
}

impl Solved {
    /// True for a module that does not fit as it is ordered.
    pub(in crate::cli) fn may_be_reordered(&self) -> bool {
        let module = self.loaded.outcome.as_ref().is_ok_and(|ready| ready.module.is_some());
        module && self.answer.verdict().is_some_and(|verdict| !verdict.has_plan())
    }

    /// An input that is no question.
    fn broken(loaded: Loaded) -> Self {
        Self {
            loaded,
            answer: Answer::default(),
            bugs: Vec::new(),
            warnings: Vec::new(),
            shown: Shown::default(),
        }
    }
}

/// Plans an input, and checks the plan before anybody sees it.
pub(in crate::cli) fn solve(
    mut loaded: Loaded,
    options: &Options,
    stage: &Stage,
    explain: Explain,
    on: &(dyn Fn(&Progress) + Sync),
) -> Solved {
    let options = &loaded.own.options(options);
    let hivm = matches!(options.strategy, Strategy::Hivm { .. });
    if !hivm {
        // The compatible planner has words of its own for these.
        loaded = loaded.strict();
    }
    let Ok(Ready { problem, kernels, module, .. }) = &loaded.outcome else {
        return Solved::broken(loaded);
    };
    if hivm && module.is_some() {
        let message =
            format!("`--strategy hivm` does not plan `{}`, which is HLO text", loaded.name);
        let error = Diagnostic::error(Code::ConfigBadOption, message)
            .help("`--strategy xla` is what the compiler of HLO text decides");
        return Solved::broken(Loaded { outcome: Err(vec![error]), ..loaded });
    }
    let accepts = |index: usize, plan: &FunctionPlan| judge::accepts(problem, index, plan);
    let question =
        Question { problem, kernels: kernels.as_ref(), module: module.as_deref(), judge: &accepts };
    let mut answer = plan::solve(&question, options, on);
    // What somebody else's rules led to may be wrong; that is told, and no defect of ours.
    let theirs = hivm || (kernels.is_some() && options.liveness == Liveness::Compat);
    let (bugs, warnings) = check(problem, &mut answer, theirs);
    if module.is_some() && !bugs.is_empty() {
        let mut needed = needs_copies(problem);
        if needed.is_empty() {
            needed.extend(module.as_deref().and_then(|module| module.reentered.clone()));
        }
        if !needed.is_empty() {
            return Solved::broken(Loaded { outcome: Err(needed), ..loaded });
        }
    }
    let failed = answer.functions.iter().flat_map(|f| &f.scopes).any(|s| !s.verdict.has_plan());
    match explain {
        Explain::Failures if !failed => {}
        // The reasons of a module's heaps are their own: values live by XLA's rules.
        _ if module.is_some() => diagnose::modules(problem, &mut answer),
        _ => diagnose::explain(problem, &mut answer, options),
    }
    let shown = owing::of(problem, &answer, stage);
    Solved { loaded, answer, bugs, warnings, shown }
}

/// What is wrong with a module in which no plan is right: the judge refuses even the one in which only
/// those values share bytes that must.
fn needs_copies(problem: &Problem) -> Vec<Diagnostic> {
    let Some(function) = problem.functions.first() else { return Vec::new() };
    let findings = verify::one(problem, function, &plan::xla::apart(problem));
    let wrong = findings.iter().filter(|f| f.severity == Severity::Error);
    let needed = |f: &Finding| {
        let message = format!("`{}` needs copies: {}", f.function, f.message);
        Diagnostic::error(Code::HloNeedsCopies, message)
            .maybe_at(f.loc, "")
            .help("add them with `memplan convert --pass add-copies --pass copies`")
    };
    wrong.take(5).map(needed).collect()
}

/// The judge on a plan: an error there is a defect of the planner, but for reads of what nothing has
/// written, which no plan can help, and what the judge could not decide. The plans of the compatible
/// planner are `theirs`: what is wrong with them is told as a warning, and their scopes are marked.
fn check(
    problem: &Problem,
    answer: &mut Answer,
    theirs: bool,
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let Judged { faults, told } = judge::judge(problem, answer);
    let bug = |f: &Finding| {
        let what = format!(
            "the plan of `{}` fails its own check: {} [{}]",
            f.function,
            f.message,
            f.code.name()
        );
        defect::bug(&what).maybe_at(f.loc, "")
    };
    let refuted = |f: &Finding| {
        let message = format!("the pass's plan of `{}` is wrong: {}", f.function, f.message);
        Diagnostic::warning(Code::HivmRefuted, message)
            .maybe_at(f.loc, "")
            .help("`--strategy auto` plans it soundly")
    };
    let (mut bugs, mut warnings) = (Vec::new(), Vec::new());
    if theirs {
        warnings.extend(faults.iter().take(20).map(refuted));
        faults.iter().for_each(|fault| mark(problem, answer, fault));
    } else {
        bugs.extend(faults.iter().take(20).map(bug));
    }
    // The judge, who has executed the ops, knows better what is read too early.
    let own = |d: &&Diagnostic| d.code != Code::SpecReadBeforeWrite;
    let all = answer.functions.iter().flat_map(|f| &f.warnings);
    warnings.extend(all.filter(own).cloned());
    let warning = |f: &Finding| {
        let code = match f.code {
            Code::VerifyReadBeforeWrite => Code::SpecReadBeforeWrite,
            other => other,
        };
        Diagnostic::warning(code, f.message.as_str()).maybe_at(f.loc, "")
    };
    warnings.extend(told.iter().take(20).map(warning));
    (bugs, warnings)
}

/// Notes at the scopes of a plan, once for each, that the judge refutes it.
fn mark(problem: &Problem, answer: &mut Answer, fault: &Finding) {
    let functions = answer.functions.iter_mut().filter(|f| f.name == fault.function);
    for scope in functions.flat_map(|f| &mut f.scopes) {
        let name = &problem.scopes[scope.scope].name;
        if fault.scope.as_ref().is_none_or(|s| s == name) && !scope.refuted() {
            scope.warnings.push(format!("{REFUTED}{}", fault.message));
        }
    }
}
