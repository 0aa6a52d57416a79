//! Physical pages: taken, given back, moved.

use super::Uvm;
use super::page::Page;
use crate::runtime::context::Context;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::status::{Errno, Refused, Status};

/// The host area that swapping fills, in pages (Q-UVM-20).
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) size: u64,
    pub(super) used: u64,
}

/// Over which link bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// Between the host and a device.
    Host,
    /// Between devices.
    Peer,
    /// Between NUMA nodes of the host.
    Node,
}

/// How many pages are looked at together: all, unless faults are injected by number.
pub(super) fn grain(cx: &Context<'_>) -> u64 {
    if cx.injected.all().is_empty() { u64::MAX } else { 1 }
}

/// A bad argument that the kernel finds: `InvalidValue` by the document, EINVAL in the source
/// (Q-ERR-1).
pub(super) fn invalid(cx: &Context<'_>, why: impl Into<String>) -> Refused {
    let status = if cx.source() { Errno::Einval.status() } else { Status::InvalidValue };
    Refused::new(status, why)
}

impl Uvm {
    /// Whole pages that a bank has left.
    pub(super) fn room(&self, cx: &Context<'_>, bank: Bank) -> u64 {
        let cached = cx.memory.used_for(bank, Purpose::Cache);
        let room = cx.memory.free(bank).saturating_add(cached) / self.page;
        match (bank, cx.injected.host_pages()) {
            (Bank::Host, Some(pages)) => {
                let used = cx.memory.used(bank).saturating_sub(cached).div_ceil(self.page);
                room.min(pages.saturating_sub(used))
            }
            _ => room,
        }
    }

    /// Takes as many of `want` pages as there are; says how many.
    pub(super) fn take(&mut self, cx: &mut Context<'_>, bank: Bank, want: u64) -> u64 {
        let pages = want.min(self.room(cx, bank));
        if pages == 0 || cx.injected.alloc_fails() {
            return 0;
        }
        let bytes = pages.saturating_mul(self.page);
        if cx.memory.take(bank, Purpose::Uvm, bytes).is_err() {
            return 0;
        }
        cx.counters.allocs += pages;
        *self.taken.entry(bank).or_insert(0) += pages;
        pages
    }

    /// Gives pages back.
    pub(super) fn give(&mut self, cx: &mut Context<'_>, bank: Bank, pages: u64) {
        cx.memory.give(bank, Purpose::Uvm, pages.saturating_mul(self.page));
        cx.counters.frees += pages;
        if let Some(taken) = self.taken.get_mut(&bank) {
            *taken = taken.saturating_sub(pages);
        }
    }

    /// Gives the host copies of pages of this state back, to where they came from.
    pub(super) fn give_host(&mut self, cx: &mut Context<'_>, page: &Page, pages: u64) {
        if !page.area {
            self.give(cx, Bank::Host, pages);
        } else if let Some(area) = &mut self.area {
            area.used = area.used.saturating_sub(pages);
        }
    }

    /// Gives all copies of devices of pages of this state back, but that of `except`.
    pub(super) fn give_replicas(
        &mut self,
        cx: &mut Context<'_>,
        page: &Page,
        pages: u64,
        except: Option<u32>,
    ) {
        for one in page.replicas().iter().filter(|one| Some(one.device) != except) {
            self.give(cx, Bank::Device(one.device), pages);
        }
    }

    /// Takes host pages, or says that there are none.
    pub(super) fn take_host(&mut self, cx: &mut Context<'_>, want: u64) -> Result<u64, Refused> {
        match self.take(cx, Bank::Host, want) {
            0 => Err(Refused::new(Status::OutOfMemory, "the host has no page left")),
            pages => Ok(pages),
        }
    }

    /// Makes room for the swap area with the first allocation; by the document only, as the source
    /// takes pages one by one (Q-UVM-20).
    pub(super) fn reserve_area(&mut self, cx: &mut Context<'_>) {
        let Some(pages) = cx.machine.oversub.host_swap_pages else { return };
        if cx.source() || self.area.is_some() {
            return;
        }
        let size = pages.min(self.room(cx, Bank::Host));
        let bytes = size.saturating_mul(self.page);
        if cx.memory.take(Bank::Host, Purpose::Uvm, bytes).is_ok() {
            self.area = Some(Area { size, used: 0 });
        }
    }

    /// Pages that may still be swapped out.
    pub(super) fn swap_room(&self, cx: &Context<'_>) -> u64 {
        if cx.injected.swap_refused() {
            return 0;
        }
        self.area.map_or_else(|| self.room(cx, Bank::Host), |a| a.size.saturating_sub(a.used))
    }

    /// Moves the contents of pages, in so many transfers.
    pub(super) fn move_bytes(&self, cx: &mut Context<'_>, pages: u64, link: Link, starts: u64) {
        let costs = &cx.machine.costs;
        let ticks = |rate: u64| self.page.div_ceil(rate.max(1)).saturating_mul(pages);
        let moving = match link {
            Link::Host => ticks(costs.link),
            Link::Peer if cx.machine.capabilities.peer => ticks(costs.peer_link),
            // By way of the host.
            Link::Peer => ticks(costs.link).saturating_mul(2),
            Link::Node => ticks(costs.host),
        };
        let ticks = moving.saturating_add(costs.dma_start.saturating_mul(starts));
        cx.spend(ticks);
        if link != Link::Node {
            let bytes = pages.saturating_mul(self.page);
            cx.counters.bytes_moved = cx.counters.bytes_moved.saturating_add(bytes);
        }
    }

    /// The contents of pages go from one place to another, each by a transfer of its own.
    pub(super) fn transfer(
        &self,
        cx: &mut Context<'_>,
        pages: u64,
        link: Link,
    ) -> Result<(), Refused> {
        if cx.injected.transfer_fails() {
            return Err(Refused::new(Errno::Eio.status(), "the transfer of a page failed"));
        }
        self.move_bytes(cx, pages, link, pages);
        Ok(())
    }
}
