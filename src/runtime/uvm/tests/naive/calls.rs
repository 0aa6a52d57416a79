//! Allocation, free, memset, copies, attributes, crashes.

use std::collections::BTreeSet;

use super::{Answer, BASE, HOST, Lost, NPage, Naive};
use crate::diag::Code;
use crate::model::trace::{Attribute, Location};
use crate::runtime::status::Status;

type Failed = (Status, Option<Code>);

impl Naive {
    pub(in super::super) fn alloc(&mut self, size: u64) -> Result<u64, Failed> {
        if size == 0 {
            return Err((Status::InvalidValue, None));
        }
        let pages = size.div_ceil(self.size());
        let fits = |&first: &u64| (first..first + pages).all(|p| !self.pages.contains_key(&p));
        let first = (0..).find(fits).expect("an endless space");
        if let (Some(most), true, None) =
            (self.machine.oversub.host_swap_pages, self.spec(), self.area)
        {
            let size = most.min(self.room(HOST));
            *self.used.get_mut(&HOST).expect("a bank") += size;
            self.area = Some((size, 0));
        }
        for p in first..first + pages {
            self.pages.insert(p, NPage { alloc: first, ..NPage::default() });
            self.ever.insert(p);
            self.freed_starts.remove(&p);
        }
        let address = BASE + first * self.size();
        self.allocs.insert(address, (size, pages));
        Ok(address)
    }

    pub(in super::super) fn free(&mut self, address: u64) -> Result<(), Failed> {
        if let Some((_, pages)) = self.allocs.remove(&address) {
            let first = self.number(address);
            for p in first..first + pages {
                self.empty(p);
                self.pages.remove(&p);
            }
            self.freed_starts.insert(first);
            return Ok(());
        }
        let aligned = address >= BASE && (address - BASE).is_multiple_of(self.size());
        let twice = aligned && self.freed_starts.contains(&self.number(address));
        let code = if twice { Code::ReplayDoubleFree } else { Code::ReplayBadFree };
        let status = match self.spec() || address < BASE {
            true => Status::InvalidValue,
            false if !aligned => Status::IoctlFail,
            false => Status::ParaError,
        };
        Err((status, Some(code)))
    }

    fn empty(&mut self, p: u64) {
        for d in self.pages[&p].devices.clone() {
            self.drop_device(p, d);
        }
        if self.pages[&p].host_mapped {
            self.drop_host(p);
        }
    }

    pub(in super::super) fn crash(&mut self) -> Lost {
        let mut lost = Lost::default();
        let mut hit = BTreeSet::new();
        for p in self.pages.keys().copied().collect::<Vec<_>>() {
            let alloc = self.pages[&p].alloc;
            if self.pages[&p].owner.is_some() {
                hit.insert(alloc);
            }
            self.empty(p);
            self.pages.insert(p, NPage { alloc, ..NPage::default() });
        }
        for first in hit {
            let start = BASE + first * self.size();
            lost.poison.push((start, self.allocs[&start].1 * self.size()));
        }
        lost
    }

    fn all_there(&self, address: u64, len: u64) -> bool {
        self.touched(address, len).all(|p| self.pages.contains_key(&p))
    }

    fn inside(address: u64, len: u64) -> Result<(), Failed> {
        if len == 0 || address < BASE { Err((Status::InvalidValue, None)) } else { Ok(()) }
    }

    /// Used where it lies.
    fn seen(&mut self, p: u64) {
        let page = self.pages.get_mut(&p).expect("a page");
        page.fetched_in_vain.clear();
        for d in page.devices.clone() {
            page.young.insert(d, true);
        }
    }

    fn host_page(&mut self, p: u64) -> Result<(), Failed> {
        if !self.take(HOST) {
            return Err((Status::OutOfMemory, Some(Code::ReplayOomHost)));
        }
        let page = self.pages.get_mut(&p).expect("a page");
        page.host_mapped = true;
        page.owner = Some(HOST);
        Ok(())
    }

    pub(in super::super) fn memset(&mut self, address: u64, len: u64) -> Answer {
        Self::inside(address, len)?;
        if !self.all_there(address, len) {
            return Err(self.einval());
        }
        self.tick();
        for p in self.touched(address, len) {
            if self.pages[&p].owner.is_none() {
                self.host_page(p)?;
            }
            self.seen(p);
        }
        Ok(Lost::default())
    }

    fn destination(&mut self, p: u64) -> Result<(), Failed> {
        if self.pages[&p].owner.is_none() {
            self.host_page(p)?;
        }
        if self.pages[&p].read_mostly {
            self.collapse_to_host(p);
        }
        self.seen(p);
        Ok(())
    }

