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

/// What sections are compared by.
pub(super) type Key = (Unit, Unit);

/// A section of a niche, as far as the choice between sections goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    /// How many may lie on its floor, and one more if nobody has to.
    pub(super) ways: Unit,
    /// Units that may be lost in it.
    pub(super) slack: Unit,
    /// The capacity.
    pub(super) capacity: Unit,
    /// Sections of the niche.
    pub(super) width: Unit,
    /// One more than how often it was the one without a way.
    pub(super) weight: u32,
}

impl Pick {
    /// The least key goes first.
    pub(super) fn key(self, q: Question) -> Key {
        let weight = Unit::from(q.weight);
        // So that products stay small: what is left of slack and capacity below a billion units.
        let shift = (Unit::BITS - q.capacity.leading_zeros()).saturating_sub(30);
        let weighed = |value: Unit| if weight == 1 { value * 64 } else { value * 64 / weight };
        let slack = weighed(q.slack >> shift);
        // A share of the capacity keeps sections without any slack from being all that counts.
        let product = |share: Unit| weighed(((q.slack + 1 + q.capacity / share) >> shift) * q.ways);
        match self {
            Self::Alternatives => (q.ways, slack),
            Self::Slack => (slack, q.ways),
            Self::Balance => (product(8), q.ways),
            Self::Narrow => (product(32) * q.width, q.ways),
        }
    }
}

/// How much it counts that a candidate fits into the corner of its niche.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Corner {
    /// Not at all.
    Any,
    /// The more ends of the niche it reaches, the better.
    Ends,
    /// And better still when its top meets the top of the wall there.
    Walls,
}

/// How one run goes about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Larger first, by the first that differs.
    by: [By; 3],
    /// The first of `by` is enlarged by up to so many percent, at random.
    noise: u64,
    pub(super) pick: Pick,
    /// Counts before `by`.
    pub(super) corner: Corner,
}

const fn manner(by: [By; 3], noise: u64, pick: Pick, corner: Corner) -> Manner {
    Manner { by, noise, pick, corner }
}

/// The manners that take turns: those that together close the most of a set of crowded instances,
/// each adding what the ones before it rarely close.
pub(super) const MANNERS: [Manner; 9] = {
    use By::{Area, Load, Size, Width};
    use Corner::{Any, Ends, Walls};
    use Pick::{Alternatives, Balance, Narrow, Slack};
    [
        manner([Area, Width, Load], 25, Balance, Ends),
        manner([Size, Width, Load], 25, Narrow, Any),
        manner([Width, Area, Load], 25, Alternatives, Any),
        manner([Size, Width, Load], 25, Narrow, Ends),
        manner([Size, Width, Load], 25, Slack, Any),
        manner([Width, Area, Load], 25, Narrow, Walls),
        manner([Size, Width, Load], 25, Alternatives, Walls),
        manner([Load, Area, Width], 25, Alternatives, Walls),
        manner([Area, Width, Load], 25, Slack, Walls),
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
