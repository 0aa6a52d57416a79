//! What a change did to the numbers of a kernel.

use std::borrow::Cow;

use super::load;
use crate::model::{Amount, Effect, Kernel, KernelScope, Measure, Verdict};

/// All measures that both sides tell and that are not the same: those of the whole kernel first, then by
/// scope in the order of now.
pub(super) fn effects(old: &Kernel, new: &Kernel) -> Vec<Effect> {
    let mut effects = Vec::new();
    let (then, now) = (scopes(old, new), scopes(new, old));
    for scope in &now {
        let Some(before) = then.iter().find(|s| s.name == scope.name) else { continue };
        for measure in Measure::ALL {
            let (Some(a), Some(b)) = (amount(before, measure), amount(scope, measure)) else {
                continue;
            };
            if a != b {
                effects.push(Effect { scope: Some(scope.name.clone()), measure, old: a, new: b });
            }
        }
    }
    let mut whole = |measure, old: Option<Amount>, new: Option<Amount>| {
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            effects.insert(0, Effect { scope: None, measure, old, new });
        }
    };
    let number = |n: Option<u64>| n.map(Amount::Number);
    whole(Measure::Makespan, number(old.makespan), number(new.makespan));
    // The worst verdict is that of a scope but for errors that belong to none.
    let verdict = |k: &Kernel| k.verdict.map(Amount::Verdict);
    let told = |k: &Kernel| k.scopes.iter().filter_map(|s| s.verdict).max();
    if told(old) != old.verdict || told(new) != new.verdict {
        whole(Measure::Verdict, verdict(old), verdict(new));
    }
    effects
}

/// The scopes of a kernel, and those that the other side alone has: nothing is in them here, where this
/// side tells all.
fn scopes<'a>(kernel: &'a Kernel, other: &Kernel) -> Vec<Cow<'a, KernelScope>> {
    let mut scopes: Vec<Cow<'a, KernelScope>> = kernel.scopes.iter().map(Cow::Borrowed).collect();
    let mut buffers = kernel.scopes.iter().flat_map(|s| &s.buffers);
    if kernel.fingerprint.is_some() && buffers.all(|b| b.size.is_some()) {
        let lone = other.scopes.iter().filter(|o| kernel.scopes.iter().all(|s| s.name != o.name));
        scopes.extend(lone.map(|o| Cow::Owned(empty(&o.name))));
    }
    scopes
}

/// A scope with nothing in it.
fn empty(name: &str) -> KernelScope {
    KernelScope {
        name: name.to_owned(),
        peak: Some(0),
        max_load: Some(0),
        lower_bound: Some(0),
        stalls: Some(0),
        reuse_cost: Some(0),
        owed: Some(0),
        ..KernelScope::default()
    }
}

/// The value of a measure of a scope; none where it is not told.
pub(super) fn amount(scope: &KernelScope, measure: Measure) -> Option<Amount> {
    let number = match measure {
        Measure::Verdict => return scope.verdict.map(Amount::Verdict),
        Measure::Level => return level(scope),
        Measure::Peak => {
            let no_plan = scope.verdict.is_some_and(|v: Verdict| !v.has_plan());
            return match scope.peak {
                Some(peak) => Some(Amount::Number(peak)),
                None => no_plan.then_some(Amount::None),
            };
        }
        Measure::Excess => scope.excess(),
        Measure::Stalls => scope.stalls,
        Measure::ReuseCost => scope.reuse_cost,
        Measure::Owed => scope.owed,
        Measure::MaxLoad => scope.max_load,
        Measure::LowerBound => scope.lower_bound,
        Measure::Makespan => None,
    };
    number.map(Amount::Number)
}

/// The level of a scope. Where none is told, none may be needed or levels do not apply: the bytes say
/// which.
fn level(scope: &KernelScope) -> Option<Amount> {
    scope.peak?;
    match scope.level {
        Some(level) => Some(Amount::Level(level)),
        None => (!scope.shares()?).then_some(Amount::NothingShared),
    }
}

/// Bytes of a buffer of a kernel, for sorting by effect.
pub(super) fn weight(kernel: &Kernel, (scope, buffer): (usize, usize)) -> u64 {
    load::bytes(&kernel.scopes[scope].buffers[buffer]).unwrap_or(0)
}
