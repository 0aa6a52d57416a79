//! What every packer promises.

use memplan_heuristic::{Attempt, NAMES, Packer, Portfolio, all, by_name};
use memplan_packing::bounds::lower_bound;
use memplan_packing::sample::Shape;
use memplan_packing::{
    Budget, Goal, Inplace, Instance, Item, Outcome, PairCost, Promotion, Proof, Solver, Stop, check,
};
use quickcheck::quickcheck;

fn goals() -> [Goal; 3] {
    [Goal::Fit, Goal::Peak, Goal::CostThenPeak]
}

type Run = Box<dyn Fn(&Instance, Goal) -> Attempt>;

/// All packers; the restarts of the portfolio are kept short.
fn packers() -> Vec<(&'static str, Run)> {
    static SHORT: Portfolio = Portfolio::new(1).placements(500);
    let named = all().filter(|packer| packer.name() != "portfolio");
    let run = |packer: &'static dyn Packer| {
        let run = move |i: &Instance, goal| {
            packer.attempt(i, goal, None, &Budget::default(), &mut |_| {})
        };
        (packer.name(), Box::new(run) as Run)
    };
    named.chain([&SHORT as &dyn Packer]).map(run).collect()
}

/// The packer whose answer breaks a promise, if there is one.
fn liar(instance: &Instance) -> Option<(&'static str, Goal)> {
    let bound = lower_bound(instance);
    for (name, run) in packers() {
        for goal in goals() {
            let attempt = run(instance, goal);
            let free = Instance { capacity: None, ..instance.clone() };
            let obeys = attempt.packing.as_ref().is_none_or(|p| check(&free, p).is_empty());
            let honest = match &attempt.outcome {
                Outcome::Packed { packing, proof, bound: claimed, .. } => {
                    let peak = packing.peak(instance);
                    check(instance, packing).is_empty()
                        && attempt.packing.as_ref() == Some(packing)
                        && *claimed == bound
                        && (*proof == Proof::MeetsBound) == (peak == bound)
                        && peak >= bound
                }
                Outcome::Refuted { .. } => attempt.packing.is_none(),
                Outcome::GaveUp { stop, .. } => {
                    let over = |capacity| {
                        attempt.packing.as_ref().is_none_or(|p| p.peak(instance) > capacity)
                    };
                    *stop != Stop::Failed && instance.capacity.is_none_or(over)
                }
            };
            if !obeys || !honest {
                return Some((name, goal));
            }
        }
    }
    None
}

