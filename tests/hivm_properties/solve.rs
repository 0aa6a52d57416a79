//! Texts read and planned, plans judged.

use std::collections::BTreeMap;

use memplan::diag::{Code, Severity, Sources};
use memplan::front::hivm::{self, ReadHivm};
use memplan::front::spec::targets::Embedded;
use memplan::ir::hivm::PassOptions;
use memplan::model::{Answer, Finding, FunctionPlan, Plan, Problem};
use memplan::plan::{self, Options, Question, Strategy};
use memplan::verify;

use super::interpret::Offsets;
use super::tree::{Program, Step, walk};

pub(crate) const COMPAT: Strategy = Strategy::Hivm { largest_first: false };
pub(crate) const LARGEST: Strategy = Strategy::Hivm { largest_first: true };

/// A text as the reader sees it; its errors where it has some.
pub(crate) fn try_read(text: &str) -> Result<ReadHivm, Vec<String>> {
    try_read_with(text, &PassOptions::default())
}

pub(crate) fn try_read_with(text: &str, options: &PassOptions) -> Result<ReadHivm, Vec<String>> {
    let mut sources = Sources::default();
    let file = sources.add("case.mlir", text);
    let read = hivm::read(&mut sources, file, None, options, &mut Embedded);
    read.map_err(|errors| errors.iter().map(|e| e.message.clone()).collect())
}

/// A generated text: it must be readable, and nothing in it unknown.
pub(crate) fn read(text: &str) -> ReadHivm {
    match try_read(text) {
        Ok(read) if read.defects.is_empty() => read,
        Ok(read) => unreachable!("defects: {:?}\n{text}", read.defects),
        Err(errors) => unreachable!("errors: {errors:?}\n{text}"),
    }
}

pub(crate) fn solve(read: &ReadHivm, strategy: Strategy) -> Answer {
    solve_with(read, &Options { strategy, ..Options::default() })
}

pub(crate) fn solve_with(read: &ReadHivm, options: &Options) -> Answer {
    let problem = &read.read.problem;
    // As the command does: a trial may lie past the capacity.
    let judge = |index: usize, plan: &FunctionPlan| {
        let found = verify::one(problem, &problem.functions[index], plan);
        !found.iter().any(|f| is_fault(f) && f.code != Code::VerifyOverCapacity)
    };
    let question = Question { problem, kernels: Some(&read.kernels), module: None, judge: &judge };
    plan::solve(&question, options, &|_| ())
}

pub(crate) fn plan_of(answer: &Answer) -> Plan {
    Plan { functions: answer.functions.iter().map(|f| f.plan.clone()).collect() }
}

/// What a plan is to blame for: reads of what nothing has written are the program's affair.
fn is_fault(finding: &Finding) -> bool {
    let program = [Code::VerifyReadBeforeWrite, Code::VerifyFragmented, Code::VerifyUndecided];
    finding.severity == Severity::Error && !program.contains(&finding.code)
}

/// What the judge has against a plan.
pub(crate) fn faults(problem: &Problem, plan: &Plan) -> Vec<Finding> {
    let mut all = verify::verify(problem, plan);
    all.retain(is_fault);
    all
}

/// True when there is a plan for every scope.
pub(crate) fn fits(answer: &Answer) -> bool {
    answer.functions.iter().all(|f| f.verdict.has_plan() && f.message.is_none())
}

/// The allocs of a program in the order written: the order of the buffers of the problem.
pub(crate) fn allocs(program: &Program) -> Vec<usize> {
    let mut all = Vec::new();
    walk(&program.body, &mut |step| {
        if let Step::Alloc { out, .. } = step {
            all.push(*out);
        }
    });
    all
}

/// The offsets of a plan by the values of the tree.
pub(crate) fn offsets(program: &Program, plan: &Plan) -> Offsets {
    let mut by_name: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for placement in plan.functions.iter().flat_map(|f| &f.placements) {
        by_name.insert(placement.name.clone(), placement.offsets.clone());
    }
    let own = |v: usize| Some((v, by_name.get(&format!("v{v}"))?.clone()));
    allocs(program).into_iter().filter_map(own).collect()
}
