//! Whole slots: the baseline that never reuses a part of a dead buffer.

use memplan_packing::relations::Conflict;
use memplan_packing::{Budget, Packing, Stop};

use crate::engine::{Engine, Rule};
use crate::greedy::clock;
use crate::order::{BY_START, order};
use crate::problem::Problem;

/// A slot: the bytes of the composite that opened it, its representative.
struct Slot {
    lo: u64,
    hi: u64,
    members: Vec<u32>,
    /// When the last member dies.
    until: u64,
}

/// In the order of the starts, each composite takes the smallest slot that is large enough and
/// whose members it does not conflict with, at the slot's start; else it opens one beside all
/// others. A slot never grows and is never split:
///
/// ```text
///   +-------------+-------+
///   | large       |       |     small0 takes the slot of the dead large one, all of it;
///   |             | small0|     small1 has to open a second slot although half of the
///   +-------------+-------+     first one is free
/// ```
///
/// Pinned composites and those with a window come first and belong to no slot.
pub(crate) fn whole_slot(problem: &Problem<'_>, budget: &Budget) -> Result<Packing, Stop> {
    let mut clock = clock(budget);
    let mut engine = Engine::new(problem);
    engine.place_pinned().ok_or(Stop::Failed)?;
    let windowed = |&c: &u32| {
        let mut members = problem.members(c).iter();
        members.any(|m| problem.instance.items[m.item as usize].window.is_some())
    };
    let mut narrow: Vec<u32> = problem.movable().filter(windowed).collect();
    narrow.sort_by_key(|&c| (problem.shape(c).high, c));
    let mut outside: Vec<u32> = problem.pinned().collect();
    let mut bases = vec![0; problem.len()];
    for &composite in &narrow {
        engine.put(composite, Rule::Lowest).ok_or(Stop::Failed)?;
    }
    outside.extend(narrow);
    let mut blocks = Vec::new();
    for &composite in &outside {
        let base = engine.base(composite).ok_or(Stop::Failed)?;
        bases[composite as usize] = base;
        let members = problem.members(composite).iter().filter(|m| m.size > 0);
        blocks.extend(members.map(|m| base + m.delta..base + m.delta + m.size));
    }
    blocks.extend(problem.instance.reserved.iter().cloned());
    blocks.sort_unstable_by_key(|block| (block.start, block.end));

    let mut slots: Vec<Slot> = Vec::new();
    // Slots by size, then by age.
    let mut by_size: Vec<u32> = Vec::new();
    for composite in order(problem, BY_START) {
        clock()?;
        if windowed(&composite) {
            continue;
        }
        let shape = problem.shape(composite);
        let hull = problem.hull(composite);
        let takes = |&s: &u32| {
            let slot = &slots[s as usize];
            let base = shape.align(slot.lo)?;
            let fits = base == slot.lo && base + shape.extent <= slot.hi;
            let free = !problem.related && slot.until <= hull.start;
            (fits && (free || slot.members.iter().all(|&m| beside(problem, composite, m))))
                .then_some((s, base))
        };
        let from = by_size.partition_point(|&s| {
            let slot = &slots[s as usize];
            slot.hi - slot.lo < shape.extent
        });
        let found = by_size[from..].iter().find_map(takes);
        if let Some((slot, base)) = found {
            let slot = &mut slots[slot as usize];
            bases[composite as usize] = base;
            slot.members.push(composite);
            slot.until = slot.until.max(hull.end);
            continue;
        }
        let base = clear(problem, composite, &blocks).ok_or(Stop::Failed)?;
        bases[composite as usize] = base;
        let end = base + shape.extent;
        let block = blocks.partition_point(|b| (b.start, b.end) < (base, end));
        blocks.insert(block, base..end);
        let members = vec![composite];
        let number = slots.len() as u32;
        let at = by_size.partition_point(|&s| {
            let slot = &slots[s as usize];
            slot.hi - slot.lo <= shape.extent
        });
        slots.push(Slot { lo: base, hi: end, members, until: hull.end });
        by_size.insert(at, number);
    }
    Ok(problem.packing(&bases))
}

/// True when two composites that start at the same place do not conflict.
fn beside(problem: &Problem<'_>, a: u32, b: u32) -> bool {
    problem.members(a).iter().all(|x| {
        problem.members(b).iter().all(|y| match problem.conflict(x.item, y.item) {
            Conflict::None => true,
            Conflict::UnlessSameOffset => x.delta == y.delta,
            Conflict::Always => x.delta + x.size <= y.delta || y.delta + y.size <= x.delta,
        })
    })
}

/// The lowest legal base at which the composite is clear of all blocks.
fn clear(problem: &Problem<'_>, composite: u32, blocks: &[std::ops::Range<u64>]) -> Option<u64> {
    let shape = problem.shape(composite);
    let mut base = shape.align(0)?;
    for block in blocks {
        if block.start < base + shape.extent && block.end > base {
            base = shape.align(block.end)?;
        }
    }
    Some(base)
}
