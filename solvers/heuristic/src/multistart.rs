//! Lowest first with noise, again and again.

use memplan_packing::random::SplitMix64;
use memplan_packing::{Budget, Packing, Stop};

use crate::lowest::LowestFirst;
use crate::order::{Key, weights};
use crate::problem::Problem;

/// A stream of different priorities for one problem; the same seed gives the same stream.
pub(crate) struct Multistart<'p, 'a> {
    lowest: &'p LowestFirst<'p, 'a>,
    size: Vec<u64>,
    duration: Vec<u64>,
    random: SplitMix64,
}

impl<'p, 'a> Multistart<'p, 'a> {
    pub(crate) fn new(problem: &Problem<'a>, lowest: &'p LowestFirst<'p, 'a>, seed: u64) -> Self {
        let logs = |key| weights(problem, key).into_iter().map(log2).collect();
        Self {
            lowest,
            size: logs(Key::Size),
            duration: logs(Key::Duration),
            random: SplitMix64::new(seed),
        }
    }

    /// The next packing: the priority is `size^a * duration^b * noise` with random `a`, `b` and
    /// strength of the noise, all in logarithms.
    pub(crate) fn next(&mut self, budget: &Budget) -> Result<Packing, Stop> {
        let random = &mut self.random;
        let (a, b) = (1 + random.below(4), random.below(5));
        let strength = 1 + (a + b) * 64 * random.below(6);
        let priority: Vec<u128> = (self.size.iter().zip(&self.duration))
            .map(|(size, duration)| u128::from(a * size + b * duration + random.below(strength)))
            .collect();
        self.lowest.pack(&priority, budget)
    }
}

/// The binary logarithm in steps of 1/256.
fn log2(n: u128) -> u64 {
    if n == 0 {
        return 0;
    }
    let whole = n.ilog2();
    let fraction = if whole >= 8 { n >> (whole - 8) } else { n << (8 - whole) };
    (u64::from(whole) << 8) + (fraction as u64 & 0xff)
}
