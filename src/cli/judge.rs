//! The judge on plans of the planner, and what of its findings counts.

use super::plans;
use crate::diag::{Code, Severity};
use crate::model::{Answer, Finding, FunctionPlan, Objective, Problem};
use crate::verify;

/// What the judge says about the plans of an answer.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// What is wrong with the plans.
    pub(super) faults: Vec<Finding>,
    /// What is to be told, whatever the plan: reads of what nothing has written, which no plan can
    /// help, and what the judge could not decide; what is missing in synchronisation that the program carries.
    pub(super) told: Vec<Finding>,
}

/// Judges the plans of an answer.
pub(super) fn judge(problem: &Problem, answer: &Answer) -> Judged {
    let findings = verify::verify(problem, &plans::of(problem, answer));
    let aside = [Code::VerifyReadBeforeWrite, Code::VerifyUndecided];
    // Synchronisation that a program carries is not of the planner's making.
    let carried = |code: Code| code.name().starts_with("memplan::replay::");
    let (told, mut faults): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|f| aside.contains(&f.code) || carried(f.code));
    faults.retain(|f| f.severity == Severity::Error && !excused(answer, problem, f));
    faults.extend(miscounted(problem, answer));
    Judged { faults, told }
}

/// Scopes whose plan pays another reuse cost than the planner says, where sharing has a price.
fn miscounted(problem: &Problem, answer: &Answer) -> Vec<Finding> {
    let mut findings = Vec::new();
    if problem.objective != Objective::CostThenPeak {
        return findings;
    }
    for f in &answer.functions {
        let Some(function) = problem.functions.get(f.index) else { continue };
        for (scope, paid) in verify::reuse_cost(problem, function, &f.plan) {
            let said = f.scopes.iter().find(|s| s.scope == scope && s.verdict.has_plan());
            let Some(said) = said.map(|s| s.reuse_cost).filter(|said| *said != paid) else {
                continue;
            };
            findings.push(Finding {
                code: Code::VerifyReuseCost,
                severity: Severity::Error,
                message: format!("the plan pays a reuse cost of {paid}, the planner says {said}"),
                function: f.name.clone(),
                scope: Some(problem.scopes[scope].name.clone()),
                buffers: Vec::new(),
                op: None,
                loc: None,
                bytes: None,
                witness: None,
                evidence: None,
            });
        }
    }
    findings
}

/// What the planner is told about a plan that rests on facts that are not ours: whether its replay
/// goes well. That a trial lies past the capacity is no matter.
pub(super) fn accepts(problem: &Problem, index: usize, plan: &FunctionPlan) -> bool {
    let aside = |code: Code| {
        matches!(
            code,
            Code::VerifyOverCapacity | Code::VerifyReadBeforeWrite | Code::VerifyFragmented
        )
    };
    verify::one(problem, &problem.functions[index], plan)
        .iter()
        // What could not be decided is not accepted.
        .all(|f| {
            aside(f.code) || (f.severity != Severity::Error && f.code != Code::VerifyUndecided)
        })
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
    // A function that was not planned at all, such as one that the pass skips.
    if f.scopes.is_empty() && f.plan.placements.is_empty() {
        return true;
    }
    if failed.is_empty() {
        return false;
    }
    match &finding.scope {
        Some(scope) => failed.contains(&scope.as_str()),
        // Ops cannot be replayed on buffers that lie nowhere.
        None => {
            matches!(finding.code, Code::VerifyUnplaced | Code::VerifyClobbered | Code::HivmCarried)
        }
    }
}
