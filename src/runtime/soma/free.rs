//! `pool_free`, in the order of a stream and at once (5.15).

use super::Pools;
use super::block::Block;
use super::marks::{FreeMark, Marks};
use super::segment::{Freed, Stamp};
use crate::diag::Code;
use crate::runtime::context::Context;
use crate::runtime::memory::Purpose;
use crate::runtime::status::{Refused, Status};

impl Pools {
    /// Gives a block back in the order of a stream. It is cached at once, so that the host counts it
    /// as unused; who may have it next depends on `mark`.
    ///
    /// # Errors
    /// `InvalidValue` for anything but the first address of a live block with its generation, with
    /// finding `double_free`, `bad_free` or, when its pool is gone, `stale_handle`.
    pub fn free_async(
        &mut self,
        cx: &mut Context<'_>,
        address: u64,
        generation: u32,
        mark: FreeMark,
    ) -> Result<Block, Refused> {
        let (pool, at, block) = self.live(cx, address, generation)?;
        let pool = &mut self.pools[pool];
        let freed = Freed {
            seq: self.sequences.count(mark.stream),
            stamp: Stamp { stream: block.stream, seq: self.sequences.count(block.stream) },
            marks: Marks::one(mark),
        };
        pool.cache(at, freed);
        cx.counters.pool_frees += 1;
        self.ended.insert(generation, (block.pool, address));
        Ok(block)
    }

    /// Gives a block back without a stream: it is free at once and its memory is gone. Whether work
    /// on it is still pending nobody asks. `mark` is the call itself; whoever gets the bytes next
    /// comes after it.
    ///
    /// # Errors
    /// As for [`free_async`](Self::free_async).
    pub fn free_sync(
        &mut self,
        cx: &mut Context<'_>,
        address: u64,
        generation: u32,
        mark: Option<FreeMark>,
    ) -> Result<Block, Refused> {
        let (pool, at, block) = self.live(cx, address, generation)?;
        let pool = &mut self.pools[pool];
        let bytes = pool.give_up_busy(at, mark);
        cx.memory.give(pool.bank(), Purpose::Soma, bytes);
        cx.counters.pool_frees += 1;
        self.ended.insert(generation, (block.pool, address));
        Ok(block)
    }

    /// The device task that was to put memory behind a block failed: the block stays handed out,
    /// without memory (13.5). `None` when it is not live any more.
    pub fn populate_failed(
        &mut self,
        cx: &mut Context<'_>,
        address: u64,
        generation: u32,
    ) -> Option<Block> {
        let (pool, at, block) = self.live(cx, address, generation).ok()?;
        let pool = &mut self.pools[pool];
        if block.mapped {
            pool.segments[at].mapped = false;
            cx.memory.give(pool.bank(), Purpose::Soma, block.len);
        }
        Some(Block { mapped: false, ..block })
    }

    /// Pool and segment, by position, of the live block that starts at an address.
    fn live(
        &self,
        cx: &Context<'_>,
        address: u64,
        generation: u32,
    ) -> Result<(usize, usize, Block), Refused> {
        Self::supported(cx)?;
        let at_base = self.find(address).filter(|found| found.block.address == address);
        if let Some(found) = at_base
            && found.block.generation == generation
        {
            let block = found.block;
            let pool = block.pool.0 as usize;
            let at = self.pools.get(pool).and_then(|p| p.index(block.offset));
            return Ok((pool, at.ok_or_else(Self::unknown)?, block));
        }
        let refuse = |code, why: &str| {
            let why = format!("address {address:#x} {why}");
            Err(Refused::new(Status::InvalidValue, why).finding(code))
        };
        match self.ended.get(&generation) {
            Some((pool, base)) if *base == address => {
                if self.pools.get(pool.0 as usize).is_some_and(|p| p.alive) {
                    refuse(Code::ReplayDoubleFree, "was given back before")
                } else {
                    refuse(Code::ReplayStaleHandle, "belongs to a pool that was destroyed")
                }
            }
            _ if self.owns(address) => refuse(Code::ReplayBadFree, "is not where a block starts"),
            _ => refuse(Code::ReplayBadFree, "lies in no pool"),
        }
    }
}
