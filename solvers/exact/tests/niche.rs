//! The niche search against trying every order and against the disjunctive search.

use memplan_exact::{Exact, Rules};
use memplan_oracle::optimum;
use memplan_packing::bounds::lower_bound;
use memplan_packing::random::SplitMix64;
use memplan_packing::sample::Shape;
use memplan_packing::{Budget, Goal, Instance, Item, Outcome, Packing, Proof, Solver, check};

/// The switches that the niche search reads: symmetry, restarts, components, bound first, and its
/// own four.
const SWITCHES: [u32; 8] = [4, 5, 6, 7, 11, 12, 13, 14];

/// Niches with these switches on and all others as they are.
fn niches(mask: u32) -> Rules {
    let off = SWITCHES.iter().enumerate().filter(|(k, _)| mask >> k & 1 == 0);
    Rules::from_mask(!off.fold(0, |off, (_, bit)| off | 1 << bit))
}

fn disjunctive() -> Rules {
    Rules { niche: false, ..Rules::default() }
}

fn solve(rules: Rules, instance: &Instance, goal: Goal, budget: &Budget) -> Outcome {
    Exact { rules, ..Exact::default() }.solve(instance, goal, None, budget, &mut |_| ())
}

/// The smallest peak, checked and proven; `None` for a refutation.
fn peak(rules: Rules, instance: &Instance) -> Option<u64> {
    match solve(rules, instance, Goal::Peak, &Budget::default()) {
        Outcome::Packed { packing, proof, bound, .. } => {
            assert!(check(instance, &packing).is_empty(), "{packing:?} {instance:#?}");
            let peak = packing.peak(instance);
            assert!(proof != Proof::Open && bound == peak, "{proof:?} {bound} {instance:#?}");
            Some(peak)
        }
        Outcome::Refuted { .. } => None,
        Outcome::GaveUp { .. } => panic!("no budget was given {instance:#?}"),
    }
}

fn fits(rules: Rules, instance: &Instance) -> bool {
    match solve(rules, instance, Goal::Fit, &Budget::default()) {
        Outcome::Packed { packing, .. } => {
            assert!(check(instance, &packing).is_empty(), "{packing:?} {instance:#?}");
            true
        }
        Outcome::Refuted { .. } => false,
        Outcome::GaveUp { .. } => panic!("no budget was given {instance:#?}"),
    }
}

/// Any rectangles in every other case; in the others the memory is filled step by step, so that
/// the load alone is often not enough.
fn crowd(n: usize, seed: u64) -> Instance {
    let mut random = SplitMix64::new(seed);
    let steps = 3 + random.below(n as u64);
    let longest = 2 + random.below(steps);
    let largest = [2, 3, 5, 9, 16][random.below(5) as usize];
    if seed % 2 == 1 {
        return filled(n, &mut random);
    }
    let mut item = || {
        let start = random.below(steps);
        let size = if random.chance(1, 40) { 0 } else { 1 + random.below(largest) };
        Item::new(size, 1, start, start + 1 + random.below(longest))
    };
    Instance { items: (0..n).map(|_| item()).collect(), ..Instance::default() }
}

/// Items are put in as long as no step has more than a few bytes alive.
fn filled(n: usize, random: &mut SplitMix64) -> Instance {
    let steps = 4 + n / 5;
    let room = 5 + random.below(n as u64);
    let mut loads = vec![0; steps];
    let mut instance = Instance::default();
    for _ in 0..40 * n {
        let start = random.below(steps as u64) as usize;
        let end = (start + 1 + random.below(4) as usize).min(steps);
        let free = room - loads[start..end].iter().max().unwrap_or(&0);
        let size = free.min(1 + random.below(room / 2));
        if size > 0 && instance.items.len() < n {
            loads[start..end].iter_mut().for_each(|load| *load += size);
            instance.items.push(Item::new(size, 1, start as u64, end as u64));
        }
    }
    instance
}

#[test]
fn niches_equal_the_oracle() {
    for seed in 0..3_000 {
        let mut instance = crowd(1 + seed as usize % 6, seed);
        let best = optimum(&instance).map(|best| best.0);
        assert_eq!(peak(Rules::default(), &instance), best, "{instance:#?}");
        for capacity in [best.unwrap_or(0), best.unwrap_or(0).saturating_sub(1)] {
            instance.capacity = Some(capacity);
            let expected = best.is_some_and(|best| best <= capacity);
            assert_eq!(fits(Rules::default(), &instance), expected, "{instance:#?}");
        }
    }
}

