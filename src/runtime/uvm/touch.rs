//! Loads and stores: who touches a page gets it (5.9). No access without moving, in either mode
//! (Q-UVM-21).
//!
//! A touch is one step here. The source lets a store of the host to a replicated page go without the
//! page's lock (Q-UVM-2); what may happen then needs an access of a device that nothing orders
//! against the store, and such a pair is a race by the clocks already.

use super::moves::{Carrier, Pages};
use super::page::{Home, Page, Places};
use super::physical::{grain, invalid};
use super::reclaim::Keep;
use super::{BASE, Done, Uvm, WINDOW};
use crate::diag::Code;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::pointer::{How, Who};
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};

/// A touch that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) who: Who,
    pub(super) how: How,
    pub(super) address: u64,
    pub(super) len: u64,
    /// Its first page.
    pub(super) first: u64,
    /// Pages that lost their attribute so far.
    pub(super) lost: u64,
}

impl Uvm {
    /// Somebody loads or stores bytes; pages come to him in the order of addresses. Due scans come
    /// first.
    ///
    /// # Errors
    /// `uvm_wild_access`, `uaf` or `unmapped_access` at a page that is not allocated, `oom_host` or
    /// `oom_device` where no page is left, `IoctlFail` where a transfer fails. Pages before that one
    /// have come; that one and those after it are as they were.
    pub fn touch(
        &mut self,
        cx: &mut Context<'_>,
        who: Who,
        address: u64,
        len: u64,
        how: How,
    ) -> Result<Done, Refused> {
        let mut done = Done::default();
        if len == 0 {
            return Ok(done);
        }
        if let Who::Device(device) = who
            && !cx.memory.exists(Bank::Device(device))
        {
            let why = format!("there is no device {device}");
            return Err(Refused::new(Status::InvalidDevice, why));
        }
        self.tick(cx);
        if !Self::owns(address) {
            return Err(self.wild(cx, who, address));
        }
        let (first, end) = self.touched(address, len);
        let mut touch = Touch { who, how, address, len, first, lost: 0 };
        let result = self.touch_pages(cx, &mut touch, end, &mut done);
        if touch.lost > 0 {
            let message = format!(
                "{} pages of the {len} bytes at {address:#x} are read-mostly no more: the write ends \
                 it until it is advised again",
                touch.lost
            );
            cx.notes.remark(Code::ReplayUvmRmLost, message);
        }
        result.map(|()| done)
    }

    /// The pages that hold these bytes, the first of which is in the window.
    pub(super) fn touched(&self, address: u64, len: u64) -> Pages {
        let end = address.saturating_add(len).min(BASE + WINDOW);
        (self.page_of(address), end.saturating_sub(BASE).div_ceil(self.page))
    }

    fn touch_pages(
        &mut self,
        cx: &mut Context<'_>,
        touch: &mut Touch,
        end: u64,
        done: &mut Done,
    ) -> Result<(), Refused> {
        let mut at = touch.first;
        while at < end {
            let (lo, hi, full) = self.part(touch, at);
            let limit = if full == 0 { at + 1 } else { at.saturating_add(full) };
            let Some((to, page)) = self.runs.at(at, end.min(limit)) else {
                return Err(self.wild(cx, touch.who, self.address_of(at)));
            };
            let page = page.clone();
            let (pages, mut new, moved) = match touch.who {
                Who::Host => self.host_touch(cx, touch, (at, to), &page)?,
                Who::Device(device) => {
                    let bytes = super::Bytes { start: self.address_of(at) + lo, len: hi - lo };
                    self.device_touch(cx, touch, device, ((at, to), bytes), &page, done)?
                }
            };
            let place = match touch.who {
                Who::Host => Places::side(None),
                Who::Device(device) => Places::side(Some(device)),
            };
            new.unused = page.unused.less(place);
            new.turns.used(touch.who, (lo, hi), self.page, moved);
            if new != page {
                self.runs.set(at, at + pages, Some(new));
            }
            at += pages;
        }
        Ok(())
    }

    /// The bytes of a page that the touch is about, and how many pages from there are touched as
    /// a whole.
    fn part(&self, touch: &Touch, at: u64) -> (u64, u64, u64) {
        let start = self.address_of(at);
        let end = touch.address.saturating_add(touch.len);
        let lo = touch.address.saturating_sub(start);
        let hi = end.saturating_sub(start).min(self.page);
        let full = if lo > 0 { 0 } else { end.saturating_sub(start) / self.page };
        (lo, hi, full)
    }

    fn host_touch(
        &mut self,
        cx: &mut Context<'_>,
        touch: &mut Touch,
        (from, to): Pages,
        page: &Page,
    ) -> Result<(u64, Page, bool), Refused> {
        let step = (from, to.min(from.saturating_add(grain(cx))));
        let (pages, new) = match &page.home {
            Home::Host => return Ok((to - from, page.clone(), false)),
            Home::ReadMostly(_) if touch.how == How::Read => {
                return Ok((to - from, page.clone(), false));
            }
            _ => self.settle_on_host(cx, step, page, &mut Carrier::single()).map_err(oom_host)?,
        };
        if page.read_mostly() {
            cx.counters.collapses += pages;
            touch.lost += pages;
        }
        cx.counters.faults_host += pages;
        cx.spend(cx.machine.costs.fault.saturating_mul(pages));
        Ok((pages, new, true))
    }