quickcheck! {
    fn every_packing_obeys_every_rule(seed: u64, items: u8) -> bool {
        liar(&Shape::full(1 + items as usize % 30).instance(seed)).is_none()
    }

    fn every_packing_of_a_tiny_crowd_obeys_every_rule(seed: u64, items: u8, room: u8) -> bool {
        let mut instance = Shape::full(1 + items as usize % 10).tiny().instance(seed);
        instance.capacity = Some(u64::from(room) % 40);
        liar(&instance).is_none()
    }

    fn what_has_no_pins_and_no_windows_is_always_packed(seed: u64, items: u8) -> bool {
        let mut shape = Shape::full(1 + items as usize % 30);
        shape.places = false;
        let instance = shape.instance(seed);
        packers().iter().all(|(_, run)| {
            // Colocated items may demand alignments that contradict each other.
            matches!(
                run(&instance, Goal::Peak).outcome,
                Outcome::Packed { .. } | Outcome::Refuted { .. }
            )
        })
    }

    fn the_same_question_gets_the_same_answer(seed: u64, items: u8) -> bool {
        let instance = Shape::full(1 + items as usize % 20).instance(seed);
        packers().iter().all(|(_, run)| goals().iter().all(|&g| run(&instance, g) == run(&instance, g)))
    }

    fn the_portfolio_is_at_least_as_good_as_each_of_its_packers(seed: u64, items: u8) -> bool {
        let instance = Shape::plain(1 + items as usize % 40).instance(seed);
        let peak = |name: &str| {
            let packer = by_name(name).expect("known");
            packer.pack(&instance, Goal::Peak, &Budget::default()).expect("packs").peak(&instance)
        };
        let names = ["first-fit", "best-fit", "greedy-size", "lowest-first", "sequential"];
        names.iter().all(|name| peak("portfolio") <= peak(name))
    }

    fn more_placements_never_make_it_worse(seed: u64, items: u8) -> bool {
        let instance = Shape::full(1 + items as usize % 30).instance(seed);
        let peak = |placements: u64| {
            let portfolio = Portfolio::new(seed).placements(placements);
            let packed = portfolio.pack(&instance, Goal::Peak, &Budget::default());
            packed.map_or(u64::MAX, |packing| packing.peak(&instance))
        };
        let peaks = [0, 100, 400, 1600].map(peak);
        peaks.is_sorted_by(|a, b| a >= b)
    }

    fn a_warm_start_is_never_lost(seed: u64, items: u8) -> bool {
        let instance = Shape::full(1 + items as usize % 20).instance(seed);
        let budget = Budget::default();
        let sequential = by_name("sequential").expect("known");
        let Ok(warm) = sequential.pack(&instance, Goal::Peak, &budget) else { return true };
        let short = Portfolio::new(0).placements(0);
        match short.solve(&instance, Goal::Peak, Some(&warm), &budget, &mut |_| {}) {
            Outcome::Packed { packing, .. } => packing.peak(&instance) <= warm.peak(&instance),
            Outcome::Refuted { .. } | Outcome::GaveUp { .. } => false,
        }
    }
}

fn instance(items: &[(u64, u64, u64, u64)]) -> Instance {
    let item =
        |&(size, align, start, end): &(u64, u64, u64, u64)| Item::new(size, align, start, end);
    Instance { items: items.iter().map(item).collect(), ..Instance::default() }
}

fn peak(instance: &Instance, name: &str) -> u64 {
    let packer = by_name(name).expect("known");
    let packing = packer.pack(instance, Goal::Peak, &Budget::default()).expect("packs");
    let free = Instance { capacity: None, ..instance.clone() };
    assert_eq!(check(&free, &packing), [], "{name}");
    packing.peak(instance)
}

fn is_optimal(instance: &Instance) -> bool {
    let portfolio = by_name("portfolio").expect("known");
    let outcome = portfolio.solve(instance, Goal::Peak, None, &Budget::default(), &mut |_| {});
    matches!(outcome, Outcome::Packed { proof: Proof::MeetsBound, .. })
}

/// Three convolutions of 512 K, 1 M and 1 M: the first one's place is stranded in front.
#[test]
fn first_fit_in_time_order_strands_the_middle_and_others_do_not() {
    let mut chain = instance(&[(1 << 19, 1, 0, 2), (1 << 20, 1, 1, 3), (1 << 20, 1, 2, 4)]);
    chain.capacity = Some(2 << 20);
    assert_eq!(peak(&chain, "first-fit"), 5 << 19);
    assert_eq!(peak(&chain, "greedy-size"), 2 << 20);
    assert_eq!(peak(&chain, "portfolio"), 2 << 20);
    assert!(is_optimal(&chain));
}

#[test]
fn the_gap_in_front_of_the_first_neighbour_is_tried() {
    let three = instance(&[(100, 1, 0, 2), (80, 1, 1, 3), (60, 1, 2, 4)]);
    for name in ["first-fit", "best-fit", "greedy-size", "greedy-area", "lowest-first"] {
        assert_eq!(peak(&three, name), 180, "{name}");
    }
}

