//! Reuse costs: the least cost is found and proven, and whatever was cut short says how far it got.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use memplan_exact::{Exact, Rules};
use memplan_packing::random::SplitMix64;
use memplan_packing::{Budget, Goal, Instance, Item, Outcome, Packing, PairCost, Solver, check};

fn solve(rules: Rules, instance: &Instance, warm: Option<&Packing>, budget: &Budget) -> Outcome {
    let exact = Exact { rules, ..Exact::default() };
    exact.can(instance, Goal::CostThenPeak).expect("small instances are taken");
    exact.solve(instance, Goal::CostThenPeak, warm, budget, &mut |_| ())
}

/// Cost, its bound and the peak of a packing that is right.
fn packed(instance: &Instance, outcome: &Outcome) -> Option<(u64, u64, u64)> {
    match outcome {
        Outcome::Packed { packing, cost_bound, .. } => {
            assert!(check(instance, packing).is_empty(), "{packing:?} {instance:#?}");
            Some((packing.cost(instance), *cost_bound, packing.peak(instance)))
        }
        _ => None,
    }
}

/// Few items in few bytes, most of them dead when others live, nearly every pair with a price.
fn crowd(seed: u64) -> Instance {
    let mut random = SplitMix64::new(seed);
    let n = 3 + random.below(3) as usize;
    let dear = random.chance(1, 2);
    let same = random.chance(1, 3).then(|| 1 + random.below(3));
    let mut instance = Instance { capacity: Some(3 + random.below(4)), ..Instance::default() };
    for _ in 0..n {
        let start = random.below(12);
        let size = same.unwrap_or(1 + random.below(3));
        instance.items.push(Item::new(size, 1, start, start + 1 + random.below(4)));
    }
    for second in 0..n as u32 {
        for first in 0..second {
            let cost = if dear { random.below(9) } else { 1 };
            if random.chance(4, 5) {
                instance.costs.push(PairCost { first, second, cost });
            } else if random.chance(1, 4) {
                instance.separate.push((first, second));
            }
        }
    }
    instance
}

/// The least cost and the smallest peak that goes with it, by trying every offset of every item.
fn every_offset(instance: &Instance) -> Option<(u64, u64)> {
    let capacity = instance.capacity.expect("the crowd has one");
    let mut packing = Packing { offsets: vec![0; instance.items.len()], promoted: Vec::new() };
    let mut best: Option<(u64, u64)> = None;
    loop {
        if check(instance, &packing).is_empty() {
            let key = (packing.cost(instance), packing.peak(instance));
            best = Some(best.map_or(key, |best| best.min(key)));
        }
        let Some(at) = packing.offsets.iter().position(|&offset| offset + 1 < capacity) else {
            return best;
        };
        packing.offsets[..at].fill(0);
        packing.offsets[at] += 1;
    }
}

#[test]
fn the_least_cost_is_that_of_trying_every_offset() {
    let (mut paid, mut refuted) = (0, 0);
    for seed in 0..1_200 {
        let instance = crowd(seed);
        let best = every_offset(&instance);
        // With and without covers and moves, and with some other rule switched off.
        for mask in [u32::MAX, !(1 << 15), !(1 << 16), !(3 << 15), !(1 << (seed % 10))] {
            let outcome = solve(Rules::from_mask(mask), &instance, None, &Budget::default());
            let found = packed(&instance, &outcome).map(|(cost, bound, peak)| {
                assert_eq!(bound, cost, "{mask:x} {instance:#?}");
                (cost, peak)
            });
            assert_eq!(found, best, "{mask:x} {instance:#?}");
        }
        paid += u32::from(best.is_some_and(|best| best.0 > 0));
        refuted += u32::from(best.is_none());
    }
    assert!(paid > 300 && refuted > 50, "{paid} pay, {refuted} have no packing");
}

#[test]
fn a_budget_leaves_a_true_bound_on_the_cost() {
    let mut open = 0;
    for seed in 0..400 {
        let instance = crowd(seed + 10_000);
        let best = every_offset(&instance);
        for nodes in [0, 1, 2, 5, 20] {
            let outcome = solve(Rules::default(), &instance, None, &Budget::nodes(nodes));
            if let Some((cost, bound, _)) = packed(&instance, &outcome) {
                let least = best.expect("it was packed").0;
                assert!(bound <= least && least <= cost, "{bound} {least} {cost} {instance:#?}");
                open += u32::from(bound < cost);
            }
        }
    }
    assert!(open > 0, "no budget was too short");
}

/// So many equal items that are never alive together, in so many slots, a price on each pair.
fn equal(items: u32, slots: u64) -> Instance {
    let item = |at: u32| Item::new(4096, 32, u64::from(at), u64::from(at) + 1);
    let pairs = (0..items).flat_map(|second| (0..second).map(move |first| (first, second)));
    Instance {
        items: (0..items).map(item).collect(),
        capacity: Some(4096 * slots),
        costs: pairs.map(|(first, second)| PairCost { first, second, cost: 1 }).collect(),
        ..Instance::default()
    }
}

