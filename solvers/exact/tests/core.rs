//! A core has no packing, and dropping any one of its items gives it one.

use memplan_exact::{Exact, core, keep};
use memplan_oracle::{generate, noise, optimum};
use memplan_packing::{Budget, Colocation, Goal, Instance, Item, Outcome, Solver};

#[test]
fn cores_are_irreducible() {
    let (mut cores, mut proper) = (0, 0);
    for seed in 0..2_000 {
        let instance = generate(&noise(seed + 300_000));
        let found = core(&instance, &Budget::default());
        assert_eq!(found.is_none(), optimum(&instance).is_some(), "{instance:#?}");
        let Some(items) = found else { continue };
        cores += 1;
        proper += u32::from(items.len() < instance.items.len());
        let part = keep(&instance, &items);
        assert_eq!(part.validate(), Ok(()), "{items:?} {instance:#?}");
        assert_eq!(optimum(&part), None, "{items:?} {instance:#?}");
        for dropped in 0..items.len() {
            let mut rest = items.clone();
            rest.remove(dropped);
            let fits = optimum(&keep(&instance, &rest)).is_some();
            assert!(fits, "{items:?} without {dropped} {instance:#?}");
        }
    }
    assert!(cores > 300 && proper > 100, "{cores} cores, {proper} proper");
}

#[test]
fn a_core_that_the_budget_did_not_prove_is_none() {
    let mut searched = 0;
    for seed in 0..4_000 {
        let mut instance = generate(&noise(seed + 60_000));
        let Some((peak @ 1.., _)) = optimum(&instance) else { continue };
        instance.capacity = Some(peak - 1);
        let budget = Budget::default();
        let end = Exact::default().solve(&instance, Goal::Fit, None, &budget, &mut |_| ());
        if matches!(end, Outcome::Refuted { nodes: 1.., .. }) {
            searched += 1;
            assert!(core(&instance, &budget).is_some());
            assert_eq!(core(&instance, &Budget::nodes(0)), None);
        }
    }
    assert!(searched > 5, "{searched} instances needed a search");
}

#[test]
fn who_was_colocated_through_an_item_left_out_stays_so() {
    // A tower of overlapping bytes: 0 starts one byte above 1, and 1 two above 2.
    let items = vec![Item::new(2, 1, 0, 1), Item::new(3, 1, 0, 1), Item::new(3, 1, 0, 1)];
    let tie = |first, second, delta| Colocation { first, second, delta };
    let colocated = vec![tie(1, 0, 1), tie(2, 1, 2)];
    let instance = Instance { items, colocated, capacity: Some(5), ..Instance::default() };
    let part = keep(&instance, &[0, 2]);
    assert_eq!(part.colocated, [tie(1, 0, 3)]);
    assert_eq!(optimum(&part).map(|best| best.0), Some(5));
}
