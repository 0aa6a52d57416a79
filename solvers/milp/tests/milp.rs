//! The program is never believed: what comes out is right or nothing.

use memplan_milp::{MAX_DISJUNCTIONS, Milp, Model};
use memplan_oracle::{check, generate, least_cost, noise, optimum};
use memplan_packing::bounds::lower_bound;
use memplan_packing::random::SplitMix64;
use memplan_packing::{
    Budget, Goal, Inplace, Instance, Item, Missing, Outcome, Packing, PairCost, Proof, Solver, Stop,
};
use quickcheck::QuickCheck;

fn solve(milp: Milp, instance: &Instance, nodes: u64) -> Outcome {
    milp.solve(instance, Goal::Peak, None, &Budget::nodes(nodes), &mut |_| ())
}

/// The peak found, after everything about the answer was checked.
fn peak(milp: Milp, instance: &Instance, best: Option<u64>, nodes: u64) -> Option<u64> {
    match solve(milp, instance, nodes) {
        Outcome::Packed { packing, proof, bound, .. } => {
            assert!(check(instance, &packing), "{packing:?} {instance:#?}");
            let (peak, least) = (packing.peak(instance), best.expect("it was packed"));
            assert!(bound <= least && least <= peak, "{bound} {least} {peak} {instance:#?}");
            match proof {
                Proof::MeetsBound => assert_eq!(peak, bound),
                Proof::Open => {}
                Proof::Exhausted => panic!("a float exhausts nothing"),
            }
            Some(peak)
        }
        Outcome::GaveUp { bound, .. } => {
            assert!(best.is_none_or(|best| bound <= best), "{instance:#?}");
            None
        }
        Outcome::Refuted { .. } => panic!("a float refutes nothing"),
    }
}

#[test]
fn milp_is_never_wrong_on_any_feature() {
    let (mut feasible, mut reached, mut needed, mut gained) = (0, 0, 0, 0);
    let first = Milp { fail: true, ..Milp::default() };
    for seed in 0..1_500 {
        let mut instance = generate(&noise(seed + 800_000));
        instance.promotions.clear();
        let best = optimum(&instance).map(|best| best.0);
        let found = peak(Milp::default(), &instance, best, 2_000);
        let alone = peak(first, &instance, best, 0);
        needed += u32::from(alone != best);
        gained += u32::from(alone != best && found == best);
        feasible += u32::from(best.is_some());
        reached += u32::from(best.is_some() && found == best);
    }
    println!("all features: optimum on {reached} of {feasible} feasible instances");
    println!("where the first packing is not: {gained} of {needed}");
    assert!(reached * 20 >= feasible * 19, "{reached} of {feasible}");
}

#[test]
fn milp_is_never_wrong_on_shrunk_bytes() {
    fn property(bytes: Vec<u8>) -> bool {
        let mut instance = generate(&bytes);
        instance.promotions.clear();
        let best = optimum(&instance).map(|best| best.0);
        peak(Milp::default(), &instance, best, 500);
        true
    }
    QuickCheck::new().tests(200).quickcheck(property as fn(Vec<u8>) -> bool);
}

/// Six items with sizes up to `2^bits`.
fn sparse(seed: u64, bits: u32) -> Instance {
    let bytes = noise(seed);
    let item = |k: usize| {
        let byte = |i: usize| u64::from(bytes[k * 12 + i]);
        let size = (0..8).fold(0, |size, i| size << 8 | byte(i)) >> (64 - bits);
        let start = byte(8) % 6;
        Item::new(1 + size, 1, start, start + 1 + byte(9) % 4)
    };
    Instance { items: (0..6).map(item).collect(), ..Instance::default() }
}

#[test]
fn magnitudes_never_give_a_wrong_packing() {
    let any = Milp { max_units: u64::MAX, ..Milp::default() };
    let first = Milp { fail: true, ..any };
    let (mut all, mut right) = (0, 0);
    for bits in (4..=40).step_by(4) {
        let (mut reached, mut needed, mut gained) = (0, 0, 0);
        for seed in 0..60 {
            let instance = sparse(seed + 60 * u64::from(bits), bits);
            let best = optimum(&instance).map(|best| best.0);
            let found = peak(any, &instance, best, 2_000);
            let alone = peak(first, &instance, best, 0);
            reached += u32::from(found == best);
            needed += u32::from(alone != best);
            gained += u32::from(alone != best && found == best);
        }
        println!(
            "sizes up to 2^{bits}: optimum on {reached} of 60, {gained} of {needed} by microlp"
        );
        all += 60;
        right += reached;
    }
    assert!(right * 20 >= all * 19, "{right} of {all}");
}

