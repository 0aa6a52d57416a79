//! Variants as the JSON of `format`.

use crate::format::json_whatif::Variant;
use crate::model::{FunctionAnswer, Problem, ScopeAnswer, Verdict};
use crate::report::words;

/// The rows of a function in a variant, one for each scope that it uses.
pub fn variants(
    input: &str,
    variant: &str,
    problem: &Problem,
    answer: &FunctionAnswer,
) -> Vec<Variant> {
    answer.scopes.iter().map(|scope| row(input, variant, problem, answer, scope)).collect()
}

/// The row of a variant that cannot be planned.
pub fn refused(input: &str, function: Option<&str>, variant: &str, reason: String) -> Variant {
    Variant {
        input: input.to_owned(),
        function: function.map(str::to_owned),
        scope: None,
        variant: variant.to_owned(),
        verdict: None,
        reason: Some(reason),
        usable: None,
        peak: None,
        requires: None,
        mode: None,
        level: None,
        stalls: None,
        reuse_cost: None,
        lower_bound: None,
        delta: None,
        proven: false,
    }
}

fn row(
    input: &str,
    variant: &str,
    problem: &Problem,
    answer: &FunctionAnswer,
    scope: &ScopeAnswer,
) -> Variant {
    let planned = scope.verdict.has_plan();
    let stalls = scope.reuse.iter().filter(|reuse| reuse.stall).count() as u64;
    Variant {
        input: input.to_owned(),
        function: Some(answer.name.clone()),
        scope: Some(problem.scopes[scope.scope].name.clone()),
        variant: variant.to_owned(),
        verdict: Some(scope.verdict.name()),
        reason: None,
        usable: problem.scopes[scope.scope].usable(),
        peak: scope.peak.filter(|_| planned),
        requires: scope.overflow.as_ref().filter(|_| !planned).map(|over| over.requires),
        mode: planned.then(|| words::mode(scope.mode)),
        level: scope.level.filter(|_| planned).map(|level| level.name()),
        stalls: planned.then_some(stalls),
        reuse_cost: planned.then_some(scope.reuse_cost),
        lower_bound: Some(scope.lower_bound),
        delta: None,
        proven: matches!(scope.verdict, Verdict::Optimal | Verdict::Infeasible),
    }
}
