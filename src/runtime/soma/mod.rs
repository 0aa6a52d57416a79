//! Stream-ordered pools (5.15, with the paragraph on SOMA in 13.5).
//!
//! A pool is a range of addresses cut into segments: free (no memory behind it), cached (given back,
//! memory kept) or busy (handed out). The host picks addresses and counts when it calls; memory is
//! there in the order of the stream. Whether a cached block may be handed out again is a question of
//! what happened before what, so requests carry clocks; pools keep none of their own.

mod alloc;
mod attributes;
mod block;
mod check;
mod free;
mod marks;
mod pool;
mod pools;
mod reach;
mod reuse;
mod segment;
mod sequences;
mod trim;

#[cfg(test)]
mod tests;

pub use alloc::{Ask, Given};
pub use block::{Block, Found};
pub use marks::FreeMark;
pub use pools::{PoolId, Pools, Wanted};
