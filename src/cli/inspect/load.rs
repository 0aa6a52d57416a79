//! The bytes alive over time.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::Facts;
use crate::format::json_inspect::Scope;
use crate::format::json_solve::At;
use crate::model::{Buffer, BufferId, Function, Live, ScopeId, Step};
use crate::report::context::{Input, slot_bytes};

/// The load of every scope that a function uses, in the order of the problem.
///
/// In-place pairs are counted once at the step at which one becomes the other; pairs that are
/// `exclusive` although their live ranges meet are counted twice here (the planner's `max_load`
/// counts them once).
pub(super) fn scopes(input: Input<'_>, function: &Function, facts: &Facts) -> Vec<Scope> {
    let used: BTreeSet<ScopeId> = function.buffers.iter().map(|b| b.scope).collect();
    used.into_iter().map(|id| scope(input, function, facts, id)).collect()
}

fn scope(input: Input<'_>, function: &Function, facts: &Facts, id: ScopeId) -> Scope {
    let scope = &input.problem.scopes[id];
    let bytes = |b: &Buffer| u128::from(slot_bytes(scope, b)) * u128::from(b.slots);
    let live = |id: BufferId| facts.live.get(id).map_or(&[][..], Vec::as_slice);
    // What begins and what ends at each step.
    let mut changes: BTreeMap<u64, (u128, u128)> = BTreeMap::new();
    let mut add = |range: Live, bytes: u128| {
        changes.entry(range.start.0).or_default().0 += bytes;
        changes.entry(range.end.0).or_default().1 += bytes;
    };
    let here = || function.buffers.enumerate().filter(|(_, b)| b.scope == id);
    for (buffer, b) in here() {
        live(buffer).iter().for_each(|range| add(*range, bytes(b)));
    }
    let mut shared: BTreeMap<u64, (u128, u128)> = BTreeMap::new();
    let (mut gave, mut took) = (BTreeSet::new(), BTreeSet::new());
    for pair in &facts.inplace {
        let (Some(from), Some(into)) =
            (function.buffers.get(pair.from), function.buffers.get(pair.into))
        else {
            continue;
        };
        let step = meeting(live(pair.from), live(pair.into));
        let fits = from.scope == id && into.scope == id && bytes(into) <= bytes(from);
        if let Some(step) = step.filter(|_| fits)
            && !gave.contains(&pair.from)
            && !took.contains(&pair.into)
        {
            gave.insert(pair.from);
            took.insert(pair.into);
            shared.entry(step).or_default().0 += bytes(into);
            shared.entry(step + 1).or_default().1 += bytes(into);
        }
    }
    for (step, (less, more)) in shared {
        let entry = changes.entry(step).or_default();
        entry.0 += more;
        entry.1 += less;
    }
    let mut sum: u128 = 0;
    let mut load: Vec<[u64; 2]> = Vec::new();
    for (step, (more, less)) in changes {
        sum = (sum + more).saturating_sub(less);
        let bytes = u64::try_from(sum).unwrap_or(u64::MAX);
        if load.last().map_or(0, |[_, last]| *last) != bytes {
            load.push([step, bytes]);
        }
    }
    let peak = load.iter().map(|[_, bytes]| *bytes).max().unwrap_or(0);
    let first = load.iter().find(|[_, bytes]| *bytes == peak).map_or(0, |[step, _]| *step);
    let op = facts.order.op_at(Step(first)).and_then(|op| function.ops.get(op));
    let at = At {
        step: first,
        name: facts.order.describe(function, Step(first)),
        loc: input.place(op.and_then(|op| op.loc)),
    };
    let (name, capacity, usable) = (scope.name.clone(), scope.bytes(), scope.usable());
    Scope { name, capacity, usable, peak_load: peak, at, load }
}

/// The one step that both share, if it is one.
fn meeting(from: &[Live], into: &[Live]) -> Option<u64> {
    let (last, first) = (from.last()?, into.first()?);
    (last.end.0 == first.start.0 + 1).then_some(first.start.0)
}
