//! The tables of 5.10 with 13.5.

use super::{Answer, HOST, Lost, Naive};
use crate::diag::Code;
use crate::model::trace::{Advice, Location};
use crate::runtime::status::Status;

type Failed = (Status, Option<Code>);

/// The bit of ACCESS_BY; none for a NUMA node.
fn bit(location: Location) -> Option<u32> {
    match location {
        Location::Host => Some(HOST),
        Location::Device(d) => Some(d),
        _ => None,
    }
}

impl Naive {
    pub(super) fn location(&self, location: Location) -> Result<Location, Failed> {
        match location {
            Location::Invalid => Err(self.einval()),
            Location::Host => Ok(location),
            Location::HostNuma(n) if n < self.machine.numa_nodes => Ok(location),
            Location::HostNuma(_) => Err(self.einval()),
            Location::Device(64) if !self.spec() => Ok(Location::Host),
            Location::Device(d) if d >= 64 => Err(self.einval()),
            Location::Device(d) if d < 2 => Ok(location),
            Location::Device(_) => Err((Status::InvalidDevice, None)),
        }
    }

    pub(in super::super) fn advise(
        &mut self,
        address: u64,
        len: u64,
        advice: Option<Advice>,
        location: Location,
    ) -> Answer {
        let range = self.rounded(address, len)?;
        let Some(advice) = advice else { return Err(self.einval()) };
        let location = match advice {
            Advice::ReadMostly | Advice::UnsetPreferLocation => Location::Host,
            Advice::UnsetReadMostly => match location {
                Location::Device(d) if d < 2 => location,
                Location::Device(64) => Location::Host,
                Location::Device(_) if self.spec() => Location::Host,
                Location::Device(_) => self.location(location)?,
                _ => Location::Host,
            },
            Advice::AccessBy | Advice::UnsetAccessBy
                if matches!(location, Location::HostNuma(_)) =>
            {
                return Err(self.einval());
            }
            _ => self.location(location)?,
        };
        self.tick();
        if self.spec() && range.clone().any(|p| !self.pages.contains_key(&p)) {
            return Err(self.einval());
        }
        let bad = range
            .clone()
            .any(|p| self.pages.contains_key(&p) && self.error_cell(p, advice, location));
        if self.spec() && bad {
            return Err((Status::Busy, Some(Code::ReplayPreferConflict)));
        }
        let mut lost = Lost::default();
        for p in range.clone() {
            if !self.pages.contains_key(&p) {
                return Err(self.einval());
            }
            self.advise_page(p, advice, location, &range, &mut lost)?;
        }
        Ok(lost)
    }

    /// Whether the pre-allocation table is looked at.
    fn looked_at(&self, p: u64, advice: Advice, location: Location) -> bool {
        let page = &self.pages[&p];
        match advice {
            Advice::PreferLocation if self.spec() => true,
            Advice::PreferLocation => {
                page.preferred != Some(location)
                    && bit(location).is_some_and(|b| page.access_by.contains(&b))
            }
            Advice::AccessBy => {
                let b = bit(location).expect("no node");
                !page.access_by.contains(&b) && page.preferred.and_then(bit) == Some(b)
            }
            _ => false,
        }
    }

    fn error_cell(&self, p: u64, advice: Advice, location: Location) -> bool {
        if !self.looked_at(p, advice, location) {
            return false;
        }
        let page = &self.pages[&p];
        match (page.owner, location) {
            _ if page.read_mostly => false,
            (None, _) => false,
            (Some(HOST), Location::Device(_)) => true,
            (Some(HOST), _) => false,
            (Some(e), Location::Device(d)) => e != d,
            (Some(_), _) => true,
        }
    }

    fn advise_page(
        &mut self,
        p: u64,
        advice: Advice,
        location: Location,
        range: &std::ops::Range<u64>,
        lost: &mut Lost,
    ) -> Result<(), Failed> {
        match advice {
            Advice::ReadMostly => return self.read_mostly(p),
            Advice::UnsetReadMostly => return self.unset_read_mostly(p, location, range, lost),
            _ => {}
        }
        if self.looked_at(p, advice, location) {
            self.pre_allocate(p, location, range)?;
        }
        let page = self.pages.get_mut(&p).expect("a page");
        match advice {
            Advice::PreferLocation => page.preferred = Some(location),
            Advice::UnsetPreferLocation => page.preferred = None,
            Advice::AccessBy => {
                page.access_by.insert(bit(location).expect("no node"));
            }
            _ => {
                page.access_by.remove(&bit(location).expect("no node"));
            }
        }
        Ok(())
    }

    fn pre_allocate(
        &mut self,
        p: u64,
        location: Location,
        range: &std::ops::Range<u64>,
    ) -> Result<(), Failed> {
        let none = (Status::OutOfMemory, None);
        let page = self.pages[&p].clone();
        match location {
            Location::Device(d) if page.owner.is_none() => {
                if !self.take_device(d, range.clone(), false) {
                    return Err(none);
                }
                self.only_device(p, d);
            }
            Location::Device(d) if page.read_mostly && !page.devices.contains(&d) => {
                if !self.take_device(d, range.clone(), false) {
                    return Err(none);
                }
                if !self.dma() {
                    self.give(d);
                    return Err((Status::IoctlFail, None));
                }
                self.put_device(p, d);
                self.counters.replicas += 1;
            }
            Location::Device(_) => {}
            _ if page.owner.is_none() => {
                if !self.take(HOST) {
                    return Err(none);
                }
                let page = self.pages.get_mut(&p).expect("a page");
                page.host_mapped = true;
                page.owner = Some(HOST);
            }
            _ => {}
        }
        Ok(())
    }

    fn read_mostly(&mut self, p: u64) -> Result<(), Failed> {
        let page = self.pages[&p].clone();
        if !page.host_mapped {
            if !self.take(HOST) {
                return Err((Status::OutOfMemory, None));
            }
            if page.owner.is_some() {
                if !self.dma() {
                    self.give(HOST);
                    return Err((Status::IoctlFail, None));
                }
                self.counters.replicas += 1;
            }
        }
        let page = self.pages.get_mut(&p).expect("a page");
        page.host_mapped = true;
        page.owner = Some(HOST);
        page.read_mostly = true;
        Ok(())
    }

    fn unset_read_mostly(
        &mut self,
        p: u64,
        location: Location,
        range: &std::ops::Range<u64>,
        lost: &mut Lost,
    ) -> Result<(), Failed> {
        let page = self.pages[&p].clone();
        if !page.read_mostly {
            return Ok(());
        }
        let effective = if self.spec() { location } else { page.preferred.unwrap_or(location) };
        let Location::Device(d) = effective else {
            self.collapse_to_host(p);
            self.counters.collapses -= 1;
            return Ok(());
        };
        if page.devices.contains(&d) {
            if page.bad.contains(&d) {
                lost.poison.push(self.span(p));
            }
        } else {
            if !self.take_device(d, range.clone(), false) {
                return Err((Status::OutOfMemory, None));
            }
            if !self.dma() {
                self.give(d);
                return Err((Status::IoctlFail, None));
            }
            self.counters.migrations_h2d += 1;
        }
        self.only_device(p, d);
        Ok(())
    }
}
