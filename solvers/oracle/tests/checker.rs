//! The naive checker and the one of the packing crate say the same about any packing.

use memplan_oracle::{Features, generate, generate_with, noise, optimum};
use memplan_packing::{Packing, check};

#[test]
fn both_checkers_say_the_same() {
    let (mut right, mut wrong, mut promoted) = (0, 0, 0);
    let promotions = Features(Features::named("promotions").0 | Features::named("alone").0);
    for seed in 0..8_000 {
        let bytes = noise(seed + 600_000);
        let instance = match seed % 2 {
            0 => generate(&bytes),
            _ => generate_with(&bytes, promotions, 6),
        };
        let mut packings = Vec::new();
        packings.extend(optimum(&instance).map(|best| best.1));
        for extra in 0..4 {
            let bytes = noise(seed * 4 + extra);
            let mut packing = packings.first().cloned().unwrap_or_default();
            if extra > 1 || packing.offsets.is_empty() {
                let offsets = (0..instance.items.len()).map(|i| u64::from(bytes[i] % 9));
                let promoted = (0..instance.promotions.len() as u32)
                    .filter(|&p| bytes[20 + p as usize].is_multiple_of(3));
                packing = Packing { offsets: offsets.collect(), promoted: promoted.collect() };
            } else if let Some(offset) = packing.offsets.get_mut(usize::from(bytes[0] % 3)) {
                *offset += u64::from(bytes[1] % 3);
            }
            packings.push(packing);
        }
        for packing in packings {
            let naive = memplan_oracle::check(&instance, &packing);
            let faults = check(&instance, &packing);
            assert_eq!(naive, faults.is_empty(), "{faults:?} {packing:?} {instance:#?}");
            promoted += u32::from(naive && !packing.promoted.is_empty());
            if naive { right += 1 } else { wrong += 1 }
        }
    }
    assert!(promoted > 100, "{promoted} right packings with promotions");
    assert!(right > 3_000 && wrong > 3_000, "{right} right, {wrong} wrong");
}
