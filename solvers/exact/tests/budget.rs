//! Budgets: the same nodes give the same answer, a stop keeps the incumbent, bounds stay true.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use memplan_exact::{Exact, MAX_ITEMS, MAX_RECTS};
use memplan_oracle::{check, generate, noise, optimum};
use memplan_packing::{
    Budget, Event, Goal, Instance, Item, Missing, Outcome, Packing, Proof, Solver, Stop,
};

fn solve(instance: &Instance, goal: Goal, warm: Option<&Packing>, budget: &Budget) -> Outcome {
    Exact::default().solve(instance, goal, warm, budget, &mut |_| ())
}

/// Forty to eighty items that take a search of some thousand nodes.
fn hard(seed: u64) -> Instance {
    let bytes: Vec<u8> = (0..8).flat_map(|k| noise(seed * 8 + k)).collect();
    let n = 60;
    let item = |k: usize| {
        let at = |i: usize| u64::from(bytes[k * 4 + i]);
        let start = at(0) % 60;
        let length = if at(1).is_multiple_of(6) { 1 + at(2) % 30 } else { 1 + at(2) % 9 };
        Item::new(32 * (1 + at(3) * 37 % 400), 32, start, start + length)
    };
    Instance { items: (0..n).map(item).collect(), ..Instance::default() }
}

#[test]
fn the_same_nodes_give_the_same_answer() {
    for seed in 0..12 {
        let instance = hard(seed);
        for nodes in [0, 1, 50, 700, 3_000] {
            let budget = Budget::nodes(nodes);
            let first = solve(&instance, Goal::Peak, None, &budget);
            assert_eq!(first, solve(&instance, Goal::Peak, None, &budget));
            let spent = match first {
                Outcome::Packed { nodes, .. }
                | Outcome::Refuted { nodes, .. }
                | Outcome::GaveUp { nodes, .. } => nodes,
            };
            assert!(spent <= nodes, "{spent} of {nodes}");
        }
    }
}

#[test]
fn bounds_and_incumbents_of_a_short_budget_hold() {
    let mut open = 0;
    for seed in 0..3_000 {
        let instance = generate(&noise(seed + 700_000));
        let best = optimum(&instance).map(|best| best.0);
        for nodes in [0, 1, 3, 8] {
            match solve(&instance, Goal::Peak, None, &Budget::nodes(nodes)) {
                Outcome::Packed { packing, proof, bound, stop, .. } => {
                    assert!(check(&instance, &packing));
                    let peak = packing.peak(&instance);
                    let least = best.expect("it was packed");
                    assert!(bound <= least && least <= peak, "{bound} {least} {peak}");
                    match proof {
                        Proof::Open => assert_eq!(stop, Stop::Nodes),
                        Proof::MeetsBound | Proof::Exhausted => assert_eq!(peak, least),
                    }
                    open += u32::from(proof == Proof::Open);
                }
                Outcome::Refuted { .. } => assert_eq!(best, None, "{instance:#?}"),
                Outcome::GaveUp { bound, stop, .. } => {
                    assert_eq!(stop, Stop::Nodes);
                    assert!(best.is_none_or(|best| bound <= best), "{instance:#?}");
                    open += 1;
                }
            }
        }
    }
    assert!(open > 50, "only {open} answers were cut short");
}

#[test]
fn a_warm_packing_is_never_lost() {
    for seed in 0..6 {
        let instance = hard(seed);
        let mut at = 0;
        let stack = |item: &Item| {
            at += item.size;
            at - item.size
        };
        let warm =
            Packing { offsets: instance.items.iter().map(stack).collect(), promoted: Vec::new() };
        let cancelled =
            Budget { cancel: Some(Arc::new(AtomicBool::new(true))), ..Budget::default() };
        match solve(&instance, Goal::Peak, Some(&warm), &cancelled) {
            Outcome::Packed { packing, .. } => {
                assert!(packing.peak(&instance) <= warm.peak(&instance));
                assert!(check(&instance, &packing));
            }
            other => panic!("{other:?}"),
        }
        let fit = solve(&instance, Goal::Fit, Some(&warm), &Budget::default());
        assert!(matches!(fit, Outcome::Packed { packing, .. } if packing == warm));
    }
}

#[test]
fn incumbents_are_told_and_fall() {
    let mut peaks = Vec::new();
    let mut on = |event| {
        if let Event::Incumbent { peak } = event {
            peaks.push(peak);
        }
    };
    let instance = hard(3);
    let end = Exact::default().solve(&instance, Goal::Peak, None, &Budget::default(), &mut on);
    let Outcome::Packed { packing, .. } = end else { panic!("{end:?}") };
    assert!(peaks.windows(2).all(|w| w[1] < w[0]), "{peaks:?}");
    assert_eq!(peaks.last(), Some(&packing.peak(&instance)));
}

#[test]
fn too_large_is_said_before_any_memory_is_taken() {
    for many in [MAX_RECTS + 1, 200_000] {
        let items = (0..many).map(|k| Item::new(64, 64, k, k + 100)).collect();
        let instance = Instance { items, ..Instance::default() };
        assert_eq!(Exact::default().can(&instance, Goal::Peak), Err(Missing::TooLarge(many)));
    }
    // A reserved range asks for the disjunctive search, which looks at pairs.
    let items = (0..MAX_ITEMS).map(|_| Item::new(64, 64, 0, 1)).collect();
    let reserved = std::iter::once(64..128).collect();
    let instance = Instance { items, reserved, ..Instance::default() };
    let pairs = MAX_ITEMS * (MAX_ITEMS - 1) / 2;
    assert_eq!(Exact::default().can(&instance, Goal::Peak), Err(Missing::TooLarge(pairs)));
}

#[test]
fn magnitudes_up_to_the_largest_do_not_panic() {
    for seed in 0..4_000u64 {
        let mut instance = generate(&noise(seed + 40_000));
        let shift = seed % 61;
        let scale =
            |bytes: u64, more: u64| (bytes << shift.min(58)) + if bytes > 0 { more } else { 0 };
        for (k, item) in instance.items.iter_mut().enumerate() {
            item.size = scale(item.size, (k as u64 * seed) % 3);
            item.pin = item.pin.map(|pin| scale(pin, 0));
        }
        instance.capacity = instance.capacity.map(|c| scale(c.min(15), seed % 7));
        instance.inplace.retain(|i| {
            instance.items[i.into as usize].size <= instance.items[i.from as usize].size
        });
        if instance.validate().is_err() || Exact::default().can(&instance, Goal::Peak).is_err() {
            continue;
        }
        let budget = Budget::nodes(300);
        if let Outcome::Packed { packing, .. } = solve(&instance, Goal::Peak, None, &budget) {
            assert!(check(&instance, &packing), "{packing:?} {instance:#?}");
        }
    }
}
