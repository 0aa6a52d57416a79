//! Pages taken, given back, evicted; the scanner.

use super::{HOST, Naive};
use crate::model::machine::WaterLevel;

impl Naive {
    pub(in super::super) fn room(&self, bank: u32) -> u64 {
        let mut room = self.capacity[&bank] - self.used[&bank];
        if bank == HOST
            && let Some(pages) = self.injected.host_pages()
        {
            room = room.min(pages.saturating_sub(self.used[&bank]));
        }
        room
    }

    pub(super) fn take(&mut self, bank: u32) -> bool {
        if self.room(bank) == 0 || self.injected.alloc_fails() {
            return false;
        }
        *self.used.get_mut(&bank).expect("a bank") += 1;
        self.counters.allocs += 1;
        true
    }

    pub(super) fn give(&mut self, bank: u32) {
        *self.used.get_mut(&bank).expect("a bank") -= 1;
        self.counters.frees += 1;
    }

    /// The host copy of a page is given up.
    pub(super) fn drop_host(&mut self, p: u64) {
        let page = self.pages.get_mut(&p).expect("a page");
        page.host_mapped = false;
        if std::mem::take(&mut page.in_area) {
            self.area.as_mut().expect("an area").1 -= 1;
        } else {
            self.give(HOST);
        }
    }

    /// The copy of a device is given up.
    pub(super) fn drop_device(&mut self, p: u64, d: u32) {
        let page = self.pages.get_mut(&p).expect("a page");
        page.devices.remove(&d);
        page.young.remove(&d);
        page.age.remove(&d);
        page.bad.remove(&d);
        page.device_mapped = !page.devices.is_empty();
        self.give(d);
    }

    /// A device has a copy now; the page was taken.
    pub(super) fn put_device(&mut self, p: u64, d: u32) {
        let page = self.pages.get_mut(&p).expect("a page");
        page.devices.insert(d);
        page.device_mapped = true;
        page.young.insert(d, true);
        page.age.insert(d, 0);
        page.bad.remove(&d);
    }

    pub(super) fn move_bytes(&mut self) {
        self.counters.bytes_moved += self.size();
    }

    pub(super) fn dma(&mut self) -> bool {
        if self.injected.transfer_fails() {
            return false;
        }
        self.move_bytes();
        true
    }

    pub(super) fn can_swap(&self) -> bool {
        if self.injected.swap_refused() {
            return false;
        }
        match self.area {
            Some((size, used)) => used < size,
            None => self.room(HOST) > 0,
        }
    }

    pub(in super::super) fn evict(&mut self, p: u64, d: u32) -> bool {
        if self.pages[&p].read_mostly {
            self.drop_device(p, d);
            self.counters.released += 1;
            return true;
        }
        if !self.can_swap() {
            return false;
        }
        let in_area = self.area.is_some();
        match &mut self.area {
            Some((_, used)) => *used += 1,
            None => {
                if !self.take(HOST) {
                    return false;
                }
            }
        }
        if !self.dma() {
            match &mut self.area {
                Some((_, used)) => *used -= 1,
                None => self.give(HOST),
            }
            return false;
        }
        self.drop_device(p, d);
        let now = self.now;
        let page = self.pages.get_mut(&p).expect("a page");
        page.host_mapped = true;
        page.owner = Some(HOST);
        page.in_area = in_area;
        page.swapped_at = Some(now);
        self.counters.swapped += 1;
        true
    }

    /// Pages on a device that nobody holds, the one to go first in front.
    fn by_age(&self, d: u32) -> Vec<u64> {
        let mut all: Vec<(bool, std::cmp::Reverse<u64>, u64)> = self
            .pages
            .iter()
            .filter(|(_, page)| page.devices.contains(&d) && page.held == 0)
            .map(|(&p, page)| {
                let young = page.young[&d];
                // A young page will be of age 0 at the next scan, whatever it was before.
                (young, std::cmp::Reverse(if young { 0 } else { page.age[&d] }), p)
            })
            .collect();
        all.sort();
        all.into_iter().map(|(_, _, p)| p).collect()
    }

    fn reclaim(&mut self, d: u32, keep: &std::ops::Range<u64>) -> bool {
        for p in self.by_age(d) {
            if keep.contains(&p) || !self.pages[&p].read_mostly && !self.can_swap() {
                continue;
            }
            if self.evict(p, d) {
                return true;
            }
        }
        false
    }

    pub(super) fn take_device(
        &mut self,
        d: u32,
        keep: std::ops::Range<u64>,
        at_need: bool,
    ) -> bool {
        let over = &self.machine.oversub;
        if self.room(d) == 0
            && over.enabled
            && over.direct_reclaim
            && !self.reclaim(d, &keep)
            && at_need
        {
            self.reclaim(d, &(0..0));
        }
        self.take(d)
    }

    fn level(&self, d: u32) -> Option<WaterLevel> {
        let over = &self.machine.oversub;
        let free = self.capacity[&d] - self.used[&d];
        let mut violated =
            over.levels.iter().filter(|l| free * 100 < self.capacity[&d] * l.free_below);
        if over.enabled { violated.next_back().copied() } else { None }
    }

    pub(in super::super) fn tick(&mut self) {
        for d in [0, 1] {
            loop {
                let Some(level) = self.level(d) else {
                    self.last_scan.insert(d, self.now);
                    break;
                };
                if self.now - self.last_scan[&d] < level.scan_every {
                    break;
                }
                *self.last_scan.get_mut(&d).expect("a scanner") += level.scan_every;
                self.scan(d, level);
            }
        }
    }

    fn scan(&mut self, d: u32, level: WaterLevel) {
        self.counters.scans += 1;
        for page in self.pages.values_mut().filter(|page| page.devices.contains(&d)) {
            let age = if page.young[&d] { 0 } else { page.age[&d] + 1 };
            page.young.insert(d, false);
            page.age.insert(d, age);
        }
        let target = self.machine.oversub.target_free;
        let mut left = self.machine.oversub.batch;
        for p in self.by_age(d) {
            let enough = (self.capacity[&d] - self.used[&d]) * 100 >= self.capacity[&d] * target;
            if left == 0 || enough || self.pages[&p].age[&d] < level.cold_after {
                break;
            }
            if !self.pages[&p].read_mostly && !self.can_swap() {
                continue;
            }
            if self.evict(p, d) {
                left -= 1;
            }
        }
    }
}