#[test]
fn whole_slot_reuses_no_part_of_a_dead_panel() {
    let mut panels = instance(&[(65536, 512, 0, 2), (32768, 512, 2, 4), (32768, 512, 2, 4)]);
    panels.capacity = Some(65536);
    assert_eq!(peak(&panels, "whole-slot"), 98304);
    assert_eq!(peak(&panels, "best-fit"), 65536);
    let whole_slot = by_name("whole-slot").expect("known");
    let attempt = whole_slot.attempt(&panels, Goal::Fit, None, &Budget::default(), &mut |_| {});
    assert!(matches!(attempt.outcome, Outcome::GaveUp { stop: Stop::Heuristic, .. }));
    assert_eq!(attempt.packing.map(|p| p.peak(&panels)), Some(98304));
    assert!(is_optimal(&panels));
}

#[test]
fn a_pin_in_the_middle_is_packed_around() {
    let mut scope = instance(&[(4096, 32, 0, 10), (4096, 32, 0, 10), (8192, 32, 0, 10)]);
    scope.capacity = Some(16384);
    scope.items[0].pin = Some(4096);
    // The two that never look below what is placed cannot.
    let stacks = |packer: &&dyn Packer| ["usmp-size", "usmp-conflicts"].contains(&packer.name());
    for packer in all().filter(|packer| !stacks(packer)) {
        let packing = packer.pack(&scope, Goal::Fit, &Budget::default()).expect("packs");
        assert_eq!(packing.offsets, [4096, 0, 8192], "{}", packer.name());
    }
    for packer in all().filter(stacks) {
        let packing = packer.pack(&scope, Goal::Fit, &Budget::default()).expect("packs");
        assert_eq!(packing.offsets, [4096, 16384, 8192], "{}", packer.name());
    }
}

