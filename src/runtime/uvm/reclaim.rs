//! Device pages are taken from somebody else when none is free (5.14).

use super::Uvm;
use super::page::{Home, Page};
use super::physical::{Link, grain};
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::quirks::Quirk;

/// Pages that a call would rather keep: those that it has brought itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keep {
    /// The first.
    pub(super) first: u64,
    /// Past the last.
    pub(super) end: u64,
    /// True when they may go where nothing else can.
    pub(super) at_need: bool,
}

impl Uvm {
    /// Takes as many of `want` device pages as there are, or as one run can give; 0: no page and no
    /// victim.
    pub(super) fn take_device(
        &mut self,
        cx: &mut Context<'_>,
        device: u32,
        want: u64,
        keep: Keep,
    ) -> u64 {
        self.scanner(cx, device);
        let bank = Bank::Device(device);
        let over = &cx.machine.oversub;
        if self.room(cx, bank) == 0 && over.enabled && over.direct_reclaim {
            let want = want.min(over.batch.max(1));
            if self.reclaim(cx, device, want, Some(keep)) == 0 && keep.at_need {
                self.reclaim(cx, device, want, None);
            }
        }
        self.take(cx, bank, want)
    }

    /// Gives up to `want` pages of a device up for others, oldest first. Says how many; the caller
    /// asks again while it needs more and gets some.
    pub fn make_room(&mut self, cx: &mut Context<'_>, device: u32, want: u64) -> u64 {
        self.reclaim(cx, device, want, None)
    }

    /// One run, the first that can, gives up to `want` pages.
    fn reclaim(&mut self, cx: &mut Context<'_>, device: u32, want: u64, keep: Option<Keep>) -> u64 {
        let mut after = None;
        loop {
            let singles = self.swap_room(cx) > 0;
            // The fault that this is for may free a host page, and then an older page can go.
            let step = if singles { want.min(grain(cx)) } else { 1 };
            let Some(key) = self.runs.victim(device, after, singles) else {
                if !singles {
                    self.note_swap_area(cx, device);
                }
                return 0;
            };
            after = Some(key);
            let Some((end, _)) = self.runs.at(key.1, u64::MAX) else { return 0 };
            for (from, to) in parts((key.1, end), keep) {
                let mut at = from;
                while at < to {
                    let freed =
                        self.evict_pages(cx, device, at, to.min(at.saturating_add(step)), true);
                    if freed > 0 {
                        return freed;
                    }
                    at = at.saturating_add(step);
                }
            }
        }
    }

    /// In the other mode swapped pages would go elsewhere, where there may be room (Q-UVM-20).
    fn note_swap_area(&self, cx: &mut Context<'_>, device: u32) {
        let refused = cx.injected.swap_refused();
        let differs = cx.machine.oversub.host_swap_pages.is_some();
        if differs && !refused && self.runs.victim(device, None, true).is_some() {
            cx.notes.quirk(Quirk::Uvm20);
        }
    }

    /// Takes the copy of a device off pages of one run: a replica is let go, the only copy is copied
    /// to the host. Says how many pages, from the first, that worked for; changes no others.
    pub(super) fn evict_pages(
        &mut self,
        cx: &mut Context<'_>,
        device: u32,
        from: u64,
        to: u64,
        spend: bool,
    ) -> u64 {
        let Some((to, page)) = self.runs.at(from, to) else { return 0 };
        let page = page.clone();
        match &page.home {
            Home::ReadMostly(_) if page.replica(device).is_some() => {
                let pages = to - from;
                self.give(cx, Bank::Device(device), pages);
                cx.counters.released += pages;
                self.runs.set(from, to, Some(page.without_replica(device)));
                pages
            }
            Home::Device(one) if one.device == device => {
                self.swap_out(cx, device, (from, to), &page, spend)
            }
            _ => 0,
        }
    }

    fn swap_out(
        &mut self,
        cx: &mut Context<'_>,
        device: u32,
        (from, to): (u64, u64),
        page: &Page,
        spend: bool,
    ) -> u64 {
        let want = (to - from).min(self.swap_room(cx));
        if want == 0 {
            return 0;
        }
        let pages = match &mut self.area {
            Some(area) => {
                area.used += want;
                want
            }
            None => self.take(cx, Bank::Host, want),
        };
        let mut new = page.with_home(Home::Host);
        new.area = self.area.is_some();
        new.swapped_at = Some(cx.now);
        // The scanner works beside everybody; only who waits for a page pays.
        let before = cx.notes.ticks;
        let moved = pages > 0 && self.transfer(cx, pages, Link::Host).is_ok();
        if !spend {
            cx.notes.ticks = before;
        }
        if !moved {
            if pages > 0 {
                self.give_host(cx, &new, pages);
            }
            return 0;
        }
        self.give(cx, Bank::Device(device), pages);
        cx.counters.swapped += pages;
        if let Some(known) = self.space.get_mut(self.address_of(page.alloc)) {
            known.swapped += pages;
        }
        self.runs.set(from, from + pages, Some(new));
        pages
    }

    /// The page at an address leaves its devices now (injection `evict`). False where it cannot, or
    /// is on none.
    pub fn evict(&mut self, cx: &mut Context<'_>, address: u64) -> bool {
        if !Self::owns(address) {
            return false;
        }
        let at = self.page_of(address);
        let Some((_, page)) = self.runs.at(at, at + 1) else { return false };
        if page.holds > 0 {
            return false;
        }
        let devices: Vec<u32> = page.replicas().iter().map(|one| one.device).collect();
        let mut any = false;
        for device in devices {
            any |= self.evict_pages(cx, device, at, at + 1, false) > 0;
        }
        any
    }

    /// An unfinished task uses these bytes: their pages are no victims (13.5) until `unhold`.
    pub fn hold(&mut self, address: u64, len: u64) {
        self.change_holds(address, len, |holds| holds.saturating_add(1));
    }

    /// The task is done with them.
    pub fn unhold(&mut self, address: u64, len: u64) {
        self.change_holds(address, len, |holds| holds.saturating_sub(1));
    }

    fn change_holds(&mut self, address: u64, len: u64, change: impl Fn(u32) -> u32) {
        if !Self::owns(address) || len == 0 {
            return;
        }
        let (first, end) = self.touched(address, len);
        let pages: Vec<(u64, u64, Page)> =
            self.runs.within(first, end).map(|(from, to, page)| (from, to, page.clone())).collect();
        for (from, to, mut page) in pages {
            page.holds = change(page.holds);
            self.runs.set(from, to, Some(page));
        }
    }
}

/// A run without what is to be kept.
fn parts((start, end): (u64, u64), keep: Option<Keep>) -> [(u64, u64); 2] {
    match keep {
        Some(keep) if keep.first < keep.end => {
            [(start, end.min(keep.first)), (start.max(keep.end), end)]
        }
        _ => [(start, end), (end, end)],
    }
}
