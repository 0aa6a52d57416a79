//! Numbers near the end of 64 bits are packed or refused, never a panic.

use memplan_heuristic::{Packer, Portfolio, all};
use memplan_packing::bounds::Bounds;
use memplan_packing::random::SplitMix64;
use memplan_packing::sample::Shape;
use memplan_packing::{Budget, Goal, Instance, Outcome, Solver, check};
use quickcheck::quickcheck;

/// A small instance blown up by 2^57, with noise in the low bits.
fn huge(seed: u64, items: u8) -> Option<Instance> {
    let mut random = SplitMix64::new(seed);
    let mut big = |n: u64| n.checked_shl(57).map(|n| n.saturating_add(random.below(3)));
    let mut instance = Shape::full(1 + items as usize % 6).tiny().instance(seed);
    for item in &mut instance.items {
        item.size = big(item.size)?;
        item.align = if item.align > 1 { big(item.align)? } else { 1 };
        item.pin = item.pin.map(|pin| pin << 57);
        let window = item.window.take();
        item.window = window.and_then(|w| Some(big(w.start)?..big(w.end)?));
    }
    for range in &mut instance.reserved {
        *range = range.start << 57..(range.end << 57) + 1;
    }
    for c in &mut instance.colocated {
        c.delta <<= 57;
    }
    instance.capacity = seed.is_multiple_of(3).then_some(u64::MAX - seed);
    instance.validate().ok()?;
    Some(instance)
}

quickcheck! {
    fn huge_numbers_do_not_overflow(seed: u64, items: u8) -> bool {
        let Some(instance) = huge(seed, items) else { return true };
        let bounds = Bounds::new(&instance);
        static SHORT: Portfolio = Portfolio::new(1).placements(50);
        let named = all().filter(|packer| packer.name() != "portfolio");
        named.chain([&SHORT as &dyn Packer]).all(|solver| {
            [Goal::Peak, Goal::CostThenPeak].into_iter().all(|goal| {
                match solver.solve(&instance, goal, None, &Budget::default(), &mut |_| {}) {
                    Outcome::Packed { packing, .. } => {
                        check(&instance, &packing).is_empty()
                            && packing.peak(&instance) >= bounds.lower_bound
                    }
                    Outcome::Refuted { .. } | Outcome::GaveUp { .. } => true,
                }
            })
        })
    }
}

#[test]
fn some_huge_instances_are_packed_so_that_the_property_says_something() {
    let packed = |seed: &u64| {
        huge(*seed, *seed as u8).is_some_and(|instance| {
            let short = Portfolio::new(0).placements(0);
            let outcome = short.solve(&instance, Goal::Peak, None, &Budget::default(), &mut |_| {});
            matches!(outcome, Outcome::Packed { .. })
        })
    };
    assert!((0..500).filter(packed).count() > 50);
}
