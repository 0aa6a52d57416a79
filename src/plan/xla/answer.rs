//! The answer for an HLO module: one scope for each heap, packed by XLA or by the portfolio.

use super::heap::Heap;
use super::module::{ModuleHeap, Planned};
use super::pack::{Packed, pack, pack_by};
use crate::analyze::hlo::{Event, EventKind};
use crate::model::{
    Advice, Attempt, AttemptEnd, BufferId, Change, FunctionAnswer, FunctionPlan, Live, Mode,
    Overflow, Placement, Reuse, ScopeAnswer, Verdict, fingerprint,
};
use crate::plan::{Options, Strategy};

/// Plans a module.
pub(in crate::plan) fn answer(planned: &Planned, options: &Options) -> FunctionAnswer {
    let problem = &planned.problem;
    let function = &problem.functions[0];
    let mut placements = Vec::new();
    let mut place = |buffer: BufferId, offset: u64| {
        let of = &function.buffers[buffer];
        placements.push(Placement {
            name: of.name.clone(),
            id: Some(buffer.0),
            scope: Some(problem.scopes[of.scope].name.clone()),
            offsets: vec![offset],
            loc: None,
        });
    };
    for &(buffer, offset) in &planned.fixed {
        place(buffer, offset);
    }
    let mut scopes = Vec::new();
    for heap in &planned.heaps {
        let climb = || packed(problem.scopes[heap.scope].alignment, heap, options);
        let packed = match &options.stopwatch {
            Some(watch) => watch.measure(0, heap.scope, climb),
            None => climb(),
        };
        let Some(packed) = packed else {
            scopes.push(nothing(heap, options));
            continue;
        };
        let answer = scope(planned, heap, &packed, options);
        if answer.verdict.has_plan() {
            for (value, buffers) in &heap.buffers {
                if let Some(chunk) = packed.heap.chunks.get(value) {
                    buffers.iter().for_each(|&buffer| place(buffer, chunk.offset));
                }
            }
        }
        scopes.push(answer);
    }
    placements.sort_by_key(|p| p.id);
    let fingerprint = fingerprint(problem, function);
    FunctionAnswer {
        name: function.name.clone(),
        index: 0,
        verdict: scopes.iter().map(|s| s.verdict).max().unwrap_or(Verdict::Optimal),
        warnings: Vec::new(),
        message: None,
        errors: Vec::new(),
        scopes,
        plan: FunctionPlan {
            name: function.name.clone(),
            fingerprint: Some(fingerprint.clone()),
            placements,
        },
        fingerprint,
        allocations: planned.allocations.clone(),
    }
}

/// Packs a heap; `None` when the one heuristic that was asked for finds nothing.
fn packed(alignment: u64, heap: &ModuleHeap, options: &Options) -> Option<Packed> {
    Some(match options.strategy {
        Strategy::Xla => xla(&heap.xla, heap.load.bytes),
        Strategy::Heuristic(_) | Strategy::Milp => {
            return pack_by(&heap.events, alignment, options);
        }
        // The compiler's pass plans no HLO: whoever asks is refused before.
        Strategy::Auto | Strategy::Optimal | Strategy::Hivm { .. } => {
            pack(&heap.events, alignment, options)
        }
    })
}

/// The answer of a heuristic that finds nothing.
fn nothing(heap: &ModuleHeap, options: &Options) -> ScopeAnswer {
    let name = options.strategy.name();
    ScopeAnswer {
        scope: heap.scope,
        buffers: buffers(heap),
        verdict: Verdict::NotFound,
        peak: None,
        max_load: heap.load.clone(),
        lower_bound: heap.load.bytes,
        reuse_cost: 0,
        reuse_cost_bound: 0,
        mode: Mode::Reuse,
        level: None,
        strategy: name.to_owned(),
        message: Some(format!("`{name}` does not place values that are alive by turns")),
        warnings: Vec::new(),
        nodes: 0,
        limited_by: None,
        reuse: Vec::new(),
        attempts: Vec::new(),
        overflow: None,
    }
}

