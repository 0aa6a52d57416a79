//! The search against trying every order: same optimum, same verdict, on every feature.

use memplan_exact::{Exact, Rules, keep};
use memplan_oracle::{Features, check, cost, generate, generate_with, least_cost, noise, optimum};
use memplan_packing::{Budget, Goal, Instance, Outcome, Proof, Refutation, Solver};
use quickcheck::QuickCheck;

fn solve(rules: Rules, instance: &Instance, goal: Goal) -> Outcome {
    let exact = Exact { rules, ..Exact::default() };
    exact.can(instance, goal).expect("small instances are taken");
    exact.solve(instance, goal, None, &Budget::default(), &mut |_| ())
}

/// The peak of a packing that is right and proven, `None` for a refutation.
fn peak(rules: Rules, instance: &Instance) -> Option<u64> {
    match solve(rules, instance, Goal::Peak) {
        Outcome::Packed { packing, proof, bound, .. } => {
            assert!(check(instance, &packing), "{packing:?} {instance:#?}");
            let peak = packing.peak(instance);
            assert!(proof != Proof::Open && bound == peak, "{proof:?} {bound} {instance:#?}");
            Some(peak)
        }
        Outcome::Refuted { why, bound, .. } => {
            witness(instance, &why);
            let larger = Instance { capacity: None, ..instance.clone() };
            if let Some((best, _)) = optimum(&larger) {
                assert!(bound <= best, "bound {bound} above {best} {instance:#?}");
            }
            None
        }
        Outcome::GaveUp { .. } => panic!("no budget was given {instance:#?}"),
    }
}

/// Whoever a refutation names has no packing even without the others.
fn witness(instance: &Instance, why: &Refutation) {
    let mut items = match why {
        Refutation::Load { items, .. } => items.clone(),
        Refutation::NoPlace(item) => vec![*item],
        Refutation::Clash(a, b) => vec![*a, *b],
        Refutation::Exhausted => return,
    };
    items.sort_unstable();
    assert_eq!(optimum(&keep(instance, &items)), None, "{why:?} {instance:#?}");
}

fn agrees(instance: &Instance) -> bool {
    let best = optimum(instance).map(|best| best.0);
    assert_eq!(peak(Rules::default(), instance), best, "{instance:#?}");
    let fit = solve(Rules::default(), instance, Goal::Fit);
    let fits = matches!(&fit, Outcome::Packed { packing, .. } if check(instance, packing));
    assert_eq!(fits, best.is_some(), "{fit:?} {instance:#?}");
    assert_eq!(matches!(fit, Outcome::Refuted { .. }), best.is_none(), "{instance:#?}");
    best.is_some()
}

#[test]
fn exact_equals_oracle_on_each_feature() {
    for (name, features) in Features::EACH {
        let all = 0..400;
        let fits = all.filter(|&s| agrees(&generate_with(&noise(s), features, 6))).count();
        assert!(fits > 40, "{name}: {fits} of 400 have a packing");
    }
}

#[test]
fn exact_equals_oracle_on_mixed_features() {
    fn property(bytes: Vec<u8>) -> bool {
        agrees(&generate(&bytes));
        true
    }
    QuickCheck::new().tests(3_000).quickcheck(property as fn(Vec<u8>) -> bool);
    let fits = (0..3_000).filter(|&s| agrees(&generate(&noise(s)))).count();
    assert!((600..2_400).contains(&fits), "{fits} of 3000 have a packing");
}

fn cheapest(instance: &Instance, rules: Rules) -> Option<(u64, u64)> {
    match solve(rules, instance, Goal::CostThenPeak) {
        Outcome::Packed { packing, proof, .. } => {
            assert!(check(instance, &packing), "{packing:?} {instance:#?}");
            assert!(proof != Proof::Open, "{instance:#?}");
            Some((cost(instance, &packing), packing.peak(instance)))
        }
        Outcome::Refuted { .. } => None,
        Outcome::GaveUp { .. } => panic!("no budget was given {instance:#?}"),
    }
}

#[test]
fn cost_then_peak_equals_oracle() {
    for seed in 0..1_500 {
        let bytes = noise(seed + 50_000);
        let more = u16::from(bytes[0]) | u16::from(bytes[1]) << 8;
        let costs = Features::named("costs").0;
        let more = if seed % 2 == 0 { 0 } else { more };
        let instance = generate_with(&bytes[2..], Features(costs | more), 5);
        let best = least_cost(&instance).map(|best| (best.0, best.1));
        assert_eq!(cheapest(&instance, Rules::default()), best, "{instance:#?}");
    }
}

#[test]
fn any_subset_of_rules_has_the_same_optimum() {
    for seed in 0..1_500u64 {
        let instance = generate(&noise(seed + 90_000));
        let best = optimum(&instance).map(|best| best.0);
        let bits = noise(seed);
        for mask in
            [0, 1 << (seed % 15), !(1 << (seed % 15)), u32::from(bits[0]) << 7 | u32::from(bits[1])]
        {
            let rules = Rules::from_mask(mask);
            assert_eq!(peak(rules, &instance), best, "{rules:?} {instance:#?}");
        }
    }
}

#[test]
fn every_subset_of_rules_has_the_same_optimum() {
    let features = Features(u16::MAX);
    for seed in 0..6 {
        let instance = generate_with(&noise(seed + 7), features, 5);
        let best = optimum(&instance).map(|best| best.0);
        let cheap = least_cost(&instance).map(|best| (best.0, best.1));
        // The rest belongs to niches, which such instances do not have; see `niche.rs`.
        for mask in 0..1 << 10 {
            let rules = Rules::from_mask(mask);
            assert_eq!(peak(rules, &instance), best, "{rules:?} {instance:#?}");
            assert_eq!(cheapest(&instance, rules), cheap, "{rules:?} {instance:#?}");
        }
    }
}
