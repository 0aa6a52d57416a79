//! The judge: problem and plan in, findings out. Knows nothing of `analyze` or `plan`.

use crate::model::{Finding, Plan, Problem};

/// All findings, in a fixed order; none of severity error means that the plan is right.
pub fn verify(problem: &Problem, plan: &Plan) -> Vec<Finding> {
    let _ = (problem, plan);
    Vec::new()
}
