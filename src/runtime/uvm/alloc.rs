//! Allocation and free of managed memory (5.9).

use super::page::{Home, Page};
use super::space::Range;
use super::{BASE, Uvm, WINDOW};
use crate::diag::Code;
use crate::runtime::context::Context;
use crate::runtime::status::{Errno, Refused, Status};

impl Uvm {
    /// Allocates addresses; pages come with the first touch. Answers the address.
    ///
    /// # Errors
    /// `InvalidValue` for no bytes, `FeatureNotSupport` on a product without managed memory,
    /// `OutOfMemory` when the 3 TiB are used up.
    pub fn alloc(&mut self, cx: &mut Context<'_>, size: u64) -> Result<u64, Refused> {
        if !cx.machine.capabilities.uvm {
            let why = "this product has no managed memory";
            return Err(Refused::new(Status::FeatureNotSupport, why));
        }
        if size == 0 {
            return Err(Refused::new(Status::InvalidValue, "the size is 0"));
        }
        if self.space.is_empty() {
            self.page = cx.machine.uvm_page.clamp(1, WINDOW);
        }
        let none =
            || Refused::new(Status::OutOfMemory, "no managed addresses are left for so many bytes");
        if size > WINDOW {
            return Err(none());
        }
        let pages = size.div_ceil(self.page);
        let rounded = pages.saturating_mul(self.page);
        let start = self.space.take(size, rounded).ok_or_else(none)?;
        self.reserve_area(cx);
        let first = self.page_of(start);
        self.runs.set(first, first.saturating_add(pages), Some(Page::new(first)));
        Ok(start)
    }

    /// Frees an allocation with all copies of its pages. Failures of single pages, which the source
    /// does not report (Q-UVM-1), cannot happen here.
    ///
    /// # Errors
    /// `InvalidValue` where no live allocation starts; the source looks at the alignment first and
    /// answers `IoctlFail` or `ParaError`. The finding is `double_free` or `bad_free`.
    pub fn free(&mut self, cx: &mut Context<'_>, address: u64) -> Result<Range, Refused> {
        let live = self.range(address).is_some_and(|range| range.start == address);
        if !live {
            return Err(self.refuse_free(cx, address));
        }
        self.report(cx, address);
        self.drop_pages(cx, address, true);
        let Some((range, _)) = self.space.give(address) else {
            return Err(self.refuse_free(cx, address));
        };
        Ok(range)
    }

    fn refuse_free(&self, cx: &Context<'_>, address: u64) -> Refused {
        let twice = self.space.was_start(address);
        let code = if twice { Code::ReplayDoubleFree } else { Code::ReplayBadFree };
        let why = match self.range(address) {
            _ if twice => format!("{address:#x} is free already"),
            Some(range) => {
                format!("{address:#x} lies inside the allocation at {:#x}", range.start)
            }
            None => format!("nothing is allocated at {address:#x}"),
        };
        let status = if !cx.source() || !Self::owns(address) {
            Status::InvalidValue
        } else if !(address - BASE).is_multiple_of(self.page) {
            Errno::Eaddrnotavail.status()
        } else {
            Errno::Einval.status()
        };
        Refused::new(status, why).finding(code)
    }

    /// Gives back all physical pages of the allocation that starts at an address; with `forget`, the
    /// pages themselves, else what is left is U without attributes. Says whether any page had
    /// contents.
    pub(super) fn drop_pages(&mut self, cx: &mut Context<'_>, start: u64, forget: bool) -> bool {
        let Some(range) = self.range(start) else { return false };
        let first = self.page_of(range.start);
        let end = first.saturating_add(range.rounded / self.page);
        let pages: Vec<(u64, u64, Page)> =
            self.runs.within(first, end).map(|(from, to, page)| (from, to, page.clone())).collect();
        let mut any = false;
        for (from, to, page) in pages {
            any |= page.home != Home::Unmapped;
            self.give_replicas(cx, &page, to - from, None);
            if page.on_host() {
                self.give_host(cx, &page, to - from);
            }
        }
        self.runs.set(first, end, if forget { None } else { Some(Page::new(first)) });
        any
    }
}