#[test]
fn niches_equal_the_disjunctive_search() {
    let mut above = 0;
    for seed in 0..10_000 {
        let mut instance = crowd(6 + seed as usize % 17, 2 * seed + u64::from(seed % 4 > 0));
        let Some(best) = peak(disjunctive(), &instance) else { panic!("{instance:#?}") };
        assert_eq!(peak(Rules::default(), &instance), Some(best), "{instance:#?}");
        above += u32::from(best > lower_bound(&instance));
        instance.capacity = Some(best);
        assert!(fits(Rules::default(), &instance), "{instance:#?}");
        instance.capacity = best.checked_sub(1);
        assert!(!fits(Rules::default(), &instance), "{instance:#?}");
    }
    assert!(above > 30, "only {above} smallest peaks are above the load");
}

#[test]
fn every_subset_of_niche_rules_has_the_same_optimum() {
    let mut above = 0;
    for seed in 0..40_000 {
        let mut instance = crowd(10 + seed as usize % 5, 2 * seed + 1);
        if peak(Rules::default(), &instance) == Some(lower_bound(&instance)) {
            continue;
        }
        above += 1;
        let best = peak(disjunctive(), &instance);
        for mask in 0..1 << SWITCHES.len() {
            let rules = niches(mask);
            instance.capacity = None;
            assert_eq!(peak(rules, &instance), best, "{rules:?} {instance:#?}");
            instance.capacity = best.map(|best| best - 1);
            assert!(!fits(rules, &instance), "{rules:?} {instance:#?}");
        }
        if above == 12 {
            return;
        }
    }
    panic!("only {above} smallest peaks are above the load");
}

#[test]
fn any_subset_of_niche_rules_has_the_same_optimum() {
    for seed in 0..6_000 {
        let instance = crowd(4 + seed as usize % 6, seed + 500_000);
        let best = peak(disjunctive(), &instance);
        let mask = SplitMix64::new(seed).below(1 << SWITCHES.len()) as u32;
        let rules = niches(mask);
        assert_eq!(peak(rules, &instance), best, "{rules:?} {instance:#?}");
    }
}

#[test]
fn alignments_that_the_granule_obeys_are_obeyed() {
    for seed in 0..500 {
        let mut instance = crowd(3 + seed as usize % 8, seed + 10_000);
        let best = peak(Rules::default(), &instance).map(|best| best * 96);
        for (k, item) in instance.items.iter_mut().enumerate() {
            item.size *= 96;
            item.align = [1, 32, 3, 96][k % 4];
        }
        assert_eq!(peak(Rules::default(), &instance), best, "{instance:#?}");
        // A capacity between two multiples is worth the lower one.
        instance.capacity = best.map(|best| best + 95);
        assert_eq!(peak(Rules::default(), &instance), best, "{instance:#?}");
    }
}

#[test]
fn a_short_budget_keeps_bounds_true_and_answers_the_same_again() {
    for seed in 0..300 {
        let instance = crowd(8 + seed as usize % 8, seed + 20_000);
        let best = peak(disjunctive(), &instance).unwrap_or(0);
        for nodes in [0, 1, 9, 40, 200] {
            let budget = Budget::nodes(nodes);
            let end = solve(Rules::default(), &instance, Goal::Peak, &budget);
            assert_eq!(end, solve(Rules::default(), &instance, Goal::Peak, &budget));
            match end {
                Outcome::Packed { packing, bound, proof, nodes: spent, .. } => {
                    let peak = packing.peak(&instance);
                    assert!(bound <= best && best <= peak && spent <= nodes);
                    assert!(proof == Proof::Open || peak == best);
                }
                Outcome::GaveUp { bound, nodes: spent, .. } => {
                    assert!(bound <= best && spent <= nodes);
                }
                Outcome::Refuted { .. } => panic!("{instance:#?}"),
            }
        }
    }
}

#[test]
fn a_warm_packing_is_kept_or_improved_on() {
    for seed in 0..200 {
        let instance = crowd(12, seed + 30_000);
        let mut at = 1;
        let stack = |item: &Item| {
            at += item.size;
            at - item.size
        };
        let offsets = instance.items.iter().map(stack).collect();
        let warm = Packing { offsets, promoted: Vec::new() };
        let end = |nodes| {
            let budget = Budget::nodes(nodes);
            Exact::default().solve(&instance, Goal::Peak, Some(&warm), &budget, &mut |_| ())
        };
        assert!(matches!(end(0), Outcome::Packed { packing, .. } if packing == warm));
        let Outcome::Packed { packing, .. } = end(2_000) else { panic!("{instance:#?}") };
        assert!(packing.peak(&instance) < warm.peak(&instance));
    }
}

#[test]
fn thousands_of_items_are_taken_and_need_no_deep_stack() {
    let instance = Shape { longest: 12, ..Shape::plain(3_000) }.instance(5);
    assert_eq!(Exact::default().can(&instance, Goal::Peak), Ok(()));
    let capacity = Some(2 * lower_bound(&instance));
    let instance = Instance { capacity, ..instance };
    let end = solve(Rules::default(), &instance, Goal::Fit, &Budget::nodes(7_000));
    assert!(matches!(end, Outcome::Packed { .. }), "{end:?}");
}

