//! The exact tables of spec/xla-memory.md 8.7, and what holds for any events.

use quickcheck::{Gen, QuickCheck};

use super::*;
use crate::analyze::hlo::EventKind::{Alloc, Free, Share};
use crate::plan::xla::sample::{Script, scaled};

/// Events from words: `A a 10` allocates, `F a` frees, `S c a 30` shares the bytes of `a`.
fn events(text: &str) -> Vec<Event> {
    let id = |name: &str| ValueId(u32::from(name.as_bytes()[0] - b'a'));
    let mut sizes: BTreeMap<ValueId, u64> = BTreeMap::new();
    let mut out = Vec::new();
    for line in text.split(',') {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words[at].parse().expect("a size");
        let value = id(words[1]);
        let (kind, size) = match words[0] {
            "A" => (Alloc, number(2)),
            "S" => (Share(id(words[2])), number(3)),
            _ => (Free, sizes[&value]),
        };
        sizes.insert(value, size);
        out.push(Event { kind, value, size });
    }
    out
}

const FIRST: &str = "A a 10, A b 30, A c 20, A d 40, F a, F b, F c, F d";
const SECOND: &str = "A a 10, A b 20, A c 50, F a, A d 40, F b, F c, F d";
const SHARED: &str = "A a 40, F a, A b 20, S c a 40, F c, F b";

fn spatial(text: &str, alignment: u64) -> (u64, Vec<u64>) {
    let heap = best_fit(&events(text), alignment, SortOrder::Spatial, Chooser::BestFit);
    (heap.size, heap.chunks.values().map(|chunk| chunk.offset).collect())
}

#[test]
fn no_events_need_no_heap() {
    assert_eq!(choose_best(&[], 64), Heap::default());
    assert_eq!(constrained(&[], 64, 10, SortOrder::Spatial), [Heap::default()]);
}

#[test]
fn the_largest_goes_to_the_bottom() {
    assert_eq!(spatial(FIRST, 1), (100, vec![90, 40, 70, 0]));
}

#[test]
fn offsets_are_multiples_of_the_alignment_and_the_heap_need_not_be() {
    assert_eq!(spatial(SECOND, 20), (120, vec![60, 100, 0, 60]));
    assert_eq!(spatial("A a 30, F a", 20), (30, vec![0]));
}

#[test]
fn the_smallest_gap_that_is_large_enough_is_taken() {
    let text = "A a 10, A b 20, A c 40, F a, A d 30, A e 50, F b, F c, F d, F e";
    assert_eq!(spatial(text, 1), (140, vec![90, 120, 50, 90, 0]));
}

#[test]
fn values_that_share_lie_in_one_place() {
    let text = "A a 40, F a, A b 20, F b, S c a 40, F c";
    assert_eq!(spatial(text, 1), (40, vec![0, 0, 0]));
    assert_eq!(spatial(SHARED, 1), (60, vec![0, 40, 0]));
    let text = "A a 10, F a, A b 30, S c a 10, F c, F b";
    assert_eq!(spatial(text, 1), (40, vec![30, 0, 30]));
}

#[test]
fn the_chunk_of_sharers_is_as_large_as_the_largest_of_them() {
    for (size, chunk, total) in [(30, 40, 60), (50, 50, 70)] {
        let events = events(&format!("A a 40, F a, A b 20, S c a {size}, F c, F b"));
        let heap = best_fit(&events, 1, SortOrder::Spatial, Chooser::BestFit);
        assert_eq!(heap.size, total);
        assert_eq!(heap.chunks[&ValueId(0)], Chunk { offset: 0, size: chunk });
        assert_eq!(heap.chunks[&ValueId(2)], Chunk { offset: 0, size: chunk });
        assert_eq!(heap.chunks[&ValueId(1)], Chunk { offset: chunk, size: 20 });
    }
}

#[test]
fn values_without_bytes_lie_at_offset_0_and_take_no_part() {
    assert_eq!(spatial("A a 0, A b 10, F a, F b", 8), (10, vec![0, 0]));
}

