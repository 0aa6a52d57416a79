//! The byte totals that `compiled.memory_analysis()` gives (spec/xla-memory.md 16).

use std::collections::BTreeMap;

use super::{Allocation, Assignment};
use crate::analyze::hlo::exact_peak;

/// The memory space of the host's memory.
const HOST: u32 = 5;

/// Totals over the allocations of an executable, in bytes.
///
/// Constants and what is made once for a thread are in none of argument, output, alias and temp; a
/// parameter on which a result is written is in argument, output and alias.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryStats {
    /// The executable's code: unknown to a planner, 0.
    pub generated_code_size_in_bytes: u64,
    /// Parameters of the entry.
    pub argument_size_in_bytes: u64,
    /// What may hold parts of the result, the table of a tuple included.
    pub output_size_in_bytes: u64,
    /// Parameters on which results are written.
    pub alias_size_in_bytes: u64,
    /// Temporaries.
    pub temp_size_in_bytes: u64,
    /// Code in the host's memory: 0.
    pub host_generated_code_size_in_bytes: u64,
    /// Parameters in the host's memory.
    pub host_argument_size_in_bytes: u64,
    /// Results in the host's memory.
    pub host_output_size_in_bytes: u64,
    /// Parameters in the host's memory on which results are written.
    pub host_alias_size_in_bytes: u64,
    /// Temporaries in the host's memory.
    pub host_temp_size_in_bytes: u64,
    /// Bytes of the device at the peak: parameters, constants and results, each by its largest value,
    /// and the most that is alive in a heap (16.3).
    pub peak_memory_in_bytes: u64,
    /// What jaxlib's CPU executables give as `peak_memory_in_bytes`: they drop the heaps first, so
    /// temporaries are missing.
    pub xla_cpu_peak_in_bytes: u64,
    /// What the device needs for the run: code, arguments, outputs and temporaries, less what is counted
    /// twice for an alias.
    pub total_size_in_bytes: u64,
    /// All allocations of memory space 0, constants and those of threads included.
    pub total_allocation_bytes: u64,
    /// Those of memory space 0 that are there before or after the run, or once for a thread.
    pub indefinite_allocations: u64,
    /// The most that is alive in the heaps of memory space 0, without alignment.
    pub peak_unpadded_heap_bytes: u64,
    /// Totals of every memory space.
    pub spaces: BTreeMap<u32, SpaceStats>,
}

/// Totals of a memory space, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpaceStats {
    /// Parameters of the entry.
    pub argument: u64,
    /// What may hold parts of the result.
    pub output: u64,
    /// Parameters on which results are written.
    pub alias: u64,
    /// Constants.
    pub constant: u64,
    /// What is made once for a thread.
    pub thread_local: u64,
    /// Temporaries.
    pub temp: u64,
    /// All allocations.
    pub total: u64,
    /// The most that is alive in a heap.
    pub heap_peak: u64,
}

impl SpaceStats {
    fn add(&mut self, allocation: &Allocation) {
        let size = allocation.size;
        let parts = [
            (allocation.parameter.is_some(), &mut self.argument),
            (allocation.parameter.is_some() && allocation.aliased, &mut self.alias),
            (allocation.live_out, &mut self.output),
            (allocation.constant, &mut self.constant),
            (allocation.thread_local, &mut self.thread_local),
            (allocation.is_temp(), &mut self.temp),
            (true, &mut self.total),
        ];
        for (_, sum) in parts.into_iter().filter(|(holds, _)| *holds) {
            *sum = sum.saturating_add(size);
        }
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            argument: self.argument.saturating_add(other.argument),
            output: self.output.saturating_add(other.output),
            alias: self.alias.saturating_add(other.alias),
            constant: self.constant.saturating_add(other.constant),
            thread_local: self.thread_local.saturating_add(other.thread_local),
            temp: self.temp.saturating_add(other.temp),
            total: self.total.saturating_add(other.total),
            heap_peak: self.heap_peak.max(other.heap_peak),
        }
    }
}

/// Adds up an assignment.
pub fn stats(assignment: &Assignment) -> MemoryStats {
    let mut spaces: BTreeMap<u32, SpaceStats> = BTreeMap::new();
    let (mut fixed, mut indefinite) = (0_u64, 0_u64);
    for allocation in &assignment.allocations {
        spaces.entry(allocation.memory_space).or_default().add(allocation);
        fixed = fixed.saturating_add(fixed_bytes(allocation));
        if allocation.memory_space == 0 && !allocation.is_temp() {
            indefinite = indefinite.saturating_add(allocation.size);
        }
    }
    for heap in &assignment.heaps {
        let of_space = spaces.entry(heap.memory_space).or_default();
        of_space.heap_peak = of_space.heap_peak.max(exact_peak(&heap.events).bytes);
    }
    let host = spaces.get(&HOST).copied().unwrap_or_default();
    let device = spaces
        .iter()
        .filter(|(space, _)| **space != HOST)
        .fold(SpaceStats::default(), |sum, (_, of_space)| sum.plus(of_space));
    let default = spaces.get(&0).copied().unwrap_or_default();
    let needed = device.argument.saturating_add(device.output).saturating_add(device.temp);
    MemoryStats {
        generated_code_size_in_bytes: 0,
        argument_size_in_bytes: device.argument,
        output_size_in_bytes: device.output,
        alias_size_in_bytes: device.alias,
        temp_size_in_bytes: device.temp,
        host_generated_code_size_in_bytes: 0,
        host_argument_size_in_bytes: host.argument,
        host_output_size_in_bytes: host.output,
        host_alias_size_in_bytes: host.alias,
        host_temp_size_in_bytes: host.temp,
        peak_memory_in_bytes: fixed.saturating_add(device.heap_peak.max(host.heap_peak)),
        xla_cpu_peak_in_bytes: fixed,
        total_size_in_bytes: needed.saturating_sub(device.alias),
        total_allocation_bytes: default.total,
        indefinite_allocations: indefinite,
        peak_unpadded_heap_bytes: default.heap_peak,
        spaces,
    }
}

/// Bytes of an allocation that are needed during the whole run: its largest value's, if it is a
/// parameter, a constant or a result (16.3).
pub(super) fn fixed_bytes(allocation: &Allocation) -> u64 {
    if allocation.thread_local || allocation.is_temp() {
        return 0;
    }
    allocation.values.iter().map(|placed| placed.size).max().unwrap_or(0)
}
