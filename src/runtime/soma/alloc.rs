//! `pool_alloc` (5.15, 13.5).

use super::block::Block;
use super::marks::FreeMark;
use super::pool::Pool;
use super::reuse::Search;
use super::segment::{Held, State};
use super::sequences::Sequences;
use super::{PoolId, Pools};
use crate::diag::Code;
use crate::model::trace::ReusePolicy;
use crate::runtime::clock::{ActorId, Clock};
use crate::runtime::context::Context;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};

/// A request for a block.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Bytes.
    pub size: u64,
    /// The stream in whose order the memory is to be there.
    pub stream: ActorId,
    /// The device of that stream.
    pub device: u32,
    /// What the task of the allocation will know when it starts.
    pub request: &'a Clock,
    /// What the calling thread knows.
    pub host: &'a Clock,
}

/// A block handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The block.
    pub block: Block,
    /// What allowed to use it again; `None`: it was free.
    pub policy: Option<ReusePolicy>,
    /// Frees that the task of the allocation has to wait for: the runtime sees to that.
    ///
    /// They come with policy `internal`, with an opportunistic reuse whose free happened to be
    /// complete, and with memory that another thread gave up after these frees.
    pub after: Vec<FreeMark>,
    /// Bytes that the task puts memory behind; 0 where it is kept from before.
    pub fresh: u64,
    /// That the task will find no memory: it fails with this, the block stays and is unmapped.
    pub failed: Option<Refused>,
}

impl Pools {
    /// Picks a block. Address and counters are there at once, memory in the order of the stream.
    ///
    /// `choose` is asked, with the number of possibilities, where it depends on timing what the
    /// host finds complete; 0 is always a good answer.
    ///
    /// # Errors
    /// `StreamContext` for a stream of another device; `InvalidValue` for no bytes (Q-SOMA-2) or too
    /// many; `PoolNull` without the pool; `PoolAlloc` when nothing fits, with the finding
    /// `fragmentation` when the free bytes are enough and `oom_pool` when they are not.
    pub fn alloc(
        &mut self,
        cx: &mut Context<'_>,
        id: PoolId,
        ask: &Ask<'_>,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Given, Refused> {
        Self::supported(cx)?;
        let pool = self.pools.get_mut(id.0 as usize).ok_or_else(Self::unknown)?;
        if pool.device != ask.device {
            let why =
                format!("the pool is of device {}, the stream of {}", pool.device, ask.device);
            return Err(Refused::new(Status::StreamContext, why));
        }
        if ask.size == 0 {
            cx.notes.quirk(Quirk::Soma2);
            if !cx.source() {
                return Err(Refused::new(Status::InvalidValue, "no bytes are asked for"));
            }
        }
        // The least block is one granule.
        let Some(len) = ask.size.max(1).checked_next_multiple_of(pool.granule) else {
            return Err(Refused::new(Status::InvalidValue, "the size does not fit 64 bits"));
        };
        if !pool.alive {
            return Err(Self::stale(pool));
        }
        let search = Search { pool, sequences: &self.sequences, ask };
        let pick = search.pick(pool.policy, len, choose);
        let (at, policy) = match &pick {
            Some(pick) => (pick.at, Some(pick.by)),
            None => match best_fit(pool, len) {
                Some(at) => (at, None),
                None => return Err(no_room(pool, &self.sequences, ask, len)),
            },
        };
        self.generations = self.generations.saturating_add(1);
        let held = Held { generation: self.generations, requested: ask.size, stream: ask.stream };
        let (start, mapped) = (pool.segments[at].start, pool.segments[at].mapped);
        let mut after = pick.map(|p| p.after).unwrap_or_default();
        after.extend(pool.recall(start, start + len, ask.request));
        pool.hand_out(at, len, held);
        cx.counters.pool_allocs += 1;
        cx.counters.pool_reused += u64::from(policy.is_some());
        let fresh = if mapped { 0 } else { len };
        let failed = if mapped { None } else { populate(cx, pool, start, len) };
        let block = pool.find(pool.base + start).ok_or_else(Self::unknown)?.block;
        Ok(Given { block, policy, after, fresh, failed })
    }
}

/// The smallest free segment that is large enough; of these the lowest.
fn best_fit(pool: &Pool, len: u64) -> Option<usize> {
    let free = pool.segments.iter().enumerate().filter(|(_, s)| s.is_free() && s.len >= len);
    free.min_by_key(|(_, s)| (s.len, s.start)).map(|(at, _)| at)
}

/// Puts memory behind a block, as its device task will; answers with what goes wrong.
fn populate(cx: &mut Context<'_>, pool: &mut Pool, start: u64, len: u64) -> Option<Refused> {
    let taken = if cx.injected.alloc_fails() {
        let why = format!("memory for {len} bytes of pool `{}` fails as injected", pool.name);
        Err(Refused::new(Status::OutOfMemory, why).finding(Code::ReplayOomDevice))
    } else {
        cx.memory.take(Bank::Device(pool.device), Purpose::Soma, len)
    };
    if let Err(refused) = taken {
        return Some(refused);
    }
    if let Some(at) = pool.index(start) {
        pool.segments[at].mapped = true;
    }
    if pool.dropped > 0 && !pool.linted {
        pool.linted = true;
        let message = format!(
            "pool `{}` keeps nothing over a synchronisation (threshold 0): {} bytes were given back, \
             now {len} are fetched again",
            pool.name, pool.dropped
        );
        cx.notes.remark(Code::ReplayThresholdZero, message);
    }
    None
}

/// What rounding takes of a pool, where it takes something.
fn rounding(pool: &Pool) -> String {
    let out = pool.segments.iter().filter_map(|s| match &s.state {
        State::Busy(held) => Some((s.len, held.requested)),
        State::Free | State::Cached(_) => None,
    });
    let (held, asked) = out.fold((0_u64, 0_u64), |(held, asked), (len, requested)| {
        (held.saturating_add(len), asked.saturating_add(requested))
    });
    if held <= asked {
        return String::new();
    }
    format!("; blocks are whole granules of {}, so {asked} bytes hold {held}", pool.granule)
}

/// Why nothing fits.
fn no_room(pool: &Pool, sequences: &Sequences, ask: &Ask<'_>, len: u64) -> Refused {
    let (reusable, best) = Search { pool, sequences, ask }.usable(pool.policy);
    let free = pool.segments.iter().filter(|s| s.is_free()).map(|s| s.len);
    let (sum, hole) = free.fold((reusable, best), |(sum, max), len| (sum + len, max.max(len)));
    let closed = pool.cached_bytes() - reusable;
    let cached = if closed > 0 {
        format!(", {closed} more are cached and may not be used for this stream")
    } else {
        String::new()
    };
    if sum < len {
        let why = format!(
            "{len} bytes are asked of pool `{}`, {sum} are free{cached}{}",
            pool.name,
            rounding(pool)
        );
        return Refused::new(Status::PoolAlloc, why).finding(Code::ReplayOomPool);
    }
    // The sum is at least the request, which is at least one.
    let torn = u128::from(sum - hole) * 100 / u128::from(sum.max(1));
    let why = format!(
        "{len} bytes are asked of pool `{}`, {sum} are free but the largest hole has {hole}: {torn}% \
         fragmented{cached}",
        pool.name
    );
    Refused::new(Status::PoolAlloc, why).finding(Code::ReplayFragmentation)
}
