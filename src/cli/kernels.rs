//! What kernels take, from the answers about them.

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
    let one = |f: &FunctionAnswer| {
        let function = input.problem.functions.get(f.index)?;
        let owed = owed.iter().find(|o| o.timeline.function == f.name);
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
    answer.functions.iter().filter_map(one).collect()
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
        stalls: listed.then(|| scope.reuse.iter().filter(|r| r.stall).count() as u64),
        reuse_cost: listed.then_some(scope.reuse_cost),
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