#[test]
fn the_same_nodes_give_the_same_answer() {
    for seed in 0..20 {
        let instance = medium(seed);
        for nodes in [0, 1, 20, 300] {
            let budget = Budget::nodes(nodes);
            let run = || {
                Milp::default().solve_with_report(&instance, Goal::Peak, None, &budget, &mut |_| ())
            };
            let (outcome, report) = run();
            assert_eq!((outcome.clone(), report), run());
            let (Outcome::Packed { nodes: spent, .. } | Outcome::GaveUp { nodes: spent, .. }) =
                outcome
            else {
                panic!("{outcome:?}")
            };
            assert!(spent <= nodes);
        }
    }
}

/// Fifteen items, forty to sixty pairs.
fn medium(seed: u64) -> Instance {
    let bytes = noise(seed + 9_000);
    let item = |k: usize| {
        let byte = |i: usize| u64::from(bytes[k * 4 + i]);
        let start = byte(0) % 15;
        Item::new(32 * (1 + byte(1) % 64), 32, start, start + 1 + byte(2) % 8)
    };
    Instance { items: (0..15).map(item).collect(), ..Instance::default() }
}

#[test]
fn the_program_improves_on_the_first_packing() {
    let mut better = 0;
    for seed in 0..40 {
        let instance = medium(seed);
        let first = Milp { fail: true, ..Milp::default() };
        let (before, after) =
            (solve(first, &instance, 0), solve(Milp::default(), &instance, 2_000));
        let peak = |outcome: &Outcome| match outcome {
            Outcome::Packed { packing, .. } => packing.peak(&instance),
            other => panic!("{other:?}"),
        };
        assert!(peak(&after) <= peak(&before));
        better += u32::from(peak(&after) < peak(&before));
    }
    println!("the program improved {better} of 40 first packings");
    assert!(better > 5, "{better}");
}

#[test]
fn a_failure_keeps_the_warm_packing_and_says_why() {
    let items = [(4, 0, 2), (2, 0, 1), (3, 1, 2)];
    let items: Vec<Item> = items.iter().map(|&(s, a, b)| Item::new(s, 1, a, b)).collect();
    let instance = Instance { items, ..Instance::default() };
    let warm = Packing { offsets: vec![0, 4, 6], promoted: Vec::new() };
    let failing = Milp { fail: true, ..Milp::default() };
    let budget = Budget::default();
    // The own first packing is found before the failure, so it may be better than the warm one.
    let (outcome, report) =
        failing.solve_with_report(&instance, Goal::Peak, Some(&warm), &budget, &mut |_| ());
    assert!(matches!(outcome, Outcome::Packed { .. }));
    assert!(report.model.variables > 0 && !report.note.is_empty());
    let tight = Instance { capacity: Some(6), ..instance };
    let (outcome, report) =
        failing.solve_with_report(&tight, Goal::Peak, None, &budget, &mut |_| ());
    assert_eq!(report.stop, Stop::Failed);
    assert!(matches!(outcome, Outcome::GaveUp { stop: Stop::Failed, .. }));
}

#[test]
fn the_report_counts_the_program() {
    let items = [(0, 2), (0, 2), (1, 3)];
    let items = items.iter().map(|&(start, end)| Item::new(8, 1, start, end)).collect();
    let inplace = vec![Inplace { from: 1, into: 2 }];
    let instance = Instance { items, inplace, capacity: Some(64), ..Instance::default() };
    let milp = Milp { fail: true, ..Milp::default() };
    let (_, report) =
        milp.solve_with_report(&instance, Goal::Peak, None, &Budget::default(), &mut |_| ());
    // h, three bases; two binaries for pairs below or above, three for the in-place pair.
    assert_eq!(report.model, Model { variables: 9, rows: 12, disjunctions: 3 });
}