    pub(in super::super) fn copy_in(&mut self, dst: u64, len: u64) -> Answer {
        Self::inside(dst, len)?;
        let mut lost = Lost::default();
        if self.spec() && !self.all_there(dst, len) {
            return Err(self.einval());
        }
        self.tick();
        for p in self.touched(dst, len) {
            if !self.pages.contains_key(&p) {
                let start = dst.max(BASE + p * self.size());
                lost.missing.push((start, dst + len - start));
                break;
            }
            self.destination(p)?;
        }
        Ok(lost)
    }

    fn check_source(&self, src: u64, len: u64) -> Result<(), Failed> {
        if self.all_there(src, len) {
            return Ok(());
        }
        Err((if self.spec() { Status::InvalidValue } else { Status::InvalidHandle }, None))
    }

    pub(in super::super) fn copy_out(&mut self, src: u64, len: u64) -> Answer {
        Self::inside(src, len)?;
        self.check_source(src, len)?;
        self.tick();
        for p in self.touched(src, len) {
            if self.pages[&p].owner.is_none() && !self.spec() {
                return Err((Status::InvalidHandle, Some(Code::ReplayUninitRead)));
            }
            self.seen(p);
        }
        Ok(Lost::default())
    }

    pub(in super::super) fn copy(&mut self, dst: u64, src: u64, len: u64) -> Answer {
        Self::inside(dst, len)?;
        Self::inside(src, len)?;
        self.check_source(src, len)?;
        if self.spec() && !self.all_there(dst, len) {
            return Err(self.einval());
        }
        self.tick();
        let mut lost = Lost::default();
        let mut off = 0;
        while off < len {
            let (s, d) = (self.number(src + off), self.number(dst + off));
            let end = (BASE + (s + 1) * self.size() - src).min(BASE + (d + 1) * self.size() - dst);
            let end = end.min(len);
            if !self.pages.contains_key(&d) {
                lost.missing.push((dst + off, len - off));
                break;
            }
            let Some(from) = self.pages[&s].owner else {
                return Err((Status::InvalidHandle, Some(Code::ReplayUninitRead)));
            };
            let to = self.pages[&d].owner;
            let apart = to.is_some_and(|to| to != HOST && from != HOST && to != from);
            if apart && !self.spec() {
                lost.missing.push((dst + off, end - off));
            } else {
                self.destination(d)?;
                self.seen(s);
            }
            off = end;
        }
        Ok(lost)
    }

    pub(in super::super) fn attribute(
        &self,
        address: u64,
        len: u64,
        attribute: Option<Attribute>,
        data_size: u64,
    ) -> Result<Vec<i64>, Failed> {
        let range = self.rounded(address, len)?;
        let Some(attribute) = attribute else { return Err(self.einval()) };
        let list = attribute == Attribute::AccessBy;
        if data_size == 0 || !data_size.is_multiple_of(4) || (!list && data_size != 4) {
            return Err(self.einval());
        }
        if range.clone().any(|p| !self.pages.contains_key(&p)) {
            return Err(self.einval());
        }
        let pages: Vec<&NPage> = range.map(|p| &self.pages[&p]).collect();
        let prefetch = matches!(
            attribute,
            Attribute::LastPrefetchLoc
                | Attribute::LastPrefetchLocType
                | Attribute::LastPrefetchLocId
        );
        let places: Vec<Option<Location>> =
            pages.iter().map(|p| if prefetch { p.last_prefetch } else { p.preferred }).collect();
        let same = places.iter().all(|place| *place == places[0]);
        let kind = |place: Option<Location>| match place {
            None | Some(Location::Invalid) => 0,
            Some(Location::Device(_)) => 1,
            Some(Location::Host) => 2,
            Some(Location::HostNuma(_)) => 3,
        };
        Ok(match attribute {
            Attribute::ReadMostly => vec![i64::from(pages.iter().all(|page| page.read_mostly))],
            Attribute::AccessBy => {
                let in_all = |d: &u32| pages.iter().all(|page| page.access_by.contains(d));
                let mut list: Vec<i64> = (0..=HOST)
                    .filter(in_all)
                    .map(|d| if d == HOST { -1 } else { d.into() })
                    .collect();
                list.resize((data_size / 4) as usize, -2);
                list
            }
            Attribute::PreferredLoc | Attribute::LastPrefetchLoc => {
                if places.iter().all(|&place| kind(place) >= 2) {
                    vec![-1]
                } else {
                    match places[0] {
                        Some(Location::Device(d)) if same => vec![d.into()],
                        _ => vec![-2],
                    }
                }
            }
            Attribute::PreferredLocType | Attribute::LastPrefetchLocType => {
                let alike = places.iter().all(|&place| kind(place) == kind(places[0]));
                vec![if alike { kind(places[0]) } else { 0 }]
            }
            Attribute::PreferredLocId | Attribute::LastPrefetchLocId => match places[0] {
                Some(Location::Device(d) | Location::HostNuma(d)) if same => vec![d.into()],
                Some(Location::Host) if same => vec![-1],
                _ => vec![-2],
            },
        })
    }
}
