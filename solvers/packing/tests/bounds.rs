//! What the bounds promise.

mod naive;

use memplan_packing::bounds::{lower_bound, max_load, refute};
use memplan_packing::components::components;
use memplan_packing::sample::Shape;
use memplan_packing::{Goal, Inplace, Instance, Item, ItemId, Refutation};
use quickcheck::quickcheck;

/// Peaks from here on are not looked for.
const LIMIT: u64 = 30;

fn tiny(seed: u64, items: u8) -> Instance {
    let mut instance = Shape::full(1 + items as usize % 5).tiny().instance(seed);
    instance.promotions.truncate(2);
    instance
}

quickcheck! {
    fn no_bound_is_above_the_optimum(seed: u64, items: u8) -> bool {
        let instance = tiny(seed, items);
        let bound = lower_bound(&instance);
        let load = max_load(&instance).sum;
        let optimum = naive::optimum(&instance, LIMIT);
        load <= bound && optimum.is_none_or(|optimum| bound <= optimum)
    }

    fn what_is_refuted_has_no_packing(seed: u64, items: u8, capacity: u8) -> bool {
        let mut instance = tiny(seed, items);
        instance.capacity = Some(u64::from(capacity) % LIMIT);
        refute(&instance).is_none() || naive::optimum(&instance, LIMIT).is_none()
    }

    fn without_relations_the_load_is_the_sum_of_what_is_alive(seed: u64, items: u8) -> bool {
        let mut shape = Shape::plain(1 + items as usize % 40);
        shape.gaps = true;
        let instance = shape.instance(seed);
        let alive = |step: u64| {
            let at = |item: &&Item| item.live.iter().any(|s| s.start <= step && step < s.end);
            instance.items.iter().filter(at).map(|item| item.size).sum::<u64>()
        };
        let load = max_load(&instance);
        let most = (0..1000).map(alive).max();
        let witness: u64 = load.items.iter().map(|&id| instance.items[id as usize].size).sum();
        most == Some(load.sum) && alive(load.at) == load.sum && witness == load.sum
    }

    fn parts_pack_on_their_own(seed: u64, items: u8) -> bool {
        let instance = tiny(seed, items);
        let parts = components(&instance, Goal::Peak);
        let peaks: Option<Vec<u64>> =
            parts.iter().map(|part| naive::optimum(&instance.restrict(part), LIMIT)).collect();
        let whole = naive::optimum(&instance, LIMIT);
        whole == peaks.map(|peaks| peaks.into_iter().max().unwrap_or(0))
    }
}

fn instance(items: &[(u64, u64, u64, u64)]) -> Instance {
    let item =
        |&(size, align, start, end): &(u64, u64, u64, u64)| Item::new(size, align, start, end);
    Instance { items: items.iter().map(item).collect(), ..Instance::default() }
}

#[test]
fn a_chain_of_in_place_steps_counts_each_place_once() {
    let tile = 32768;
    let lives = [(0, 2), (0, 3), (1, 4), (2, 4), (3, 5)];
    let mut softmax = instance(&lives.map(|(start, end)| (tile, 32, start, end)));
    assert_eq!(lower_bound(&softmax), 3 * tile);
    let pairs = [(0, 2), (1, 3), (2, 4)];
    softmax.inplace = pairs.map(|(from, into)| Inplace { from, into }).to_vec();
    assert_eq!(lower_bound(&softmax), 2 * tile);
}

#[test]
fn branches_of_a_conditional_count_the_larger_one() {
    let mut two = instance(&[(1024, 16, 1, 6), (512, 16, 1, 6), (768, 16, 3, 5), (1024, 16, 3, 5)]);
    assert_eq!(lower_bound(&two), 3328);
    two.exclusive = vec![(0, 1), (2, 3)];
    let load = max_load(&two);
    assert_eq!((load.at, load.sum, load.items), (3, 2048, vec![0, 3]));
}