#[test]
fn what_is_too_much_is_refused() {
    let many = |n: u64| {
        let items = (0..n).map(|_| Item::new(64, 64, 0, 1)).collect();
        Instance { items, ..Instance::default() }
    };
    let can = |milp: Milp, instance: &Instance| milp.can(instance, Goal::Peak);
    assert_eq!(can(Milp::default(), &many(17)), Ok(()));
    assert_eq!(can(Milp::default(), &many(18)), Err(Missing::TooLarge(153)));
    const { assert!(153 > MAX_DISJUNCTIONS) };
    assert_eq!(can(Milp::default(), &many(200_000)), Err(Missing::TooLarge(200_000)));
    let none = Milp { max_disjunctions: 0, ..Milp::default() };
    assert_eq!(can(none, &many(2)), Err(Missing::TooLarge(1)));
    let wide =
        Instance { items: [1 << 40, 1].map(|size| Item::new(size, 1, 0, 1)).into(), ..many(0) };
    assert!(matches!(can(Milp::default(), &wide), Err(Missing::TooLarge(_))));
    assert_eq!(Milp::default().can(&many(2), Goal::CostThenPeak), Ok(()));
}

/// Up to twelve buffers of a kernel, few of them alive at once; at a reuse level some pairs that
/// never meet must not share, others pay for it.
fn kernel(seed: u64, bits: u64, level: u64) -> Instance {
    let mut random = SplitMix64::new(seed);
    let count = 4 + random.below(9);
    let item = |k: u64| {
        let size = 1 + random.below(1 << bits);
        Item::new(size, 1, k, k + 1 + random.below(3))
    };
    let mut instance = Instance { items: (0..count).map(item).collect(), ..Instance::default() };
    for b in 0..count as u32 {
        for a in 0..b {
            if instance.items[a as usize].meets(&instance.items[b as usize]) {
                continue;
            }
            if random.chance(level, 24) {
                instance.separate.push((a, b));
            } else if random.chance(level, 16) && instance.costs.len() < 5 {
                let cost = 1 + random.below(9);
                instance.costs.push(PairCost { first: a, second: b, cost });
            }
        }
    }
    instance
}

#[test]
fn sparse_kernels_get_their_smallest_peak_at_every_level() {
    for level in 0..4 {
        let (mut all, mut reached) = (0, 0);
        for seed in 0..80 {
            let instance = kernel(seed, 8, level);
            let best = optimum(&instance).map(|best| best.0);
            reached += u32::from(peak(Milp::default(), &instance, best, 2_000) == best);
            all += 1;
        }
        println!("level {level}: optimum on {reached} of {all}");
        assert!(reached * 20 >= all * 19, "level {level}: {reached} of {all}");
    }
}

#[test]
fn sparse_kernels_get_their_least_cost() {
    let (mut all, mut reached, mut paid) = (0, 0, 0);
    for seed in 0..200 {
        let mut instance = kernel(seed, 5, 1 + seed % 3);
        // As much as is needed, or a little more: then sharing is worth something.
        let spare = seed % 7;
        instance.capacity = Some(lower_bound(&instance) + spare);
        let Some((cost, least, _)) = least_cost(&instance) else { continue };
        let milp = Milp::default();
        let budget = Budget::nodes(4_000);
        let end = milp.solve(&instance, Goal::CostThenPeak, None, &budget, &mut |_| ());
        all += 1;
        match end {
            Outcome::Packed { packing, proof, .. } => {
                assert!(check(&instance, &packing), "{packing:?} {instance:#?}");
                let found = (packing.cost(&instance), packing.peak(&instance));
                assert!(found >= (cost, least), "{found:?} {instance:#?}");
                assert!(proof == Proof::Open || found == (cost, least), "{instance:#?}");
                reached += u32::from(found.0 == cost);
                paid += u32::from(cost > 0);
            }
            Outcome::GaveUp { .. } => {}
            Outcome::Refuted { .. } => panic!("a float refutes nothing"),
        }
    }
    println!("least cost on {reached} of {all}, {paid} of them pay");
    assert!(reached * 20 >= all * 19 && paid > 25, "{reached} of {all}, {paid} pay");
}
