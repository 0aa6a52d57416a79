//! How pages change places. Each of these does it for as many pages of a run as there is room for,
//! and answers that number with the new state, which the caller enters.

use super::Uvm;
use super::page::{Home, Page, Replica};
use super::physical::Link;
use super::reclaim::Keep;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::status::{Errno, Refused, Status};

/// Pages `[from, to)` of one run.
pub(super) type Pages = (u64, u64);

/// How contents are carried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carrier {
    /// Pages of one transfer.
    batch: u64,
    /// False where the caller finds out about failures itself, by the batch.
    checked: bool,
    /// True when a device says that it has its replica, and its silence is an error (Q-UVM-8).
    acked: bool,
    /// The transfer that could take more: its next page, how many more, and what it carries.
    open: Option<(u64, u64, Option<Bank>, bool)>,
}

impl Carrier {
    /// Page by page: faults, advice, copies.
    pub(super) fn single() -> Self {
        Self { batch: 1, checked: true, acked: false, open: None }
    }

    /// A prefetch by the document: pages are independent of each other, but travel together.
    pub(super) fn prefetch(cx: &Context<'_>) -> Self {
        Self {
            batch: cx.machine.costs.prefetch_batch.max(1),
            checked: true,
            acked: true,
            open: None,
        }
    }

    /// A batch of a prefetch of the source.
    pub(super) fn batch(cx: &Context<'_>) -> Self {
        Self { checked: false, acked: false, ..Self::prefetch(cx) }
    }

    /// How many transfers have to start for these pages.
    fn starts(&mut self, from: u64, pages: u64, page: &Page) -> u64 {
        let key = (page.owner(), page.read_mostly());
        let left = match self.open {
            Some((next, left, owner, rm)) if next == from && (owner, rm) == key => left,
            _ => 0,
        };
        let rest = pages.saturating_sub(left);
        let starts = rest.div_ceil(self.batch);
        let left = left.saturating_add(starts.saturating_mul(self.batch)).saturating_sub(pages);
        self.open = Some((from.saturating_add(pages), left, key.0, key.1));
        starts
    }

    /// Carries pages of a state.
    fn carry(
        &mut self,
        uvm: &Uvm,
        cx: &mut Context<'_>,
        (from, pages): (u64, u64),
        page: &Page,
        link: Link,
    ) -> Result<(), Refused> {
        if self.checked && cx.injected.transfer_fails() {
            return Err(Refused::new(Errno::Eio.status(), "the transfer of a page failed"));
        }
        let starts = self.starts(from, pages, page);
        uvm.move_bytes(cx, pages, link, starts);
        Ok(())
    }
}

impl Uvm {
    /// Pages get a device as their only place.
    pub(super) fn settle_on_device(
        &mut self,
        cx: &mut Context<'_>,
        (from, to): Pages,
        page: &Page,
        device: u32,
        keep: Keep,
        carrier: &mut Carrier,
    ) -> Result<(u64, Page), Refused> {
        let seen = self.scanner(cx, device);
        if let Some(mut own) = page.replica(device) {
            // It has the contents: the others are dropped.
            own.seen = seen;
            self.give_replicas(cx, page, to - from, Some(device));
            if page.on_host() {
                self.give_host(cx, page, to - from);
            }
            let new = Page { area: false, ..page.with_home(Home::Device(own)) };
            return Ok((to - from, new));
        }
        let pages = self.take_on(cx, device, to - from, keep)?;
        let link = match page.home {
            Home::Unmapped => None,
            Home::Host | Home::ReadMostly(_) => Some(Link::Host),
            Home::Device(_) => Some(Link::Peer),
        };
        if let Some(link) = link
            && let Err(refused) = carrier.carry(self, cx, (from, pages), page, link)
        {
            self.give(cx, Bank::Device(device), pages);
            return Err(refused);
        }
        match link {
            Some(Link::Peer) => cx.counters.migrations_d2d += pages,
            Some(_) => cx.counters.migrations_h2d += pages,
            None => {}
        }
        self.give_replicas(cx, page, pages, None);
        if page.on_host() {
            self.give_host(cx, page, pages);
        }
        let home = Home::Device(Replica::new(device, seen));
        Ok((pages, Page { area: false, ..page.with_home(home) }))
    }

