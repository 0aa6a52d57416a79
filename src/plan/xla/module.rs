//! An HLO module as something to plan: its heaps and what lies outside of them, tied to the buffers
//! that the judge sees.

use std::collections::BTreeMap;

use super::heap::Heap;
use super::{Assignment, HeapTrace, assign, heap};
use crate::analyze::hlo::{Analysis, Event, ValueId};
use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{InstructionId, Sharing};
use crate::model::{
    Allocation, AllocationKind, BufferId, Capacity, IdVec, Live, Load, Problem, Scope, ScopeId,
    Step,
};

/// A module to plan.
#[derive(Clone, Debug)]
pub struct Planned {
    /// One scope for each heap, and one for each kind of allocation outside of them.
    pub problem: Problem,
    /// The heaps, by memory space.
    pub heaps: Vec<ModuleHeap>,
    /// Buffers outside of the heaps, with their offsets in their scopes.
    pub fixed: Vec<(BufferId, u64)>,
    /// The allocations that are no heap, in XLA's order.
    pub allocations: Vec<Allocation>,
    /// What XLA makes of the module; the statistics are computed from it.
    pub assignment: Assignment,
    /// Why the plan may be wrong: a computation that runs in time is called from several places, but has
    /// one set of live ranges. XLA flattens the call graph before it plans.
    pub reentered: Option<Diagnostic>,
}

/// One heap.
#[derive(Clone, Debug)]
pub struct ModuleHeap {
    /// Its scope.
    pub scope: ScopeId,
    /// What is allocated, freed and shared.
    pub events: Vec<Event>,
    /// XLA's own packing.
    pub xla: Heap,
    /// The buffers of its values; parameters of computations have none of their own.
    pub buffers: BTreeMap<ValueId, Vec<BufferId>>,
    /// When its buffers are alive: logical times of XLA's flattened schedule.
    pub live: BTreeMap<BufferId, Live>,
    /// The moment at which most is alive.
    pub load: Load,
}

/// Analyses a module that has been lowered to `problem`, whose `buffers` are those of the nodes that
/// instructions make anew (by pre-order).
///
/// # Errors
/// Those of [`assign`].
pub fn module(
    analysis: &Analysis<'_>,
    sharing: &Sharing<'_>,
    problem: &Problem,
    buffers: &BTreeMap<(InstructionId, u32), BufferId>,
) -> Result<Planned, Diagnostic> {
    let alignment = analysis.options.platform.alignment();
    let mut pack = |_: u32, events: &[Event]| heap::choose_best(events, alignment);
    let assignment = assign(analysis, sharing, &mut pack)?;
    let mut planned = Planned {
        problem: Problem { scopes: IdVec::new(), ..problem.clone() },
        heaps: Vec::new(),
        fixed: Vec::new(),
        allocations: Vec::new(),
        assignment: Assignment::default(),
        reentered: reentered(analysis),
    };
    let tied = Tied::new(analysis, buffers);
    for trace in &assignment.heaps {
        planned.heap(&tied, trace, alignment);
    }
    let mut ends = BTreeMap::new();
    for (index, allocation) in assignment.allocations.iter().enumerate() {
        for outside in outside(&tied, &assignment, index, allocation) {
            planned.outside(&tied, outside, &mut ends, alignment);
        }
    }
    planned.assignment = assignment;
    Ok(planned)
}

fn reentered(analysis: &Analysis<'_>) -> Option<Diagnostic> {
    let (module, calls) = (analysis.module, &analysis.calls);
    let scoped = |id| calls.scoped.get(id) == Some(&true);
    let several = |id| calls.callers.get(id).is_some_and(|callers| callers.len() > 1);
    let found = module.computations.ids().find(|&id| scoped(id) && several(id))?;
    let of = &module.computations[found];
    let message = format!(
        "`{}` is called from {} places, and no plan was found that is right at all of them",
        of.name,
        calls.callers[found].len()
    );
    Some(
        Diagnostic::error(Code::HloBadCall, message)
            .at(of.loc, "one computation, one set of live ranges")
            .help("plan the optimised dump, in which XLA has flattened the calls"),
    )
}

/// Values and the buffers of the judge.
struct Tied<'a, 'm> {
    analysis: &'a Analysis<'m>,
    of: BTreeMap<ValueId, Vec<BufferId>>,
}

impl<'a, 'm> Tied<'a, 'm> {
    fn new(analysis: &'a Analysis<'m>, buffers: &BTreeMap<(InstructionId, u32), BufferId>) -> Self {
        let mut of: BTreeMap<ValueId, Vec<BufferId>> = BTreeMap::new();
        for (&(instruction, node), &buffer) in buffers {
            let there = analysis.values.at[instruction].get(node as usize);
            if let Some(&value) = there.and_then(|values| values.first()) {
                of.entry(value).or_default().push(buffer);
            }
        }
        Self { analysis, of }
    }

    /// The buffers of a value: where it is born, and where it stands in the state of a loop or the
    /// result of a branch that the judge takes for something of its own.
    fn buffers(&self, value: ValueId) -> impl Iterator<Item = BufferId> {
        self.of.get(&value).into_iter().flatten().copied()
    }

    fn is_tuple(&self, value: ValueId) -> bool {
        let at = &self.analysis.values.values[value].definition;
        let shape = &self.analysis.module.instructions[at.instruction].shape;
        shape.at(&at.index).is_some_and(crate::ir::hlo::Shape::is_tuple)
    }

