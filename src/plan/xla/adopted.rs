//! The heaps of a module as a plan from outside has them.

use std::collections::BTreeMap;

use super::answer::{buffers, shared};
use super::module::{ModuleHeap, Planned};
use crate::model::{BufferId, FunctionPlan, Mode, ScopeAnswer};
use crate::plan::adopt::verdict;

/// One answer for each heap; the peak is the end of its highest value.
pub(in crate::plan) fn adopted(planned: &Planned, plan: &FunctionPlan) -> Vec<ScopeAnswer> {
    let placed =
        plan.placements.iter().filter_map(|p| Some((BufferId(p.id?), *p.offsets.first()?)));
    let offsets: BTreeMap<BufferId, u64> = placed.collect();
    planned.heaps.iter().map(|heap| one(planned, heap, &offsets)).collect()
}

fn one(planned: &Planned, heap: &ModuleHeap, offsets: &BTreeMap<BufferId, u64>) -> ScopeAnswer {
    let function = &planned.problem.functions[0];
    let ends = heap.buffers.values().flatten().map(|id| {
        let offset = offsets.get(id)?;
        Some(offset.saturating_add(function.buffers[*id].size.0))
    });
    let ends: Vec<Option<u64>> = ends.collect();
    let complete = ends.iter().all(Option::is_some);
    let peak = ends.into_iter().flatten().max();
    let usable = planned.problem.scopes[heap.scope].usable();
    let within = match (peak, usable) {
        (Some(peak), Some(usable)) => peak <= usable,
        _ => true,
    };
    let lower_bound = heap.load.bytes;
    ScopeAnswer {
        scope: heap.scope,
        buffers: buffers(heap),
        verdict: verdict(complete && within, peak, lower_bound),
        peak,
        max_load: heap.load.clone(),
        lower_bound,
        reuse_cost: 0,
        reuse_cost_bound: 0,
        mode: Mode::Reuse,
        level: None,
        strategy: "given".to_owned(),
        message: None,
        warnings: Vec::new(),
        nodes: 0,
        limited_by: None,
        reuse: shared(heap),
        attempts: Vec::new(),
        overflow: None,
        diagnosis: None,
    }
}
