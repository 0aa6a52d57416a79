//! What must hold between any two calls (5.15).

use std::collections::BTreeMap;

use super::Pools;
use super::pool::Pool;
use crate::runtime::memory::{Bank, Memory, Purpose};

impl Pools {
    /// Looks at everything that can be recomputed: segments tile each pool and are merged, counters
    /// are sums, addresses are apart, the memory of each device is accounted for.
    ///
    /// # Errors
    /// What does not hold, for finding `capacity_accounting`: a defect of the model.
    pub fn check(&self, memory: &Memory) -> Result<(), String> {
        let mut held: BTreeMap<Bank, u64> = BTreeMap::new();
        let mut next = 0;
        for pool in self.living() {
            check_pool(pool).map_err(|what| format!("pool `{}`: {what}", pool.name))?;
            let mapped: u64 = pool.segments.iter().filter(|s| s.mapped).map(|s| s.len).sum();
            *held.entry(pool.bank()).or_insert(0) += mapped;
            if pool.base < next {
                return Err(format!("pools share addresses from {:#x}", pool.base));
            }
            next = pool.base + pool.max;
        }
        if self.pools.iter().filter(|p| p.alive).count() != self.alive.len() {
            return Err("a pool is not where it is looked for".to_owned());
        }
        for pool in &self.pools {
            held.entry(pool.bank()).or_insert(0);
        }
        for (bank, bytes) in held {
            let counted = memory.used_for(bank, Purpose::Soma);
            if counted != bytes {
                return Err(format!("{bank:?}: pools hold {bytes} bytes, {counted} are counted"));
            }
        }
        Ok(())
    }
}

fn check_pool(pool: &Pool) -> Result<(), String> {
    let mut next = 0;
    for segment in &pool.segments {
        if segment.start != next || segment.len == 0 {
            return Err(format!("a segment of {} at {}, not {next}", segment.len, segment.start));
        }
        if !segment.len.is_multiple_of(pool.granule) {
            return Err(format!("a segment of {} in granules of {}", segment.len, pool.granule));
        }
        if segment.is_free() && segment.mapped {
            return Err(format!("memory behind free bytes at {next}"));
        }
        next = segment.end();
    }
    if next != pool.max {
        return Err(format!("segments up to {next} of {}", pool.max));
    }
    if let Some(two) = pool.segments.windows(2).find(|s| s[0].merges_with(&s[1], pool.policy)) {
        return Err(format!("segments at {} and {} are one", two[0].start, two[1].start));
    }
    let sum = |which: fn(&super::segment::Segment) -> bool| -> u64 {
        pool.segments.iter().filter(|s| which(s)).map(|s| s.len).sum()
    };
    let (busy, cached) = (sum(|s| s.busy().is_some()), sum(|s| s.cached().is_some()));
    if (pool.used, pool.reserved) != (busy, busy + cached) {
        let counted = (pool.used, pool.reserved);
        return Err(format!("{counted:?} counted, {busy} busy and {cached} cached"));
    }
    if pool.reserved > pool.max {
        return Err(format!("{} of {} bytes reserved", pool.reserved, pool.max));
    }
    Ok(())
}
