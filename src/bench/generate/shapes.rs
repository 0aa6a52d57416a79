//! Blocks without a program behind them: what is hard about sizes, alignments and lives alone.

use memplan_packing::random::SplitMix64;

use super::pick;
use crate::bench::table::Line;

/// A life that starts anywhere in `steps` steps and takes at most `longest`.
fn life(steps: u64, longest: u64, random: &mut SplitMix64) -> (u64, u64) {
    let start = random.below(steps);
    (start, start + 1 + random.below(longest.max(1)))
}

/// Sizes that no alignment divides, on alignments that are often larger than they are.
pub(super) fn aligned(count: usize, random: &mut SplitMix64) -> Vec<Line> {
    let steps = count as u64;
    let block = |_| {
        let (start, end) = life(steps, steps / 4, random);
        let alignment = pick(random, &[1, 16, 32, 64, 96, 128, 256, 512, 1024, 4096]);
        Line::new(start, end, 2 * random.below(3000) + 1, alignment)
    };
    (0..count).map(block).collect()
}

/// Three sizes: what differs is when they live.
pub(super) fn equal(count: usize, random: &mut SplitMix64) -> Vec<Line> {
    let steps = count as u64;
    let block = |_| {
        let (start, end) = life(steps, steps / 3, random);
        Line::new(start, end, 4096 * pick(random, &[2, 2, 3, 3, 5]), 1)
    };
    (0..count).map(block).collect()
}

/// One in eight lives for half the time or more, the others for a few steps; sizes over ten doublings.
pub(super) fn mixed(count: usize, random: &mut SplitMix64) -> Vec<Line> {
    let steps = (count as u64 / 2).max(2);
    let block = |_| {
        let scale = 1 << random.below(11);
        let size = 64 * (scale + random.below(scale));
        if random.chance(1, 8) {
            let start = random.below(steps / 2);
            let end = start + steps / 2 + random.below(steps / 2);
            Line::new(start, end, size, 64)
        } else {
            let (start, end) = life(steps, 6, random);
            Line::new(start, end, size, 64)
        }
    };
    (0..count).map(block).collect()
}
