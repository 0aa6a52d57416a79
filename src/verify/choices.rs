//! What a fault depends on: the sides of branches and the loops without a trip that every path to it has
//! in common. Where a trail tells only how execution came to an op, this tells what happened before.

use std::collections::{BTreeMap, BTreeSet};

use super::cap::MAX_LISTED;
use super::faults::{Faults, Key};
use super::replay::{Stage, replay};
use crate::model::{Function, Trips};
use crate::runtime::program::{Choice, Limits};

/// Choices that are looked at, at most: each is a replay of its own.
const MAX_CHOICES: usize = 16;

/// Ops of a function that is looked at, at most.
const MAX_OPS: usize = 2_000;

/// For each fault the choices without which it does not happen.
pub(super) fn needed(
    stage: &Stage<'_, '_>,
    limits: Limits,
    faults: &Faults,
) -> BTreeMap<Key, Vec<Choice>> {
    let mut out: BTreeMap<Key, Vec<Choice>> = BTreeMap::new();
    let choices = choices(stage.case.function);
    let large = choices.len() > MAX_CHOICES || stage.case.function.ops.len() > MAX_OPS;
    if faults.list.is_empty() || large {
        return out;
    }
    for choice in choices {
        // A look is worth less than the replay.
        let limits = Limits { work: limits.work / 8, without: Some(choice), ..limits };
        let other = replay(stage, limits);
        let all = other.faults.counts.values().all(|&count| count <= MAX_LISTED);
        if !other.doubts.is_empty() || !all {
            continue;
        }
        let left: BTreeSet<Key> = other.faults.list.iter().map(|f| f.key).collect();
        for fault in faults.list.iter().filter(|f| !left.contains(&f.key)) {
            out.entry(fault.key).or_default().push(choice);
        }
    }
    out
}

/// The choices of a function.
fn choices(function: &Function) -> Vec<Choice> {
    let sides = |id| [Choice::Side(id, true), Choice::Side(id, false)];
    let idle = |(id, l): (_, &crate::model::Loop)| {
        (l.trips == Trips::AtLeast(0)).then_some(Choice::NoTrip(id))
    };
    let loops = function.loops.enumerate().filter_map(idle);
    function.branches.ids().flat_map(sides).chain(loops).collect()
}

/// `branch tail not taken`, as in trails.
pub(super) fn told(function: &Function, choice: Choice) -> String {
    match choice {
        Choice::Side(id, true) => format!("branch {} taken", function.branches[id].name),
        Choice::Side(id, false) => format!("branch {} not taken", function.branches[id].name),
        Choice::NoTrip(id) => format!("no trip of loop {}", function.loops[id].name),
    }
}
