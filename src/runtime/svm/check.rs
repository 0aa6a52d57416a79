//! What always holds.

use std::collections::BTreeMap;

use super::Space;
use super::process::Process;
use super::range::{Body, Range};
use crate::runtime::memory::{Bank, Memory, Purpose};

impl Space {
    /// Looks whether references, addresses and memory add up.
    ///
    /// # Errors
    /// The first thing that does not, in words: a defect of this model.
    pub fn check(&self, memory: &Memory) -> Result<(), String> {
        for (number, process) in self.processes.iter().enumerate() {
            let kept: Vec<_> =
                self.kept_ranges(u32::try_from(number).unwrap_or(u32::MAX)).collect();
            addresses(process, &kept).map_err(|why| format!("process {number}: {why}"))?;
        }
        self.references()?;
        self.openers()?;
        self.accounts(memory)
    }

    fn references(&self) -> Result<(), String> {
        let mut maps: BTreeMap<u32, u32> = BTreeMap::new();
        let mut mapped: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for range in self.processes.iter().flat_map(|p| p.ranges.values()) {
            for mapping in range.reserve().into_iter().flat_map(|r| r.mappings.values()) {
                *maps.entry(mapping.handle.0).or_default() += 1;
                let Some(handle) = self.handles.get(mapping.handle.0 as usize) else {
                    return Err(format!("`{}` maps no handle", range.name));
                };
                *mapped.entry((handle.store.0, handle.process)).or_default() += 1;
            }
        }
        let mut holders: BTreeMap<u32, u32> = BTreeMap::new();
        for (at, handle) in (0_u32..).zip(&self.handles) {
            let found = maps.get(&at).copied().unwrap_or(0);
            if handle.maps != found || handle.refs < handle.maps {
                return Err(format!(
                    "handle {at} has {} references, {} of mappings, and {found} mappings",
                    handle.refs, handle.maps
                ));
            }
            if handle.refs > 0 {
                *holders.entry(handle.store.0).or_default() += 1;
            }
        }
        for (at, store) in (0_u32..).zip(&self.stores) {
            if store.holders != holders.get(&at).copied().unwrap_or(0) {
                return Err(format!("store `{}` counts {} holders", store.name, store.holders));
            }
            for (&process, &count) in &store.mapped {
                if count != mapped.get(&(at, process)).copied().unwrap_or(0) {
                    return Err(format!("store `{}` counts {count} mappings", store.name));
                }
            }
        }
        Ok(())
    }

    fn openers(&self) -> Result<(), String> {
        for (at, key) in (0_u32..).zip(&self.keys) {
            for &(process, device) in &key.openers {
                let this = self.processes.get(process as usize);
                let id = crate::runtime::share::KeyId(at);
                let import = this.and_then(|p| p.ranges.get(p.imports.get(&(id, device))?));
                match import.map(|r| &r.body) {
                    Some(Body::Import(import)) if import.stale.is_none() == key.valid => {}
                    _ => return Err(format!("`{}` is open where it is not", key.name)),
                }
            }
        }
        Ok(())
    }

    fn accounts(&self, memory: &Memory) -> Result<(), String> {
        for bank in (0..self.devices).map(Bank::Device).chain([Bank::Host]) {
            let mut svm = 0_u64;
            for block in
                self.processes.iter().flat_map(|p| p.ranges.values()).filter_map(Range::block)
            {
                if block.bank == bank {
                    svm = svm.saturating_add(block.held);
                }
                let here = block.pages.present().filter(|run| run.bank == Some(bank));
                svm = here.fold(svm, |sum, run| sum.saturating_add(run.end - run.start));
            }
            let held = self.stores.iter().filter(|s| s.home == bank && s.holders > 0);
            let vmm = held.fold(0_u64, |sum, store| sum.saturating_add(store.len));
            for (purpose, counted) in [(Purpose::Svm, svm), (Purpose::Vmm, vmm)] {
                let used = memory.used_for(bank, purpose);
                if used != counted {
                    return Err(format!("{bank:?}, {purpose:?}: {used} used, {counted} counted"));
                }
            }
            let (cached, kept) = (memory.used_for(bank, Purpose::Cache), self.kept_bytes(bank).0);
            if cached > kept {
                return Err(format!("{bank:?}: {cached} bytes kept, {kept} counted"));
            }
        }
        Ok(())
    }
}

/// Live ranges are disjoint, and exactly they and what is kept take addresses.
fn addresses(process: &Process, kept: &[(u64, u64)]) -> Result<(), String> {
    let mut end = 0;
    for (start, len) in process.addresses.taken() {
        if start < end {
            return Err(format!("two ranges meet at {start:#x}"));
        }
        end = start.saturating_add(len);
        let live = process.ranges.get(&start).is_some_and(|r| r.len == len);
        if !live && !kept.contains(&(start, len)) {
            return Err(format!("nobody has the addresses at {start:#x}"));
        }
    }
    let taken = process.addresses.taken().count();
    if taken < process.ranges.len() {
        return Err(format!("{} ranges have {taken} addresses", process.ranges.len()));
    }
    for range in process.ranges.values() {
        if process.places.get(&range.generation) != Some(&range.start) {
            return Err(format!("`{}` is not where its generation leads", range.name));
        }
        if range.usable > range.len {
            return Err(format!("`{}` has more bytes than addresses", range.name));
        }
    }
    Ok(())
}
