//! The queries of 5.11.

use super::world::{BOTH, PAGE, World};
use crate::model::machine::Mode;
use crate::model::trace::{Advice, Attribute, Fault, Location};
use crate::runtime::status::{Class, Status};

const D0: Location = Location::Device(0);
const D1: Location = Location::Device(1);
const H: Location = Location::Host;
const N0: Location = Location::HostNuma(0);
const N1: Location = Location::HostNuma(1);

fn ask(world: &mut World, range: u64, attribute: Attribute, size: u64) -> Vec<i64> {
    let answer = world.call(|uvm, cx| uvm.attribute(cx, range, 2 * PAGE, Some(attribute), size));
    answer.expect("a good query")
}

/// Places of two pages, then LOC, TYPE and ID.
const PLACES: &[(Option<Location>, Option<Location>, [i64; 3])] = &[
    (None, None, [-2, 0, -2]),
    (Some(D0), Some(D0), [0, 1, 0]),
    (Some(D1), Some(D1), [1, 1, 1]),
    (Some(D0), Some(D1), [-2, 1, -2]),
    (Some(D0), None, [-2, 0, -2]),
    (None, Some(H), [-2, 0, -2]),
    (Some(H), Some(H), [-1, 2, -1]),
    (Some(H), Some(N1), [-1, 0, -2]),
    (Some(N1), Some(N1), [-1, 3, 1]),
    (Some(N0), Some(N1), [-1, 3, -2]),
    (Some(D1), Some(N1), [-2, 0, -2]),
    (Some(D0), Some(H), [-2, 0, -2]),
];

#[test]
fn preferred_and_prefetched_places_are_common_ones_or_minus_two() {
    for mode in BOTH {
        for &(first, second, wanted) in PLACES {
            let row = format!("{mode:?}: {first:?} {second:?}");
            let mut world = World::new(mode);
            let range = world.alloc(2);
            for (page, place) in [(range, first), (range + PAGE, second)] {
                let Some(place) = place else { continue };
                // U is skipped, and has its last prefetch all the same.
                world.prefetch(page, 1, place).expect(&row);
                world.advise(page, 1, Advice::PreferLocation, place).expect(&row);
            }
            use Attribute as A;
            let preferred = [A::PreferredLoc, A::PreferredLocType, A::PreferredLocId];
            let fetched = [A::LastPrefetchLoc, A::LastPrefetchLocType, A::LastPrefetchLocId];
            for asked in [preferred, fetched] {
                let found = asked.map(|attribute| ask(&mut world, range, attribute, 4));
                assert_eq!(found, wanted.map(|value| vec![value]), "{row} {asked:?}");
            }
        }
    }
}

#[test]
fn read_mostly_is_true_of_a_range_when_it_is_of_all_pages() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let range = world.alloc(2);
        assert_eq!(ask(&mut world, range, Attribute::ReadMostly, 4), [0]);
        world.advise(range, 1, Advice::ReadMostly, H).expect("a page");
        assert_eq!(ask(&mut world, range, Attribute::ReadMostly, 4), [0]);
        world.advise(range + PAGE, 1, Advice::ReadMostly, H).expect("a page");
        assert_eq!(ask(&mut world, range, Attribute::ReadMostly, 4), [1]);
    }
}

#[test]
fn access_by_lists_what_all_pages_have_and_pads() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let range = world.alloc(2);
        world.advise(range, 2, Advice::AccessBy, D1).expect("fine");
        world.advise(range, 2, Advice::AccessBy, H).expect("fine");
        world.advise(range, 1, Advice::AccessBy, D0).expect("fine");
        assert_eq!(ask(&mut world, range, Attribute::AccessBy, 16), [1, -1, -2, -2], "{mode:?}");
        assert_eq!(ask(&mut world, range, Attribute::AccessBy, 4), [1], "{mode:?}");
        let answer =
            world.call(|uvm, cx| uvm.attribute(cx, range, PAGE, Some(Attribute::AccessBy), 12));
        assert_eq!(answer.expect("fine"), [0, 1, -1], "{mode:?}");
    }
}

#[test]
fn wrong_queries_are_refused() {
    for (mode, kernel) in [(Mode::Spec, Status::InvalidValue), (Mode::Source, Status::ParaError)] {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        let mut ask = |address, len, attribute, size| {
            let answer = world.call(|uvm, cx| uvm.attribute(cx, address, len, attribute, size));
            answer.expect_err("a wrong query").status
        };
        let (rm, by) = (Some(Attribute::ReadMostly), Some(Attribute::AccessBy));
        assert_eq!(ask(page, PAGE, None, 4), kernel);
        assert_eq!(ask(page, PAGE, rm, 8), kernel);
        assert_eq!(ask(page, PAGE, rm, 0), kernel);
        assert_eq!(ask(page, PAGE, by, 0), kernel);
        assert_eq!(ask(page, PAGE, by, 6), kernel);
        assert_eq!(ask(page, 2 * PAGE, rm, 4), kernel);
        assert_eq!(ask(page, 0, rm, 4), Status::InvalidValue);
        assert_eq!(ask(4096, PAGE, rm, 4).class(), Class::InvalidArgument);
    }
}

#[test]
fn a_late_query_answers_with_what_was_before() {
    let mut world = World::new(Mode::Spec);
    let range = world.alloc(2);
    world.inject(&[Fault::StaleAttr]);
    world.advise(range, 2, Advice::PreferLocation, D1).expect("fine");
    assert_eq!(ask(&mut world, range, Attribute::PreferredLoc, 4), [-2]);
    world.advise(range, 2, Advice::AccessBy, H).expect("fine");
    assert_eq!(ask(&mut world, range, Attribute::PreferredLoc, 4), [1]);
}
