//! Plans between the planner, the judge and files.

use std::collections::{HashMap, HashSet};

use crate::diag::{Code, Diagnostic};
use crate::emit::{self, Row};
use crate::model::{Answer, Function, FunctionAnswer, FunctionPlan, Placement, Plan, Problem};
use crate::report::context::slot_bytes;

/// The plan of an answer, as it is written: ordinals only where names repeat.
pub(super) fn of(problem: &Problem, answer: &Answer) -> Plan {
    let functions = answer.functions.iter().map(|f| {
        let mut plan = f.plan.clone();
        plan.name.clone_from(&f.name);
        plan.fingerprint = Some(f.fingerprint.clone());
        if let Some(function) = problem.functions.get(f.index) {
            tidy(function, &mut plan);
        }
        plan
    });
    Plan { functions: functions.collect() }
}

fn tidy(function: &Function, plan: &mut FunctionPlan) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for buffer in function.buffers.iter() {
        *seen.entry(&buffer.name).or_default() += 1;
    }
    for placement in &mut plan.placements {
        if seen.get(placement.name.as_str()).is_some_and(|n| *n == 1) {
            placement.id = None;
        }
    }
}

/// The pins of a problem as a plan: what its author has already decided.
pub(super) fn of_pins(problem: &Problem) -> Option<Plan> {
    let mut any = false;
    let functions = problem.functions.iter().map(|function| {
        let placements = function.buffers.enumerate().filter_map(|(id, buffer)| {
            any = any || buffer.pin.is_some();
            Some(Placement {
                name: buffer.name.clone(),
                id: Some(id.0),
                scope: Some(problem.scopes[buffer.scope].name.clone()),
                offsets: buffer.pin.clone()?,
                loc: buffer.loc,
            })
        });
        let placements = placements.collect();
        // The pins stand in the problem itself, so they are made for it.
        let fingerprint = Some(crate::model::fingerprint(problem, function));
        FunctionPlan { name: function.name.clone(), fingerprint, placements }
    });
    let plan = Plan { functions: functions.collect() };
    any.then_some(plan)
}

/// The offsets of CSV rows as a plan of a problem with one function; `name[1]` is the second slot
/// of `name` and `name#4` the buffer with ordinal 4, as `solve` writes them.
pub(super) fn of_rows(rows: &Problem, problem: &Problem) -> Option<Plan> {
    let function = problem.functions.first()?;
    let known: HashSet<&str> = function.buffers.iter().map(|b| b.name.as_str()).collect();
    let mut placements: Vec<Placement> = Vec::new();
    for buffer in rows.functions.iter().flat_map(|f| f.buffers.iter()) {
        let Some(pin) = &buffer.pin else { continue };
        let (name, id, slot) = spelled(&known, &buffer.name);
        match placements.last_mut() {
            Some(last)
                if slot > 0 && last.name == name && last.id == id && last.offsets.len() == slot =>
            {
                last.offsets.extend(pin);
            }
            _ => placements.push(Placement {
                name: name.to_owned(),
                id,
                scope: None,
                offsets: pin.clone(),
                loc: buffer.loc,
            }),
        }
    }
    let any = !placements.is_empty();
    let name = function.name.clone();
    any.then(|| Plan { functions: vec![FunctionPlan { name, fingerprint: None, placements }] })
}

/// The name, ordinal and slot that an id of a CSV spells; an id that is a name stays one.
fn spelled<'a>(known: &HashSet<&str>, id: &'a str) -> (&'a str, Option<u32>, usize) {
    if known.contains(id) {
        return (id, None, 0);
    }
    let slot = id.strip_suffix(']').and_then(|n| n.rsplit_once('['));
    let slot = slot.and_then(|(name, n)| Some((name, n.parse().ok()?)));
    let (name, slot) = slot.unwrap_or((id, 0));
    if known.contains(name) {
        return (name, None, slot);
    }
    match name.rsplit_once('#').map(|(name, n)| (name, n.parse())) {
        Some((name, Ok(n))) if known.contains(name) => (name, Some(n), slot),
        _ => (name, None, slot),
    }
}

/// The offsets of each buffer, by its ordinal.
pub(super) fn offsets<'a>(
    function: &Function,
    placements: &'a [Placement],
) -> HashMap<u32, &'a [u64]> {
    let mut names: HashMap<&str, u32> = HashMap::new();
    for (id, buffer) in function.buffers.enumerate() {
        names.entry(&buffer.name).or_insert(id.0);
    }
    let known = |p: &'a Placement| {
        let id = p.id.or_else(|| names.get(p.name.as_str()).copied())?;
        Some((id, p.offsets.as_slice()))
    };
    placements.iter().filter_map(known).collect()
}

/// The plan of an answer as CSV rows.
///
/// # Errors
/// When there are several functions or scopes: the rows hold one.
pub(super) fn csv(problem: &Problem, answer: &Answer) -> Result<String, Diagnostic> {
    let bad = |message: &str, help: &str| {
        Err(Diagnostic::error(Code::ConfigBadOption, message).help(help))
    };
    let [f] = answer.functions.as_slice() else {
        return bad("a CSV holds one function", "name it with `--function`, or write a plan file");
    };
    let Some(function) = problem.functions.get(f.index) else { return Ok(emit::csv(&[])) };
    if f.scopes.len() > 1 {
        let names: Vec<String> =
            f.scopes.iter().map(|s| format!("`{}`", problem.scopes[s.scope].name)).collect();
        let message = format!("a CSV holds one scope; `{}` uses {}", f.name, names.join(", "));
        return bad(&message, "write a plan file");
    }
    Ok(emit::csv(&rows(problem, function, f)))
}

fn rows<'a>(problem: &Problem, function: &'a Function, f: &'a FunctionAnswer) -> Vec<Row<'a>> {
    let offsets = offsets(function, &f.plan.placements);
    let placed = f.scopes.iter().flat_map(|s| &s.buffers);
    let row = |(id, live): &'a (crate::model::BufferId, Vec<crate::model::Live>)| {
        let buffer = &function.buffers[*id];
        Row {
            id: *id,
            name: &buffer.name,
            size: slot_bytes(&problem.scopes[buffer.scope], buffer),
            live,
            offsets: offsets.get(&id.0).copied().unwrap_or_default(),
        }
    };
    placed.map(row).collect()
}
