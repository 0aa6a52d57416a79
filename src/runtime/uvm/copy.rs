//! Memset and copies on managed memory: which pages they bring into being, and which bytes they do not
//! reach (5.13, 13.5). Contents move by the caller's hand.

use super::moves::{Carrier, Pages};
use super::page::{Home, Page, Places};
use super::physical::{grain, invalid};
use super::{Bytes, Done, Uvm};
use crate::diag::Code;
use crate::runtime::context::Context;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Errno, Refused, Status};

impl Uvm {
    /// The bytes are set where they are; pages that nobody has come to the host. All replicas of a
    /// read-mostly page are written, and it stays read-mostly (Q-UVM-15, both modes).
    ///
    /// # Errors
    /// `InvalidValue` or `ParaError` for an empty or foreign range and for a page that is not
    /// allocated; nothing is set then. `OutOfMemory` with `oom_host` where the host has no page left.
    pub fn memset(
        &mut self,
        cx: &mut Context<'_>,
        address: u64,
        len: u64,
    ) -> Result<Done, Refused> {
        let (first, end) = self.bytes_of(address, len)?;
        self.absent(cx, (first, end))?;
        self.tick(cx);
        let mut at = first;
        while let Some((to, page)) = self.runs.at(at, end) {
            let page = page.clone();
            let (pages, mut new) = if page.home == Home::Unmapped {
                let step = (at, to.min(at.saturating_add(grain(cx))));
                self.settle_on_host(cx, step, &page, &mut Carrier::single()).map_err(oom_host)?
            } else {
                (to - at, page.clone())
            };
            self.used(&mut new);
            self.enter(at, pages, &page, new);
            at += pages;
        }
        Ok(Done::default())
    }

    /// Bytes are copied from one managed range to another, page by page.
    ///
    /// # Errors
    /// `InvalidHandle` with `uninit_read` at a source page that nobody has; `InvalidValue` for a range
    /// that is empty, foreign or (spec) not allocated; `OutOfMemory` with `oom_host`. In the source a
    /// destination that is not allocated ends the call with success (Q-UVM-12), and pages on two
    /// devices are left out (Q-UVM-13): those bytes are in `Done::missing`.
    pub fn copy(
        &mut self,
        cx: &mut Context<'_>,
        dst: u64,
        src: u64,
        len: u64,
    ) -> Result<Done, Refused> {
        let to = self.bytes_of(dst, len)?;
        let from = self.bytes_of(src, len)?;
        self.source_allocated(cx, from)?;
        let mut done = Done::default();
        let end = self.destination_end(cx, to, (dst, len), &mut done)?;
        self.tick(cx);
        let mut lost = 0;
        let mut result = Ok(());
        let mut at = dst;
        while at < end {
            let n = self.common_part(cx, at, src + (at - dst), end - at);
            match self.copy_part(cx, at, src + (at - dst), n, &mut lost) {
                Ok(true) => {}
                Ok(false) => Done::add(&mut done.missing, Bytes { start: at, len: n }),
                Err(refused) => {
                    result = Err(refused);
                    break;
                }
            }
            at += n;
        }
        done.missing.sort_unstable();
        note_lost(cx, lost, dst);
        result.map(|()| done)
    }

    /// Bytes come from elsewhere; the rules of a destination.
    ///
    /// # Errors
    /// As for `copy`.
    pub fn copy_in(&mut self, cx: &mut Context<'_>, dst: u64, len: u64) -> Result<Done, Refused> {
        let pages = self.bytes_of(dst, len)?;
        let mut done = Done::default();
        let end = self.destination_end(cx, pages, (dst, len), &mut done)?;
        self.tick(cx);
        let end = if end > dst { self.touched(dst, end - dst).1 } else { pages.0 };
        let (mut at, mut lost, mut result) = (pages.0, 0, Ok(()));
        while at < end {
            match self.write_pages(cx, (at, end), &mut lost) {
                Ok(next) => at = next,
                Err(refused) => {
                    result = Err(refused);
                    break;
                }
            }
        }
        note_lost(cx, lost, dst);
        result.map(|()| done)
    }

    /// Bytes go elsewhere; the rules of a source.
    ///
    /// # Errors
    /// As for `copy`; by the document pages that nobody has are no error here: their bytes are
    /// undefined, which is for the reader to find.
    pub fn copy_out(&mut self, cx: &mut Context<'_>, src: u64, len: u64) -> Result<Done, Refused> {
        let (first, end) = self.bytes_of(src, len)?;
        self.source_allocated(cx, (first, end))?;
        self.tick(cx);
        let mut at = first;
        while let Some((to, page)) = self.runs.at(at, end) {
            let page = page.clone();
            if page.home == Home::Unmapped && cx.source() {
                return Err(self.unfilled(at));
            }
            let mut new = page.clone();
            self.used(&mut new);
            self.enter(at, to - at, &page, new);
            at = to;
        }
        Ok(Done::default())
    }

