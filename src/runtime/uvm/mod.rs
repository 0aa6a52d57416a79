//! Managed memory: pages that go where they are touched (5.9 to 5.14).
//!
//! A page decides residency, cost, counters and errors; its contents are a matter of whoever asks
//! (13.4: the shadow is kept by managed range). Pages of equal state are one run of an ordered map,
//! so that work is by the run. Only where faults are injected, pages are taken one by one, so that
//! the n-th allocation or transfer is the n-th page.

mod advise;
mod alloc;
mod attribute;
mod batch;
mod check;
mod copy;
mod done;
mod end;
mod location;
mod moves;
mod page;
mod physical;
mod prefer;
mod prefetch;
mod reclaim;
mod report;
mod runs;
mod scan;
mod space;
mod touch;
mod walk;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use self::done::{Bytes, Done};
pub use self::space::Range;

use self::physical::Area;
use self::runs::Runs;
use self::scan::Scanner;
use self::space::Space;
use super::memory::Bank;

/// The first managed address (2.1).
pub const BASE: u64 = 9 << 40;
/// Bytes of managed addresses (2.1).
pub const WINDOW: u64 = 3 << 40;

/// The managed memory of one process.
#[derive(Clone, Debug)]
pub struct Uvm {
    /// The process, for messages.
    process: u32,
    /// Bytes of a page; that of the machine at the first allocation.
    page: u64,
    /// Which addresses are allocated.
    space: Space,
    /// Page states by page number, counted from `BASE`.
    runs: Runs,
    /// As `runs`, before the last change; kept only where attribute queries are to be late.
    before: Option<Runs>,
    /// Scanners by device.
    scanners: BTreeMap<u32, Scanner>,
    /// Pages taken, by bank, the area left out.
    taken: BTreeMap<Bank, u64>,
    /// The host area that swapping fills (Q-UVM-20).
    area: Option<Area>,
}

impl Uvm {
    /// No memory yet.
    pub fn new(process: u32) -> Self {
        Self {
            process,
            page: 2 << 20,
            space: Space::default(),
            runs: Runs::default(),
            before: None,
            scanners: BTreeMap::new(),
            taken: BTreeMap::new(),
            area: None,
        }
    }

    /// The process.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// True for an address inside the managed window.
    pub fn owns(address: u64) -> bool {
        (BASE..BASE + WINDOW).contains(&address)
    }

    /// The live allocation around an address.
    pub fn range(&self, address: u64) -> Option<Range> {
        self.space.around(address)
    }

    /// True when the address belonged to an allocation that is gone.
    pub fn was_freed(&self, address: u64) -> bool {
        Self::owns(address) && self.space.was_freed(address)
    }

    /// Pages that this process has of a bank; the swap area counts as taken from the start.
    pub fn pages(&self, bank: Bank) -> u64 {
        let area = self.area.as_ref().filter(|_| bank == Bank::Host).map_or(0, |area| area.size);
        self.taken.get(&bank).copied().unwrap_or(0).saturating_add(area)
    }

    /// Runs of pages of equal state; for measurements.
    pub fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// The number of the page at an address inside the window.
    fn page_of(&self, address: u64) -> u64 {
        address.saturating_sub(BASE) / self.page
    }

    /// The address of a page.
    fn address_of(&self, page: u64) -> u64 {
        BASE.saturating_add(page.saturating_mul(self.page))
    }

    /// The bytes of pages.
    fn bytes(&self, first: u64, end: u64) -> Bytes {
        let len = end.saturating_sub(first).saturating_mul(self.page);
        Bytes { start: self.address_of(first), len }
    }
}
