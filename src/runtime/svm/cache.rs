//! What the library keeps after a free (2.2, Q-ALLOC-2).
//!
//! In mode `source` it keeps the addresses and the pages, and hands them out again to the next request
//! of the same class and length. In mode `spec` nothing is kept; the list only says which calls would
//! end differently in the other mode.

use super::Space;
use super::zones::{GIANT_PAGE, HUGE_PAGE, Zone};
use crate::model::trace::MemoryFlags;
use crate::runtime::context::Context;
use crate::runtime::memory::{Bank, Purpose};

/// Freed ranges that are kept, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cache {
    list: Vec<Kept>,
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
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
}

/// Each class has a limit of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
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
    pub fn of(flags: MemoryFlags, page: u64) -> Self {
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
    pub fn limit(self) -> u64 {
        match self {
            Self::Huge => 36 << 20,
            Self::ReadOnly => 24 << 20,
            Self::Common => 18 << 20,
            Self::Ts => 4 << 20,
            Self::None => 0,
        }
    }
}

impl Space {
    /// Keeps what was freed, if there is room for it; in mode `source` its pages change their
    /// purpose and its addresses stay taken.
    pub(super) fn keep(&mut self, cx: &mut Context<'_>, kept: Kept) -> bool {
        let same =
            |k: &&Kept| k.process == kept.process && k.bank == kept.bank && k.class == kept.class;
        let held: u64 = self.cache.list.iter().filter(same).map(|k| k.len).sum();
        if held.saturating_add(kept.len) > kept.class.limit() {
            return false;
        }
        if cx.source() {
            cx.memory.turn(kept.bank, Purpose::Svm, Purpose::Cache, kept.len);
        }
        self.cache.list.push(kept);
        true
    }

    /// Takes a kept range of the same class and length out again, the latest first.
    pub(super) fn reuse(&mut self, cx: &mut Context<'_>, wanted: &Kept) -> Option<u64> {
        let at = self.cache.list.iter().rposition(|k| Kept { start: 0, ..*k } == *wanted)?;
        let kept = self.cache.list.remove(at);
        cx.memory.turn(kept.bank, Purpose::Cache, Purpose::Svm, kept.len);
        Some(kept.start)
    }

    /// Follows the memory when it has taken kept pages under pressure: the oldest ranges go.
    pub(in crate::runtime) fn settle(&mut self, cx: &mut Context<'_>) {
        if !cx.source() {
            return;
        }
        let banks = (0..self.devices).map(Bank::Device);
        for bank in banks {
            let have = cx.memory.used_for(bank, Purpose::Cache);
            let mut total: u64 =
                self.cache.list.iter().filter(|k| k.bank == bank).map(|k| k.len).sum();
            while total > have {
                let Some(at) = self.cache.list.iter().position(|k| k.bank == bank) else { break };
                let kept = self.cache.list.remove(at);
                total -= kept.len;
                self.release_addresses(&kept);
            }
            // A range of which only a part was taken gives up the rest too.
            cx.memory.give(bank, Purpose::Cache, have.saturating_sub(total));
        }
    }

    /// Drops what is kept of a process, or of one of its devices.
    pub(super) fn drop_kept(&mut self, cx: &mut Context<'_>, process: u32, bank: Option<Bank>) {
        self.settle(cx);
        let goes = |k: &Kept| k.process == process && bank.is_none_or(|bank| k.bank == bank);
        let gone: Vec<Kept> = self.cache.list.iter().filter(|k| goes(k)).copied().collect();
        self.cache.list.retain(|k| !goes(k));
        for kept in gone {
            if cx.source() {
                cx.memory.give(kept.bank, Purpose::Cache, kept.len);
                self.release_addresses(&kept);
            }
        }
    }

    /// True when one of these addresses is kept, or would be in the other mode.
    pub(in crate::runtime) fn is_kept(&self, process: u32, start: u64, len: u64) -> bool {
        let end = start.saturating_add(len);
        let meets = |k: &Kept| k.start < end && start < k.start.saturating_add(k.len);
        self.cache.list.iter().any(|k| k.process == process && meets(k))
    }

    /// Addresses are in use again, so they are not kept in either mode.
    pub(in crate::runtime) fn remember_reuse(&mut self, process: u32, start: u64, len: u64) {
        let end = start.saturating_add(len);
        let meets = |k: &Kept| k.start < end && start < k.start.saturating_add(k.len);
        self.cache.list.retain(|k| k.process != process || !meets(k));
    }

    /// Bytes that are kept of a bank, and of these in pages of 4 KiB.
    pub(super) fn kept_bytes(&self, bank: Bank) -> (u64, u64) {
        let of = |small: bool| {
            let list = self.cache.list.iter().filter(|k| k.bank == bank);
            list.filter(|k| !small || k.page < HUGE_PAGE).map(|k| k.len).sum()
        };
        (of(false), of(true))
    }

    /// Address ranges that are kept of a process.
    pub(super) fn kept_ranges(&self, process: u32) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.cache.list.iter().filter(move |k| k.process == process).map(|k| (k.start, k.len))
    }

    fn release_addresses(&mut self, kept: &Kept) {
        if let Some(process) = self.processes.get_mut(kept.process as usize) {
            process.addresses.give(Zone::Svm, kept.start);
        }
    }
}
