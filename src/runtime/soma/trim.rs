//! Memory that pools give up: when told to, at synchronisations, under pressure (5.15, 13.5).

use super::pool::Pool;
use super::{PoolId, Pools};
use crate::model::machine::SomaPolicy;
use crate::runtime::clock::Clock;
use crate::runtime::context::Context;
use crate::runtime::memory::Purpose;
use crate::runtime::status::{Refused, Status};

impl Pools {
    /// Gives cached memory back until `keep` bytes are reserved, the smallest blocks first; the last
    /// one is split. The threshold does not matter. Answers with the bytes given up.
    ///
    /// Documented: a block whose free the calling thread does not know to be complete stays. The
    /// source gives it up regardless.
    ///
    /// # Errors
    /// `PoolNull` without the pool; `PoolOpInvalid` for more than the pool can hold or less than is
    /// handed out (Q-SOMA-8); `FeatureNotSupport` on machines without.
    pub fn trim(
        &mut self,
        cx: &mut Context<'_>,
        id: PoolId,
        keep: u64,
        host: &Clock,
    ) -> Result<u64, Refused> {
        Self::supported(cx)?;
        if !cx.machine.capabilities.soma_trim {
            let why = "pools of this machine cannot be trimmed";
            return Err(Refused::new(Status::FeatureNotSupport, why));
        }
        let pool = self.alive_mut(id)?;
        let limit = if keep > pool.max {
            Some(format!("the pool has only {}", pool.max))
        } else if keep < pool.used {
            Some(format!("{} are handed out", pool.used))
        } else {
            None
        };
        if let Some(limit) = limit {
            let why = format!("{keep} bytes are to be kept, {limit}");
            return Err(Refused::new(Status::PoolOpInvalid, why));
        }
        Ok(release(cx, pool, keep, host))
    }

    /// The host has waited for a stream, an event or a device: pools give up what they hold above
    /// their threshold. Not at the source's head (Q-SOMA-6). Answers with the bytes given up.
    pub fn synchronised(&mut self, cx: &mut Context<'_>, host: &Clock) -> u64 {
        let mut sum = 0;
        self.on_living(|pool| {
            if pool.policy != SomaPolicy::Head {
                let bytes = release(cx, pool, pool.threshold, host);
                if pool.threshold == 0 {
                    pool.dropped = pool.dropped.saturating_add(bytes);
                }
                sum += bytes;
            }
        });
        sum
    }

    /// A synchronous allocation on the device found no memory: its pools give up all that they cache.
    /// Answers with the bytes given up; when there are any, the allocation is worth another try.
    pub fn pressure(&mut self, cx: &mut Context<'_>, device: u32, host: &Clock) -> u64 {
        let mut sum = 0;
        self.on_living(|pool| {
            if pool.device == device && pool.policy != SomaPolicy::Head {
                sum += release(cx, pool, 0, host);
            }
        });
        sum
    }
}

/// Gives cached blocks up until `keep` bytes are reserved, or no block is left that can go.
fn release(cx: &mut Context<'_>, pool: &mut Pool, keep: u64, host: &Clock) -> u64 {
    // A granule that has to stay in part stays.
    let keep = keep.checked_next_multiple_of(pool.granule).unwrap_or(u64::MAX);
    if pool.reserved <= keep {
        return 0;
    }
    let careful = pool.policy == SomaPolicy::Documented;
    let mut able: Vec<(u64, u64)> = pool
        .segments
        .iter()
        .filter(|s| s.cached().is_some_and(|freed| !careful || freed.marks.within(host)))
        .map(|s| (s.len, s.start))
        .collect();
    able.sort_unstable();
    let before = pool.reserved;
    let mut memory = 0;
    for (len, start) in able {
        let part = len.min(pool.reserved.saturating_sub(keep));
        if part == 0 {
            break;
        }
        if let Some(at) = pool.index(start) {
            memory += pool.give_up_cached(at, part, host);
        }
    }
    pool.merge();
    cx.memory.give(pool.bank(), Purpose::Soma, memory);
    let released = before - pool.reserved;
    cx.counters.pool_trimmed = cx.counters.pool_trimmed.saturating_add(released);
    released
}
