//! What a solver answers. Integer facts only: nothing that a floating-point solver says counts.

use crate::budget::Stop;
use crate::instance::{Instance, ItemId};

/// An offset for every item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packing {
    /// Bytes from the start of the memory, by item.
    pub offsets: Vec<u64>,
    /// Promotions in force: sorted indices into [`Instance::promotions`].
    pub promoted: Vec<u32>,
}

impl Packing {
    /// The largest end of any item of non-zero size; 0 when there is none.
    pub fn peak(&self, instance: &Instance) -> u64 {
        let ends = self.offsets.iter().zip(&instance.items);
        let ends = ends.filter(|(_, item)| item.size > 0);
        ends.map(|(offset, item)| offset.saturating_add(item.size)).max().unwrap_or(0)
    }
}

/// Why the peak of a packing cannot be smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The peak equals a lower bound that needs no search.
    MeetsBound,
    /// The search closed: every smaller peak was refuted.
    Exhausted,
    /// There is none.
    Open,
}

/// Why there is no packing within the capacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// These items conflict pairwise and need `sum` bytes. They are alive at step `at`, or share with
    /// nobody at any time.
    Load {
        /// The step.
        at: u64,
        /// The items; each pair of them conflicts.
        items: Vec<ItemId>,
        /// The bytes they need together.
        sum: u64,
    },
    /// This item alone has no place (capacity, reserved ranges, window or pin).
    NoPlace(ItemId),
    /// These two have no place beside each other (both pinned, say).
    Clash(ItemId, ItemId),
    /// The search closed.
    Exhausted,
}

/// The answer of one solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A packing that fits.
    Packed {
        /// The offsets.
        packing: Packing,
        /// Whether the peak is known to be the smallest.
        proof: Proof,
        /// The best proven lower bound on the peak of this instance, in bytes.
        bound: u64,
        /// No packing within the capacity costs less than this; 0 where the goal was not the cost.
        ///
        /// The packing is proven the cheapest when its [`Packing::cost`] is this.
        cost_bound: u64,
        /// Nodes opened.
        nodes: u64,
        /// Why the search ended.
        stop: Stop,
    },
    /// There is no packing; a proof.
    Refuted {
        /// The proof.
        why: Refutation,
        /// The best proven lower bound on the peak, in bytes, were the capacity unlimited.
        bound: u64,
        /// Nodes opened.
        nodes: u64,
    },
    /// None was found; says nothing about existence.
    GaveUp {
        /// The best proven lower bound on the peak.
        bound: u64,
        /// Nodes opened.
        nodes: u64,
        /// Why the search ended.
        stop: Stop,
    },
}