#[test]
fn preferred_offsets_are_taken_where_the_bytes_are_free() {
    let mut space = Space::new(14, 1);
    let mut put = |size, life, preferred| {
        let offset = space.find([life], size, preferred, Chooser::BestFit);
        space.place(life, Chunk { offset, size });
        (offset, space.size())
    };
    assert_eq!(put(5, (6, 10), Some(5)), (5, 10));
    assert_eq!(put(10, (3, 5), None), (0, 10));
    assert_eq!(put(5, (2, 8), None), (10, 15));
    assert_eq!(put(5, (0, 2), Some(10)), (0, 15));
    assert_eq!(put(10, (11, 13), Some(10)), (10, 20));
    assert_eq!(put(5, (3, 5), Some(20)), (20, 25));
    assert_eq!(put(10, (4, 8), Some(15)), (25, 35));
}

#[test]
fn a_limit_makes_several_heaps() {
    let heaps = constrained(&events(FIRST), 1, 50, SortOrder::Spatial);
    let sizes: Vec<u64> = heaps.iter().map(|heap| heap.size).collect();
    assert_eq!(sizes, [50, 50]);
    assert_eq!(heaps[0].chunks[&ValueId(3)].offset, 0);
    assert_eq!(heaps[0].chunks[&ValueId(0)].offset, 40);
    let heaps = constrained(&events(SECOND), 20, 70, SortOrder::Spatial);
    let sizes: Vec<u64> = heaps.iter().map(|heap| heap.size).collect();
    assert_eq!(sizes, [70, 60]);
    assert_eq!(heaps[0].chunks[&ValueId(2)].offset, 0);
    assert_eq!(heaps[0].chunks[&ValueId(0)].offset, 60);
    let heaps = constrained(&events(SHARED), 20, 50, SortOrder::Spatial);
    assert_eq!(heaps.iter().map(|heap| heap.size).sum::<u64>(), 60);
}

#[test]
fn an_empty_heap_takes_what_is_larger_than_the_limit() {
    let heaps = constrained(&events(FIRST), 1, 5, SortOrder::Spatial);
    let sizes: Vec<u64> = heaps.iter().map(|heap| heap.size).collect();
    assert_eq!(sizes, [40, 30, 20, 10]);
}

#[test]
fn the_orders_put_other_values_first() {
    // a is short and large, b long and small; c ends first.
    let events = events("A c 2, A b 3, A a 9, F c, F a, F b");
    let bottom = |order| {
        let heap = best_fit(&events, 1, order, Chooser::BestFit);
        let at = |name: u8| heap.chunks[&ValueId(u32::from(name - b'a'))].offset;
        (at(b'a'), at(b'b'), at(b'c'))
    };
    assert_eq!(bottom(SortOrder::Spatial), (0, 9, 12));
    assert_eq!(bottom(SortOrder::Temporal), (5, 0, 3));
    assert_eq!(bottom(SortOrder::Area), (0, 9, 12));
    assert_eq!(bottom(SortOrder::PhaseWindow), (5, 2, 0));
    assert_eq!(bottom(SortOrder::PhaseWindowEnd), (2, 11, 0));
}

#[test]
fn the_lowest_gap_is_taken_where_that_is_asked_for() {
    let mut space = Space::new(1, 1);
    space.place((0, 0), Chunk { offset: 20, size: 5 });
    space.place((0, 0), Chunk { offset: 35, size: 5 });
    assert_eq!(space.find([(0, 0)], 8, None, Chooser::BestFit), 25);
    assert_eq!(space.find([(0, 0)], 8, None, Chooser::LowestOffset), 0);
}

#[test]
fn queries_tell_what_is_used_step_by_step() {
    let events = events("A a 16, A b 32, F a, A c 16, F b, F c");
    let heap = best_fit(&events, 1, SortOrder::Spatial, Chooser::BestFit);
    assert_eq!(memory_used(&events, &heap, 0..=5), [16, 48, 48, 48, 48, 16]);
    assert_eq!(heap_size(&events, &heap, 0..=5), [48, 48, 48, 48, 48, 48]);
    assert_eq!(memory_used(&events, &heap, 4..=100), [48, 16]);
}

