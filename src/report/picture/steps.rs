//! The time of a function, with names.

use super::names::Names;
use crate::format::picture::{Region, Steps};
use crate::model::{Function, FunctionAnswer, Order, Step};
use crate::report::words;

/// Steps with names at most; beyond them they have numbers alone.
const MOST: u64 = 200_000;

/// Regions that a page shows at most.
const MOST_REGIONS: usize = 5_000;

/// The steps that the live ranges of an answer are counted in.
///
/// They have names where they are those of the function's own order: live ranges that are given count
/// in a time of their own.
pub(super) fn steps(function: &Function, answer: &FunctionAnswer) -> Steps {
    let ranges = answer.scopes.iter().flat_map(|s| &s.buffers).flat_map(|(_, live)| live);
    let last = ranges.map(|l| l.end.0).max().unwrap_or(0);
    let order = Order::of(function);
    if function.ops.is_empty() || order.len < last || order.len > MOST {
        return Steps { len: last, ..Steps::default() };
    }
    let says = |step: Step| order.describe(function, step);
    let loads = answer.scopes.iter().map(|s| &s.max_load);
    if loads.filter(|l| l.step_name.is_some()).any(|l| l.step_name != says(l.at)) {
        return Steps { len: last, ..Steps::default() };
    }
    let mut names = Names::default();
    let at = (0..order.len).map(|at| names.at(&words::name(&says(Step(at)).unwrap_or_default())));
    let at = at.collect();
    Steps { len: order.len, words: names.words(), at, regions: regions(function, &order) }
}

/// Loops and sides of branches, from the outside in.
fn regions(function: &Function, order: &Order) -> Vec<Region> {
    let mut all: Vec<Region> = Vec::new();
    let mut add = |name: String, start: Step, end: u64| {
        all.push(Region { name, start: start.0, end, depth: 0 });
    };
    for (id, steps) in order.loops.enumerate() {
        let name = words::name(&function.loops[id].name);
        add(format!("loop {name}"), steps.begin, steps.end.0 + 1);
    }
    for (id, steps) in order.branches.enumerate() {
        let name = words::name(&function.branches[id].name);
        add(format!("if {name}"), steps.begin, steps.middle.0);
        add(format!("else {name}"), steps.middle, steps.end.0 + 1);
    }
    // Regions nest: those that end before one begins are not around it.
    all.sort_by(|a, b| (a.start, b.end, &a.name).cmp(&(b.start, a.end, &b.name)));
    let mut around: Vec<u64> = Vec::new();
    for region in &mut all {
        around.retain(|end| *end > region.start);
        region.depth = u32::try_from(around.len()).unwrap_or(u32::MAX);
        around.push(region.end);
    }
    all.truncate(MOST_REGIONS);
    all
}
