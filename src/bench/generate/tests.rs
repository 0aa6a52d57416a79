//! What instances promise.

use memplan_packing::{Instance, Item, Packing, bounds, check::check};
use quickcheck::quickcheck;

use super::*;

fn order(text: &str) -> Order {
    text.parse().expect("an order")
}

fn instance(blocks: &[Line]) -> Instance {
    let item = |l: &Line| Item::new(l.size, l.alignment, l.lower, l.upper);
    Instance { items: blocks.iter().map(item).collect(), ..Instance::default() }
}

quickcheck! {
    fn a_perfect_instance_fills_its_capacity_at_every_step_and_has_a_plan(count: u16, seed: u64) -> bool {
        let count = u32::from(count) % 500 + 1;
        let order = Order { kind: Kind::Perfect, count, seed };
        let pieces = cut::cut(count as usize, &mut order.random());
        let (blocks, offsets): (Vec<Line>, Vec<u64>) = pieces.into_iter().unzip();
        let made = generate(&order);
        assert_eq!((made.capacity, made.optimum), (Some(cut::HEIGHT), Some(cut::HEIGHT)));
        assert_eq!(made.blocks, blocks);
        let instance = Instance { capacity: made.capacity, ..instance(&blocks) };
        let packing = Packing { offsets, promoted: Vec::new() };
        assert_eq!(check(&instance, &packing), []);
        let steps = blocks.iter().map(|l| l.upper).max().unwrap_or(0);
        let area: u64 = blocks.iter().map(|l| (l.upper - l.lower) * l.size).sum();
        assert_eq!(area, steps * cut::HEIGHT);
        bounds::max_load(&instance).sum == cut::HEIGHT
    }
}

#[test]
fn a_near_instance_is_a_perfect_one_with_some_left_out() {
    let perfect = generate(&order("perfect,100,7"));
    for (text, left) in [("near,100,7", 95), ("near:0,100,7", 100), ("near:50,100,7", 50)] {
        let near = generate(&order(text));
        assert_eq!(near.blocks, perfect.blocks[..left]);
        assert_eq!(near.capacity, perfect.capacity);
        assert_eq!(near.optimum.is_some(), left == 100);
    }
    assert_eq!(generate(&order("near,60,1")).name, "near5-60-1");
}

#[test]
fn every_kind_has_as_many_blocks_as_asked_and_depends_on_all_that_was_asked() {
    for kind in Kind::names().into_iter().filter(|kind| *kind != "near") {
        for count in [1, 2, 3, 17, 250] {
            let made = generate(&order(&format!("{kind},{count},5")));
            assert_eq!(made.blocks.len(), count, "{kind}");
            assert!(made.blocks.iter().all(|l| l.lower < l.upper && l.size > 0), "{kind}");
            assert_eq!(instance(&made.blocks).validate(), Ok(()), "{kind}");
        }
        let [same, again, other] =
            [5, 5, 6].map(|seed| generate(&order(&format!("{kind},40,{seed}"))).blocks);
        assert_eq!(same, again);
        assert_ne!(same, other);
    }
}

#[test]
fn a_wrong_order_says_what_is_wrong() {
    let wrong = |text: &str| text.parse::<Order>().expect_err(text);
    assert!(wrong("perfect,60").starts_with("write KIND,N,SEED"));
    assert!(wrong("perfekt,60,1").starts_with("no kind `perfekt`; there are perfect, near"));
    assert!(wrong("perfect,0,1").starts_with("N is a number of buffers"));
    assert!(wrong("perfect,9999999999,1").starts_with("N is a number of buffers"));
    assert!(wrong("chain,5,-1").starts_with("SEED is a number"));
    assert!(wrong("near:91,5,1").starts_with("`near:P`"));
    assert!(wrong("chain:5,5,1").starts_with("`chain` takes no percentage"));
}
