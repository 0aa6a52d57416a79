//! The invariants of section 4 and of the accounts.

use std::collections::BTreeMap;

use super::Uvm;
use super::page::{Home, Page};
use crate::runtime::memory::{Bank, Memory, Purpose};

impl Uvm {
    /// Looks at every run: legal configurations, accounts, allocations. For tests after every call.
    ///
    /// # Errors
    /// What is wrong, a defect of the model.
    pub fn check(&self, memory: &Memory) -> Result<(), String> {
        let mut taken: BTreeMap<Bank, u64> = BTreeMap::new();
        let mut area = 0u64;
        let mut last: Option<(u64, &Page)> = None;
        for (from, to, page) in self.runs.all() {
            if from >= to || last.is_some_and(|(end, old)| end > from || end == from && old == page)
            {
                return Err(format!("run [{from}, {to}) overlaps or equals the one before"));
            }
            last = Some((to, page));
            legal(page).map_err(|what| format!("pages [{from}, {to}): {what}"))?;
            let range = self.range(self.address_of(from)).map(|range| range.start);
            if range != Some(self.address_of(page.alloc)) {
                return Err(format!("pages [{from}, {to}) belong to no live allocation"));
            }
            let pages = to - from;
            if page.on_host() {
                *if page.area { &mut area } else { taken.entry(Bank::Host).or_insert(0) } += pages;
            }
            for one in page.replicas() {
                *taken.entry(Bank::Device(one.device)).or_insert(0) += pages;
            }
        }
        for (&bank, &pages) in taken.iter().chain(&self.taken) {
            let known = self.taken.get(&bank).copied().unwrap_or(0);
            let found = taken.get(&bank).copied().unwrap_or(0);
            if known != found {
                return Err(format!("{bank:?}: {found} pages are there, {known} were taken"));
            }
            let held = self.pages(bank).saturating_mul(self.page);
            if memory.used_for(bank, Purpose::Uvm) < held
                || memory.used(bank) > memory.capacity(bank)
            {
                return Err(format!("{bank:?}: {pages} pages do not fit its account"));
            }
        }
        self.runs.check_victims()?;
        let used = self.area.map_or(0, |area| area.used);
        if area != used || self.area.is_some_and(|area| area.used > area.size) {
            return Err(format!("{area} pages are in the swap area, {used} were put there"));
        }
        for range in self.space.ranges() {
            let first = self.page_of(range.start);
            if self.runs.hole(first, first + range.rounded / self.page).is_some() {
                return Err(format!(
                    "the allocation at {:#x} has pages without state",
                    range.start
                ));
            }
        }
        Ok(())
    }

    /// As `check` of each process, and that they together have what the account says.
    ///
    /// # Errors
    /// What is wrong, a defect of the model.
    pub fn check_all<'a>(
        all: impl IntoIterator<Item = &'a Self>,
        memory: &Memory,
        banks: &[Bank],
    ) -> Result<(), String> {
        let mut bytes: BTreeMap<Bank, u64> = BTreeMap::new();
        for one in all {
            one.check(memory)?;
            for &bank in banks {
                let held = one.pages(bank).saturating_mul(one.page);
                *bytes.entry(bank).or_insert(0) += held;
            }
        }
        for (bank, bytes) in bytes {
            let account = memory.used_for(bank, Purpose::Uvm);
            if account != bytes {
                return Err(format!("{bank:?}: {bytes} bytes are held, {account} in the account"));
            }
        }
        Ok(())
    }
}

/// The table of section 4, as far as the type of `Home` leaves anything to say.
fn legal(page: &Page) -> Result<(), String> {
    let sorted = page.replicas().is_sorted_by(|a, b| a.device < b.device);
    let stale_alone = matches!(page.home, Home::Device(one) if one.stale);
    if !sorted || stale_alone {
        return Err(format!("illegal state {:?}", page.home));
    }
    if page.area && !page.on_host() {
        return Err("a swap area page without a host copy".to_owned());
    }
    Ok(())
}
