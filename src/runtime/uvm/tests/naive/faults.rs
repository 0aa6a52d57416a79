//! The two tables of 5.9.

use super::{Answer, BASE, HOST, Lost, Naive};
use crate::diag::Code;
use crate::runtime::pointer::{How, Who};
use crate::runtime::status::Status;

impl Naive {
    pub(in super::super) fn touch(&mut self, who: Who, address: u64, len: u64, how: How) -> Answer {
        let mut lost = Lost::default();
        if len == 0 {
            return Ok(lost);
        }
        self.tick();
        if address < BASE {
            return Err(self.wild(who, address));
        }
        let range = self.touched(address, len);
        for p in range.clone() {
            if !self.pages.contains_key(&p) {
                return Err(self.wild(who, BASE + p * self.size()));
            }
            let from = address.max(BASE + p * self.size());
            let to = (address + len).min(BASE + (p + 1) * self.size());
            match who {
                Who::Host => self.host_touch(p, how)?,
                Who::Device(d) => {
                    self.device_touch(p, d, how, range.start..p, (from, to - from), &mut lost)?;
                }
            }
            let place = match who {
                Who::Host => HOST,
                Who::Device(d) => d,
            };
            self.pages.get_mut(&p).expect("a page").fetched_in_vain.remove(&place);
        }
        Ok(lost)
    }

    fn wild(&self, who: Who, address: u64) -> (Status, Option<Code>) {
        let freed = address >= BASE && self.ever.contains(&self.number(address));
        match who {
            Who::Host => (Status::BadAddress, Some(Code::ReplayUvmWildAccess)),
            Who::Device(_) if freed => (self.einval().0, Some(Code::ReplayUaf)),
            Who::Device(_) => (self.einval().0, Some(Code::ReplayUnmappedAccess)),
        }
    }

    fn host_touch(&mut self, p: u64, how: How) -> Result<(), (Status, Option<Code>)> {
        let page = self.pages[&p].clone();
        if page.host_mapped && !page.read_mostly {
            return Ok(());
        }
        if page.read_mostly {
            if how == How::Read {
                return Ok(());
            }
            self.collapse_to_host(p);
            self.counters.faults_host += 1;
            return Ok(());
        }
        if !self.take(HOST) {
            return Err((Status::OutOfMemory, Some(Code::ReplayOomHost)));
        }
        if let Some(d) = page.owner {
            if !self.dma() {
                self.give(HOST);
                return Err((Status::IoctlFail, None));
            }
            self.drop_device(p, d);
            self.counters.migrations_d2h += 1;
        }
        let page = self.pages.get_mut(&p).expect("a page");
        page.host_mapped = true;
        page.owner = Some(HOST);
        self.counters.faults_host += 1;
        Ok(())
    }

    pub(super) fn collapse_to_host(&mut self, p: u64) {
        for d in self.pages[&p].devices.clone() {
            self.drop_device(p, d);
        }
        self.pages.get_mut(&p).expect("a page").read_mostly = false;
        self.counters.collapses += 1;
    }

    fn device_touch(
        &mut self,
        p: u64,
        d: u32,
        how: How,
        done: std::ops::Range<u64>,
        bytes: (u64, u64),
        lost: &mut Lost,
    ) -> Result<(), (Status, Option<Code>)> {
        let page = self.pages[&p].clone();
        let has = page.devices.contains(&d);
        let write = how == How::Write;
        if has && !(page.read_mostly && write) {
            if page.bad.contains(&d) {
                lost.stale.push(bytes);
            }
            self.pages.get_mut(&p).expect("a page").young.insert(d, true);
            return Ok(());
        }
        if !has {
            if !self.take_device(d, done, true) {
                return Err((Status::OutOfMemory, Some(Code::ReplayOomDevice)));
            }
            if page.owner.is_some() && !self.dma() {
                self.give(d);
                return Err((Status::IoctlFail, None));
            }
        }
        self.counters.faults_device += 1;
        if let Some(then) = page.swapped_at
            && self.now - then <= self.machine.oversub.thrash_window
        {
            self.counters.refaults += 1;
        }
        self.pages.get_mut(&p).expect("a page").swapped_at = None;
        if page.read_mostly && !write {
            self.put_device(p, d);
            self.counters.replicas += 1;
            return Ok(());
        }
        if page.read_mostly {
            self.counters.collapses += 1;
            if page.bad.contains(&d) {
                lost.poison.push(self.span(p));
            }
        }
        if !has {
            match page.owner {
                None => {}
                Some(HOST) => self.counters.migrations_h2d += 1,
                Some(_) => self.counters.migrations_d2d += 1,
            }
        }
        self.only_device(p, d);
        Ok(())
    }

    /// All copies but that of a device go.
    pub(super) fn only_device(&mut self, p: u64, d: u32) {
        let old = self.pages[&p].clone();
        for e in old.devices.iter().copied().filter(|&e| e != d) {
            self.drop_device(p, e);
        }
        if old.host_mapped {
            self.drop_host(p);
        }
        self.put_device(p, d);
        let page = self.pages.get_mut(&p).expect("a page");
        page.read_mostly = false;
        page.owner = Some(d);
    }
}
