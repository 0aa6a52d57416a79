//! Why it does not fit, and what would make it fit (asks `plan` again).

mod advice;
pub mod whatif;

use crate::model::{Answer, Problem};
use crate::plan::{self, Options, Strategy};

/// Fills [`crate::model::Overflow`] of every scope without a plan: the core of the proof, the
/// smallest capacity that works, changes that make it fit. Every change was solved again.
pub fn explain(problem: &Problem, answer: &mut Answer, options: &Options) {
    let options = &options.started();
    for function in &mut answer.functions {
        let index = function.index;
        for scope in &mut function.scopes {
            let Some(overflow) = &mut scope.overflow else { continue };
            if options.cancel.load(std::sync::atomic::Ordering::Relaxed) {
                return;
            }
            if overflow.impossible && overflow.core.is_empty() {
                overflow.core = plan::core(problem, index, scope.scope, options);
            }
            let advisor = advice::Advisor::new(problem, index, scope.scope, options);
            let works_at = advisor.smallest_capacity();
            overflow.works_at = overflow.works_at.into_iter().chain(works_at).min();
            // A named heuristic is asked what it needs, not what another planner would change.
            if !matches!(
                options.strategy,
                Strategy::Heuristic(_) | Strategy::Hivm { .. } | Strategy::Xla
            ) {
                overflow.advice = advisor.advice(scope.lower_bound, overflow, &scope.attempts);
            }
        }
    }
}
