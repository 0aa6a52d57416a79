//! The same machine, written once more from the tables of 5.9 to 5.14: one page at a time, every flag
//! of section 4 by itself, every scan made. Slow, and that is all that is wrong with it.

mod advice;
mod calls;
mod faults;
mod movement;
mod prefetch;

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Code;
use crate::model::machine::{Machine, Mode};
use crate::model::trace::Location;
use crate::runtime::counters::Counters;
use crate::runtime::injected::Injected;
use crate::runtime::status::Status;

/// The id of the host among devices.
pub(super) const HOST: u32 = 64;
pub(super) const BASE: u64 = 0x900_0000_0000;

pub(super) type Answer = Result<Lost, (Status, Option<Code>)>;

/// What became of contents, by byte ranges (start, len).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lost {
    pub(super) poison: Vec<(u64, u64)>,
    pub(super) stale: Vec<(u64, u64)>,
    pub(super) missing: Vec<(u64, u64)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct NPage {
    pub(super) alloc: u64,
    pub(super) host_mapped: bool,
    pub(super) device_mapped: bool,
    pub(super) owner: Option<u32>,
    pub(super) devices: BTreeSet<u32>,
    pub(super) read_mostly: bool,
    pub(super) preferred: Option<Location>,
    pub(super) access_by: BTreeSet<u32>,
    pub(super) last_prefetch: Option<Location>,
    pub(super) young: BTreeMap<u32, bool>,
    pub(super) age: BTreeMap<u32, u64>,
    /// Replicas never filled.
    pub(super) bad: BTreeSet<u32>,
    pub(super) in_area: bool,
    pub(super) swapped_at: Option<u64>,
    pub(super) held: u32,
    /// Places to which it was prefetched, and where nobody has used it since.
    pub(super) fetched_in_vain: BTreeSet<u32>,
}

pub(super) struct Naive {
    pub(super) machine: Machine,
    pub(super) mode: Mode,
    pub(super) capacity: BTreeMap<u32, u64>,
    pub(super) used: BTreeMap<u32, u64>,
    pub(super) pages: BTreeMap<u64, NPage>,
    pub(super) allocs: BTreeMap<u64, (u64, u64)>,
    pub(super) freed_starts: BTreeSet<u64>,
    pub(super) ever: BTreeSet<u64>,
    pub(super) injected: Injected,
    pub(super) counters: Counters,
    pub(super) now: u64,
    pub(super) last_scan: BTreeMap<u32, u64>,
    pub(super) area: Option<(u64, u64)>,
}

impl Naive {
    pub(super) fn new(
        machine: Machine,
        mode: Mode,
        injected: Injected,
        rooms: &[(u32, u64)],
    ) -> Self {
        Self {
            machine,
            mode,
            capacity: rooms.iter().copied().collect(),
            used: rooms.iter().map(|&(bank, _)| (bank, 0)).collect(),
            pages: BTreeMap::new(),
            allocs: BTreeMap::new(),
            freed_starts: BTreeSet::new(),
            ever: BTreeSet::new(),
            injected,
            counters: Counters::default(),
            now: 0,
            last_scan: rooms.iter().filter(|r| r.0 != HOST).map(|&(bank, _)| (bank, 0)).collect(),
            area: None,
        }
    }

    pub(super) fn spec(&self) -> bool {
        self.mode == Mode::Spec
    }

    pub(super) fn size(&self) -> u64 {
        self.machine.uvm_page
    }

    pub(super) fn number(&self, address: u64) -> u64 {
        (address - BASE) / self.size()
    }

    pub(super) fn span(&self, page: u64) -> (u64, u64) {
        (BASE + page * self.size(), self.size())
    }

    /// EINVAL, as each mode reports it.
    pub(super) fn einval(&self) -> (Status, Option<Code>) {
        (if self.spec() { Status::InvalidValue } else { Status::ParaError }, None)
    }

    /// Pages that hold a byte of the range.
    pub(super) fn touched(&self, address: u64, len: u64) -> std::ops::Range<u64> {
        self.number(address)..self.number(address + len - 1) + 1
    }

    /// Pages of a call that takes whole pages.
    pub(super) fn rounded(
        &self,
        address: u64,
        len: u64,
    ) -> Result<std::ops::Range<u64>, (Status, Option<Code>)> {
        let top = BASE + (3 << 40);
        if len == 0 || address < BASE || address + len > top {
            return Err((Status::InvalidValue, None));
        }
        let first = self.number(address);
        Ok(if self.spec() {
            self.touched(address, len)
        } else {
            first..first + len.div_ceil(self.size())
        })
    }
}
