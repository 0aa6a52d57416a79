//! Faults that a trace injects (9.6), and whether it is their turn.

use crate::model::trace::{Fault, Injection, Sym};

/// The faults of a run with their counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Injected {
    faults: Vec<Fault>,
    allocs: u64,
    maps: u64,
    protects: u64,
    transfers: u64,
    acks: u64,
}

impl Injected {
    /// From the header of a trace.
    pub fn new(injections: &[Injection]) -> Self {
        Self { faults: injections.iter().map(|i| i.fault).collect(), ..Self::default() }
    }

    fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    /// Counts an allocation of physical memory; true when it has to fail.
    pub fn alloc_fails(&mut self) -> bool {
        self.allocs += 1;
        self.has(Fault::FailAlloc(self.allocs))
    }

    /// Counts a mapping; true when it has to fail.
    pub fn map_fails(&mut self) -> bool {
        self.maps += 1;
        self.has(Fault::FailMap(self.maps))
    }

    /// Counts a change of a section's protection; true when it has to fail.
    pub fn protect_fails(&mut self) -> bool {
        self.protects += 1;
        self.has(Fault::FailProtect(self.protects))
    }

    /// Counts a transfer between memories; true when it has to fail.
    pub fn transfer_fails(&mut self) -> bool {
        self.transfers += 1;
        self.has(Fault::DmaError(self.transfers))
    }

    /// Counts an acknowledgement; true when it does not come.
    pub fn ack_fails(&mut self) -> bool {
        self.acks += 1;
        self.has(Fault::AckTimeout(self.acks))
    }

    /// True when no page may be swapped out.
    pub fn swap_refused(&self) -> bool {
        self.has(Fault::SwapRefused)
    }

    /// Pages that the host has, where the trace says so.
    pub fn host_pages(&self) -> Option<u64> {
        self.faults.iter().find_map(|f| match f {
            Fault::HostOom(pages) => Some(*pages),
            _ => None,
        })
    }

    /// True when prefetches of the range do nothing.
    pub fn drops_prefetch(&self, p: Sym) -> bool {
        self.has(Fault::DropPrefetch(p))
    }

    /// True when attribute queries answer late.
    pub fn stale_attr(&self) -> bool {
        self.has(Fault::StaleAttr)
    }

    /// True when batches run backwards.
    pub fn reorders_batch(&self) -> bool {
        self.has(Fault::ReorderBatch)
    }

    /// All of them, for those that happen at a line.
    pub fn all(&self) -> &[Fault] {
        &self.faults
    }
}
