//! What a plan for another problem shows of the difference: a hash says only that there is one.

use std::collections::BTreeMap;

use super::case::Case;
use super::say::Say;
use crate::diag::Code;
use crate::model::{Finding, FunctionPlan, fingerprint};

/// Names in one list, at most.
const NAMED: usize = 3;

/// Compares the fingerprint of a plan with that of the function.
pub(super) fn check(case: &Case<'_>, plan: &FunctionPlan, findings: &mut Vec<Finding>) {
    let Some(theirs) = &plan.fingerprint else {
        let message = "the plan has no fingerprint: it may have been made for another problem";
        Say::warning(case, Code::VerifyNoFingerprint, message.to_owned()).to(findings);
        return;
    };
    let ours = fingerprint(case.problem, case.function);
    if *theirs != ours {
        let message = format!(
            "the plan was made for another problem: {}; its fingerprint is {theirs}, this problem's {ours}",
            difference(case, plan)
        );
        Say::error(case, Code::VerifyPlanMismatch, message).to(findings);
    }
}

/// What can be seen from names and numbers of offsets.
fn difference(case: &Case<'_>, plan: &FunctionPlan) -> String {
    let buffers = &case.function.buffers;
    let mut count: BTreeMap<&str, i64> = BTreeMap::new();
    plan.placements.iter().for_each(|p| *count.entry(&p.name).or_default() += 1);
    buffers.iter().for_each(|b| *count.entry(&b.name).or_default() -= 1);
    // In the order of the plan and of the problem, which people know.
    let more = |name: &str| count.get(name).is_some_and(|n| *n > 0);
    let less = |name: &str| count.get(name).is_some_and(|n| *n < 0);
    let theirs = plan.placements.iter().map(|p| p.name.as_str()).filter(|n| more(n));
    let ours = buffers.iter().map(|b| b.name.as_str()).filter(|n| less(n));
    let mut seen = Vec::new();
    for (names, what) in [(list(theirs), "is not in this one"), (list(ours), "has no place in it")]
    {
        if let Some(names) = names {
            seen.push(format!("{names} {what}"));
        }
    }
    if seen.is_empty() {
        let slots = plan.placements.iter().zip(buffers.iter()).filter(|(p, b)| {
            p.name == b.name && b.slots > 1 && p.offsets.len() != b.slots as usize
        });
        let slots = list(slots.map(|(p, _)| p.name.as_str()));
        seen.extend(slots.map(|names| format!("{names} has another number of slots")));
    }
    match seen.is_empty() {
        true => "the buffers are the same by name, so sizes, slots, times, relations or the memory differ"
            .to_owned(),
        false => seen.join(", and "),
    }
}

/// `` `a` ``, `` each of `a`, `b` ``, `` each of `a`, `b`, `c` and 7 more ``; nothing for no names.
fn list<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<String> = names.map(|n| format!("`{n}`")).collect();
    let shown = names[..names.len().min(NAMED)].join(", ");
    match names.len() {
        0 => None,
        1 => Some(shown),
        n if n > NAMED => Some(format!("each of {shown} and {} more", n - NAMED)),
        _ => Some(format!("each of {shown}")),
    }
}
