//! What the library keeps after a free (2.2, Q-ALLOC-2).
//!
//! In mode `source` it keeps the addresses and the pages, and hands them out again to the next request
//! of the same class and length. In mode `spec` nothing is kept; the list only says which calls would
//! end differently in the other mode.

use std::collections::{BTreeMap, BTreeSet};

use super::Space;
use super::zones::{GIANT_PAGE, HUGE_PAGE, Zone};
use crate::model::trace::MemoryFlags;
use crate::runtime::context::Context;
use crate::runtime::memory::{Bank, Purpose};

/// Freed ranges that are kept. They never overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cache {
    /// By process and first address, each with its number.
    list: BTreeMap<(u32, u64), (u64, Kept)>,
    /// By bank and number, oldest first.
    by_age: BTreeMap<(Bank, u64), (u32, u64)>,
    /// Numbers by everything but the address.
    by_shape: BTreeMap<Shape, BTreeSet<u64>>,
    /// Bytes by process, bank and class.
    held: BTreeMap<(u32, Bank, Class), u64>,
    /// Bytes by bank, and of these in pages of 4 KiB.
    totals: BTreeMap<Bank, (u64, u64)>,
    /// Numbers given out.
    count: u64,
}

/// What a request and a kept range have to have in common.
type Shape = (u32, Bank, Class, u64, u64);

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The process whose addresses they are.
    pub process: u32,
    /// Where its pages are.
    pub bank: Bank,
    /// Its class.
    pub class: Class,
    /// First address.
    pub start: u64,
    /// Bytes.
    pub len: u64,
    /// Bytes of a page.
    pub page: u64,
    /// Where its addresses are from.
    pub zone: Zone,
}

/// Each class has a limit of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// 2 MiB pages.
    Huge,
    /// Memory that the device may not write.
    ReadOnly,
    /// 4 KiB pages.
    Common,
    /// Memory of the task scheduler.
    Ts,
    /// Never kept.
    None,
}

impl Class {
    /// The class of device memory. Memory with a flag of its own is not kept.
    pub(crate) fn of(flags: MemoryFlags, page: u64) -> Self {
        let special = flags.contiguous || flags.p2p || flags.bar || flags.cp_only;
        match page {
            GIANT_PAGE => Self::None,
            _ if special || flags.host_rw_dev_ro => Self::None,
            _ if flags.ts => Self::Ts,
            _ if flags.read_only => Self::ReadOnly,
            HUGE_PAGE => Self::Huge,
            _ => Self::Common,
        }
    }

    /// Bytes that are kept at most, for each process and device.
    pub(crate) fn limit(self) -> u64 {
        match self {
            Self::Huge => 36 << 20,
            Self::ReadOnly => 24 << 20,
            Self::Common => 18 << 20,
            Self::Ts => 4 << 20,
            Self::None => 0,
        }
    }
}

impl Kept {
    fn shape(&self) -> Shape {
        (self.process, self.bank, self.class, self.len, self.page)
    }
}

impl Cache {
    fn add(&mut self, kept: Kept) {
        self.count += 1;
        let number = self.count;
        self.list.insert((kept.process, kept.start), (number, kept));
        self.by_age.insert((kept.bank, number), (kept.process, kept.start));
        self.by_shape.entry(kept.shape()).or_default().insert(number);
        self.count_bytes(&kept, u64::saturating_add);
    }

    fn remove(&mut self, place: (u32, u64)) -> Option<Kept> {
        let (number, kept) = self.list.remove(&place)?;
        self.by_age.remove(&(kept.bank, number));
        if let Some(numbers) = self.by_shape.get_mut(&kept.shape()) {
            numbers.remove(&number);
        }
        self.count_bytes(&kept, u64::saturating_sub);
        Some(kept)
    }

    fn count_bytes(&mut self, kept: &Kept, change: fn(u64, u64) -> u64) {
        let held = self.held.entry((kept.process, kept.bank, kept.class)).or_default();
        *held = change(*held, kept.len);
        let (all, small) = self.totals.entry(kept.bank).or_default();
        *all = change(*all, kept.len);
        if kept.page < HUGE_PAGE {
            *small = change(*small, kept.len);
        }
    }

    /// The youngest of a shape.
    fn youngest(&self, shape: &Shape) -> Option<(u32, u64)> {
        let number = *self.by_shape.get(shape)?.last()?;
        self.by_age.get(&(shape.1, number)).copied()
    }