    /// One piece that lies in one run on either side. False: it was left out.
    fn copy_part(
        &mut self,
        cx: &mut Context<'_>,
        dst: u64,
        src: u64,
        len: u64,
        lost: &mut u64,
    ) -> Result<bool, Refused> {
        let (mut from, from_end) = self.touched(src, len);
        let Some((_, source)) = self.runs.at(from, from_end) else {
            return Err(self.unfilled(from));
        };
        let home = source.home.clone();
        if home == Home::Unmapped {
            return Err(self.unfilled(from));
        }
        let (to, to_end) = self.touched(dst, len);
        let apart = match (&home, self.runs.at(to, to_end).map(|(_, page)| &page.home)) {
            (Home::Device(a), Some(Home::Device(b))) => a.device != b.device,
            _ => false,
        };
        if apart {
            cx.notes.quirk(Quirk::Uvm13);
            if cx.source() {
                return Ok(false);
            }
        }
        let mut at = to;
        let mut result = Ok(true);
        while at < to_end {
            match self.write_pages(cx, (at, to_end), lost) {
                Ok(next) => at = next,
                Err(refused) => {
                    result = Err(refused);
                    break;
                }
            }
        }
        // As far as it came, the source was read. A piece that crosses no border is one page.
        let read = from_end.min(from.saturating_add(at - to));
        while from < read {
            let Some((end, page)) = self.runs.at(from, read) else { break };
            let page = page.clone();
            let mut new = page.clone();
            self.used(&mut new);
            self.enter(from, end - from, &page, new);
            from = end;
        }
        result
    }

    /// How many bytes from here lie in one run on either side: whole pages where pages meet pages,
    /// else to the next border of a page.
    fn common_part(&self, cx: &Context<'_>, dst: u64, src: u64, left: u64) -> u64 {
        let run_end = |address: u64| {
            let page = self.page_of(address);
            let end = page.saturating_add(grain(cx));
            self.runs.at(page, end).map_or(page + 1, |(to, _)| to)
        };
        let alike = src.abs_diff(dst).is_multiple_of(self.page);
        let border = |address: u64| {
            let end = if alike { run_end(address) } else { self.page_of(address) + 1 };
            self.address_of(end).saturating_sub(address)
        };
        left.min(border(dst)).min(border(src)).max(1)
    }

    /// A destination: U comes to the host, read-mostly pages become pages of the host. Answers the
    /// first page that is left.
    fn write_pages(
        &mut self,
        cx: &mut Context<'_>,
        (at, end): Pages,
        lost: &mut u64,
    ) -> Result<u64, Refused> {
        let Some((to, page)) = self.runs.at(at, end) else { return Ok(end) };
        let page = page.clone();
        let (pages, mut new) = match page.home {
            Home::Unmapped | Home::ReadMostly(_) => {
                let step = (at, to.min(at.saturating_add(grain(cx))));
                self.settle_on_host(cx, step, &page, &mut Carrier::single()).map_err(oom_host)?
            }
            Home::Host | Home::Device(_) => (to - at, page.clone()),
        };
        if page.read_mostly() {
            cx.counters.collapses += pages;
            *lost += pages;
        }
        self.used(&mut new);
        self.enter(at, pages, &page, new);
        Ok(at + pages)
    }

    /// Used where it lies: young, and not prefetched in vain.
    fn used(&self, page: &mut Page) {
        page.unused = Places::default();
        page.each_replica(|one| {
            one.seen = self.scanners.get(&one.device).map_or(one.seen, |scanner| scanner.scans);
        });
    }

    fn enter(&mut self, at: u64, pages: u64, old: &Page, new: Page) {
        if new != *old {
            self.runs.set(at, at + pages, Some(new));
        }
    }

    /// The pages that hold the bytes of a copy or memset.
    fn bytes_of(&self, address: u64, len: u64) -> Result<Pages, Refused> {
        let inside = len > 0
            && Self::owns(address)
            && address.checked_add(len).is_some_and(|end| end <= super::BASE + super::WINDOW);
        if inside {
            return Ok(self.touched(address, len));
        }
        Err(Refused::new(Status::InvalidValue, "the bytes are not managed memory"))
    }

    fn source_allocated(&self, cx: &Context<'_>, (first, end): Pages) -> Result<(), Refused> {
        let status = if cx.source() { Errno::Efault.status() } else { Status::InvalidValue };
        self.absent(cx, (first, end)).map_err(|refused| Refused { status, ..refused })
    }

    /// Where the destination ends: at its first page that is not allocated in the source, which calls
    /// that success (Q-UVM-12).
    fn destination_end(
        &self,
        cx: &mut Context<'_>,
        (first, end): Pages,
        (dst, len): (u64, u64),
        done: &mut Done,
    ) -> Result<u64, Refused> {
        let Some(hole) = self.runs.hole(first, end) else { return Ok(dst + len) };
        cx.notes.quirk(Quirk::Uvm12);
        let start = self.address_of(hole).max(dst);
        if !cx.source() {
            let why = format!("no managed memory is allocated at {start:#x}");
            return Err(invalid(cx, why));
        }
        Done::add(&mut done.missing, Bytes { start, len: dst + len - start });
        Ok(start)
    }

    fn unfilled(&self, page: u64) -> Refused {
        let at = self.address_of(page);
        Refused::new(Errno::Efault.status(), format!("nobody has written the page at {at:#x}"))
            .finding(Code::ReplayUninitRead)
    }
}

fn note_lost(cx: &mut Context<'_>, lost: u64, dst: u64) {
    if lost > 0 {
        let message = format!("{lost} pages are read-mostly no more: the copy to {dst:#x} ends it");
        cx.notes.remark(Code::ReplayUvmRmLost, message);
    }
}

fn oom_host(refused: Refused) -> Refused {
    match refused.status {
        Status::OutOfMemory => refused.finding(Code::ReplayOomHost),
        _ => refused,
    }
}
