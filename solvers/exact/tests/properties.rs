//! Every feature of an instance, alone and in random combination: the optimum, the verdict, the
//! core and the least cost are what trying everything says.
//!
//! `MEMPLAN_CASES=100000 cargo test --release -p memplan-exact --test properties` looks at so many cases
//! of each property instead of a few hundred.

use memplan_exact::{Exact, Rules, core, keep};
use memplan_oracle::{Features, check, cost, generate_with, least_cost, optimum};
use memplan_packing::{Budget, Goal, Instance, Outcome, Solver};
use quickcheck::{Gen, QuickCheck};

fn cases(few: u64) -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(few)
}

fn holds(few: u64, property: fn(Vec<u8>) -> bool) {
    let bytes = Gen::from_size_and_seed(128, few);
    let mut check = QuickCheck::new().rng(bytes).tests(cases(few)).max_tests(u64::MAX);
    check.quickcheck(property);
}

/// At most `most` items; a third of the instances has one feature, a third three, a third any.
fn instance(bytes: &[u8], most: usize) -> Instance {
    let (head, rest) = bytes.split_at(bytes.len().min(3));
    let at = |index: usize| head.get(index).copied().unwrap_or(0);
    let (one, two) = (at(1), at(2));
    let each = Features::EACH.len() as u8;
    let features = match at(0) % 3 {
        0 => Features::EACH[(one % each) as usize].1,
        1 => Features(1 << (one % each) | 1 << (one / each % each) | 1 << (two % each)),
        _ => Features(u16::from(one) | u16::from(two) << 8),
    };
    generate_with(rest, features, most)
}

fn solve(rules: Rules, instance: &Instance, goal: Goal) -> Outcome {
    let exact = Exact { rules, ..Exact::default() };
    exact.can(instance, goal).expect("small instances are taken");
    exact.solve(instance, goal, None, &Budget::default(), &mut |_| ())
}

#[test]
fn the_smallest_peak_is_found_or_refuted() {
    fn property(bytes: Vec<u8>) -> bool {
        let instance = instance(&bytes, 6);
        match (solve(Rules::default(), &instance, Goal::Peak), optimum(&instance)) {
            (Outcome::Packed { packing, bound, .. }, Some((best, _))) => {
                check(&instance, &packing) && packing.peak(&instance) == best && bound == best
            }
            (Outcome::Refuted { .. }, best) => best.is_none(),
            _ => false,
        }
    }
    holds(1_000, property);
}

#[test]
fn the_least_cost_is_found_and_so_is_its_bound() {
    fn property(bytes: Vec<u8>) -> bool {
        let mut instance = instance(&bytes, 5);
        if instance.costs.is_empty() {
            // Every second instance without costs gets one on each of its first pairs.
            let n = instance.items.len() as u32;
            let costs = (1..n.min(4)).map(|second| memplan_packing::PairCost {
                first: second - 1,
                second,
                cost: 1 + u64::from(second),
            });
            instance.costs = costs.filter(|_| bytes.len().is_multiple_of(2)).collect();
        }
        // One of the rules is off in most cases.
        let off = bytes.first().map_or(0, |byte| u32::from(*byte) % (Rules::COUNT + 4));
        let rules = Rules::from_mask(!(1 << off));
        match (solve(rules, &instance, Goal::CostThenPeak), least_cost(&instance)) {
            (Outcome::Packed { packing, cost_bound, .. }, Some((least, peak, _))) => {
                check(&instance, &packing)
                    && cost(&instance, &packing) == least
                    && packing.peak(&instance) == peak
                    && (cost_bound == least || instance.costs.is_empty())
            }
            (Outcome::Refuted { .. }, best) => best.is_none(),
            _ => false,
        }
    }
    holds(500, property);
}

#[test]
fn a_core_has_no_packing_and_any_item_less_has_one() {
    fn property(bytes: Vec<u8>) -> bool {
        let mut instance = instance(&bytes, 6);
        // A byte too few for the smallest peak: most instances have a core then.
        if let Some((peak @ 1.., _)) = optimum(&instance) {
            instance.capacity = Some(peak - 1);
        }
        let Some(items) = core(&instance, &Budget::default()) else {
            return optimum(&instance).is_some();
        };
        let fits = |items: &[u32]| optimum(&keep(&instance, items)).is_some();
        let less = (0..items.len()).all(|dropped| {
            let mut rest = items.clone();
            rest.remove(dropped);
            fits(&rest)
        });
        !fits(&items) && less
    }
    holds(500, property);
}
