//! A graph of ops: a chain with skips.

use memplan_packing::random::SplitMix64;

use super::pick;
use crate::bench::table::Line;

/// Offsets are multiples of this, as in device memory.
const ALIGNMENT: u64 = 256;

/// Each op makes one result. The next one reads it; one in four is read again a few ops later, one in
/// ten of the first half by the op opposite in the second.
pub(super) fn chain(count: usize, random: &mut SplitMix64) -> Vec<Line> {
    let ops = count as u64;
    let mut stage = 1 << 14;
    let mut blocks = Vec::with_capacity(count);
    for op in 0..ops {
        if random.chance(6, ops) {
            // The next stage has other shapes.
            stage = ALIGNMENT * (1 + random.below(256));
        }
        let mut last = op + 1;
        if random.chance(1, 4) {
            last = op + 2 + random.below(8);
        }
        if op < ops / 2 && random.chance(1, 10) {
            last = ops - op;
        }
        let size = stage * pick(random, &[1, 1, 2, 2, 3, 4, 6]);
        blocks.push(Line::new(op, last.min(ops) + 1, size, ALIGNMENT));
    }
    blocks
}
