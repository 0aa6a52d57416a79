//! Advice (5.10, 13.5).

use super::location::place;
use super::moves::{Carrier, Pages};
use super::page::{Home, Page, Places};
use super::physical::{grain, invalid};
use super::reclaim::Keep;
use super::{Done, Uvm};
use crate::diag::Code;
use crate::model::trace::{Advice, Location};
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};

impl Uvm {
    /// Advises how the pages that hold these bytes will be used.
    ///
    /// # Errors
    /// `InvalidValue` (in the source `ParaError` where the kernel finds it) for no or unknown advice,
    /// an empty or foreign range, a place that does not exist, a page that is not allocated; `Busy`
    /// with `prefer_conflict` for a preferred place while the page lies elsewhere (spec);
    /// `OutOfMemory` where a page that is to be allocated ahead is not to be had; that page and those
    /// after it are unchanged. By the document bad pages and `Busy` leave the whole range unchanged,
    /// in the source pages before a bad one keep the change (Q-UVM-16).
    pub fn advise(
        &mut self,
        cx: &mut Context<'_>,
        address: u64,
        len: u64,
        advice: Option<Advice>,
        location: Location,
    ) -> Result<Done, Refused> {
        let (first, end) = self.pages_for(cx, address, len)?;
        let Some(advice) = advice else { return Err(invalid(cx, "there is no such advice")) };
        let location = meant(cx, advice, location)?;
        self.tick(cx);
        let hole = self.runs.hole(first, end);
        if hole.is_some_and(|hole| hole > first) {
            cx.notes.quirk(Quirk::Uvm16);
        }
        let refused = hole.map(|hole| {
            let at = self.address_of(hole);
            invalid(cx, format!("no managed memory is allocated at {at:#x}"))
        });
        if let Some(refused) = refused.clone().filter(|_| !cx.source()) {
            return Err(refused);
        }
        let end = hole.unwrap_or(end);
        self.prefer_conflicts(cx, (first, end), advice, location)?;
        self.remember(cx);
        let mut done = Done::default();
        // What is allocated ahead does not push out what this call has allocated.
        let keep = Keep { first, end, at_need: false };
        let mut at = first;
        while let Some((to, page)) = self.runs.at(at, end) {
            let page = page.clone();
            let step = (at, to.min(at.saturating_add(grain(cx))));
            let (pages, new) = match advice {
                Advice::ReadMostly => self.make_read_mostly(cx, step, &page)?,
                Advice::UnsetReadMostly if !page.read_mostly() => (to - at, page.clone()),
                Advice::UnsetReadMostly => {
                    self.unset_read_mostly(cx, step, &page, (location, keep), &mut done)?
                }
                Advice::PreferLocation | Advice::AccessBy => {
                    self.advise_place(cx, step, &page, (advice, location), keep)?
                }
                Advice::UnsetPreferLocation => (to - at, Page { preferred: None, ..page.clone() }),
                Advice::UnsetAccessBy => {
                    let access_by = page.access_by.less(Places::of(location));
                    (to - at, Page { access_by, ..page.clone() })
                }
            };
            if new != page {
                self.runs.set(at, at + pages, Some(new));
            }
            at += pages;
        }
        refused.map_or(Ok(done), Err)
    }

    /// One copy stays: that of the place that is meant.
    fn unset_read_mostly(
        &mut self,
        cx: &mut Context<'_>,
        (from, to): Pages,
        page: &Page,
        (argument, keep): (Location, Keep),
        done: &mut Done,
    ) -> Result<(u64, Page), Refused> {
        // The source lets the preferred place win over the argument (Q-UVM-14).
        let side = |location| match location {
            Location::Device(device) => Some(device),
            _ => None,
        };
        let by_argument = side(argument);
        let by_preferred = page.preferred.map_or(by_argument, side);
        if by_argument != by_preferred {
            cx.notes.quirk(Quirk::Uvm14);
        }
        let kept = if cx.source() { by_preferred } else { by_argument };
        let mut carrier = Carrier::single();
        let Some(device) = kept else {
            return self.settle_on_host(cx, (from, to), page, &mut carrier);
        };
        let (pages, mut new) =
            self.settle_on_device(cx, (from, to), page, device, keep, &mut carrier)?;
        if let Home::Device(one) = &mut new.home {
            if one.stale {
                Done::add(&mut done.poison, self.bytes(from, from + pages));
            }
            one.stale = false;
        }
        Ok((pages, new))
    }

    /// Keeps what pages were like for attribute queries that answer late (injection `stale_attr`).
    pub(super) fn remember(&mut self, cx: &Context<'_>) {
        if cx.injected.stale_attr() {
            self.before = Some(self.runs.clone());
        }
    }

    /// By the document a preferred place while pages lie elsewhere is an error of the whole call;
    /// the source warns (Q-UVM-6).
    fn prefer_conflicts(
        &self,
        cx: &mut Context<'_>,
        (first, end): Pages,
        advice: Advice,
        location: Location,
    ) -> Result<(), Refused> {
        let pages: u64 = self
            .runs
            .within(first, end)
            .filter(|(_, _, page)| super::prefer::conflicts(page, advice, location))
            .map(|(from, to, _)| to - from)
            .sum();
        if pages == 0 {
            return Ok(());
        }
        cx.notes.quirk(Quirk::Uvm6);
        let why = format!("{pages} pages lie elsewhere than the place that they shall prefer");
        if cx.source() {
            cx.notes.remark(Code::ReplayPreferConflict, why);
            return Ok(());
        }
        Err(Refused::new(Status::Busy, why).finding(Code::ReplayPreferConflict))
    }
}

/// The place that an advice is about; `Host` where it is about none.
fn meant(cx: &mut Context<'_>, advice: Advice, location: Location) -> Result<Location, Refused> {
    match (advice, location) {
        (Advice::ReadMostly | Advice::UnsetPreferLocation, _) => Ok(Location::Host),
        (Advice::UnsetReadMostly, Location::Device(id)) => {
            if id < 64 && cx.memory.exists(Bank::Device(id)) {
                return Ok(location);
            }
            if id != 64 {
                cx.notes.quirk(Quirk::Uvm23);
            }
            if cx.source() { place(cx, location) } else { Ok(Location::Host) }
        }
        (Advice::UnsetReadMostly, _) => Ok(Location::Host),
        (Advice::AccessBy | Advice::UnsetAccessBy, Location::HostNuma(_)) => {
            Err(invalid(cx, "a NUMA node is no place to access from"))
        }
        (Advice::PreferLocation | Advice::AccessBy | Advice::UnsetAccessBy, _) => {
            place(cx, location)
        }
    }
}
