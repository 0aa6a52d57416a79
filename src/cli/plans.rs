//! Plans between the planner, the judge and files.

use std::collections::{HashMap, HashSet};

use crate::diag::{Code, Diagnostic};
use crate::emit::{self, Row};
use crate::format::memory_info::MemoryInfo;
use crate::model::{Answer, BufferId, Function, FunctionPlan, Placement, Plan, Problem};
use crate::report::context::{offsets, slot_bytes};

/// The names of functions as plan files have them: `f`, `f#1`, `f#2` where modules of one text repeat
/// a name.
pub(super) fn function_names(problem: &Problem) -> Vec<String> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut names = Vec::with_capacity(problem.functions.len());
    for function in &problem.functions {
        let name = function.name.as_str();
        let n = seen.entry(name).or_default();
        names.push(if *n == 0 { name.to_owned() } else { format!("{name}#{n}") });
        *n += 1;
    }
    names
}

/// A plan under the names of the problem again. Where names repeat, the judge goes by order.
pub(super) fn renamed(mut plan: Plan, problem: &Problem) -> Plan {
    let names = function_names(problem);
    for function in &mut plan.functions {
        if let Some(at) = names.iter().position(|n| *n == function.name) {
            function.name.clone_from(&problem.functions[at].name);
        }
    }
    plan
}

/// The plan of an answer for a plan file.
pub(super) fn for_file(problem: &Problem, answer: &Answer) -> Plan {
    let names = function_names(problem);
    let mut plan = of(problem, answer);
    for (function, f) in plan.functions.iter_mut().zip(&answer.functions) {
        if let Some(name) = names.get(f.index) {
            function.name.clone_from(name);
        }
    }
    plan
}

/// The plan of an answer, as it is judged: ordinals only where names repeat.
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
    let name = |id: &BufferId| function.buffers[*id].name.as_str();
    let by_name = function.by_name();
    let several = by_name.chunk_by(|a, b| name(a) == name(b)).filter(|ids| ids.len() > 1);
    let repeated: HashSet<&str> = several.map(|ids| name(&ids[0])).collect();
    for placement in &mut plan.placements {
        let wanted = placement.name.as_str();
        let own = placement.id.and_then(|id| function.buffers.get(BufferId(id)));
        // The name of the buffer itself, which is the usual case, needs no search.
        let known = own.is_some_and(|buffer| buffer.name == wanted)
            || by_name.binary_search_by(|id| name(id).cmp(wanted)).is_ok();
        if known && !repeated.contains(wanted) {
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

/// The offsets of CSV rows as a plan; `name[1]` is the second slot of `name` and `name#4` the
/// buffer with ordinal 4, as `solve` writes them. The function of rows that do not say one is the
/// problem's, where it has one.
pub(super) fn of_rows(rows: &Problem, problem: &Problem) -> Option<Plan> {
    let one_each = rows.functions.len() == 1 && problem.functions.len() == 1;
    let functions = rows.functions.iter().filter_map(|from| {
        let to = if one_each {
            problem.functions.first()
        } else {
            problem.functions.iter().find(|f| f.name == from.name)
        };
        let placements = placements(from, to.unwrap_or(from));
        let name = to.unwrap_or(from).name.clone();
        let any = !placements.is_empty();
        any.then_some(FunctionPlan { name, fingerprint: None, placements })
    });
    let functions: Vec<FunctionPlan> = functions.collect();
    (!functions.is_empty()).then_some(Plan { functions })
}

fn placements(rows: &Function, function: &Function) -> Vec<Placement> {
    let known: HashSet<&str> = function.buffers.iter().map(|b| b.name.as_str()).collect();
    let mut placements: Vec<Placement> = Vec::new();
    for buffer in rows.buffers.iter() {
        let Some(pin) = &buffer.pin else { continue };
        let (name, id, slot) = spelled(&known, &buffer.name);
        let next =
            |p: &Placement| slot > 0 && p.name == name && p.id == id && p.offsets.len() == slot;
        match placements.last_mut() {
            Some(last) if next(last) => last.offsets.extend(pin),
            _ => placements.push(Placement {
                name: name.to_owned(),
                id,
                scope: None,
                offsets: pin.clone(),
                loc: buffer.loc,
            }),
        }
    }
    placements
}

/// The plan of the compiler's display JSON. Where names repeat, the n-th entry of a name is the n-th
/// buffer of that name.
pub(super) fn of_memory_info(functions: Vec<MemoryInfo>, problem: &Problem) -> Plan {
    let alone = functions.len() == 1 && problem.functions.len() == 1;
    let functions = functions.into_iter().map(|info| {
        let named = problem.functions.iter().find(|f| f.name == info.header.kernel_name);
        let function = named.or(problem.functions.first().filter(|_| alone));
        let mut seen: HashMap<String, usize> = HashMap::new();
        let entries = info.record.iter().flat_map(|r| &r.memory_info_array);
        let placements = entries.map(|entry| {
            let name = entry.name().to_owned();
            let n = seen.entry(name.clone()).or_default();
            let mut same = function.into_iter().flat_map(|f| f.buffers.enumerate());
            let id = same.by_ref().filter(|(_, b)| b.name == name).nth(*n).map(|(id, _)| id.0);
            *n += 1;
            Placement { name, id, scope: None, offsets: entry.offset.clone(), loc: None }
        });
        let placements = placements.collect();
        let name = function.map_or(info.header.kernel_name.clone(), |f| f.name.clone());
        FunctionPlan { name, fingerprint: None, placements }
    });
    Plan { functions: functions.collect() }
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

/// The plan of an answer as CSV rows.
///
/// # Errors
/// When there are several scopes: the rows hold one.
pub(super) fn csv(problem: &Problem, answer: &Answer) -> Result<String, Diagnostic> {
    let mut used: Vec<&str> = Vec::new();
    let mut rows: Vec<Row<'_>> = Vec::new();
    for f in &answer.functions {
        let Some(function) = problem.functions.get(f.index) else { continue };
        let offsets = offsets(function, &f.plan.placements);
        for scope in &f.scopes {
            let name = problem.scopes[scope.scope].name.as_str();
            if !used.contains(&name) {
                used.push(name);
            }
            rows.extend(scope.buffers.iter().map(|(id, live)| {
                let buffer = &function.buffers[*id];
                Row {
                    function: &f.name,
                    id: *id,
                    name: &buffer.name,
                    size: slot_bytes(&problem.scopes[buffer.scope], buffer),
                    live,
                    offsets: offsets.get(&id.0).copied().unwrap_or_default(),
                }
            }));
        }
    }
    if used.len() > 1 {
        let names: Vec<String> = used.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("a CSV holds one scope; these are {}", names.join(", "));
        return Err(Diagnostic::error(Code::ConfigBadOption, message).help("write a plan file"));
    }
    Ok(emit::csv(&rows))
}
