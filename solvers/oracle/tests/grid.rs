//! The oracle against something even dumber: every offset there is.

use memplan_oracle::{Features, check, cost, generate, generate_with, least_cost, noise, optimum};
use memplan_packing::{Instance, Packing};

/// Every packing with offsets up to `top` and every list of promotions.
fn every(instance: &Instance, top: u64, mut each: impl FnMut(&Packing)) {
    for promoted in 0..1u32 << instance.promotions.len() {
        let bits = 0..instance.promotions.len() as u32;
        let promoted: Vec<u32> = bits.filter(|b| promoted >> b & 1 == 1).collect();
        let mut packing = Packing { offsets: vec![0; instance.items.len()], promoted };
        'grid: loop {
            if check(instance, &packing) {
                each(&packing);
            }
            for offset in &mut packing.offsets {
                *offset += 1;
                if *offset <= top {
                    continue 'grid;
                }
                *offset = 0;
            }
            break;
        }
    }
}

fn compare(instance: &Instance) -> bool {
    instance.validate().expect("the generator makes valid instances");
    let top = instance.capacity.unwrap_or(9).clamp(9, 12);
    let (mut peak, mut least) = (None, None);
    every(instance, top, |packing| {
        let (p, c) = (packing.peak(instance), cost(instance, packing));
        peak = Some(peak.map_or(p, |best: u64| best.min(p)));
        least = Some(least.map_or((c, p), |best: (u64, u64)| best.min((c, p))));
    });
    let best = optimum(instance);
    let cheap = least_cost(instance);
    let found = best.as_ref().map(|b| b.0);
    if instance.capacity.is_some() || found.is_some_and(|peak| peak <= top) {
        assert_eq!(found, peak, "{instance:#?}");
    }
    if instance.capacity.is_some() {
        assert_eq!(cheap.as_ref().map(|c| (c.0, c.1)), least, "{instance:#?}");
    }
    for packing in best.map(|b| b.1).into_iter().chain(cheap.map(|c| c.2)) {
        assert!(check(instance, &packing), "{packing:?} {instance:#?}");
    }
    peak.is_some()
}

#[test]
fn orders_find_what_the_grid_finds_on_each_feature() {
    for (name, features) in Features::EACH {
        let mut fits = 0;
        for seed in 0..60 {
            let instance = generate_with(&noise(seed), features, 4);
            if instance.capacity.is_none_or(|c| c <= 12) {
                fits += u32::from(compare(&instance));
            }
        }
        assert!(fits > 5, "{name}: only {fits} instances have a packing");
    }
}

#[test]
fn orders_find_what_the_grid_finds_on_mixed_features() {
    let (mut fits, mut all) = (0, 0);
    for seed in 0..3000 {
        let instance = generate(&noise(seed + 1000));
        let small = instance.items.len() <= 4 && instance.capacity.is_none_or(|c| c <= 12);
        if small && all < 500 {
            all += 1;
            fits += u32::from(compare(&instance));
        }
    }
    assert!(fits > 100 && all - fits > 50, "{fits} of {all} have a packing");
}

#[test]
fn every_generated_instance_is_valid() {
    for seed in 0..20_000 {
        let instance = generate(&noise(seed));
        assert_eq!(instance.validate(), Ok(()), "{instance:#?}");
    }
}
