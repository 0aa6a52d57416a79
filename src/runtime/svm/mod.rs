//! Shared virtual memory: allocations, addresses, copies, queries (runtime-model 5.1 to 5.4).
//!
//! [`Space`] holds all processes. It says which bytes an address means and what a call returns; it
//! knows no clocks and no contents. `vmm` (5.5, 5.7) and `share` (5.6, 5.8) add their calls to it.

mod addresses;
mod alloc;
mod alloc_rules;
mod cache;
mod check;
mod copies;
mod free;
mod open;
mod pages;
mod process;
mod queries;
mod range;
mod reach;
mod refusals;
mod teardown;
#[cfg(test)]
pub(in crate::runtime) mod tests;
mod touch;
mod zones;

pub use self::alloc::{AllocRequest, Made};
pub use self::copies::{Copy2d, CopyRequest, Direction, Place};
pub use self::free::Freed;
pub use self::queries::{AddressRange, MemoryAttribute, MemoryInfo, MemoryType, PointerPlace};
pub use self::zones::Zone;

pub(in crate::runtime) use self::process::{Found, Process};
pub(in crate::runtime) use self::range::{
    Body, Import, Mapping, Range, Registration, Reserve, Window,
};
pub(in crate::runtime) use self::refusals::{
    invalid, invalid_in_kernel, no_device, not_open, stale,
};
pub(in crate::runtime) use self::zones::{
    GIANT_PAGE, HALF_HEAP, HUGE_PAGE, NORMAL_PAGE, SVM_BYTES, round_up,
};

use self::cache::Cache;
use super::context::Context;
use super::memory::{Bank, Purpose};
use super::pointer::Pointer;
use super::share::Key;
use super::status::{Refused, Status};
use super::vmm::{Handle, Share, Store};

/// All processes with their address ranges, handles, keys and registrations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    pub(in crate::runtime) devices: u32,
    pub(in crate::runtime) processes: Vec<Process>,
    pub(in crate::runtime) handles: Vec<Handle>,
    pub(in crate::runtime) stores: Vec<Store>,
    pub(in crate::runtime) shares: Vec<Share>,
    pub(in crate::runtime) keys: Vec<Key>,
    /// Counts starts of processes and entries of whitelists, so that they have an order.
    pub(in crate::runtime) moment: u64,
    generations: u32,
    cache: Cache,
}

impl Space {
    /// Processes that have just started, with so many devices to open.
    pub fn new(processes: u32, devices: u32) -> Self {
        Self {
            devices,
            processes: (0..processes).map(|_| Process::new(devices, 0)).collect(),
            handles: Vec::new(),
            stores: Vec::new(),
            shares: Vec::new(),
            keys: Vec::new(),
            moment: 0,
            generations: 0,
            cache: Cache::default(),
        }
    }

    /// True until the process ends.
    pub fn is_alive(&self, process: u32) -> bool {
        self.processes.get(process as usize).is_some_and(|p| p.alive)
    }

    pub(in crate::runtime) fn process(&self, process: u32) -> Result<&Process, Refused> {
        self.processes.get(process as usize).filter(|p| p.alive).ok_or_else(|| ended(process))
    }

    pub(in crate::runtime) fn process_mut(
        &mut self,
        process: u32,
    ) -> Result<&mut Process, Refused> {
        self.processes.get_mut(process as usize).filter(|p| p.alive).ok_or_else(|| ended(process))
    }

    /// What a pointer leads to for this process; another process's pointer leads nowhere.
    pub(in crate::runtime) fn find(&self, process: u32, pointer: Pointer) -> Found<'_> {
        if pointer.process != process {
            return Found::Unknown;
        }
        self.process(process).map_or(Found::Unknown, |p| p.find(pointer))
    }

    pub(in crate::runtime) fn new_generation(&mut self) -> u32 {
        self.generations = self.generations.saturating_add(1);
        self.generations
    }

    /// A generation for a part of a range, so that an address of the part is known for what it is:
    /// bytes of the range.
    ///
    /// # Errors
    /// `ProcessExit` when the process has ended.
    pub fn part(&mut self, process: u32, whole: u32) -> Result<u32, Refused> {
        let generation = self.new_generation();
        self.process_mut(process)?.parts.insert(generation, whole);
        Ok(generation)
    }

    /// Takes physical memory, unless the trace makes this one fail.
    pub(in crate::runtime) fn take(
        &mut self,
        cx: &mut Context<'_>,
        bank: Bank,
        purpose: Purpose,
        bytes: u64,
    ) -> Result<(), Refused> {
        if cx.injected.alloc_fails() {
            return Err(Refused::new(Status::OutOfMemory, "the trace makes this allocation fail"));
        }
        cx.memory.take(bank, purpose, bytes)?;
        cx.counters.allocs += 1;
        self.settle(cx);
        Ok(())
    }

    /// Gives physical memory back.
    #[expect(clippy::unused_self, reason = "the other half of `take`")]
    pub(in crate::runtime) fn give(
        &mut self,
        cx: &mut Context<'_>,
        bank: Bank,
        purpose: Purpose,
        bytes: u64,
    ) {
        cx.memory.give(bank, purpose, bytes);
        cx.counters.frees += 1;
    }
}

fn ended(process: u32) -> Refused {
    Refused::new(Status::ProcessExit, format!("process {process} has ended"))
}
