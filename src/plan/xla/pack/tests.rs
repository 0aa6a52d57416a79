use quickcheck::{Gen, QuickCheck};

use super::*;
use crate::analyze::hlo::EventKind;
use crate::plan::xla::sample::{Script, scaled, sound};

fn plan(events: &[Event], alignment: u64) -> Packed {
    pack(events, alignment, &Options::default())
}

/// Values of such sizes and lives; events at the same step stand in the order of the list.
fn lives(values: &[(u64, u64, u64)]) -> Vec<Event> {
    let mut steps: Vec<(u64, EventKind, usize)> = Vec::new();
    for (at, &(_, start, end)) in values.iter().enumerate() {
        steps.extend([(start, EventKind::Alloc, at), (end, EventKind::Free, at)]);
    }
    // Frees first: a value may start where another ends.
    steps.sort_by_key(|&(step, kind, at)| (step, kind == EventKind::Alloc, at));
    let event = |(_, kind, at): (u64, EventKind, usize)| Event {
        kind,
        value: ValueId(at as u32),
        size: values[at].0,
    };
    steps.into_iter().map(event).collect()
}

/// The smallest heap: whatever the packing, its blocks pushed down from the lowest to the highest
/// lie as low as possible one after the other; so some order leads there.
fn smallest(blocks: &[Block], alignment: u64) -> u64 {
    fn go(blocks: &[Block], alignment: u64, placed: &mut Vec<(usize, u64)>, best: &mut u64) {
        let end = |placed: &[(usize, u64)]| placed.iter().map(|p| p.1 + blocks[p.0].size).max();
        if end(placed).is_some_and(|end| end >= *best) {
            return;
        }
        if placed.len() == blocks.len() {
            *best = end(placed).unwrap_or(0);
        }
        for at in 0..blocks.len() {
            if placed.iter().any(|p| p.0 == at) {
                continue;
            }
            let mut used: Vec<(u64, u64)> = placed
                .iter()
                .filter(|p| blocks[p.0].meets(&blocks[at]))
                .map(|p| (p.1, p.1 + blocks[p.0].size))
                .collect();
            used.sort_unstable();
            let mut offset = 0u64;
            for (from, to) in used {
                if offset + blocks[at].size > from {
                    offset = offset.max(to.next_multiple_of(alignment));
                }
            }
            placed.push((at, offset));
            go(blocks, alignment, placed, best);
            placed.pop();
        }
    }
    let mut best = u64::MAX;
    go(blocks, alignment, &mut Vec::new(), &mut best);
    best
}

#[test]
fn nothing_is_packed_in_no_bytes() {
    let packed = plan(&[], 64);
    assert_eq!((packed.heap.size, packed.optimal, packed.lower_bound), (0, true, 0));
}

#[test]
fn no_heap_is_smaller_than_what_is_said_to_be_the_smallest() {
    fn holds(script: Script, alignment: u8) -> bool {
        let (events, alignment) = (script.events(), u64::from(alignment % 100) + 1);
        let all = blocks(&events);
        if all.len() > 7 {
            return true;
        }
        let packed = plan(&events, alignment);
        let most = packed.lower_bound == packed.heap.size && packed.max_load <= packed.heap.size;
        let best = if all.is_empty() { 0 } else { smallest(&all, alignment) };
        packed.optimal
            && most
            && packed.heap.size == best
            && sound(&events, &packed.heap, alignment)
    }
    let mut check = QuickCheck::new().rng(Gen::new(20)).tests(scaled(300));
    check.quickcheck(holds as fn(Script, u8) -> bool);
}

#[test]
fn a_heap_is_sound_and_no_larger_than_xlas_and_no_smaller_than_its_bound() {
    fn holds(script: Script, alignment: u8) -> bool {
        let (events, alignment) = (script.events(), u64::from(alignment) + 1);
        let options = Options { nodes: Some(200), ..Options::default() };
        let packed = pack(&events, alignment, &options);
        let xla = heap::choose_best(&events, alignment).size;
        packed.heap.size <= xla
            && packed.lower_bound <= packed.heap.size
            && packed.optimal == (packed.lower_bound == packed.heap.size)
            && packed.max_load <= packed.heap.size
            && sound(&events, &packed.heap, alignment)
    }
    let mut check = QuickCheck::new().rng(Gen::new(120)).tests(scaled(30));
    check.quickcheck(holds as fn(Script, u8) -> bool);
}

#[test]
fn the_block_with_the_shortest_end_takes_the_top() {
    // Three granules; a and c never meet, each with the same neighbour below or above it.
    let packed = plan(&lives(&[(100, 0, 4), (10, 1, 5), (64, 4, 8), (20, 5, 9)]), 64);
    assert_eq!((packed.heap.size, packed.optimal), (138, true));
    assert_eq!(packed.max_load, 110);
}

#[test]
fn values_that_take_over_in_place_are_one_block_without_a_gap() {
    let size = 8;
    let event = |kind, value| Event { kind, value: ValueId(value), size };
    let events = [
        event(EventKind::Alloc, 0),
        event(EventKind::Free, 0),
        event(EventKind::Share(ValueId(0)), 1),
        event(EventKind::Free, 1),
        event(EventKind::Alloc, 2),
        event(EventKind::Free, 2),
        event(EventKind::Share(ValueId(1)), 3),
        event(EventKind::Free, 3),
    ];
    let all = blocks(&events);
    assert_eq!(all[0].values, [ValueId(0), ValueId(1), ValueId(3)]);
    assert_eq!(all[0].spans, [0..4, 6..8]);
    assert_eq!(all[1].spans, std::iter::once(4..6).collect::<Vec<_>>());
    assert_eq!(plan(&events, 8).heap.size, 8);
}

#[test]
fn a_search_without_nodes_says_what_it_does_not_know() {
    // Sizes of which no two orders leave the same gaps.
    let mut values = Vec::new();
    for at in 0..60u64 {
        let start = at * 7 % 41;
        values.push((64 * (at * at % 13 + 3), start, start + 3 + at * 5 % 17));
    }
    let events = lives(&values);
    let packed = pack(&events, 64, &Options { nodes: Some(0), ..Options::default() });
    assert!(packed.optimal == (packed.lower_bound == packed.heap.size));
    assert!(sound(&events, &packed.heap, 64));
    let full = plan(&events, 64);
    assert!(full.heap.size <= packed.heap.size && packed.lower_bound <= full.heap.size);
}