    fn live(&self, value: ValueId) -> Option<Live> {
        let range = self.analysis.ranges.live[value]?;
        Some(Live::new(u64::from(range.start), u64::from(range.end) + 1))
    }
}

/// Bytes outside of the heaps that are one allocation, or one piece of the combined temporaries.
struct Outside {
    allocation: Allocation,
    values: Vec<ValueId>,
}

/// An allocation without what lies in heaps; of combined temporaries each piece for itself.
fn outside(
    tied: &Tied<'_, '_>,
    assignment: &Assignment,
    index: usize,
    allocation: &super::Allocation,
) -> Vec<Outside> {
    let heaps = || assignment.heaps.iter().filter(|heap| heap.allocation == index);
    let mut pieces: BTreeMap<u64, Vec<(ValueId, u64)>> = BTreeMap::new();
    for placed in &allocation.values {
        if !heaps().any(|heap| heap.heap.chunks.contains_key(&placed.value)) {
            pieces.entry(placed.offset).or_default().push((placed.value, placed.size));
        }
    }
    let kind = |values: &[(ValueId, u64)]| match allocation {
        a if a.parameter.is_some() => AllocationKind::Parameter,
        a if a.constant => AllocationKind::Constant,
        a if a.thread_local => AllocationKind::ThreadLocal,
        a if a.live_out => AllocationKind::Output,
        _ if values.iter().any(|(value, _)| tied.is_tuple(*value)) => AllocationKind::Tuple,
        _ => AllocationKind::Temporary,
    };
    let name =
        |(value, _): &(ValueId, u64)| tied.analysis.values.name(tied.analysis.module, *value);
    let combined = allocation.is_temp();
    let piece = |values: Vec<(ValueId, u64)>| {
        let largest = values.iter().map(|(_, size)| *size).max().unwrap_or(0);
        Outside {
            allocation: Allocation {
                kind: kind(&values),
                size: if combined { largest } else { allocation.size },
                memory_space: allocation.memory_space,
                parameter: allocation.parameter.as_ref().map(|(n, index)| (*n, index.to_string())),
                aliased: allocation.aliased,
                values: values.iter().map(name).collect(),
            },
            values: values.into_iter().map(|(value, _)| value).collect(),
        }
    };
    pieces.into_values().map(piece).collect()
}

impl Planned {
    fn heap(&mut self, tied: &Tied<'_, '_>, trace: &HeapTrace, alignment: u64) {
        let scope = self.scope(&named("temp", trace.memory_space), alignment);
        let mut buffers = BTreeMap::new();
        let mut live = BTreeMap::new();
        for &value in trace.heap.chunks.keys() {
            for buffer in tied.buffers(value) {
                self.problem.functions[0].buffers[buffer].scope = scope;
                buffers.entry(value).or_insert_with(Vec::new).push(buffer);
                live.extend(tied.live(value).map(|range| (buffer, range)));
            }
        }
        let load = load(tied, trace, &buffers);
        let (events, xla) = (trace.events.clone(), trace.heap.clone());
        self.heaps.push(ModuleHeap { scope, events, xla, buffers, live, load });
    }

    /// Allocations of one kind and memory space lie one after the other in a scope of their own.
    fn outside(
        &mut self,
        tied: &Tied<'_, '_>,
        outside: Outside,
        ends: &mut BTreeMap<String, u64>,
        alignment: u64,
    ) {
        let Outside { allocation, values } = outside;
        let name = named(allocation.kind.name(), allocation.memory_space);
        let buffers: Vec<BufferId> = values.iter().flat_map(|&v| tied.buffers(v)).collect();
        if !buffers.is_empty() {
            let scope = self.scope(&name, alignment);
            let end = ends.entry(name).or_insert(0);
            let base = end.checked_next_multiple_of(alignment.max(1)).unwrap_or(*end);
            *end = base.saturating_add(allocation.size);
            for buffer in buffers {
                self.problem.functions[0].buffers[buffer].scope = scope;
                self.fixed.push((buffer, base));
            }
        }
        self.allocations.push(allocation);
    }

    /// The scope of that name.
    fn scope(&mut self, name: &str, alignment: u64) -> ScopeId {
        if let Some(scope) = self.problem.scope(name) {
            return scope;
        }
        self.problem.scopes.push(Scope {
            name: name.to_owned(),
            capacity: Capacity::Unbounded,
            alignment,
            round_up: false,
            reserved: Vec::new(),
            partitions: Vec::new(),
            source: None,
            loc: None,
        })
    }
}

/// `temp`, `temp@S5`.
fn named(what: &str, memory_space: u32) -> String {
    if memory_space == 0 { what.to_owned() } else { format!("{what}@S{memory_space}") }
}

/// What is alive in a heap when most is.
fn load(
    tied: &Tied<'_, '_>,
    trace: &HeapTrace,
    buffers: &BTreeMap<ValueId, Vec<BufferId>>,
) -> Load {
    let peak = super::peak::heap_peak(trace);
    let event = peak.at.and_then(|at| trace.events.get(at));
    let at = event.map(|event| &tied.analysis.values.values[event.value].definition);
    let time = at.and_then(|at| tied.analysis.ranges.time[at.instruction]).unwrap_or(0);
    let held = peak.values.iter();
    Load {
        at: Step(u64::from(time)),
        op: None,
        step_name: at.map(|at| tied.analysis.module.instructions[at.instruction].name.clone()),
        bytes: peak.bytes,
        buffers: held.filter_map(|(v, bytes)| Some((*buffers.get(v)?.first()?, *bytes))).collect(),
    }
}