pub(super) fn buffers(heap: &ModuleHeap) -> Vec<(BufferId, Vec<Live>)> {
    heap.live.iter().map(|(id, live)| (*id, vec![*live])).collect()
}

/// Values that lie on the bytes of another: in place, or because they must.
pub(super) fn shared(heap: &ModuleHeap) -> Vec<Reuse> {
    let pair = |event: &Event| {
        let EventKind::Share(with) = event.kind else { return None };
        let buffer = |value| heap.buffers.get(value)?.first().copied();
        let (first, second) = (buffer(&with)?, buffer(&event.value)?);
        Some(Reuse {
            first,
            second,
            level: None,
            stall: false,
            pipes: Vec::new(),
            cost: 0,
            why: None,
            inplace: true,
        })
    };
    heap.events.iter().filter_map(pair).collect()
}

/// XLA's own packing, judged by what is alive at once.
fn xla(heap: &Heap, load: u64) -> Packed {
    let attempt = Attempt {
        level: None,
        solver: "xla".to_owned(),
        end: AttemptEnd::Found,
        peak: Some(heap.size),
        bound: load,
        nodes: 0,
        note: None,
    };
    Packed {
        heap: heap.clone(),
        max_load: load,
        lower_bound: load,
        optimal: heap.size == load,
        fewest_granules: heap.size == load,
        nodes: 0,
        limited: None,
        attempts: vec![attempt],
    }
}

fn scope(planned: &Planned, heap: &ModuleHeap, packed: &Packed, options: &Options) -> ScopeAnswer {
    let usable = planned.problem.scopes[heap.scope].usable();
    let peak = packed.heap.size;
    let fits = usable.is_none_or(|usable| peak <= usable);
    let impossible = usable.is_some_and(|usable| packed.lower_bound > usable);
    let alone = matches!(options.strategy, Strategy::Xla | Strategy::Heuristic(_));
    let verdict = match (fits, packed.optimal) {
        (true, true) => Verdict::Optimal,
        (true, false) => Verdict::Feasible,
        (false, _) if impossible || packed.optimal => Verdict::Infeasible,
        (false, _) if alone => Verdict::NotFound,
        (false, _) => Verdict::Undecided,
    };
    let (requires, requires_is) = match () {
        () if packed.optimal => (packed.lower_bound.max(peak), "lower_bound"),
        () if impossible => (packed.lower_bound, "lower_bound"),
        () => (peak, "heuristic peak"),
    };
    let overflow = usable.filter(|_| !fits).map(|available| Overflow {
        impossible: verdict == Verdict::Infeasible,
        available,
        requires,
        requires_is,
        core: heap.load.buffers.iter().map(|(id, _)| *id).collect(),
        works_at: Some(peak),
        advice: vec![Advice {
            change: Change::Capacity { to: peak, proven: packed.optimal },
            cost: 0,
            peak,
            level: None,
        }],
    });
    // The sentence of all overflows (plan/answer.rs).
    let name = &planned.problem.scopes[heap.scope].name;
    let message = overflow.as_ref().map(|o| {
        let (requires, available) = (o.requires, o.available);
        let [need, have] = [requires, available].map(|bytes| u128::from(bytes) * 8);
        format!(
            "{name} overflow, requires {need} bits while {have} bits available ({requires} bytes, the {}; \
             {available} available)",
            o.requires_is
        )
    });
    let by = packed.attempts.last().map_or(options.strategy.name(), |a| a.solver.as_str());
    ScopeAnswer {
        scope: heap.scope,
        buffers: buffers(heap),
        verdict,
        peak: fits.then_some(peak),
        max_load: heap.load.clone(),
        lower_bound: packed.lower_bound.max(heap.load.bytes),
        reuse_cost: 0,
        reuse_cost_bound: 0,
        mode: Mode::Reuse,
        level: None,
        strategy: by.to_owned(),
        message,
        warnings: Vec::new(),
        nodes: packed.nodes,
        limited_by: packed.limited,
        reuse: shared(heap),
        attempts: packed.attempts.clone(),
        overflow,
    }
}
