//! All pools of all devices: made, looked up, destroyed.

use std::collections::BTreeMap;

use super::attributes::threshold_fits;
use super::block::{Block, Found};
use super::pool::{Made, Pool};
use super::segment::Segment;
use super::sequences::Sequences;
use crate::diag::Code;
use crate::model::trace::ReusePolicy;
use crate::runtime::clock::{ActorId, Clock};
use crate::runtime::context::Context;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::objects::{ObjectId, ObjectKind};
use crate::runtime::status::{Refused, Status};

/// Where the addresses of pools start (2.1).
const FIRST: u64 = 12 << 40;
/// Where they end.
const LAST: u64 = 14 << 40;

/// A pool, by the order made; never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoolId(pub u32);

/// What a new pool is to be.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// For reports.
    pub name: &'a str,
    /// Where its memory lies.
    pub device: u32,
    /// Its bytes; 0: all of the device.
    pub max: u64,
    /// Bytes that it keeps over a synchronisation.
    pub threshold: u64,
    /// How cached blocks may be used again; `single` always is.
    pub reuse: &'a [ReusePolicy],
    /// To be shared with other processes.
    pub ipc: bool,
    /// Through the HAL instead of the runtime (Q-SOMA-11).
    pub hal: bool,
}

/// The pools of a machine.
#[derive(Clone, Debug, Default)]
pub struct Pools {
    /// Destroyed ones stay, so that they are recognised.
    pub(super) pools: Vec<Pool>,
    /// Those that are there, by their first address.
    pub(super) alive: BTreeMap<u64, usize>,
    pub(super) sequences: Sequences,
    /// Blocks handed out so far.
    pub(super) generations: u32,
    /// Blocks that are not live any more: pool and address.
    pub(super) ended: BTreeMap<u32, (PoolId, u64)>,
}

impl Pools {
    /// Makes a pool: addresses for all of it, no memory.
    ///
    /// # Errors
    /// `FeatureNotSupport` on machines without pools, `NotSupport` for the HAL (Q-SOMA-11),
    /// `InvalidDevice`; `InvalidValue` for more than the device has; `MemoryAllocation` when there are
    /// no addresses. Threshold and policies are attributes: errors as for [`set`](Self::set).
    pub fn create(&mut self, cx: &mut Context<'_>, wanted: &Wanted<'_>) -> Result<PoolId, Refused> {
        Self::supported(cx)?;
        if wanted.hal {
            Self::hal(cx)?;
        }
        let bank = Bank::Device(wanted.device);
        if !cx.memory.exists(bank) {
            let why = format!("there is no device {}", wanted.device);
            return Err(Refused::new(Status::InvalidDevice, why));
        }
        let granule = cx.machine.soma_page.max(1);
        let max = Self::rounded(wanted.max, cx.memory.capacity(bank), granule)?;
        let has = |policy| wanted.reuse.contains(&policy);
        let plain = wanted.reuse.iter().all(|&policy| policy == ReusePolicy::Single);
        if !plain || wanted.threshold != 0 {
            Self::attributes_supported(cx)?;
            if wanted.ipc {
                return Err(Self::shared());
            }
            threshold_fits(cx, wanted.threshold, max, granule)?;
        }
        let Some(base) = self.room(max, granule) else {
            let why = format!("no {max} addresses are left for pools");
            return Err(Refused::new(Status::MemoryAllocation, why));
        };
        let id = PoolId(u32::try_from(self.pools.len()).unwrap_or(u32::MAX));
        let mut pool = Pool::new(&Made {
            id,
            name: wanted.name,
            object: cx.objects.make(wanted.name, max, ObjectKind::Pool(wanted.device)),
            device: wanted.device,
            base,
            max,
            granule,
            policy: cx.machine.soma(),
            ipc: wanted.ipc,
        });
        pool.follow_event = has(ReusePolicy::Event);
        pool.opportunistic = has(ReusePolicy::Opportunistic);
        pool.internal = has(ReusePolicy::Internal);
        pool.threshold = wanted.threshold;
        self.alive.insert(base, self.pools.len());
        self.pools.push(pool);
        Ok(id)
    }

    /// Destroys a pool; its memory goes back. Blocks that are still out are leaks; whoever touches
    /// them later touches nothing. Answers with them.
    ///
    /// # Errors
    /// `PoolNull` without the pool.
    pub fn destroy(&mut self, cx: &mut Context<'_>, id: PoolId) -> Result<Vec<Block>, Refused> {
        Self::supported(cx)?;
        self.alive_mut(id)?;
        Ok(self.end(cx, id))
    }

    /// Bytes of a pool that were given back by frees of which somebody who knows this cannot say that
    /// they are complete.
    pub fn unfinished(&self, id: PoolId, known: &Clock) -> u64 {
        let segments = self.pools.get(id.0 as usize).map_or(&[][..], |pool| &pool.segments);
        let open = |s: &&Segment| s.cached().is_some_and(|freed| !freed.marks.within(known));
        segments.iter().filter(open).map(|s| s.len).sum()
    }

    /// A device is closed, or all are when a process ends: their pools go (13.5). Answers with the
    /// blocks that were still out.
    pub fn close(&mut self, cx: &mut Context<'_>, device: Option<u32>) -> Vec<Block> {
        let ending = self.living().filter(|p| device.is_none_or(|d| d == p.device));
        let mut ids: Vec<PoolId> = ending.map(|p| p.id).collect();
        ids.sort_unstable();
        ids.into_iter().flat_map(|id| self.end(cx, id)).collect()
    }

