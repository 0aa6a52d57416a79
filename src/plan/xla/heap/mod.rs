//! The heaps of XLA's heap simulator: events in, offsets out (spec/xla-memory.md 8.2 to 8.7).
//!
//! ```text
//!   events -> groups -> sorted -> place one by one -> Heap
//!             (groups)  (order)   (space)             (best_fit, constrained)
//! ```
//!
//! Sums are saturating here: whoever reads sizes from outside asks [`fits`] first.

mod best_fit;
mod constrained;
mod groups;
mod heights;
mod map;
mod order;
mod query;
mod ranges;
mod space;

pub use best_fit::{best_fit, best_of, choose_best, search};
pub use constrained::constrained;
pub use map::map;
pub use order::SortOrder;
pub use query::{heap_size, memory_used};
pub use space::{Chooser, Space};

pub(in crate::plan::xla) use groups::{Group, groups};

use std::collections::BTreeMap;

use crate::analyze::hlo::{Event, EventKind, ValueId};

/// The bytes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chunk {
    /// Bytes from the start of the heap; a multiple of the alignment.
    pub offset: u64,
    /// Bytes: the largest size in the value's group of sharers.
    pub size: u64,
}

impl Chunk {
    /// The first byte past the chunk.
    pub fn end(self) -> u64 {
        self.offset.saturating_add(self.size)
    }
}

/// A heap that holds all values of a list of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// Bytes: the largest end of a chunk, not rounded up.
    pub size: u64,
    /// Where each value lies. Values that share have the same chunk.
    pub chunks: BTreeMap<ValueId, Chunk>,
}

impl Heap {
    /// Puts a value down.
    fn put(&mut self, value: ValueId, chunk: Chunk) {
        self.size = self.size.max(chunk.end());
        self.chunks.insert(value, chunk);
    }
}

/// True when all that is allocated fits 63 bits one above the other, every size rounded up to the
/// alignment: then no sum in this module is wrong.
pub fn fits(events: &[Event], alignment: u64) -> bool {
    let sizes = events.iter().filter(|event| event.kind != EventKind::Free).map(|event| event.size);
    let sum = sizes.into_iter().try_fold(0u64, |sum, size| {
        sum.checked_add(size.checked_next_multiple_of(alignment.max(1))?)
    });
    sum.is_some_and(|sum| i64::try_from(sum).is_ok())
}

/// The size as others see it: the next chunk starts at a multiple of the alignment.
fn rounded(size: u64, alignment: u64) -> u64 {
    size.checked_next_multiple_of(alignment.max(1)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
