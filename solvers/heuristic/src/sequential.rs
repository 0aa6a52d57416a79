//! No sharing at all: running sums.

use std::ops::Range;

use memplan_packing::{Budget, Packing, Stop};

use crate::engine::Engine;
use crate::greedy::clock;
use crate::problem::Problem;

/// Places composites one above the other in the order of their first items, around reserved
/// ranges and around what has a pin or a window. Only colocated items share bytes.
pub(crate) fn sequential(problem: &Problem<'_>, budget: &Budget) -> Result<Packing, Stop> {
    let mut clock = clock(budget);
    let mut bases = vec![0; problem.len()];
    let mut blocks: Vec<Range<u64>> = problem.instance.reserved.clone();

    // Pins may share bytes with each other: the user said so.
    let mut engine = Engine::new(problem);
    engine.place_pinned().ok_or(Stop::Failed)?;
    for composite in problem.pinned() {
        let base = engine.base(composite).ok_or(Stop::Failed)?;
        bases[composite as usize] = base;
        blocks.extend(solid(problem, composite, base));
    }
    blocks.sort_unstable_by_key(|block| (block.start, block.end));

    let windowed = |&c: &u32| {
        let members = problem.members(c).iter();
        members.clone().any(|m| problem.instance.items[m.item as usize].window.is_some())
    };
    let mut narrow: Vec<u32> = problem.movable().filter(windowed).collect();
    narrow.sort_by_key(|&c| (problem.shape(c).high, c));
    for composite in narrow {
        let base = above(problem, composite, 0, &blocks).ok_or(Stop::Failed)?;
        bases[composite as usize] = base;
        if let Some(block) = solid(problem, composite, base) {
            let at = blocks.partition_point(|b| (b.start, b.end) < (block.start, block.end));
            blocks.insert(at, block);
        }
    }

    // From here on everything lies above the last one: only blocks ahead matter.
    let (mut floor, mut passed) = (0, 0);
    for composite in problem.movable().filter(|c| !windowed(c)) {
        clock()?;
        while blocks.get(passed).is_some_and(|block| block.end <= floor) {
            passed += 1;
        }
        let base = above(problem, composite, floor, &blocks[passed..]).ok_or(Stop::Failed)?;
        bases[composite as usize] = base;
        if let Some(block) = solid(problem, composite, base) {
            floor = block.end;
        }
    }
    // A rule that says nothing about bytes (a wrong pin, say) shows only now.
    Ok(problem.packing(&bases))
}

/// The bytes of a composite, gaps between its members included.
fn solid(problem: &Problem<'_>, composite: u32, base: u64) -> Option<Range<u64>> {
    let members = problem.members(composite).iter().filter(|m| m.size > 0);
    let lo = members.clone().map(|m| m.delta).min()?;
    let hi = members.map(|m| m.delta + m.size).max()?;
    Some(base + lo..base + hi)
}

/// The lowest legal base from `floor` on at which the composite is clear of all blocks.
fn above(problem: &Problem<'_>, composite: u32, floor: u64, blocks: &[Range<u64>]) -> Option<u64> {
    let shape = problem.shape(composite);
    let mut base = shape.align(floor)?;
    let Some(mut own) = solid(problem, composite, base) else { return Some(base) };
    let lead = own.start - base;
    // Blocks come in the order of their starts, but a long one may reach past later ones.
    for block in blocks {
        if block.start >= own.end {
            break;
        }
        if block.end > own.start {
            base = shape.align(block.end.saturating_sub(lead))?;
            own = solid(problem, composite, base)?;
        }
    }
    Some(base)
}
