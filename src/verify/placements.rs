//! Plan and problem are matched: every buffer gets its offsets, or a finding says why not.

use std::collections::BTreeMap;

use super::case::{Case, Place};
use super::say::Say;
use super::{holes, mismatch};
use crate::diag::{Code, Severity};
use crate::model::{BufferId, Finding, Function, FunctionPlan, Placement, Plan, Problem};

/// Each function of the problem with its plan, in the problem's order.
///
/// Functions are matched by name; where names repeat, the first plan of a name belongs to the
/// first function of that name. A plan without a name belongs to the only function there is.
/// Functions without a plan get their finding here and are not judged further.
pub(super) fn match_functions<'a>(
    problem: &'a Problem,
    plan: &'a Plan,
) -> (Vec<(&'a Function, &'a FunctionPlan)>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut plans: BTreeMap<&str, Vec<&FunctionPlan>> = BTreeMap::new();
    for one in plan.functions.iter().rev() {
        let only = problem.functions.first().filter(|_| problem.functions.len() == 1);
        let name = if one.name.is_empty() { only.map_or("", |f| &f.name) } else { &one.name };
        plans.entry(name).or_default().push(one);
    }
    let mut matched = Vec::new();
    for function in &problem.functions {
        if let Some(plan) = plans.get_mut(function.name.as_str()).and_then(Vec::pop) {
            matched.push((function, plan));
        } else if !function.buffers.is_empty() {
            let n = function.buffers.len();
            let message = format!(
                "the plan has no function `{}`: its {n} buffer{} no place",
                function.name,
                if n == 1 { " has" } else { "s have" },
            );
            let say = Say::about(&function.name, Code::VerifyUnplaced, Severity::Error, message);
            say.loc(function.loc).to(&mut findings);
        }
    }
    for (name, left) in plans {
        for _ in left {
            let message = format!("the plan has a function `{name}` that the problem does not");
            let code = Code::VerifyPlanMismatch;
            Say::about(name, code, Severity::Warning, message).to(&mut findings);
        }
    }
    (matched, findings)
}

/// Gives every buffer of a function its place.
pub(super) fn place<'a>(
    problem: &'a Problem,
    function: &'a Function,
    plan: &'a FunctionPlan,
    findings: &mut Vec<Finding>,
) -> Case<'a> {
    let mut case = Case::new(problem, function);
    mismatch::check(&case, plan, findings);
    let mut named = vec![false; function.buffers.len()];
    for (likely, placement) in (0..).map(BufferId).zip(&plan.placements) {
        // Most plans list the buffers in their order.
        let only = [likely];
        let in_order = case.alone_named(likely, &placement.name);
        let named_so = if in_order { &only } else { case.named(&placement.name) };
        let id = match find(named_so, placement) {
            Ok(id) => id,
            Err(message) => {
                let say = Say::error(&case, Code::VerifyUnknownBuffer, message);
                say.names(&[&placement.name]).loc(placement.loc).to(findings);
                continue;
            }
        };
        if std::mem::replace(&mut named[id.0 as usize], true) {
            let message = format!("{} is placed twice; the first place counts", case.label(id));
            let say = Say::error(&case, Code::VerifyDuplicatePlacement, message);
            say.buffers(&case, &[id]).loc(placement.loc).to(findings);
            continue;
        }
        accept(&mut case, id, placement, findings);
    }
    // A buffer without bytes needs no place.
    let left = |id: &BufferId| !named[id.0 as usize] && case.sizes[*id] > 0;
    let unplaced: Vec<BufferId> = function.buffers.ids().filter(left).collect();
    holes::unplaced(&case, &unplaced, findings);
    case
}

/// The buffer that a placement means, among those of its name.
fn find(named_so: &[BufferId], placement: &Placement) -> Result<BufferId, String> {
    let name = &placement.name;
    match (named_so, placement.id) {
        ([], _) => Err(format!("there is no buffer `{name}`")),
        (&[one], None) => Ok(one),
        (several, None) => Err(format!(
            "there are {} buffers `{name}`: the plan has to give the id of the one it means",
            several.len()
        )),
        (several, Some(id)) => several
            .iter()
            .copied()
            .find(|b| b.0 == id)
            .ok_or_else(|| format!("there is no buffer `{name}` with id {id}")),
    }
}

/// Takes the offsets of a placement if their number and scope make sense.
fn accept<'a>(
    case: &mut Case<'a>,
    id: BufferId,
    placement: &'a Placement,
    findings: &mut Vec<Finding>,
) {
    let mut usable = true;
    let scope = &case.scope(id).name;
    if let Some(theirs) = placement.scope.as_ref().filter(|theirs| *theirs != scope) {
        let message = format!("{} belongs in {scope}, not in {theirs}", case.label(id));
        let say = Say::error(case, Code::VerifyWrongScope, message);
        say.buffers(case, &[id]).loc(placement.loc).to(findings);
        usable = false;
    }
    let buffer = case.buffer(id);
    let (slots, offsets) = (buffer.slots.max(1) as usize, placement.offsets.as_slice());
    let around = buffer.rotates_in.or(buffer.lives_in).or(case.homes[id].around);
    // What comes in or goes out is used outside of every loop, and would lie in one of the slots.
    let outside = buffer.class.filled_at_entry() || buffer.class.wanted_at_exit();
    let more = buffer.spare_slots && offsets.len() > slots && !outside;
    let offsets = if more && around.is_none() { &offsets[..1] } else { offsets };
    let promoted = slots == 1 && offsets.len() > 1 && around.is_some() && !outside;
    let promoted = promoted || more;
    if offsets.len() != slots && !promoted {
        let message = if slots == 1 && offsets.len() > 1 {
            format!(
                "{} has 1 slot, the plan gives {}: only a buffer all of whose uses lie in one loop may take a \
                 slot for each trip in turn",
                case.label(id),
                offsets.len()
            )
        } else {
            let s = if slots == 1 { "" } else { "s" };
            format!("{} has {slots} slot{s}, the plan gives {}", case.label(id), offsets.len())
        };
        let say = Say::error(case, Code::VerifyWrongSlots, message);
        say.buffers(case, &[id]).loc(placement.loc).to(findings);
        usable = false;
    }
    if usable {
        case.places[id] = Some(Place { offsets, loc: placement.loc });
        case.rotates[id] = around.filter(|_| offsets.len() > 1);
    }
}