    fn device_touch(
        &mut self,
        cx: &mut Context<'_>,
        touch: &mut Touch,
        device: u32,
        ((from, to), bytes): (Pages, super::Bytes),
        page: &Page,
        done: &mut Done,
    ) -> Result<(u64, Page, bool), Refused> {
        let writes = touch.how == How::Write;
        let own = page.replica(device);
        if let Some(own) = own.filter(|_| !writes || !page.read_mostly()) {
            if own.stale {
                Done::add(&mut done.stale, self.used_bytes((from, to), bytes));
            }
            let seen = self.scanner(cx, device);
            let mut new = page.clone();
            new.each_replica(|one| {
                if one.device == device {
                    one.seen = seen;
                }
            });
            return Ok((to - from, new, false));
        }
        let step = (from, to.min(from.saturating_add(grain(cx))));
        let keep = Keep { first: touch.first, end: from, at_need: true };
        let mixed = self.mixes_ids(cx, device, page);
        let mut carrier = Carrier::single();
        let (pages, mut new) = if page.read_mostly() && !writes {
            self.add_replica(cx, step, page, device, keep, &mut carrier)
        } else {
            self.settle_on_device(cx, step, page, device, keep, &mut carrier)
        }
        .map_err(oom_device)?;
        if page.read_mostly() && writes {
            cx.counters.collapses += pages;
            touch.lost += pages;
        }
        // Replicas that were never filled: nothing is lost while the host has the contents.
        let mut lost = false;
        new.each_replica(|one| {
            if one.device == device {
                lost = one.stale || mixed == Mixed::Lost;
                one.stale = lost && !writes;
            }
        });
        if lost && writes {
            Done::add(&mut done.poison, self.bytes(from, from + pages));
        } else if lost {
            Done::add(&mut done.stale, self.used_bytes((from, from + pages), bytes));
        }
        if mixed == Mixed::Twice {
            self.move_bytes(cx, pages, super::physical::Link::Host, pages);
        }
        self.count_fault(cx, pages, page);
        new.swapped_at = None;
        Ok((pages, new, true))
    }

    /// Of pages that are touched as a whole, all bytes; of one that is touched in part, that part.
    fn used_bytes(&self, (from, to): Pages, part: super::Bytes) -> super::Bytes {
        if part.len == self.page { self.bytes(from, to) } else { part }
    }

    fn count_fault(&mut self, cx: &mut Context<'_>, pages: u64, page: &Page) {
        cx.counters.faults_device += pages;
        cx.spend(cx.machine.costs.fault.saturating_mul(pages));
        let window = cx.machine.oversub.thrash_window;
        if page.swapped_at.is_some_and(|then| cx.now.saturating_sub(then) <= window) {
            cx.counters.refaults += pages;
            if let Some(known) = self.space.get_mut(self.address_of(page.alloc)) {
                known.refaults += pages;
            }
        }
    }

    /// Nothing is allocated there.
    fn wild(&self, cx: &Context<'_>, who: Who, address: u64) -> Refused {
        let freed = self.was_freed(address);
        let why = match freed {
            true => format!("the page at {address:#x} is free again"),
            false => format!("no managed memory is allocated at {address:#x}"),
        };
        match who {
            Who::Host => Refused::new(Status::BadAddress, why).finding(Code::ReplayUvmWildAccess),
            Who::Device(_) if freed => invalid(cx, why).finding(Code::ReplayUaf),
            Who::Device(_) => invalid(cx, why).finding(Code::ReplayUnmappedAccess),
        }
    }

    /// Whether the source, which asks for replicas by the physical id, mistakes this device for
    /// another (Q-UVM-3). Physical ids are one more than logical ones, in a ring [X].
    fn mixes_ids(&self, cx: &mut Context<'_>, device: u32, page: &Page) -> Mixed {
        if !cx.machine.device_ids_differ || !page.read_mostly() {
            return Mixed::No;
        }
        let next = device.saturating_add(1);
        let physical = if cx.memory.exists(Bank::Device(next)) { next } else { 0 };
        let (there, thought) = (page.replica(device).is_some(), page.replica(physical).is_some());
        if there != thought {
            cx.notes.quirk(Quirk::Uvm3);
        }
        match (cx.source(), there, thought) {
            (true, false, true) => Mixed::Lost,
            (true, true, false) => Mixed::Twice,
            _ => Mixed::No,
        }
    }
}

/// What a wrong answer about a replica leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mixed {
    /// Nothing.
    No,
    /// The device is believed to have one: nothing is copied.
    Lost,
    /// It is believed to have none: copied again.
    Twice,
}

fn oom_host(refused: Refused) -> Refused {
    match refused.status {
        Status::OutOfMemory => refused.finding(Code::ReplayOomHost),
        _ => refused,
    }
}

fn oom_device(refused: Refused) -> Refused {
    match refused.status {
        Status::OutOfMemory => refused.finding(Code::ReplayOomDevice),
        _ => refused,
    }
}
