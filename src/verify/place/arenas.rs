//! Which bytes of device memory a plan needs.

use std::collections::BTreeMap;

use super::{Runtime, Use};
use crate::model::machine::{Machine, Product};
use crate::model::{BufferId, Capacity, Function, FunctionPlan, Problem, ScopeId};

/// The device memory of one function in one scope.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    pub function: String,
    pub scope: String,
    /// The end of the buffer that ends last.
    pub peak: u64,
    /// What its start has to be a multiple of.
    pub alignment: u64,
    /// Buffers in it, with the offsets of their slots.
    pub buffers: BTreeMap<BufferId, Vec<u64>>,
}

const PAGE: u64 = 2 << 20;

impl Arena {
    /// Bytes that a runtime holds for it, whole pages counted (13.3).
    pub(super) fn held(&self, runtime: Runtime, usage: Use, machine: &Machine) -> u64 {
        let bytes = self.bytes(usage);
        let padded = matches!(machine.product, Product::A2 | Product::A3);
        match runtime {
            Runtime::Svm if padded => bytes.next_multiple_of(32).saturating_add(32),
            Runtime::Svm => bytes,
            Runtime::Vmm => bytes.next_multiple_of(PAGE),
            Runtime::Uvm => bytes.next_multiple_of(machine.uvm_page.max(1)),
            Runtime::Soma => bytes.next_multiple_of(machine.soma_page.max(1)),
        }
    }

    /// Bytes asked for: the peak, for each block of its own.
    pub(super) fn bytes(&self, usage: Use) -> u64 {
        let one = self.peak.checked_next_multiple_of(self.alignment).unwrap_or(u64::MAX);
        one.saturating_mul(u64::from(usage.blocks.max(1))).max(1)
    }
}

/// True for a memory of a core.
fn on_chip(name: &str, machine: &Machine) -> bool {
    let aliases = ["cbuf", "ca", "cb", "cc", "fp"];
    machine.scopes.iter().any(|scope| scope.name.eq_ignore_ascii_case(name))
        || aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
}

/// The arenas of a function; a buffer without a usable place has none.
pub(super) fn of(
    problem: &Problem,
    function: &Function,
    plan: &FunctionPlan,
    machine: &Machine,
) -> Vec<Arena> {
    let mut nothing = Vec::new();
    let case = super::super::placements::place(problem, function, plan, &mut nothing);
    let mut arenas: BTreeMap<ScopeId, Arena> = BTreeMap::new();
    for (id, buffer) in function.buffers.enumerate() {
        let scope = &problem.scopes[buffer.scope];
        let on_device = scope.capacity == Capacity::Unbounded || !on_chip(&scope.name, machine);
        let offsets = case.offsets(id);
        if !on_device || offsets.is_empty() {
            continue;
        }
        let arena = arenas.entry(buffer.scope).or_insert_with(|| Arena {
            function: function.name.clone(),
            scope: scope.name.clone(),
            peak: 0,
            alignment: 64,
            buffers: BTreeMap::new(),
        });
        let end = offsets.iter().map(|o| o.saturating_add(case.sizes[id])).max().unwrap_or(0);
        arena.peak = arena.peak.max(end);
        arena.alignment = lcm(arena.alignment, buffer.alignment);
        arena.buffers.insert(id, offsets.to_vec());
    }
    arenas.into_values().filter(|arena| arena.peak > 0).collect()
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a.max(1), b.max(1));
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a.max(1) / x.max(1)).saturating_mul(b.max(1))
}
