//! What a plan pays for pairs that may share bytes at a price.

use std::collections::BTreeMap;

use super::case::Case;
use super::say::Say;
use crate::diag::Code;
use crate::model::{BufferId, Finding, Relation, RelationKind, ScopeId};

/// What the plan pays in one scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Paid {
    /// The sum of the prices of pairs that share bytes; `u64::MAX` when it is larger.
    pub sum: u64,
    /// Prices paid.
    pub pairs: usize,
    /// Prices that could be paid.
    pub of: usize,
    /// The first buffer of the first price paid, for a place.
    pub first: Option<BufferId>,
}

/// The prices paid, scope by scope; only scopes in which sharing has a price.
pub(super) fn paid(case: &Case<'_>) -> BTreeMap<ScopeId, Paid> {
    let mut scopes: BTreeMap<ScopeId, Paid> = BTreeMap::new();
    for relation in &case.function.relations {
        let RelationKind::Cost { cost } = relation.kind else { continue };
        let scope = case.buffer(relation.first).scope;
        if case.buffer(relation.second).scope != scope {
            continue;
        }
        let paid = scopes.entry(scope).or_default();
        paid.of += 1;
        if shares(case, relation) {
            paid.sum = paid.sum.saturating_add(cost);
            paid.pairs += 1;
            paid.first = paid.first.or(Some(relation.first));
        }
    }
    scopes
}

fn shares(case: &Case<'_>, relation: &Relation) -> bool {
    let mut slots = case.slots(relation.first);
    slots.any(|x| case.slots(relation.second).any(|y| x.overlap(y).is_some()))
}

/// A note for each scope in which the plan pays.
pub(super) fn check(case: &Case<'_>, findings: &mut Vec<Finding>) {
    for (scope, paid) in paid(case) {
        let Some(first) = paid.first else { continue };
        let message = format!(
            "the plan pays a reuse cost of {} in {}: {} of {} priced pairs share bytes",
            paid.sum, case.problem.scopes[scope].name, paid.pairs, paid.of
        );
        let say = Say::note(case, Code::VerifyReuseCost, message);
        say.buffers(case, &[first]).names(&[]).to(findings);
    }
}