    fn end(&mut self, cx: &mut Context<'_>, id: PoolId) -> Vec<Block> {
        let Some(pool) = self.pools.get_mut(id.0 as usize) else { return Vec::new() };
        let live: Vec<Block> = pool.blocks().collect();
        let memory = pool.segments.iter().filter(|s| s.mapped).map(|s| s.len).sum();
        cx.memory.give(pool.bank(), Purpose::Soma, memory);
        for block in &live {
            self.ended.insert(block.generation, (id, block.address));
            let message = format!(
                "pool `{}` is destroyed while {} bytes at {:#x} are handed out",
                pool.name, block.requested, block.address
            );
            cx.notes.remark(Code::ReplayLeak, message);
        }
        pool.alive = false;
        self.alive.remove(&pool.base);
        pool.segments.clear();
        (pool.used, pool.reserved) = (0, 0);
        live
    }

    /// The live block around an address.
    pub fn find(&self, address: u64) -> Option<Found> {
        self.around(address)?.find(address)
    }

    /// True when the address lies in a pool.
    pub fn owns(&self, address: u64) -> bool {
        self.around(address).is_some()
    }

    fn around(&self, address: u64) -> Option<&Pool> {
        let (_, &at) = self.alive.range(..=address).next_back()?;
        self.pools.get(at).filter(|pool| pool.holds(address))
    }

    /// The pools that are there, by address.
    pub(super) fn living(&self) -> impl Iterator<Item = &Pool> {
        self.alive.values().filter_map(|&at| self.pools.get(at))
    }

    /// As [`living`](Self::living), to work on.
    pub(super) fn on_living(&mut self, mut work: impl FnMut(&mut Pool)) {
        for &at in self.alive.values() {
            if let Some(pool) = self.pools.get_mut(at) {
                work(pool);
            }
        }
    }

    /// The memory of a pool, destroyed or not.
    pub fn object(&self, id: PoolId) -> Option<ObjectId> {
        Some(self.pools.get(id.0 as usize)?.object)
    }

    /// All live blocks, by address.
    pub fn blocks(&self) -> Vec<Block> {
        self.living().flat_map(Pool::blocks).collect()
    }

    /// An event was recorded on a stream.
    pub fn recorded(&mut self, stream: ActorId, event: u32) {
        self.sequences.recorded(stream, event);
    }

    /// A stream was made to wait for an event.
    pub fn waited(&mut self, stream: ActorId, event: u32) {
        self.sequences.waited(stream, event);
    }

    /// An event is no more.
    pub fn event_destroyed(&mut self, event: u32) {
        self.sequences.event_destroyed(event);
    }

    /// A stream is no more.
    pub fn stream_destroyed(&mut self, stream: ActorId) {
        self.sequences.stream_destroyed(stream);
    }

    /// Whether the host may call the pools of the HAL (Q-SOMA-11).
    ///
    /// # Errors
    /// `NotSupport` when not.
    pub fn hal(cx: &Context<'_>) -> Result<(), Refused> {
        if cx.machine.capabilities.soma_hal {
            return Ok(());
        }
        Err(Refused::new(Status::NotSupport, "the host has no pool calls of the HAL"))
    }

    pub(super) fn supported(cx: &Context<'_>) -> Result<(), Refused> {
        if cx.machine.capabilities.soma {
            return Ok(());
        }
        Err(Refused::new(Status::FeatureNotSupport, "this machine has no pools"))
    }

    pub(super) fn unknown() -> Refused {
        Refused::new(Status::PoolNull, "there is no such pool")
    }

    pub(super) fn stale(pool: &Pool) -> Refused {
        let why = format!("pool `{}` was destroyed", pool.name);
        Refused::new(Status::PoolNull, why).finding(Code::ReplayStaleHandle)
    }

    pub(super) fn alive_mut(&mut self, id: PoolId) -> Result<&mut Pool, Refused> {
        let pool = self.pools.get_mut(id.0 as usize).ok_or_else(Self::unknown)?;
        if pool.alive { Ok(pool) } else { Err(Self::stale(pool)) }
    }

    /// The bytes of a pool: all of the device rounded down, or what is asked for rounded up.
    fn rounded(max: u64, total: u64, granule: u64) -> Result<u64, Refused> {
        let rounded = if max == 0 {
            Some(total - total % granule)
        } else {
            max.checked_next_multiple_of(granule)
        };
        match rounded {
            Some(bytes) if 0 < bytes && bytes <= total => Ok(bytes),
            _ => {
                let why = format!("{max} bytes for a pool, the device has {total}");
                Err(Refused::new(Status::InvalidValue, why))
            }
        }
    }

    /// The lowest addresses that no pool has.
    fn room(&self, len: u64, granule: u64) -> Option<u64> {
        let mut base = FIRST.checked_next_multiple_of(granule)?;
        for (start, end) in self.living().map(|p| (p.base, p.base + p.max)) {
            if start.saturating_sub(base) >= len {
                break;
            }
            base = base.max(end);
        }
        (base.checked_add(len)? <= LAST).then_some(base)
    }
}