#[test]
fn every_name_that_is_offered_belongs_to_one_packer() {
    for name in NAMES {
        assert_eq!(by_name(name).map(|packer| packer.name()), Some(name));
        assert_eq!(all().filter(|packer| packer.name() == name).count(), 1, "{name}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for seed in 0..3 {
        let instance = Shape::plain(3000).instance(seed);
        let run = |jobs: usize| {
            let budget = Budget { jobs, ..Budget::default() };
            let portfolio = Portfolio::new(seed).placements(60_000);
            let mut events = Vec::new();
            let mut on = |event| events.push(event);
            (portfolio.attempt(&instance, Goal::Peak, None, &budget, &mut on), events)
        };
        let alone = run(1);
        assert!(matches!(alone.0.outcome, Outcome::Packed { nodes: 1.., .. }), "{seed}: restarts");
        assert_eq!(alone, run(2), "{seed}");
        assert_eq!(alone, run(4), "{seed}");
    }
}

/// Moments from the fullest on, the largest first in each: c and d fill the fullest moment.
#[test]
fn breadth_begins_where_most_is_alive() {
    let items = instance(&[(4, 1, 0, 2), (3, 1, 1, 4), (2, 1, 1, 3), (5, 1, 3, 5)]);
    let breadth = by_name("tflite-breadth").expect("known");
    let packing = breadth.pack(&items, Goal::Peak, &Budget::default()).expect("packs");
    assert_eq!(packing.offsets, [0, 4, 7, 7]);
}

#[test]
fn hill_climbing_leaves_the_order_by_size_where_that_helps() {
    let better = (0..200).filter(|&seed| {
        let instance = Shape::plain(30).instance(seed);
        let (climbed, greedy) = (peak(&instance, "usmp-hillclimb"), peak(&instance, "tflm-greedy"));
        assert!(climbed <= greedy, "{seed}");
        climbed < greedy
    });
    assert!(better.count() > 50);
}

#[test]
fn branches_are_overlaid_and_conditionals_are_not() {
    let mut two = instance(&[(1024, 16, 1, 6), (512, 16, 1, 6), (768, 16, 3, 5), (1024, 16, 3, 5)]);
    assert_eq!(peak(&two, "portfolio"), 3328);
    two.exclusive = vec![(0, 1), (2, 3)];
    assert_eq!(peak(&two, "portfolio"), 2048);
    assert!(is_optimal(&two));
}

#[test]
fn an_in_place_chain_is_folded() {
    let tile = 32768;
    let lives = [(0, 2), (0, 3), (1, 4), (2, 4), (3, 5)];
    let mut softmax = instance(&lives.map(|(start, end)| (tile, 32, start, end)));
    assert_eq!(peak(&softmax, "portfolio"), 3 * tile);
    assert_eq!(peak(&softmax, "sequential"), 5 * tile);
    softmax.inplace = [(0, 2), (1, 3), (2, 4)].map(|(from, into)| Inplace { from, into }).to_vec();
    for name in ["first-fit", "best-fit", "lowest-first", "portfolio"] {
        assert_eq!(peak(&softmax, name), 2 * tile, "{name}");
    }
    assert!(is_optimal(&softmax));
}

#[test]
fn fragmentation_is_not_a_lack_of_memory() {
    let mut bank = instance(&[(323_936, 32, 0, 5), (608_256, 32, 3, 4)]);
    bank.capacity = Some(1_329_888);
    assert_eq!(peak(&bank, "portfolio"), 932_192);
    assert!(is_optimal(&bank));
    bank.items[0].pin = Some(414_080);
    let portfolio = by_name("portfolio").expect("known");
    let attempt = portfolio.attempt(&bank, Goal::Fit, None, &Budget::default(), &mut |_| {});
    assert!(matches!(attempt.outcome, Outcome::GaveUp { .. }));
    assert_eq!(attempt.packing.map(|p| p.peak(&bank)), Some(414_080 + 323_936 + 608_256));
}

#[test]
fn cost_first_shares_only_what_the_capacity_forces_it_to_share() {
    let mut three = instance(&[(10, 1, 0, 1), (10, 1, 1, 2), (10, 1, 2, 3)]);
    let costs = [(0, 1, 5), (1, 2, 7), (0, 2, 1)];
    three.costs = costs.map(|(first, second, cost)| PairCost { first, second, cost }).to_vec();
    let cost = |instance: &Instance| {
        let packer = by_name("cost-first").expect("known");
        let packing = packer.pack(instance, Goal::CostThenPeak, &Budget::default());
        packing.map(|packing| (packing.cost(instance), packing.peak(instance)))
    };
    three.capacity = Some(30);
    assert_eq!(cost(&three), Ok((0, 30)));
    three.capacity = Some(20);
    assert_eq!(cost(&three), Ok((1, 20)));
    three.capacity = Some(10);
    assert_eq!(cost(&three), Ok((13, 10)));
}

#[test]
fn a_single_takes_the_place_of_a_double_buffer_when_that_saves_bytes() {
    let mut kernel = instance(&[(64, 32, 0, 2), (64, 32, 0, 2), (64, 32, 3, 5)]);
    kernel.separate = vec![(0, 2), (1, 2)];
    kernel.promotions = vec![Promotion { single: 2, slots: vec![0, 1] }];
    assert_eq!(peak(&kernel, "lowest-first"), 192);
    assert_eq!(peak(&kernel, "greedy-promotion"), 128);
    assert!(is_optimal(&kernel));
}

#[test]
fn sizes_near_2_to_the_62_are_packed_or_refused() {
    let huge = instance(&[(1 << 62, 1, 0, 2), (1 << 62, 1 << 61, 1, 3), ((1 << 61) + 1, 3, 2, 4)]);
    for packer in all() {
        let outcome = packer.solve(&huge, Goal::Peak, None, &Budget::default(), &mut |_| {});
        if let Outcome::Packed { packing, .. } = outcome {
            assert_eq!(check(&huge, &packing), [], "{}", packer.name());
        }
    }
}

#[test]
fn a_cancelled_search_says_so() {
    let instance = Shape::plain(2000).instance(3);
    let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let budget = Budget { cancel: Some(cancel), ..Budget::default() };
    let first_fit = by_name("greedy-size").expect("known");
    let outcome = first_fit.solve(&instance, Goal::Peak, None, &budget, &mut |_| {});
    assert!(matches!(outcome, Outcome::GaveUp { stop: Stop::Cancelled, .. }));
}