    /// Pages get the host as their only place.
    pub(super) fn settle_on_host(
        &mut self,
        cx: &mut Context<'_>,
        (from, to): Pages,
        page: &Page,
        carrier: &mut Carrier,
    ) -> Result<(u64, Page), Refused> {
        let pages = match &page.home {
            Home::Host => to - from,
            Home::ReadMostly(_) => {
                self.give_replicas(cx, page, to - from, None);
                to - from
            }
            Home::Unmapped => self.take_host(cx, to - from)?,
            Home::Device(one) => {
                let pages = self.fetch(cx, (from, to), page, carrier)?;
                self.give(cx, Bank::Device(one.device), pages);
                cx.counters.migrations_d2h += pages;
                pages
            }
        };
        Ok((pages, page.with_home(Home::Host)))
    }

    /// A device gets a copy that it may read; the pages are read-mostly.
    pub(super) fn add_replica(
        &mut self,
        cx: &mut Context<'_>,
        (from, to): Pages,
        page: &Page,
        device: u32,
        keep: Keep,
        carrier: &mut Carrier,
    ) -> Result<(u64, Page), Refused> {
        let seen = self.scanner(cx, device);
        let has = page.replica(device).is_some();
        let pages = if has { to - from } else { self.take_on(cx, device, to - from, keep)? };
        let mut carried = carrier.carry(self, cx, (from, pages), page, Link::Host);
        if carried.is_ok() && carrier.acked && cx.injected.ack_fails() {
            let why = "the device does not say that it has its replica";
            carried = Err(Refused::new(Status::WaitTimeout, why));
        }
        if let Err(refused) = carried {
            if !has {
                self.give(cx, Bank::Device(device), pages);
            }
            return Err(refused);
        }
        if !has {
            cx.counters.replicas += pages;
        }
        Ok((pages, page.with_replica(Replica::new(device, seen))))
    }

    /// Pages become read-mostly (5.10).
    pub(super) fn make_read_mostly(
        &mut self,
        cx: &mut Context<'_>,
        (from, to): Pages,
        page: &Page,
    ) -> Result<(u64, Page), Refused> {
        let (pages, replicas) = match &page.home {
            Home::ReadMostly(all) => (to - from, all.clone()),
            Home::Host => (to - from, Vec::new()),
            Home::Unmapped => (self.take_host(cx, to - from)?, Vec::new()),
            Home::Device(one) => {
                let pages = self.fetch(cx, (from, to), page, &mut Carrier::single())?;
                cx.counters.replicas += pages;
                (pages, vec![*one])
            }
        };
        Ok((pages, page.with_home(Home::ReadMostly(replicas))))
    }

    /// Host pages are taken and filled from the device that has the contents.
    fn fetch(
        &mut self,
        cx: &mut Context<'_>,
        (from, to): Pages,
        page: &Page,
        carrier: &mut Carrier,
    ) -> Result<u64, Refused> {
        let pages = self.take_host(cx, to - from)?;
        if let Err(refused) = carrier.carry(self, cx, (from, pages), page, Link::Host) {
            self.give(cx, Bank::Host, pages);
            return Err(refused);
        }
        Ok(pages)
    }

    fn take_on(
        &mut self,
        cx: &mut Context<'_>,
        device: u32,
        want: u64,
        keep: Keep,
    ) -> Result<u64, Refused> {
        match self.take_device(cx, device, want, keep) {
            0 => {
                let why = format!("device {device} has no page left, and none that it can give up");
                Err(Refused::new(Status::OutOfMemory, why))
            }
            pages => Ok(pages),
        }
    }
}
