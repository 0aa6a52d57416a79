//! Lower bounds on the peak, and proofs that there is no packing. Never above the true optimum.

mod classes;
mod clique;
mod load;
mod place;
mod refute;

use crate::composite::Composites;
use crate::instance::{Instance, ItemId};
use crate::outcome::Refutation;
use crate::relations::Relations;
use load::Weights;

/// The bytes that are needed at one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// The step; the earliest one with this sum.
    pub at: u64,
    /// Bytes needed at that step.
    pub sum: u64,
    /// Who needs them, ascending: each pair of them conflicts, but that members of one colocation
    /// group count the bytes that they cover together.
    pub items: Vec<ItemId>,
}

/// The largest sum of bytes alive at one step.
///
/// Items that may share although they are alive together (`exclusive` and in-place pairs,
/// colocated items) are counted once: of every set of items that such pairs tie together the
/// heaviest set found whose items do conflict with each other. It is the heaviest there is for
/// nested conditionals of any size and for other sets of up to 16 items; larger sets are
/// searched greedily. `alone` does not reach beyond an item's life here, but see [`lower_bound`].
pub fn max_load(instance: &Instance) -> Load {
    let relations = Relations::new(instance);
    load::heaviest(instance, &relations, &Weights::plain(instance), &|_| true)
}

/// The best lower bound on the peak that needs no search, whatever the capacity.
///
/// At least [`max_load`]. It also counts items that are alone at every step, adds up classes of
/// items that never share with each other (up to 10,000 items), skips reserved ranges, obeys pins and windows, and rounds sizes up to the common alignment. `u64::MAX` when
/// some item has no place in 64 bits at all.
pub fn lower_bound(instance: &Instance) -> u64 {
    Bounds::new(instance).lower_bound
}

/// A proof that there is no packing (within the capacity, if there is one), where that is cheap.
pub fn refute(instance: &Instance) -> Option<Refutation> {
    Bounds::new(instance).refutation
}

/// Everything that is known about an instance without search, computed together.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// See [`max_load`].
    pub max_load: Load,
    /// See [`lower_bound()`].
    pub lower_bound: u64,
    /// See [`refute`].
    pub refutation: Option<Refutation>,
}

impl Bounds {
    /// The bounds of a validated instance.
    pub fn new(instance: &Instance) -> Self {
        let relations = Relations::new(instance);
        let composites = Composites::new(instance, &relations);
        let loads = load::Loads::new(instance, &relations);
        let windows = place::windows(instance, &relations, &composites);
        let lower_bound = place::lower_bound(instance, &relations, &composites, &loads, &windows);
        let refutation = refute::refute(instance, &relations, &composites, &loads, &windows);
        Self { max_load: loads.plain, lower_bound, refutation }
    }
}