#[test]
fn a_small_heap_is_drawn_and_a_large_one_told() {
    let events = events("A a 16, A b 32, F a, A c 16, F b, F c");
    let heap = best_fit(&events, 16, SortOrder::Spatial, Chooser::BestFit);
    assert_eq!(map(&events, &heap), "32 aaaccc\n16 .bbbb.\n 0 .bbbb.\n");
    let events = self::events("A a 1000, A b 1, F a, F b");
    let heap = best_fit(&events, 1, SortOrder::Spatial, Chooser::BestFit);
    let told = "value 0: bytes 0..1000, steps 0..=2\nvalue 1: bytes 1000..1001, steps 1..=3\n";
    assert_eq!(map(&events, &heap), told);
}

#[test]
fn sizes_past_63_bits_are_seen_and_break_nothing() {
    let events = events("A a 18446744073709551615, A b 9223372036854775808, F a, F b");
    assert!(!fits(&events, 64));
    assert!(fits(&self::events(FIRST), 64));
    assert_eq!(choose_best(&events, 64).size, u64::MAX);
}

/// The bytes that no chunk takes at some step of a life, found chunk by chunk.
fn slow_find(placed: &[((u64, u64), Chunk)], life: (u64, u64), size: u64, alignment: u64) -> u64 {
    let meets = |other: (u64, u64)| other.0 <= life.1 && life.0 <= other.1;
    let mut used: Vec<Chunk> = placed.iter().filter(|p| meets(p.0)).map(|p| p.1).collect();
    used.sort();
    let (mut from, mut best) = (0u64, (u64::MAX, u64::MAX));
    for chunk in used {
        if chunk.offset.saturating_sub(from) >= size && chunk.offset > from {
            best = best.min((chunk.offset - from, from));
        }
        from = from.max(chunk.end().next_multiple_of(alignment));
    }
    best.min((u64::MAX, from)).1
}

#[test]
fn the_space_finds_what_a_look_at_every_chunk_finds() {
    fn holds(lives: Vec<(u8, u8, u8)>, alignment: u8) -> bool {
        let alignment = u64::from(alignment % 8) + 1;
        let mut space = Space::new(40, alignment);
        let mut placed = Vec::new();
        lives.into_iter().all(|(start, length, size)| {
            let start = u64::from(start % 40);
            let life = (start, (start + u64::from(length % 12)).min(39));
            let size = u64::from(size % 20) + 1;
            let expected = slow_find(&placed, life, size, alignment);
            let offset = space.find([life], size, None, Chooser::BestFit);
            let chunk = Chunk { offset, size };
            space.place(life, chunk);
            placed.push((life, chunk));
            offset == expected
        })
    }
    let mut check = QuickCheck::new().rng(Gen::new(100)).tests(scaled(200));
    check.quickcheck(holds as fn(Vec<(u8, u8, u8)>, u8) -> bool);
}

#[test]
fn no_two_values_alive_at_once_overlap_unless_they_share() {
    fn holds(script: Script, alignment: u8) -> bool {
        let (events, alignment) = (script.events(), u64::from(alignment % 64) + 1);
        let orders = [
            SortOrder::Spatial,
            SortOrder::Temporal,
            SortOrder::Area,
            SortOrder::PhaseWindow,
            SortOrder::PhaseWindowEnd,
        ];
        orders.iter().all(|&order| {
            let choosers = [Chooser::BestFit, Chooser::LowestOffset];
            choosers.iter().all(|&chooser| {
                let heap = best_fit(&events, alignment, order, chooser);
                crate::plan::xla::sample::sound(&events, &heap, alignment)
            })
        })
    }
    let mut check = QuickCheck::new().rng(Gen::new(60)).tests(scaled(100));
    check.quickcheck(holds as fn(Script, u8) -> bool);
}
