//! What kernels take, from the answers about them.

use std::collections::{BTreeMap, VecDeque};

use crate::model::{
    Answer, BufferId, Function, FunctionAnswer, Kernel, KernelBuffer, KernelScope, Mode, Order,
    ScopeAnswer, Step,
};
use crate::plan;
use crate::report::context::{Input, offsets};
use crate::verify::owed::Owed;

/// The kernels of an input, one for each function with buffers. The verdicts of plans from outside are not
/// ours to give.
pub(super) fn of(input: Input<'_>, answer: &Answer, owed: &[Owed], ours: bool) -> Vec<Kernel> {
    let one = |(f, owed): (&FunctionAnswer, Option<&Owed>)| {
        let function = input.problem.functions.get(f.index)?;
        let scopes = f.scopes.iter().map(|s| scope(input, function, f, s, owed, ours));
        Some(Kernel {
            input: input.name.to_owned(),
            name: f.name.clone(),
            place: function.loc.and_then(|loc| input.sources.span(loc)),
            fingerprint: Some(f.fingerprint.clone()),
            verdict: ours.then_some(f.verdict),
            steps: steps(function),
            makespan: owed.map(|o| o.timeline.makespan),
            scopes: scopes.collect(),
        })
    };
    answer.functions.iter().zip(owed_of(answer, owed)).filter_map(one).collect()
}

/// What each function owes. Where names repeat the order counts; where only some of one name have been
/// replayed, who is who is not known.
fn owed_of<'a>(answer: &Answer, owed: &'a [Owed]) -> Vec<Option<&'a Owed>> {
    let mut asking: BTreeMap<&str, usize> = BTreeMap::new();
    for f in &answer.functions {
        *asking.entry(&f.name).or_default() += 1;
    }
    let mut there: BTreeMap<&str, VecDeque<&Owed>> = BTreeMap::new();
    for one in owed {
        there.entry(&one.timeline.function).or_default().push_back(one);
    }
    there.retain(|name, all| asking.get(name) == Some(&all.len()));
    let next = |f: &FunctionAnswer| there.get_mut(f.name.as_str())?.pop_front();
    answer.functions.iter().map(next).collect()
}

fn scope(
    input: Input<'_>,
    function: &Function,
    answer: &FunctionAnswer,
    scope: &ScopeAnswer,
    owed: Option<&Owed>,
    ours: bool,
) -> KernelScope {
    let of = &input.problem.scopes[scope.scope];
    // The list is left out of large plans; where everything has bytes of its own there is none.
    let listed = scope.mode == Mode::Sequential || scope.buffers.len() <= plan::MAX_LISTED;
    // Without a plan there is nothing to count.
    let planned = listed && scope.peak.is_some();
    let edges = |o: &Owed| o.edges.iter().filter(|e| e.scope == of.name).count() as u64;
    let offsets = offsets(function, &answer.plan.placements);
    let buffer = |(id, live): &(BufferId, Vec<crate::model::Live>)| {
        let buffer = &function.buffers[*id];
        KernelBuffer {
            name: buffer.name.clone(),
            size: Some(buffer.size.0),
            slots: Some(buffer.slots),
            live: Some(live.iter().map(|l| [l.start.0, l.end.0]).collect()),
            offsets: offsets.get(&id.0).map(|o| o.to_vec()).unwrap_or_default(),
            place: buffer.loc.and_then(|loc| input.sources.span(loc)),
        }
    };
    KernelScope {
        name: of.name.clone(),
        usable: of.usable(),
        peak: scope.peak,
        max_load: Some(scope.max_load.bytes),
        lower_bound: Some(scope.lower_bound),
        verdict: ours.then_some(scope.verdict),
        // The level of the plan may be lower than any of its pairs needs.
        level: match listed {
            true => scope.reuse.iter().filter_map(|r| r.level).max(),
            false => scope.level,
        },
        stalls: planned.then(|| scope.reuse.iter().filter(|r| r.stall).count() as u64),
        reuse_cost: planned.then_some(scope.reuse_cost),
        owed: owed.map(edges),
        buffers: scope.buffers.iter().map(buffer).collect(),
    }
}

/// What runs, in order.
fn steps(function: &Function) -> Option<Vec<String>> {
    if !function.has_program() {
        return None;
    }
    let order = Order::of(function);
    let name = |step| order.describe(function, Step(step)).unwrap_or_default();
    Some((0..order.len).map(name).collect())
}
