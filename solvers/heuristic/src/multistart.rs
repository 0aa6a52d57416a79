//! Priorities for lowest first: with noise, or near to one that did well.

use memplan_packing::random::SplitMix64;
use memplan_packing::{Budget, Packing, Stop};

use crate::lowest::LowestFirst;
use crate::order::{Key, weights};
use crate::problem::Problem;
use crate::score::Score;

/// Priorities are logarithms: so much is a factor of two in what counts once.
const DOUBLE: u64 = 4 << 16;

/// What steers a run of lowest first.
#[derive(Clone)]
pub(crate) struct Priority {
    pub(crate) weight: Vec<u64>,
    pub(crate) careful: bool,
}

impl Priority {
    /// The logarithms of what the first key says.
    pub(crate) fn of(problem: &Problem<'_>, keys: &[Key], careful: bool) -> Self {
        let key = keys.first().copied().unwrap_or(Key::Area);
        let weight = logs(problem, key).into_iter().map(|log| 4 * log).collect();
        Self { weight, careful }
    }

    pub(crate) fn pack(
        &self,
        lowest: &LowestFirst<'_, '_>,
        budget: &Budget,
    ) -> Result<Packing, Stop> {
        let weight: Vec<u128> = self.weight.iter().map(|&weight| weight.into()).collect();
        if self.careful { lowest.careful(&weight, budget) } else { lowest.pack(&weight, budget) }
    }
}

/// The best priority so far, and what it led to.
pub(crate) struct Guide {
    pub(crate) priority: Priority,
    pub(crate) packing: Packing,
    /// Smaller is better: the score, then how many composites end above the bound.
    pub(crate) worth: (Score, usize),
}

/// A supply of priorities by number: each depends on the seed, its number, and the guide.
pub(crate) struct Multistart<'p, 'a> {
    problem: &'p Problem<'a>,
    size: Vec<u64>,
    duration: Vec<u64>,
    seed: u64,
}

impl<'p, 'a> Multistart<'p, 'a> {
    pub(crate) fn new(problem: &'p Problem<'a>, seed: u64) -> Self {
        let seed = SplitMix64::new(seed).bits();
        let (size, duration) = (logs(problem, Key::Size), logs(problem, Key::Duration));
        Self { problem, size, duration, seed }
    }

    /// The priority of this number: near to the guide in every second one, else a new one.
    pub(crate) fn priority(&self, number: u64, guide: Option<&Guide>, bound: u64) -> Priority {
        let mut random = SplitMix64::new(self.seed.wrapping_add(number));
        match guide {
            Some(guide) if number % 2 == 1 => self.near(guide, bound, &mut random),
            _ => self.fresh(number.is_multiple_of(6), &mut random),
        }
    }

    /// `size^a * duration^b * noise` with random `a`, `b` and strength of the noise.
    fn fresh(&self, careful: bool, random: &mut SplitMix64) -> Priority {
        let mut one_of = |list: [u64; 6]| list[random.below(6) as usize];
        let (a, b) = (one_of([0, 1, 2, 4, 4, 4]), one_of([1, 2, 3, 4, 4, 8]));
        let strength = one_of([0, 1, 2, 3, 6, 12]) * DOUBLE / 4;
        let both = self.size.iter().zip(&self.duration);
        let weight = both.map(|(size, duration)| a * size + b * duration);
        Priority { weight: weight.map(|w| w + random.below(strength + 1)).collect(), careful }
    }

    /// The guide's priority with some changes: to a few anywhere, to those who live at a moment at
    /// which the packing is too high, or upwards to those who lie too high.
    fn near(&self, guide: &Guide, bound: u64, random: &mut SplitMix64) -> Priority {
        let mut priority = guide.priority.clone();
        let high = too_high(self.problem, &guide.packing, bound);
        let moment = match high.len() {
            0 => None,
            n => {
                let hull = self.problem.hull(high[random.below(n as u64) as usize]);
                Some(hull.start + random.below(hull.end - hull.start))
            }
        };
        let kind = random.below(4);
        let mut is_high = vec![false; self.problem.len()];
        high.iter().for_each(|&c| is_high[c as usize] = true);
        for (at, weight) in priority.weight.iter_mut().enumerate() {
            let there = || {
                let hull = self.problem.hull(at as u32);
                moment.is_some_and(|moment| hull.start <= moment && moment < hull.end)
            };
            let (chance, strength, down) = match kind {
                0 => (10, DOUBLE / 2, DOUBLE / 2),
                1 => (50, 3 * DOUBLE / 2, 3 * DOUBLE / 2),
                2 if there() => (4, 3 * DOUBLE / 2, 3 * DOUBLE / 2),
                2 => continue,
                _ if is_high[at] => (3, 3 * DOUBLE / 2, 0),
                _ => (50, DOUBLE, DOUBLE),
            };
            if random.chance(1, chance) {
                let up = random.below(strength + down);
                *weight = weight.saturating_add(up).saturating_sub(down);
            }
        }
        priority
    }
}

/// The composites that end above the bound.
pub(crate) fn too_high(problem: &Problem<'_>, packing: &Packing, bound: u64) -> Vec<u32> {
    let above = |c: &u32| {
        let mut members = problem.members(*c).iter().filter(|m| m.size > 0);
        members.any(|m| packing.offsets[m.item as usize].saturating_add(m.size) > bound)
            && !problem.hull(*c).is_empty()
    };
    problem.movable().filter(above).collect()
}

fn logs(problem: &Problem<'_>, key: Key) -> Vec<u64> {
    weights(problem, key).into_iter().map(log2).collect()
}

/// The binary logarithm in steps of 1/65536.
fn log2(n: u128) -> u64 {
    if n == 0 {
        return 0;
    }
    let whole = n.ilog2();
    let fraction = if whole >= 16 { n >> (whole - 16) } else { n << (16 - whole) };
    (u64::from(whole) << 16) + (fraction as u64 & 0xffff)
}
