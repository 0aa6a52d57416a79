//! The smallest heap that XLA's constraints allow, with a proof where the search closes.
//!
//! XLA's heap starts every chunk at a multiple of the alignment and counts the last chunk to its last
//! byte. So the packing is one of *granules*, sizes rounded up to the alignment, and the heap ends
//! somewhere in the last granule. First the granules are made as few as possible; then the blocks
//! that fill their last granule the most are kept out of the top one.
//!
//! ```text
//!   granule R-1 |.....|     |=====  <- the heap's size: the largest end in the top granule
//!   granule R-2 |  a  |--+  |  c
//!               |     |b |  |        a ends a granule lower if c with its short end may take the top
//! ```

mod blocks;
mod by_name;
mod granules;
mod hang;
#[cfg(test)]
mod tests;
mod top;

pub use blocks::{Block, blocks};
pub use by_name::pack_by;

use std::collections::BTreeMap;

use super::heap::{self, Chooser, Chunk, Heap, SortOrder};
use crate::analyze::hlo::{Event, ValueId};
use crate::model::{Attempt, AttemptEnd, LimitedBy};
use crate::plan::Options;
use granules::Granules;

/// A heap and what is known about smaller ones.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The smallest heap found; never larger than [`heap::choose_best`]'s.
    pub heap: Heap,
    /// The most bytes of blocks that are alive at one step, sizes not rounded.
    pub max_load: u64,
    /// No heap is smaller than this.
    pub lower_bound: u64,
    /// True when the heap is proven to be the smallest.
    pub optimal: bool,
    /// True when the heap is proven to take the fewest multiples of the alignment, if not the fewest
    /// bytes.
    pub fewest_granules: bool,
    /// Nodes that the searches opened.
    pub nodes: u64,
    /// What ended a search early and left the answer open.
    pub limited: Option<LimitedBy>,
    /// Every solver that was tried, in bytes.
    pub attempts: Vec<Attempt>,
}

impl Packed {
    /// Takes a heap if it is the smallest so far.
    fn offer(&mut self, heap: Heap) {
        if heap.size < self.heap.size {
            self.heap = heap;
        }
        self.optimal = self.heap.size <= self.lower_bound;
    }

    /// Takes a bound if it is the best so far.
    fn bound(&mut self, bytes: u64) {
        self.lower_bound = self.lower_bound.max(bytes);
        self.optimal = self.heap.size <= self.lower_bound;
    }
}

/// Packs the values of a list of events, values that share in one place. The answer is the same for
/// the same nodes and seed in the options; [`heap::fits`] has to hold.
pub fn pack(events: &[Event], alignment: u64, options: &Options) -> Packed {
    let alignment = alignment.max(1);
    let blocks = blocks(events);
    let granules = Granules::new(&blocks, alignment);
    let mut packed = Packed {
        heap: heap::choose_best(events, alignment),
        max_load: blocks::max_load(&blocks),
        lower_bound: 0,
        optimal: false,
        fewest_granules: false,
        nodes: 0,
        limited: None,
        attempts: Vec::new(),
    };
    packed.bound(granules.load_bound());
    note(&mut packed, "xla");
    let open = |packed: &Packed| {
        packed.heap.size.div_ceil(alignment) > packed.lower_bound.div_ceil(alignment)
    };
    if open(&packed) {
        packed.offer(heap::best_of(events, alignment, &OTHERS));
        note(&mut packed, "xla-search");
    }
    if open(&packed) {
        let rung = granules.solve(options);
        let offsets = rung.packing.as_ref().map(|packing| packing.offsets.as_slice());
        packed.bound(granules.bound(rung.bound));
        granules.take(&mut packed, &rung);
        if let Some(offsets) = offsets {
            packed.offer(laid(&blocks, &packed.heap, &granules.bytes(offsets)));
        }
    }
    if !packed.optimal {
        top::lower(&granules, &blocks, &mut packed, options);
    }
    packed.fewest_granules = !open(&packed);
    if packed.optimal {
        packed.limited = None;
    }
    packed
}

/// What is tried after the heaps of [`heap::choose_best`].
const OTHERS: [(SortOrder, Chooser); 4] = [
    (SortOrder::Area, Chooser::BestFit),
    (SortOrder::Spatial, Chooser::LowestOffset),
    (SortOrder::Temporal, Chooser::LowestOffset),
    (SortOrder::Area, Chooser::LowestOffset),
];

/// An attempt for a heap of XLA's own making.
fn note(packed: &mut Packed, solver: &str) {
    packed.attempts.push(Attempt {
        level: None,
        solver: solver.to_owned(),
        end: AttemptEnd::Found,
        peak: Some(packed.heap.size),
        bound: packed.lower_bound,
        nodes: 0,
        note: None,
    });
}

/// The heap with the blocks at these offsets, and values without bytes where they were.
fn laid(blocks: &[Block], old: &Heap, offsets: &[u64]) -> Heap {
    let mut chunks: BTreeMap<ValueId, Chunk> = old.chunks.clone();
    let mut size = 0;
    for (block, &offset) in blocks.iter().zip(offsets) {
        let chunk = Chunk { offset, size: block.size };
        size = size.max(chunk.end());
        chunks.extend(block.values.iter().map(|&value| (value, chunk)));
    }
    Heap { size, chunks }
}
