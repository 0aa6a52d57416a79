//! A core has no packing, and dropping any one of its items gives it one.

use memplan_exact::{core, keep};
use memplan_oracle::{generate, noise, optimum};
use memplan_packing::{Budget, Instance, Item};

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
    // Seven items of odd sizes just too tight: the load fits, the packing does not.
    let lives = [(3, 0, 4), (3, 2, 6), (4, 0, 2), (4, 4, 6), (3, 1, 5), (2, 0, 1), (2, 5, 6)];
    let items = lives.iter().map(|&(size, start, end)| Item::new(size, 1, start, end)).collect();
    let mut instance = Instance { items, ..Instance::default() };
    let peak = optimum(&instance).map_or(0, |best| best.0);
    instance.capacity = Some(peak - 1);
    if core(&instance, &Budget::default()).is_some() {
        let searched = core(&instance, &Budget::nodes(0));
        let whole = core(&instance, &Budget::default());
        assert!(searched.is_none() || searched == whole);
    }
}
