//! What the checker promises.

#[expect(dead_code, reason = "the enumerator is for the bounds")]
mod naive;

use memplan_packing::promotion::expand;
use memplan_packing::random::SplitMix64;
use memplan_packing::sample::Shape;
use memplan_packing::{Fault, Instance, Item, Packing, check};
use quickcheck::quickcheck;

/// Offsets thrown at random: mostly wrong ones, some with promotions.
fn thrown(instance: &Instance, seed: u64) -> Packing {
    let mut random = SplitMix64::new(seed);
    let spread = 1 + random.below(40);
    let mut offsets: Vec<u64> = (instance.items.iter())
        .map(|item| match item.pin {
            Some(pin) if random.chance(3, 4) => pin,
            _ => random.below(spread) * if random.chance(1, 2) { item.align } else { 1 },
        })
        .collect();
    let count = instance.promotions.len() as u64;
    let mut promoted: Vec<u32> =
        (0..random.below(count + 1)).map(|_| random.below(count) as u32).collect();
    promoted.sort_unstable();
    for &p in &promoted {
        let p = &instance.promotions[p as usize];
        if random.chance(4, 5) {
            offsets[p.single as usize] = offsets[p.slots[0] as usize];
        }
    }
    Packing { offsets, promoted }
}

quickcheck! {
    fn all_faults_of_any_packing_are_found(seed: u64, items: u8) -> bool {
        let instance = Shape::full(1 + items as usize % 24).instance(seed);
        let packing = thrown(&instance, seed ^ 1);
        check(&instance, &packing) == naive::check(&instance, &packing)
    }

    fn all_faults_of_crowded_tiny_packings_are_found(seed: u64, items: u8) -> bool {
        let instance = Shape::full(1 + items as usize % 8).tiny().instance(seed);
        let packing = thrown(&instance, seed ^ 1);
        check(&instance, &packing) == naive::check(&instance, &packing)
    }

    fn a_promotion_in_force_is_right_exactly_when_its_expansion_is(seed: u64, items: u8) -> bool {
        expansion(seed, items).is_none_or(|(expanded, original)| expanded == original)
    }
}

/// Whether a packing with promotions is right, expanded and collapsed.
fn expansion(seed: u64, items: u8) -> Option<(bool, bool)> {
    let mut shape = Shape::full(3 + items as usize % 6).tiny();
    let mut random = SplitMix64::new(seed ^ 2);
    // Room in time lets singles miss the slots; fewer other rules let more packings be right.
    shape.steps = 30;
    shape.aligns = random.chance(1, 4);
    shape.places = random.chance(1, 4);
    shape.gaps = random.chance(1, 4);
    let instance = shape.instance(seed);
    let count = instance.promotions.len() as u32;
    if count == 0 {
        return None;
    }
    let chosen: Vec<u32> = (0..count).filter(|_| random.chance(1, 2)).collect();
    let expanded = expand(&instance, &chosen)?;
    let mut packing = thrown(&expanded.instance, seed ^ 1);
    // What is colocated lies where it has to, so that most packings are judged by the rest.
    let groups = expanded.instance.groups().expect("valid");
    let mut base = vec![None; groups.len()];
    for (id, &(group, delta)) in groups.iter().enumerate() {
        let at = *base[group as usize].get_or_insert(packing.offsets[id]);
        packing.offsets[id] = at + delta;
    }
    let original = expanded.collapse(&packing);
    Some((check(&expanded.instance, &packing).is_empty(), check(&instance, &original).is_empty()))
}

#[test]
fn some_random_promotions_are_right_so_that_the_property_says_something() {
    let of = |seed: u64| expansion(seed, seed as u8);
    let right = (0..4000).filter(|&seed| of(seed) == Some((true, true))).count();
    let wrong = (0..4000).filter(|&seed| of(seed) == Some((false, false))).count();
    assert!(right > 20 && wrong > 200, "{right} right, {wrong} wrong");
}

#[test]
fn a_packing_of_another_shape_is_refused_as_a_whole() {
    let instance = Shape::plain(3).instance(1);
    let short = Packing { offsets: vec![0; 2], promoted: Vec::new() };
    assert_eq!(check(&instance, &short), [Fault::Shape]);
    let unknown = Packing { offsets: vec![0; 3], promoted: vec![0] };
    assert_eq!(check(&instance, &unknown), [Fault::Shape]);
}

#[test]
fn numbers_near_the_end_of_64_bits_are_faults_not_panics() {
    let items = vec![Item::new(1 << 62, 1, 0, 2), Item::new(1 << 62, 1, 1, 3)];
    let instance = Instance { items, ..Instance::default() };
    let packing = Packing { offsets: vec![u64::MAX, u64::MAX - 5], promoted: Vec::new() };
    let faults = [Fault::Capacity(0), Fault::Capacity(1)];
    assert_eq!(check(&instance, &packing)[..2], faults);
    let packing = Packing { offsets: vec![0, 1 << 62], promoted: Vec::new() };
    assert_eq!(check(&instance, &packing), []);
}

/// A pinned item in the middle: the only packing, one that ignores the pin, one that moves it.
#[test]
fn a_moved_pin_is_a_fault_of_its_own_and_not_an_overlap() {
    let items = [4096, 4096, 8192].map(|size| Item::new(size, 32, 0, 10)).to_vec();
    let mut instance = Instance { items, capacity: Some(16384), ..Instance::default() };
    instance.items[0].pin = Some(4096);
    let at = |offsets: [u64; 3]| Packing { offsets: offsets.to_vec(), promoted: Vec::new() };
    assert_eq!(check(&instance, &at([4096, 0, 8192])), []);
    assert_eq!(check(&instance, &at([4096, 4096, 8192])), [Fault::Overlap(0, 1)]);
    assert_eq!(check(&instance, &at([0, 4096, 8192])), [Fault::Pin(0)]);
}

/// Two conditionals of which the first one's result outlives the second one's start.
#[test]
fn branches_may_overlay_each_other_but_not_another_conditional() {
    let spans = [(1024, 1, 6), (512, 1, 6), (768, 3, 5), (1024, 3, 5)];
    let items = spans.map(|(size, start, end)| Item::new(size, 16, start, end)).to_vec();
    let exclusive = vec![(0, 1), (2, 3)];
    let instance = Instance { items, exclusive, capacity: Some(4096), ..Instance::default() };
    let at = |offsets: [u64; 4]| Packing { offsets: offsets.to_vec(), promoted: Vec::new() };
    assert_eq!(check(&instance, &at([0, 0, 1024, 1024])), []);
    let all = [(0, 2), (0, 3), (1, 2), (1, 3)].map(|(a, b)| Fault::Overlap(a, b));
    assert_eq!(check(&instance, &at([0; 4])), all);
}
