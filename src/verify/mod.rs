//! The judge: problem and plan in, findings out. Knows nothing of `analyze` or `plan`.
//!
//! In this order, function by function as the problem lists them:
//!
//! 1. `placements`: plan and problem are matched; every buffer gets its offsets or a finding.
//! 2. `rules`, `pairs` and `cost`: what can be said of offsets without time.
//! 3. `sweep`: buffers whose live ranges are given may not share bytes while alive together.
//! 4. `replay`: a function with ops is executed on the plan's addresses; `report` words what
//!    that shows.
//! 5. `owed`: of a function that orders its pipes itself, whether that is enough for the plan.
//!
//! # What is promised
//!
//! The problem is one that a reader made: its ids are in range and its nesting is limited. The
//! plan may be anything. Nothing panics, nothing recurses over the input's length, and the
//! findings come in the same order every time.

mod active;
mod cap;
mod case;
mod choices;
mod cost;
mod faults;
mod groups;
mod held;
mod holes;
mod join;
mod lives;
mod map;
mod memory;
mod mismatch;
mod objects;
mod operands;
pub mod owed;
mod pairs;
pub mod place;
mod placements;
mod replay;
mod report;
mod rules;
mod say;
mod sweep;
#[cfg(test)]
mod tests;
pub mod trace;

use crate::model::machine::Machine;
use crate::model::{Finding, Function, FunctionPlan, Plan, Problem, ScopeId, SyncLevel};
use crate::runtime::program::Limits;

/// What no plan of the function can make right.
fn faults_of_the_program(case: &case::Case<'_>, findings: &mut Vec<Finding>) {
    for (buffer, fault) in &case.function.faults {
        let say = say::Say::error(case, fault.code, fault.message.clone());
        let loc = fault.labels.first().map(|l| l.loc);
        say.buffers(case, &[*buffer]).loc(loc).to(findings);
    }
}

/// The findings about one function and its plan; capacities and all other rules count as in
/// [`verify`]. What faults depend on is not looked for: who asks wants to know whether there are any.
pub fn one(problem: &Problem, function: &Function, plan: &FunctionPlan) -> Vec<Finding> {
    let mut findings = Vec::new();
    judge(problem, function, plan, false, &mut findings);
    findings
}

fn judge(
    problem: &Problem,
    function: &Function,
    plan: &FunctionPlan,
    explained: bool,
    findings: &mut Vec<Finding>,
) {
    let case = placements::place(problem, function, plan, findings);
    faults_of_the_program(&case, findings);
    rules::check(&case, findings);
    pairs::check(&case, findings);
    cost::check(&case, findings);
    sweep::check(&case, findings);
    report::check(&case, Limits::default(), explained, findings);
}

/// What a plan of the function pays in each scope in which sharing bytes has a price.
pub fn reuse_cost(
    problem: &Problem,
    function: &Function,
    plan: &FunctionPlan,
) -> Vec<(ScopeId, u64)> {
    let case = placements::place(problem, function, plan, &mut Vec::new());
    cost::paid(&case).into_iter().map(|(scope, paid)| (scope, paid.sum)).collect()
}

/// What the plan of each function owes whose ops run on pipes, in the problem's order.
pub fn owed(problem: &Problem, plan: &Plan, machine: &Machine) -> Vec<owed::Owed> {
    let on_pipes = |f: &Function| {
        f.ops.iter().any(|op| op.pipe.is_some() || op.accesses.iter().any(|a| a.pipe.is_some()))
    };
    let (matched, _) = placements::match_functions(problem, plan);
    let check =
        |(function, plan)| owed::check(problem, function, plan, machine, owed::Limits::default());
    matched.into_iter().filter(|(function, _)| on_pipes(function)).map(check).collect()
}

/// All findings, in a fixed order; none of severity error means that the plan is right.
pub fn verify(problem: &Problem, plan: &Plan) -> Vec<Finding> {
    let (matched, mut findings) = placements::match_functions(problem, plan);
    let machine = owed::machine(problem);
    for (function, plan) in matched {
        judge(problem, function, plan, true, &mut findings);
        // A program that orders its pipes itself must order them as the plan needs it.
        if owed::carries(function, SyncLevel::Pipe) {
            let limits = owed::Limits { delays: 0, ..owed::Limits::default() };
            findings.extend(owed::check(problem, function, plan, &machine, limits).findings);
        }
    }
    findings
}
