//! Loops of a kernel: tiles with their slots, temporaries of the body, accumulators.

use memplan_packing::random::SplitMix64;

use super::pick;
use crate::bench::table::Line;

/// Offsets are multiples of this, as in on-chip memories.
const ALIGNMENT: u64 = 32;

/// One loop after the other, some in a loop around them.
pub(super) fn loops(count: usize, random: &mut SplitMix64) -> Vec<Line> {
    let mut blocks = Vec::new();
    let mut step = 0;
    while blocks.len() < count {
        let start = step;
        for _ in 0..1 + random.below(3) {
            step = body(step, random, &mut blocks);
        }
        // What the loop around them loads once a trip, and what it adds up.
        for _ in 0..random.below(3) {
            tile(start, step, random, &mut blocks);
        }
        if random.chance(1, 2) {
            let end = step + random.below(8);
            blocks.push(Line::new(start, end, tile_size(random), ALIGNMENT));
        }
    }
    blocks.truncate(count);
    blocks
}

/// A loop from a step on; returns the step after it.
fn body(start: u64, random: &mut SplitMix64, blocks: &mut Vec<Line>) -> u64 {
    let steps = 4 + random.below(9);
    let end = start + steps;
    for _ in 0..1 + random.below(3) {
        tile(start, end, random, blocks);
    }
    for step in start..end - 1 {
        let last = (step + 2 + random.below(3)).min(end);
        blocks.push(Line::new(step, last, tile_size(random), ALIGNMENT));
    }
    end
}

/// A multi-buffer: two or three slots that live as long as the loop.
fn tile(start: u64, end: u64, random: &mut SplitMix64, blocks: &mut Vec<Line>) {
    let size = tile_size(random);
    for _ in 0..2 + random.below(2) {
        blocks.push(Line::new(start, end, size, ALIGNMENT));
    }
}

/// Rows of a tile, columns, bytes of an element.
fn tile_size(random: &mut SplitMix64) -> u64 {
    pick(random, &[8, 16, 24, 32, 48, 64])
        * pick(random, &[32, 64, 100, 128, 256])
        * pick(random, &[2, 4])
}
