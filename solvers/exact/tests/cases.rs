//! Small cases from public bug reports, with what a right planner says about them.

use memplan_exact::{Exact, core};
use memplan_packing::{
    Budget, Goal, Inplace, Instance, Item, Outcome, Promotion, Proof, Refutation, Solver,
};

fn solve(instance: &Instance) -> Outcome {
    Exact::default().solve(instance, Goal::Peak, None, &Budget::default(), &mut |_| ())
}

fn optimum(instance: &Instance) -> Vec<u64> {
    match solve(instance) {
        Outcome::Packed { packing, proof, bound, .. } => {
            assert_eq!(bound, packing.peak(instance));
            assert_ne!(proof, Proof::Open);
            assert!(memplan_oracle::check(instance, &packing));
            packing.offsets
        }
        other => panic!("{other:?}"),
    }
}

fn peak(instance: &Instance) -> u64 {
    let ends = optimum(instance).into_iter().zip(&instance.items);
    ends.map(|(offset, item)| offset + item.size).max().unwrap_or(0)
}

fn capacity(bytes: u64, items: Vec<Item>) -> Instance {
    Instance { items, capacity: Some(bytes), ..Instance::default() }
}

#[test]
fn case_06_two_small_buffers_share_one_dead_large_one() {
    let small = || Item::new(32_768, 512, 2, 4);
    let instance = capacity(65_536, vec![Item::new(65_536, 512, 0, 2), small(), small()]);
    assert_eq!(optimum(&instance), [0, 0, 32_768]);
}

#[test]
fn case_07_in_place_means_the_identical_start() {
    let items =
        vec![Item::new(4096, 256, 6, 8), Item::new(4096, 256, 7, 11), Item::new(1024, 256, 8, 12)];
    let mut instance = capacity(8192, items);
    assert_eq!(peak(&instance), 8192);
    instance.inplace.push(Inplace { from: 0, into: 1 });
    let offsets = optimum(&instance);
    assert_eq!((peak(&instance), offsets[0]), (5120, offsets[1]));
}

#[test]
fn case_16_pins_are_obeyed_and_the_rest_goes_around() {
    let mut items: Vec<Item> =
        [4096, 4096, 8192].iter().map(|&size| Item::new(size, 32, 0, 10)).collect();
    items[0].pin = Some(4096);
    assert_eq!(optimum(&capacity(16_384, items)), [4096, 0, 8192]);
}

#[test]
fn case_22_branches_overlay_and_conditionals_do_not() {
    let items = vec![
        Item::new(1024, 16, 1, 6),
        Item::new(512, 16, 1, 6),
        Item::new(768, 16, 3, 5),
        Item::new(1024, 16, 3, 5),
    ];
    let mut instance = capacity(4096, items);
    assert_eq!(peak(&instance), 3328);
    instance.exclusive = vec![(0, 1), (2, 3)];
    assert_eq!(peak(&instance), 2048);
}

#[test]
fn case_29_an_in_place_chain_needs_two_tiles() {
    let lives = [(0, 2), (0, 3), (1, 4), (2, 4), (3, 5)];
    let items = lives.iter().map(|&(start, end)| Item::new(32_768, 32, start, end)).collect();
    let mut instance = capacity(188_416, items);
    assert_eq!(peak(&instance), 98_304);
    instance.inplace =
        [(0, 2), (1, 3), (2, 4)].iter().map(|&(from, into)| Inplace { from, into }).collect();
    assert_eq!(peak(&instance), 65_536);
}

#[test]
fn case_32_total_free_is_enough_and_the_largest_hole_is_not() {
    let items = vec![Item::new(323_936, 32, 0, 5), Item::new(608_256, 32, 3, 4)];
    let mut instance = capacity(1_329_888, items);
    assert_eq!(peak(&instance), 932_192);
    instance.items[0].pin = Some(414_080);
    let why = match solve(&instance) {
        Outcome::Refuted { why, .. } => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(why, Refutation::Clash(0, 1));
    assert_eq!(core(&instance, &Budget::default()), Some(vec![0, 1]));
    // Lower by 16384 bytes it fits.
    instance.items[0].pin = Some(414_080 - 16_384);
    assert!(matches!(solve(&instance), Outcome::Packed { .. }));
}

/// A single of one byte, then the two slots that it may join, each a step later.
#[test]
fn a_single_joins_a_multi_buffer_or_stays_separate() {
    let lives = [(0, 1), (1, 2), (1, 2)];
    let items = lives.iter().map(|&(start, end)| Item::new(1, 1, start, end)).collect();
    let mut instance = capacity(2, items);
    instance.separate = vec![(0, 1), (0, 2)];
    let end = solve(&instance);
    assert!(matches!(end, Outcome::Refuted { .. }), "{end:?}");
    instance.promotions = vec![Promotion { single: 0, slots: vec![1, 2] }];
    assert_eq!(peak(&instance), 2);
}

#[test]
fn nobody_joins_a_slot_that_joined_others() {
    let lives = [(0, 1), (1, 2), (1, 2), (2, 3), (2, 3)];
    let items = lives.iter().map(|&(start, end)| Item::new(1, 1, start, end)).collect();
    let mut instance = capacity(2, items);
    instance.separate = vec![(0, 1), (0, 2), (1, 3), (1, 4)];
    instance.promotions = vec![
        Promotion { single: 0, slots: vec![1, 2] },
        Promotion { single: 1, slots: vec![3, 4] },
    ];
    assert!(matches!(solve(&instance), Outcome::Refuted { .. }));
    instance.capacity = Some(3);
    assert_eq!(peak(&instance), 3);
}