#[test]
fn equal_items_in_few_slots_are_proven_without_a_search() {
    for (items, slots) in [(16, 4), (24, 2), (24, 4), (17, 3), (9, 8), (30, 7)] {
        let instance = equal(items, slots);
        let (each, more) = (u64::from(items) / slots, u64::from(items) % slots);
        let least = slots * each * (each - 1) / 2 + more * each;
        let outcome = solve(Rules::default(), &instance, None, &Budget::nodes(1_000));
        let (cost, bound, _) = packed(&instance, &outcome).expect("they fit");
        assert_eq!((cost, bound), (least, least), "{items} in {slots}");
    }
}

/// A loop unrolled: each turn loads a small and a large tile, and the large ones fill the memory
/// two at a time.
fn unrolled(turns: u32) -> Instance {
    let mut instance = Instance { capacity: Some(64), ..Instance::default() };
    for turn in 0..u64::from(turns) {
        instance.items.push(Item::new(4, 1, 10 * turn, 10 * turn + 8));
        instance.items.push(Item::new(32, 1, 10 * turn + 2, 10 * turn + 8));
    }
    for second in 0..2 * turns {
        for first in (0..second).filter(|first| first / 2 != second / 2) {
            instance.costs.push(PairCost { first, second, cost: 3 });
        }
    }
    instance
}

#[test]
fn crowds_of_different_sizes_share_what_has_to_be_paid() {
    let instance = unrolled(4);
    let outcome = solve(Rules::default(), &instance, None, &Budget::nodes(2_000));
    let (cost, bound, _) = packed(&instance, &outcome).expect("it fits");
    assert_eq!((cost, bound), (18, 18));
}

/// Sixty items in three quarters of what they need to be apart.
fn large(seed: u64) -> Instance {
    let mut random = SplitMix64::new(seed);
    let mut instance = Instance { capacity: Some(2_000), ..Instance::default() };
    for _ in 0..60 {
        let start = random.below(50);
        let size = 8 * (1 + random.below(20));
        instance.items.push(Item::new(size, 8, start, start + 1 + random.below(12)));
    }
    for second in 0..60u32 {
        for first in 0..second {
            if random.chance(1, 4) {
                instance.costs.push(PairCost { first, second, cost: 1 + random.below(16) });
            }
        }
    }
    instance
}

#[test]
fn the_same_nodes_give_the_same_costs() {
    for seed in 0..4 {
        let instance = large(seed);
        for nodes in [0, 10, 300, 2_000] {
            let run = || solve(Rules::default(), &instance, None, &Budget::nodes(nodes));
            let outcome = run();
            assert_eq!(outcome, run());
            if let Outcome::Packed { nodes: spent, .. } = outcome {
                assert!(spent <= nodes, "{spent} of {nodes}");
            }
        }
    }
}

#[test]
fn more_nodes_never_cost_more_and_a_warm_packing_is_never_lost() {
    for seed in 4..8 {
        let instance = large(seed);
        let mut last: Option<(u64, Packing)> = None;
        for nodes in [100, 400, 1_600] {
            let warm = last.as_ref().map(|last| &last.1);
            let outcome = solve(Rules::default(), &instance, warm, &Budget::nodes(nodes));
            let Outcome::Packed { packing, .. } = outcome else {
                assert!(last.is_none());
                continue;
            };
            let cost = packing.cost(&instance);
            assert!(last.as_ref().is_none_or(|last| cost <= last.0));
            last = Some((cost, packing));
        }
        let warm = last.expect("it fits").1;
        let stopped = Budget { cancel: Some(Arc::new(AtomicBool::new(true))), ..Budget::default() };
        let outcome = solve(Rules::default(), &instance, Some(&warm), &stopped);
        let (cost, bound, _) = packed(&instance, &outcome).expect("the warm one is kept");
        assert!(bound <= cost && cost <= warm.cost(&instance));
    }
}

#[test]
fn costs_and_sizes_of_any_magnitude_are_added_up() {
    for (size, cost) in [(1, 1), (1 << 40, 1 << 20), (4096, 1 << 50), (1 << 45, u64::MAX >> 7)] {
        let mut instance = equal(9, 4);
        instance.items.iter_mut().for_each(|item| item.size = size);
        instance.items.iter_mut().for_each(|item| item.align = 1);
        instance.capacity = Some(4 * size);
        instance.costs.iter_mut().for_each(|pair| pair.cost = cost);
        let outcome = solve(Rules::default(), &instance, None, &Budget::nodes(2_000));
        let (paid, bound, _) = packed(&instance, &outcome).expect("they fit");
        assert_eq!((paid, bound), (6 * cost, 6 * cost), "{size} {cost}");
    }
}
