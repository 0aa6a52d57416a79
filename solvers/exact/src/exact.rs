//! The solver behind the seam.

use memplan_packing::{Budget, Event, Goal, Instance, Missing, Outcome, Packing, Solver};

use crate::niche;
use crate::relations::{Conflict, Relations};
use crate::rules::Rules;
use crate::units::{MAX_UNITS, granule, limit};

/// Items taken at most, promoted copies included: relations are a table of one byte per pair.
/// Without relations, pins and gaps more are taken: [`crate::MAX_RECTS`].
pub const MAX_ITEMS: u64 = 2_000;

/// Conflicting pairs taken at most: every node looks at each of them.
pub const MAX_PAIRS: u64 = 100_000;

/// The exact search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exact {
    /// The inferences that are on; all of them by default.
    pub rules: Rules,
    /// Where the noise of restarts comes from.
    pub seed: u64,
}

impl Exact {
    /// True when the items are mere rectangles of time and bytes under this goal: the search then
    /// goes niche by niche, and a node costs little.
    pub fn is_plain(&self, instance: &Instance, goal: Goal) -> bool {
        self.rules.niche && niche::is_pure(instance, goal)
    }
}

impl Solver for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn can(&self, instance: &Instance, goal: Goal) -> Result<(), Missing> {
        if self.is_plain(instance, goal) {
            let items = instance.items.len() as u64;
            let takes = niche::takes(instance);
            return if takes { Ok(()) } else { Err(Missing::TooLarge(items)) };
        }
        let ghosts: usize = instance.promotions.iter().map(|p| p.slots.len()).sum();
        let items = (instance.items.len() + ghosts) as u64;
        if items > MAX_ITEMS {
            return Err(Missing::TooLarge(items));
        }
        let granule = granule(instance);
        let sizes = instance.items.iter().flat_map(|i| [i.size, i.align, i.pin.unwrap_or(0)]);
        let deltas = instance.colocated.iter().map(|c| c.delta);
        let largest = sizes.chain(deltas).max().unwrap_or(0) / granule;
        // Distances are signed 64-bit units with room to add a few.
        if largest > MAX_UNITS as u64 || limit(instance, granule).is_none() {
            return Err(Missing::TooLarge(largest));
        }
        // Sums of costs are 64-bit, too.
        let mut costs = instance.costs.iter().map(|cost| cost.cost);
        if costs.try_fold(1u64, u64::checked_add).is_none() {
            return Err(Missing::TooLarge(u64::MAX));
        }
        let relations = Relations::new(instance);
        let n = instance.items.len() as u32;
        let conflicts =
            |b: u32| (0..b).filter(|&a| relations.items(a, b) != Conflict::None).count() as u64;
        let pairs = (0..n).map(conflicts).sum::<u64>() + instance.costs.len() as u64;
        if pairs > MAX_PAIRS { Err(Missing::TooLarge(pairs)) } else { Ok(()) }
    }

    fn solve(
        &self,
        instance: &Instance,
        goal: Goal,
        warm: Option<&Packing>,
        budget: &Budget,
        on: &mut dyn FnMut(Event),
    ) -> Outcome {
        if self.is_plain(instance, goal) {
            return niche::solve(*self, instance, goal, warm, budget, on);
        }
        crate::solve::solve(self.rules, instance, goal, warm, budget, on)
    }
}