    /// The oldest of a bank.
    fn oldest(&self, bank: Bank) -> Option<(u32, u64)> {
        self.by_age.range((bank, 0)..=(bank, u64::MAX)).next().map(|(_, &place)| place)
    }

    /// The last of a process that meets `[start, end)`.
    fn met(&self, process: u32, start: u64, end: u64) -> Option<(u32, u64)> {
        let (&place, (_, kept)) = self.list.range((process, 0)..(process, end)).next_back()?;
        (kept.start.saturating_add(kept.len) > start).then_some(place)
    }
}

impl Space {
    /// Keeps what was freed, if there is room for it; in mode `source` its pages change their
    /// purpose and its addresses stay taken.
    pub(super) fn keep(&mut self, cx: &mut Context<'_>, kept: Kept) -> bool {
        let held = self.cache.held.get(&(kept.process, kept.bank, kept.class)).copied();
        if held.unwrap_or(0).saturating_add(kept.len) > kept.class.limit() {
            return false;
        }
        if cx.source() {
            cx.memory.turn(kept.bank, Purpose::Svm, Purpose::Cache, kept.len);
        }
        self.cache.add(kept);
        true
    }

    /// Takes a kept range of the same class and length out again, the latest first.
    pub(super) fn reuse(&mut self, cx: &mut Context<'_>, wanted: &Kept) -> Option<u64> {
        let kept = self.cache.youngest(&wanted.shape()).and_then(|at| self.cache.remove(at))?;
        cx.memory.turn(kept.bank, Purpose::Cache, Purpose::Svm, kept.len);
        Some(kept.start)
    }

    /// Follows the memory when it has taken kept pages under pressure: the oldest ranges go.
    pub(in crate::runtime) fn settle(&mut self, cx: &mut Context<'_>) {
        if !cx.source() {
            return;
        }
        for bank in (0..self.devices).map(Bank::Device) {
            let have = cx.memory.used_for(bank, Purpose::Cache);
            while self.kept_bytes(bank).0 > have {
                let Some(kept) = self.cache.oldest(bank).and_then(|at| self.cache.remove(at))
                else {
                    break;
                };
                self.release_addresses(&kept);
            }
            // A range of which only a part was taken gives up the rest too.
            let rest = have.saturating_sub(self.kept_bytes(bank).0);
            if rest > 0 {
                cx.memory.give(bank, Purpose::Cache, rest);
            }
        }
    }

    /// Drops what is kept of a process, or of one of its devices.
    pub(super) fn drop_kept(&mut self, cx: &mut Context<'_>, process: u32, bank: Option<Bank>) {
        self.settle(cx);
        let of_process = self.cache.list.range((process, 0)..=(process, u64::MAX));
        let goes = of_process.filter(|(_, (_, k))| bank.is_none_or(|bank| k.bank == bank));
        let places: Vec<_> = goes.map(|(&place, _)| place).collect();
        for place in places {
            if let Some(kept) = self.cache.remove(place)
                && cx.source()
            {
                cx.memory.give(kept.bank, Purpose::Cache, kept.len);
                self.release_addresses(&kept);
            }
        }
    }

    /// True when one of these addresses is kept, or would be in the other mode.
    pub(in crate::runtime) fn is_kept(&self, process: u32, start: u64, len: u64) -> bool {
        self.cache.met(process, start, start.saturating_add(len)).is_some()
    }

    /// Addresses are in use again, so they are not kept in either mode.
    pub(in crate::runtime) fn remember_reuse(&mut self, process: u32, start: u64, len: u64) {
        let end = start.saturating_add(len);
        while let Some(place) = self.cache.met(process, start, end) {
            self.cache.remove(place);
        }
    }

    /// Bytes that are kept of a bank, and of these in pages of 4 KiB.
    pub(super) fn kept_bytes(&self, bank: Bank) -> (u64, u64) {
        self.cache.totals.get(&bank).copied().unwrap_or_default()
    }

    /// Address ranges that are kept of a process.
    pub(super) fn kept_ranges(&self, process: u32) -> impl Iterator<Item = (u64, u64)> + '_ {
        let list = self.cache.list.range((process, 0)..=(process, u64::MAX));
        list.map(|(_, (_, k))| (k.start, k.len))
    }

    fn release_addresses(&mut self, kept: &Kept) {
        if let Some(process) = self.processes.get_mut(kept.process as usize) {
            process.addresses.give(kept.zone, kept.start);
        }
    }
}
