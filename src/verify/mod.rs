//! The judge: problem and plan in, findings out. Knows nothing of `analyze` or `plan`.
//!
//! In this order, function by function as the problem lists them:
//!
//! 1. [`placements`]: plan and problem are matched; every buffer gets its offsets or a finding.
//! 2. [`rules`] and [`pairs`]: what can be said of offsets without time.
//! 3. [`sweep`]: buffers whose live ranges are given may not share bytes while alive together.
//! 4. [`replay`]: a function with ops is executed on the plan's addresses; [`report`] words what
//!    that shows.
//!
//! # What is promised
//!
//! The problem is one that a reader made: its ids are in range and its nesting is limited. The
//! plan may be anything. Nothing panics, nothing recurses over the input's length, and the
//! findings come in the same order every time.

mod active;
mod cap;
mod case;
mod faults;
mod groups;
mod held;
mod holes;
mod lives;
mod map;
mod memory;
mod objects;
mod operands;
mod pairs;
mod placements;
mod replay;
mod report;
mod rules;
mod say;
mod sweep;
#[cfg(test)]
mod tests;

use crate::model::{Finding, Plan, Problem};
use crate::runtime::program::Limits;

/// All findings, in a fixed order; none of severity error means that the plan is right.
pub fn verify(problem: &Problem, plan: &Plan) -> Vec<Finding> {
    let (matched, mut findings) = placements::match_functions(problem, plan);
    for (function, plan) in matched {
        let case = placements::place(problem, function, plan, &mut findings);
        rules::check(&case, &mut findings);
        pairs::check(&case, &mut findings);
        sweep::check(&case, &mut findings);
        report::check(&case, Limits::default(), &mut findings);
    }
    findings
}