/// Cut a rectangle again and again: what results fills it without any waste.
fn perfect(n: usize, seed: u64) -> Instance {
    let mut random = SplitMix64::new(seed);
    let mut pieces = vec![(0u64, 200u64, 0u64, 1_000u64)];
    while pieces.len() < n {
        let at = random.below(pieces.len() as u64) as usize;
        let (start, end, low, high) = pieces[at];
        let (width, height) = (end - start, high - low);
        if random.chance(1, 2) && width > 1 {
            let cut = start + 1 + random.below(width - 1);
            pieces[at] = (start, cut, low, high);
            pieces.push((cut, end, low, high));
        } else if height > 1 {
            let cut = low + 1 + random.below(height - 1);
            pieces[at] = (start, end, low, cut);
            pieces.push((start, end, cut, high));
        }
    }
    let item =
        |&(start, end, low, high): &(u64, u64, u64, u64)| Item::new(high - low, 1, start, end);
    let items = pieces.iter().map(item).collect();
    Instance { items, capacity: Some(1_000), ..Instance::default() }
}

#[test]
fn what_was_cut_from_one_rectangle_fills_it_again() {
    for seed in 0..12 {
        let instance = perfect(60, seed);
        let end = solve(Rules::default(), &instance, Goal::Fit, &Budget::nodes(20_000));
        let Outcome::Packed { packing, .. } = end else { panic!("seed {seed}: {end:?}") };
        assert_eq!(packing.peak(&instance), 1_000);
    }
}

#[test]
fn crowded_rectangles_close_within_the_default_nodes() {
    let closed = |n: usize| {
        let fits = |&seed: &u64| {
            let end = solve(Rules::default(), &perfect(n, seed), Goal::Fit, &Budget::nodes(20_000));
            matches!(end, Outcome::Packed { .. })
        };
        (0..8).filter(fits).count()
    };
    assert!(closed(120) == 8 && closed(250) >= 6, "{} and {} of 8", closed(120), closed(250));
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    let mut searched = 0;
    for seed in 0..24 {
        let exact = Exact { seed, ..Exact::default() };
        let mut instance = perfect(100 + 20 * (seed as usize % 8), seed);
        if seed % 3 == 0 {
            instance.capacity = None;
            instance.items.pop();
        }
        let goal = if seed % 2 == 0 { Goal::Fit } else { Goal::Peak };
        for nodes in [100, 3_000] {
            let answer = |jobs| {
                let budget = Budget { jobs, ..Budget::nodes(nodes) };
                exact.solve(&instance, goal, None, &budget, &mut |_| ())
            };
            let alone = answer(1);
            assert_eq!(alone, answer(2), "seed {seed}");
            assert_eq!(alone, answer(4), "seed {seed}");
            let (Outcome::Packed { nodes, .. }
            | Outcome::Refuted { nodes, .. }
            | Outcome::GaveUp { nodes, .. }) = alone;
            searched += u32::from(nodes > 2 * instance.items.len() as u64);
        }
    }
    assert!(searched > 8, "only {searched} questions took more than one run");
}

#[test]
fn every_seed_gives_a_right_answer() {
    for seed in 0..400 {
        let mut instance = crowd(6 + seed as usize % 10, 2 * seed + 1);
        let best = peak(disjunctive(), &instance).unwrap_or(0);
        let exact = Exact { seed: seed * 0x9E37_79B9, ..Exact::default() };
        let end = exact.solve(&instance, Goal::Peak, None, &Budget::default(), &mut |_| ());
        let Outcome::Packed { packing, .. } = end else { panic!("{instance:#?}") };
        assert_eq!(packing.peak(&instance), best, "{instance:#?}");
        instance.capacity = best.checked_sub(1);
        let end = exact.solve(&instance, Goal::Fit, None, &Budget::default(), &mut |_| ());
        assert!(matches!(end, Outcome::Refuted { .. }), "{end:?} {instance:#?}");
    }
}

#[test]
fn offsets_beyond_32_bits_are_packed_as_well_as_small_ones() {
    for seed in 0..40 {
        let mut instance = perfect(30, seed);
        let small = solve(Rules::default(), &instance, Goal::Fit, &Budget::nodes(20_000));
        // Odd factors and one odd item keep the granule at 1.
        for item in &mut instance.items {
            item.size *= 3_000_000_001;
        }
        instance.items.push(Item::new(1, 1, 500, 501));
        instance.capacity = Some(3_000_000_001_000);
        let large = solve(Rules::default(), &instance, Goal::Fit, &Budget::nodes(20_000));
        let fits = |end: &Outcome| matches!(end, Outcome::Packed { .. });
        assert!(fits(&small) && fits(&large), "seed {seed}: {large:?}");
    }
}
