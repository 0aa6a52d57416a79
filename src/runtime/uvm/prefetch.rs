//! Prefetch of a range (5.12, 13.5). It is a hint: a page that finds no room stays where it is.

use super::location::place;
use super::moves::{Carrier, Pages};
use super::page::{Home, Page, Places};
use super::physical::{Link, grain, invalid};
use super::reclaim::Keep;
use super::walk::{Abort, Sent, Walk};
use super::{Done, Uvm};
use crate::diag::Code;
use crate::model::trace::Location;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};

/// What became of pages.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// They came.
    moved: u64,
    /// There was no room.
    failed: u64,
}

impl Uvm {
    /// Brings the pages that hold these bytes to a place. Pages without contents are left alone, and
    /// pages that find no room stay (counter `prefetch_failed`).
    ///
    /// # Errors
    /// `NotSupport` for flags; `InvalidValue` or `ParaError` for an empty or foreign range, a place
    /// that does not exist, a page that is not allocated; by the document `IoctlFail` for a transfer
    /// that fails and `WaitTimeout` for a replica whose device does not answer: that page and those
    /// after it are unchanged; in the source `NotSupport` for pages that are to go to the host and
    /// are there (Q-UVM-19).
    pub fn prefetch(
        &mut self,
        cx: &mut Context<'_>,
        address: u64,
        len: u64,
        location: Location,
        flags: u64,
    ) -> Result<Done, Refused> {
        let (pages, target) = self.prefetch_arguments(cx, (address, len), location, flags)?;
        self.tick(cx);
        self.prefetch_pages(cx, pages, target)
    }

    /// Checks them.
    pub(super) fn prefetch_arguments(
        &self,
        cx: &mut Context<'_>,
        (address, len): (u64, u64),
        location: Location,
        flags: u64,
    ) -> Result<(Pages, Location), Refused> {
        if flags != 0 {
            return Err(Refused::new(Status::NotSupport, "no flag is defined"));
        }
        let pages = self.pages_for(cx, address, len)?;
        Ok((pages, place(cx, location)?))
    }

    /// A page of the range that is not allocated.
    pub(super) fn absent(&self, cx: &Context<'_>, (first, end): Pages) -> Result<(), Refused> {
        match self.runs.hole(first, end) {
            None => Ok(()),
            Some(hole) => {
                let at = self.address_of(hole);
                Err(invalid(cx, format!("no managed memory is allocated at {at:#x}")))
            }
        }
    }

    /// Does it, with arguments that were checked.
    pub(super) fn prefetch_pages(
        &mut self,
        cx: &mut Context<'_>,
        (first, end): Pages,
        target: Location,
    ) -> Result<Done, Refused> {
        let walk = self.walk(cx, (first, end), target);
        if !cx.source() {
            self.absent(cx, (first, end))?;
        }
        walk.note(cx, target);
        self.remember(cx);
        let (mut done, mut count) = (Done::default(), Count::default());
        let result = if cx.source() {
            self.send_walk(cx, (first, end), &walk, target, (&mut done, &mut count))
        } else {
            self.send_each(cx, (first, end), target, &mut count)
        };
        let (reached, result) = match result {
            Ok(()) => (end, Ok(done)),
            Err((reached, refused)) => (reached, Err(refused)),
        };
        self.set_last_prefetch((first, reached), target);
        cx.counters.prefetched += count.moved;
        cx.counters.prefetch_failed += count.failed;
        if result.is_ok() && count.moved == 0 {
            let pages = end - first;
            let message = match count.failed {
                0 => format!("none of the {pages} pages had to be moved"),
                failed => format!("{failed} of the {pages} pages found no room, none was moved"),
            };
            cx.notes.remark(Code::ReplayPrefetchUseless, message);
        }
        result
    }

    /// By the document: each page for itself.
    fn send_each(
        &mut self,
        cx: &mut Context<'_>,
        (first, end): Pages,
        target: Location,
        count: &mut Count,
    ) -> Result<(), (u64, Refused)> {
        let mut carrier = Carrier::prefetch(cx);
        let mut at = first;
        while let Some((to, _)) = self.runs.at(at, end) {
            let to = to.min(at.saturating_add(grain(cx)));
            at = self
                .send(cx, (at, to), (first, end), target, &mut carrier, count)
                .map_err(|refused| (at, refused))?;
        }
        Ok(())
    }

    /// In the source: message by message; failures go unnoticed (Q-UVM-8, Q-UVM-10).
    fn send_walk(
        &mut self,
        cx: &mut Context<'_>,
        range: Pages,
        walk: &Walk,
        target: Location,
        (done, count): (&mut Done, &mut Count),
    ) -> Result<(), (u64, Refused)> {
        let step = match grain(cx) {
            1 => cx.machine.costs.prefetch_batch.max(1),
            all => all,
        };
        for sent in &walk.sent {
            let mut from = sent.from;
            while from < sent.to {
                let to = sent.to.min(from.saturating_add(step));
                self.send_message(cx, Sent { from, to, ..*sent }, range, target, (done, count))
                    .map_err(|refused| (from, refused))?;
                from = to;
            }
        }
        let reached = range.0 + walk.processed;
        match walk.aborted {
            None => Ok(()),
            Some(Abort::Hole(hole)) => {
                let at = self.address_of(hole);
                let why = format!("no managed memory is allocated at {at:#x}");
                Err((reached, invalid(cx, why)))
            }
            Some(Abort::AtHome) => {
                let why = "pages on the way to the host are there already";
                Err((reached, Refused::new(Status::NotSupport, why)))
            }
        }
    }

