//! A kernel, read, planned twice and judged.

use memplan::diag::{Code, Diagnostic, FileId, Severity, Sources};
use memplan::front::hivm::{self, ReadHivm};
use memplan::front::spec::targets::Embedded;
use memplan::model::{
    Answer, FunctionAnswer, FunctionPlan, Mode, Problem, ReuseLevel, ScopeAnswer,
};
use memplan::plan::{self, Options, Question, Strategy};
use memplan::verify;

use crate::header::Kernel;

/// A kernel with the answers of both planners.
pub(crate) struct Planned {
    pub(crate) kernel: Kernel,
    pub(crate) read: ReadHivm,
    pub(crate) hivm: Answer,
    /// None where the text has defects, as on the command line.
    pub(crate) auto: Option<Answer>,
}

impl Planned {
    pub(crate) fn of(kernel: Kernel) -> Self {
        let read = read(&kernel, &kernel.text).unwrap_or_else(|errors| {
            panic!("{}: {}", kernel.name, errors[0].message);
        });
        let hivm = solve(&read, Strategy::Hivm { largest_first: false });
        let auto = read.defects.is_empty().then(|| solve(&read, Strategy::Auto));
        Self { kernel, read, hivm, auto }
    }

    pub(crate) fn problem(&self) -> &Problem {
        &self.read.read.problem
    }

    /// The plans with the smallest peaks, where everything shares that may.
    pub(crate) fn smallest(&self) -> Option<Answer> {
        self.auto.as_ref().map(|_| solve(&self.read, Strategy::Optimal))
    }

    /// The functions of `auto`; none where the text has defects.
    pub(crate) fn auto(&self) -> &[FunctionAnswer] {
        self.auto.as_ref().map_or(&[], |a| &a.functions)
    }
}

/// Reads a text with the target and the options of a kernel.
pub(crate) fn read(kernel: &Kernel, text: &str) -> Result<ReadHivm, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let file: FileId = sources.add(format!("{}.mlir", kernel.name), text);
    hivm::read(&mut sources, file, kernel.target.as_deref(), &kernel.options, &mut Embedded)
}

fn solve(read: &ReadHivm, strategy: Strategy) -> Answer {
    let problem = &read.read.problem;
    let judge = |index: usize, plan: &FunctionPlan| {
        let aside = [Code::VerifyOverCapacity, Code::VerifyReadBeforeWrite, Code::VerifyFragmented];
        faults(problem, index, plan, &aside).is_empty()
    };
    let question = Question { problem, kernels: Some(&read.kernels), module: None, judge: &judge };
    plan::solve(&question, &Options { strategy, ..Options::default() }, &|_| ())
}

/// What the judge holds against the plan of a function. That an op reads what nothing has written is
/// the program's affair.
pub(crate) fn refuted(problem: &Problem, index: usize, plan: &FunctionPlan) -> Vec<String> {
    faults(problem, index, plan, &[Code::VerifyReadBeforeWrite])
}

fn faults(problem: &Problem, index: usize, plan: &FunctionPlan, aside: &[Code]) -> Vec<String> {
    let findings = verify::one(problem, &problem.functions[index], plan);
    let errors = findings.into_iter().filter(|f| f.severity == Severity::Error);
    let counted = errors.filter(|f| !aside.contains(&f.code));
    counted.map(|f| format!("{}: {} [{}]", f.function, f.message, f.code.name())).collect()
}

/// True when every scope of the function has a plan.
pub(crate) fn has_plan(function: &FunctionAnswer) -> bool {
    function.message.is_none() && function.scopes.iter().all(|s| s.verdict.has_plan())
}

/// `pipe`, or `sequential`; `-` where nothing is shared by levels.
pub(crate) fn level(scope: &ScopeAnswer) -> &'static str {
    match (scope.mode, scope.level) {
        (Mode::Sequential, _) => "sequential",
        (Mode::Reuse, level) => level.map_or("-", ReuseLevel::name),
    }
}

/// 0 for sequential mode, then the levels downwards.
pub(crate) fn rank(scope: &ScopeAnswer) -> u8 {
    match (scope.mode, scope.level) {
        (Mode::Sequential, _) => 0,
        (Mode::Reuse, level) => level.map_or(0, |l| l as u8 + 1),
    }
}

/// Pairs that share bytes and stall.
pub(crate) fn stalls(scope: &ScopeAnswer) -> usize {
    scope.reuse.iter().filter(|r| r.stall).count()
}
