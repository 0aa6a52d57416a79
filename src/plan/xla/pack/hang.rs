//! Packings that hang from the top: who may touch it is placed first.
//!
//! Turned upside down, a block that may not take the top granule starts at granule 1, and the others
//! anywhere. At a step at which the granules are all in use somebody has to take the top one: a
//! *chain* of blocks that may, one after the other, covers those steps and goes first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::blocks::{Block, sweep};
use super::granules::Granules;
use crate::plan::xla::heap::{Chooser, Chunk, Space};

/// Blocks that are placed at most, over all questions.
const PLACEMENTS: usize = 400_000;

/// Blocks with room for so many granules.
#[derive(Debug)]
pub(super) struct Hanging<'a> {
    granules: &'a Granules,
    blocks: &'a [Block],
    top: u64,
    /// Starts of blocks at which all granules are in use, in order.
    tight: Vec<u64>,
    /// The spans of the blocks by their starts: start, end, block.
    spans: Vec<(u64, u64, usize)>,
    /// The blocks in the orders that are tried.
    orders: [Vec<usize>; 5],
    space: Space,
    left: usize,
}

impl<'a> Hanging<'a> {
    /// Nothing hangs yet; `known` are the offsets of a packing in granules.
    pub(super) fn new(
        granules: &'a Granules,
        blocks: &'a [Block],
        top: u64,
        known: &[u64],
    ) -> Self {
        let size = |at: usize| granules.instance.items[at].size;
        let (mut load, mut tight) = (0u64, Vec::new());
        sweep(blocks, |step, started, ended| {
            load = ended.iter().fold(load, |load, &at| load.saturating_sub(size(at)));
            load = started.iter().fold(load, |load, &at| load.saturating_add(size(at)));
            if load >= top {
                tight.push(step);
            }
        });
        let mut spans: Vec<(u64, u64, usize)> = Vec::new();
        for (at, block) in blocks.iter().enumerate() {
            spans.extend(block.spans.iter().map(|span| (span.start, span.end, at)));
        }
        spans.sort_unstable();
        let alive = |at: usize| blocks[at].spans.iter().map(|s| s.end - s.start).sum::<u64>();
        let sorted = |key: &dyn Fn(usize) -> (u128, u128)| {
            let mut order: Vec<usize> = (0..blocks.len()).collect();
            order.sort_by_cached_key(|&at| Reverse(key(at)));
            order
        };
        let by = |first: u64, second: u64| (u128::from(first), u128::from(second));
        let orders = [
            // What is known to fit may stay as it is, but for the chain: hanging, or upside down.
            sorted(&|at| by(known[at].saturating_add(size(at)), 0)),
            sorted(&|at| by(u64::MAX - known[at], 0)),
            sorted(&|at| by(size(at), alive(at))),
            sorted(&|at| by(alive(at), size(at))),
            sorted(&|at| (u128::from(size(at)) * u128::from(alive(at)), 0)),
        ];
        let steps = spans.iter().map(|span| span.1).max().unwrap_or(0);
        let space = Space::new(usize::try_from(steps).unwrap_or(usize::MAX), 1);
        Self { granules, blocks, top, tight, spans, orders, space, left: PLACEMENTS }
    }

    /// Offsets in granules with no block at the top whose last granule holds more than `last` bytes,
    /// if some order of placement leads there.
    pub(super) fn pack(&mut self, last: u64) -> Option<Vec<u64>> {
        let chain = self.chain(last);
        for order in 0..self.orders.len() {
            for chooser in [Chooser::BestFit, Chooser::LowestOffset] {
                if self.left < self.blocks.len() {
                    return None;
                }
                if let Some(offsets) = self.hang(last, &chain, order, chooser) {
                    return Some(offsets);
                }
            }
        }
        None
    }

    fn size(&self, block: usize) -> u64 {
        self.granules.instance.items[block].size
    }

    /// Blocks that may take the top, one after the other, alive at as many of the tight steps as
    /// this easily finds: always the one that lasts longest.
    fn chain(&self, last: u64) -> Vec<usize> {
        let mut chain: Vec<usize> = Vec::new();
        let mut spans =
            self.spans.iter().filter(|span| self.granules.last[span.2] <= last).peekable();
        let mut ready: BinaryHeap<(u64, Reverse<u64>, usize)> = BinaryHeap::new();
        let mut covered = 0;
        for &step in &self.tight {
            if step < covered {
                continue;
            }
            while let Some(&(start, end, block)) = spans.next_if(|span| span.0 <= step) {
                ready.push((end, Reverse(start), block));
            }
            while let Some((end, Reverse(start), block)) = ready.pop() {
                if end <= step {
                    break;
                }
                let free = |&other: &usize| !self.blocks[other].meets(&self.blocks[block]);
                if start >= covered && chain.iter().all(free) {
                    chain.push(block);
                    covered = end;
                    break;
                }
            }
        }
        chain
    }

    /// Places the chain and then the others in their order, upside down.
    fn hang(
        &mut self,
        last: u64,
        chain: &[usize],
        order: usize,
        chooser: Chooser,
    ) -> Option<Vec<u64>> {
        self.space.clear();
        let mut offsets: Vec<Option<u64>> = vec![None; self.blocks.len()];
        let others = 0..self.blocks.len();
        let order: Vec<usize> =
            chain.iter().copied().chain(others.map(|at| self.orders[order][at])).collect();
        for at in order {
            if offsets[at].is_some() {
                continue;
            }
            self.left = self.left.saturating_sub(1);
            let size = self.size(at);
            let least = u64::from(self.granules.last[at] > last);
            let lives = || self.blocks[at].spans.iter().map(|span| (span.start, span.end - 1));
            let offset = self.space.find_above(least, lives(), size, chooser);
            let chunk = Chunk { offset, size };
            // Upside down the end is the offset.
            offsets[at] = Some(self.top.checked_sub(chunk.end())?);
            lives().for_each(|life| self.space.place(life, chunk));
        }
        offsets.into_iter().collect()
    }
}