#[test]
fn branches_of_forty_items_are_alternatives_too() {
    let mut branches = instance(&[(3, 1, 0, 9); 40]);
    let arms = |range: std::ops::Range<ItemId>| {
        range.clone().flat_map(move |a| (25..40).map(move |b| (a, b)))
    };
    branches.exclusive = arms(0..25).collect();
    assert_eq!(max_load(&branches).sum, 75);
}

#[test]
fn what_is_alone_counts_while_it_is_dead() {
    let mut two = instance(&[(10, 1, 0, 1), (20, 1, 5, 6)]);
    assert_eq!((max_load(&two).sum, lower_bound(&two)), (20, 20));
    two.items[0].alone = true;
    assert_eq!((max_load(&two).sum, lower_bound(&two)), (20, 30));
}

#[test]
fn classes_that_never_share_add_up_at_different_steps() {
    let mut four = instance(&[(10, 1, 0, 1), (7, 1, 2, 3), (20, 1, 5, 6), (4, 1, 5, 6)]);
    four.separate = vec![(0, 2), (0, 3), (1, 2), (1, 3)];
    assert_eq!((max_load(&four).sum, lower_bound(&four)), (24, 34));
    four.capacity = Some(33);
    let items = vec![0, 2, 3];
    assert_eq!(refute(&four), Some(Refutation::Load { at: 5, items, sum: 34 }));
    // One pair that may share joins the classes.
    four.separate.pop();
    assert_eq!(lower_bound(&four), 30);
}

#[test]
fn padding_between_items_counts_but_not_above_the_topmost() {
    let two = instance(&[(6, 4, 0, 2), (5, 4, 0, 2)]);
    assert_eq!((max_load(&two).sum, lower_bound(&two)), (11, 13));
}

#[test]
fn reserved_bytes_are_skipped() {
    let mut two = instance(&[(6, 1, 0, 2), (5, 1, 0, 2)]);
    two.reserved = vec![2..5, 20..30];
    assert_eq!(lower_bound(&two), 14);
    two.reserved.truncate(1);
    two.reserved[0] = 12..15;
    assert_eq!(lower_bound(&two), 11);
}

#[test]
fn a_hole_that_is_too_small_is_told_apart_from_too_little_memory() {
    let mut bank = instance(&[(323_936, 32, 0, 5), (608_256, 32, 3, 4)]);
    bank.capacity = Some(1_329_888);
    assert_eq!((lower_bound(&bank), refute(&bank)), (932_192, None));
    bank.capacity = Some(900_000);
    assert!(matches!(refute(&bank), Some(Refutation::Load { at: 3, sum: 932_192, .. })));
}

#[test]
fn pins_that_clash_and_windows_that_are_too_small_are_refuted() {
    let mut two = instance(&[(8, 1, 0, 2), (8, 1, 1, 3)]);
    two.items[0].pin = Some(0);
    two.items[1].pin = Some(7);
    assert_eq!(refute(&two), Some(Refutation::Clash(0, 1)));
    two.items[1].pin = None;
    two.items[1].window = Some(8..15);
    assert_eq!(refute(&two), Some(Refutation::NoPlace(1)));
    two.items[0].pin = None;
    for item in &mut two.items {
        item.window = Some(4..19);
    }
    assert!(matches!(refute(&two), Some(Refutation::Load { sum: 16, .. })));
}

#[test]
fn sizes_up_to_2_to_the_62_do_not_overflow() {
    let mut huge = instance(&[(1 << 62, 1 << 61, 0, 2), ((1 << 62) + 1, 3, 1, 3)]);
    huge.reserved.push((1 << 61)..u64::MAX);
    assert_eq!(refute(&huge), Some(Refutation::NoPlace(0)));
    assert_eq!(lower_bound(&huge), u64::MAX);
    huge.reserved.clear();
    assert_eq!(lower_bound(&huge), (1 << 63) + 1);
}