    fn send_message(
        &mut self,
        cx: &mut Context<'_>,
        sent: Sent,
        range: Pages,
        target: Location,
        (done, count): (&mut Done, &mut Count),
    ) -> Result<(), Refused> {
        if matches!((sent.source, target), (Bank::Device(_), Location::Device(_))) {
            // Success, nothing moves (Q-UVM-9).
            return Ok(());
        }
        let mut carrier = Carrier::batch(cx);
        let mut carried: Vec<Pages> = Vec::new();
        let mut at = sent.from;
        while let Some((to, _)) = self.runs.at(at, sent.to) {
            let to = to.min(at.saturating_add(grain(cx)));
            let failed = count.failed;
            let next = self.send(cx, (at, to), range, target, &mut carrier, count)?;
            if count.failed == failed {
                carried.push((at, next));
            }
            at = next;
        }
        if carried.is_empty() {
            return Ok(());
        }
        let lost = cx.injected.transfer_fails();
        if lost {
            cx.notes.quirk(Quirk::Uvm10);
        }
        let to_device = matches!(target, Location::Device(_));
        let silent = sent.read_mostly && to_device && cx.injected.ack_fails();
        if silent {
            cx.notes.quirk(Quirk::Uvm8);
        }
        if !lost && !silent {
            return Ok(());
        }
        for (from, to) in carried {
            match target {
                Location::Device(device) if sent.read_mostly => self.spoil((from, to), device),
                _ => Done::add(&mut done.poison, self.bytes(from, to)),
            }
        }
        Ok(())
    }

    /// Pages of one run go to a place, if they have contents and are not there. Answers the first page
    /// that was not looked at.
    fn send(
        &mut self,
        cx: &mut Context<'_>,
        (from, to): Pages,
        range: Pages,
        target: Location,
        carrier: &mut Carrier,
        count: &mut Count,
    ) -> Result<u64, Refused> {
        let Some((to, page)) = self.runs.at(from, to) else { return Ok(to) };
        let page = page.clone();
        // A prefetch does not push out what it is to bring.
        let keep = Keep { first: range.0, end: range.1, at_need: false };
        let again = matches!(target, Location::Device(device) if page.replica(device).is_some());
        let result = match (&page.home, target) {
            (Home::Unmapped, _) | (Home::Host, Location::Host) => return Ok(to),
            (Home::ReadMostly(_), Location::Host) => return Ok(to),
            (Home::Device(_), Location::Device(_)) if again || cx.source() => return Ok(to),
            (Home::Host | Home::Device(_), Location::Device(device)) => {
                self.settle_on_device(cx, (from, to), &page, device, keep, carrier)
            }
            (Home::ReadMostly(_), Location::Device(device)) => {
                self.add_replica(cx, (from, to), &page, device, keep, carrier)
            }
            (Home::Device(_), _) => self.settle_on_host(cx, (from, to), &page, carrier),
            (Home::Host | Home::ReadMostly(_), _) => {
                self.move_bytes(
                    cx,
                    to - from,
                    Link::Node,
                    (to - from).div_ceil(cx.machine.costs.prefetch_batch.max(1)),
                );
                Ok((to - from, page.clone()))
            }
        };
        match result {
            Ok((pages, mut new)) => {
                // A replica that was there is sent again for nothing (5.12).
                if !again {
                    count.moved += pages;
                    let place = match target {
                        Location::Device(device) => Places::side(Some(device)),
                        _ => Places::side(None),
                    };
                    new.unused = new.unused.or(place);
                    if let Some(known) = self.space.get_mut(self.address_of(page.alloc)) {
                        known.prefetched += pages;
                    }
                }
                if new != page {
                    self.runs.set(from, from + pages, Some(new));
                }
                Ok(from + pages)
            }
            Err(refused) if refused.status == Status::OutOfMemory => {
                count.failed += to - from;
                Ok(to)
            }
            Err(refused) => {
                let silent = refused.status == Status::WaitTimeout;
                cx.notes.quirk(if silent { Quirk::Uvm8 } else { Quirk::Uvm10 });
                Err(refused)
            }
        }
    }

    /// The replicas of a device were never filled.
    fn spoil(&mut self, (from, to): Pages, device: u32) {
        let pages: Vec<(u64, u64, Page)> =
            self.runs.within(from, to).map(|(from, to, page)| (from, to, page.clone())).collect();
        for (from, to, mut page) in pages {
            page.each_replica(|one| one.stale |= one.device == device);
            self.runs.set(from, to, Some(page));
        }
    }

    /// Also pages that were skipped have it (5.11).
    fn set_last_prefetch(&mut self, (first, end): Pages, target: Location) {
        let pages: Vec<(u64, u64, Page)> =
            self.runs.within(first, end).map(|(from, to, page)| (from, to, page.clone())).collect();
        for (from, to, page) in pages {
            if page.last_prefetch != Some(target) {
                self.runs.set(from, to, Some(Page { last_prefetch: Some(target), ..page }));
            }
        }
    }
}
