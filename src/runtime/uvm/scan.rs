//! The scanner of a device: clears young bits, finds cold pages, makes room ahead (5.14).
//!
//! A copy remembers how many scans its device had made when it was last used; its age is the scans
//! since, less the one that found it young. So a scan changes no page, and scans that would find
//! nothing are only counted.

use super::Uvm;
use crate::model::machine::WaterLevel;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;

/// How far a device's scanner is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Scanner {
    /// Scans made.
    pub(super) scans: u64,
    /// When the last one was, or when there was last no need for one.
    pub(super) last: u64,
}

impl Uvm {
    /// Makes the scans that are due. The time is that of the call plus what it has cost so far.
    pub fn tick(&mut self, cx: &mut Context<'_>) {
        let devices: Vec<u32> = self.scanners.keys().copied().collect();
        for device in devices {
            self.scan_device(cx, device);
        }
    }

    /// Scans that a device has made; its scanner starts with its first page.
    pub(super) fn scanner(&mut self, cx: &Context<'_>, device: u32) -> u64 {
        let last = cx.now;
        self.scanners.entry(device).or_insert(Scanner { scans: 0, last }).scans
    }

    fn scan_device(&mut self, cx: &mut Context<'_>, device: u32) {
        let Some(mut state) = self.scanners.get(&device).copied() else { return };
        let now = cx.now.saturating_add(cx.notes.ticks);
        while let Some(level) = level(cx, device) {
            let every = level.scan_every.max(1);
            let due = now.saturating_sub(state.last) / every;
            if due == 0 {
                self.scanners.insert(device, state);
                return;
            }
            // The next scan at which the oldest copy is cold.
            let singles = self.swap_room(cx) > 0;
            let idle = cx.machine.oversub.batch == 0 || self.short_of_target(cx, device) == 0;
            let oldest = self.runs.victim(device, None, singles).filter(|_| !idle);
            let jump = oldest.map_or(u64::MAX, |(seen, _)| {
                cold_at(seen, level).saturating_sub(state.scans).max(1)
            });
            let made = jump.min(due);
            state.scans = state.scans.saturating_add(made);
            state.last = state.last.saturating_add(made.saturating_mul(every));
            cx.counters.scans = cx.counters.scans.saturating_add(made);
            if jump <= due {
                self.evict_cold(cx, device, level, state.scans);
            }
        }
        state.last = now;
        self.scanners.insert(device, state);
    }

    /// One scan gives up cold pages, oldest first: a batch, or as many as the target needs.
    fn evict_cold(&mut self, cx: &mut Context<'_>, device: u32, level: WaterLevel, scans: u64) {
        let mut left = cx.machine.oversub.batch;
        let mut after = None;
        while left > 0 {
            let wanted = self.short_of_target(cx, device).min(left);
            let singles = self.swap_room(cx) > 0;
            let Some(key) = self.runs.victim(device, after, singles) else { return };
            if wanted == 0 || cold_at(key.0, level) > scans {
                return;
            }
            let Some((end, _)) = self.runs.at(key.1, u64::MAX) else { return };
            let mut at = key.1;
            let mut wanted = wanted;
            while at < end && wanted > 0 {
                let step = wanted.min(super::physical::grain(cx));
                let to = end.min(at.saturating_add(step));
                let freed = self.evict_pages(cx, device, at, to, false);
                wanted -= freed.min(wanted);
                left -= freed.min(left);
                // What could not be given up stays, and the next page is tried.
                at = if freed == 0 { to } else { at.saturating_add(freed) };
            }
            after = Some((key.0, at.saturating_sub(1)));
        }
    }

    /// Pages that are missing to the share at which swapping stops.
    fn short_of_target(&self, cx: &Context<'_>, device: u32) -> u64 {
        let bank = Bank::Device(device);
        let target =
            u128::from(cx.memory.capacity(bank)) * u128::from(cx.machine.oversub.target_free);
        let short = target.div_ceil(100).saturating_sub(u128::from(cx.memory.free(bank)));
        u64::try_from(short.div_ceil(u128::from(self.page))).unwrap_or(u64::MAX)
    }
}

/// The number of the scan that finds a copy cold that was last used after `seen` scans.
fn cold_at(seen: u64, level: WaterLevel) -> u64 {
    seen.saturating_add(1).saturating_add(level.cold_after)
}

/// The severest level whose bound is violated.
fn level(cx: &Context<'_>, device: u32) -> Option<WaterLevel> {
    let over = &cx.machine.oversub;
    let bank = Bank::Device(device);
    let (free, capacity) = (cx.memory.free(bank), cx.memory.capacity(bank));
    let violated = |level: &&WaterLevel| {
        u128::from(free) * 100 < u128::from(capacity) * u128::from(level.free_below)
    };
    over.levels.iter().rev().find(violated).copied().filter(|_| over.enabled)
}
