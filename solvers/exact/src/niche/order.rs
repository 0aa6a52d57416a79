//! Who is tried first.
//!
//! No one order is good for every instance, but for nearly every instance some order is: so they
//! take turns, each time with different noise.

use memplan_packing::random::SplitMix64;

use super::level::Level;
use super::problem::Problem;
use crate::units::Unit;

/// What an order looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Sections lived in.
    Width,
    /// Sections times bytes.
    Area,
    /// Bytes.
    Size,
    /// The fullest section lived in.
    Load,
}

/// Which section of a niche is decided first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// The one with the fewest alternatives, then the one with the least room to spare.
    Alternatives,
    /// The one with the least room to spare, then the one with the fewest alternatives.
    Slack,
    /// Few alternatives and little room to spare, one as good as the other.
    Balance,
    /// The same, in a niche of few sections.
    Narrow,
}

impl Pick {
    /// The least key goes first.
    pub(super) fn key(self, ways: Unit, slack: Unit, capacity: Unit, width: Unit) -> (i128, Unit) {
        // A share of the capacity keeps sections without any slack from being all that counts.
        let product = |share: Unit| i128::from(ways) * i128::from(slack + 1 + capacity / share);
        match self {
            Self::Alternatives => (i128::from(ways), slack),
            Self::Slack => (i128::from(slack), ways),
            Self::Balance => (product(8), ways),
            Self::Narrow => (product(32) * i128::from(width), ways),
        }
    }
}

/// How one run goes about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Larger first, by the first that differs.
    pub(super) by: [By; 3],
    pub(super) pick: Pick,
    /// The first of `by` is enlarged by up to so many percent, at random.
    pub(super) noise: u64,
}

const fn manner(by: [By; 3], pick: Pick, noise: u64) -> Manner {
    Manner { by, pick, noise }
}

/// The manners that take turns; each closes some crowded instances at once that others do not.
pub(super) const MANNERS: [Manner; 6] = {
    use By::{Area, Load, Size, Width};
    use Pick::{Alternatives, Balance, Narrow, Slack};
    [
        manner([Area, Width, Load], Narrow, 10),
        manner([Size, Width, Load], Narrow, 10),
        manner([Width, Area, Load], Alternatives, 10),
        manner([Area, Width, Load], Balance, 40),
        manner([Size, Width, Load], Slack, 30),
        manner([Area, Width, Load], Balance, 25),
    ]
};

/// The rank of each rectangle: 0 is tried first.
pub(super) fn ranks<L: Level>(
    problem: &Problem<L>,
    manner: &Manner,
    random: &mut SplitMix64,
) -> Vec<u32> {
    let value = |r: u32, by: By| {
        let rect = &problem.rects[r as usize];
        match by {
            By::Width => u128::from(rect.width()),
            By::Area => u128::from(rect.width()) * rect.size.units() as u128,
            By::Size => rect.size.units() as u128,
            By::Load => {
                let loads = &problem.loads[rect.lo as usize..rect.hi as usize];
                loads.iter().copied().max().unwrap_or(0) as u128
            }
        }
    };
    let mut keys: Vec<([u128; 3], u32)> = Vec::with_capacity(problem.rects.len());
    for r in 0..problem.rects.len() as u32 {
        let mut key = manner.by.map(|by| value(r, by));
        key[0] = key[0] * 1_000 + key[0] * u128::from(random.below(10 * manner.noise + 1));
        keys.push((key, r));
    }
    keys.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut ranks = vec![0; keys.len()];
    for (rank, (_, r)) in keys.into_iter().enumerate() {
        ranks[r as usize] = rank as u32;
    }
    ranks
}
