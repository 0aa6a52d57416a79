//! Every advice of 5.10 on every state, in both modes, with the clarifications of 13.5.

use super::world::{PAGE, World};
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{Advice, Location};
use crate::runtime::pointer::Who;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Class, Status};

const H: Location = Location::Host;
const D0: Location = Location::Device(0);
const N1: Location = Location::HostNuma(1);
const NO: Location = Location::Invalid;

/// Advice, location, state before; then by the document and in the source: the state after, or `busy`.
type Row = (Advice, Location, &'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    (Advice::ReadMostly, NO, "U", "H-RO", "H-RO"),
    (Advice::ReadMostly, NO, "H", "H-RO", "H-RO"),
    (Advice::ReadMostly, D0, "H-RO", "H-RO", "H-RO"),
    (Advice::ReadMostly, D0, "D0", "R{0}", "R{0}"),
    (Advice::ReadMostly, H, "D1", "R{1}", "R{1}"),
    (Advice::ReadMostly, H, "R{0,1}", "R{0,1}", "R{0,1}"),
    (Advice::UnsetReadMostly, H, "U", "U", "U"),
    (Advice::UnsetReadMostly, D0, "H", "H", "H"),
    (Advice::UnsetReadMostly, H, "D0", "D0", "D0"),
    (Advice::UnsetReadMostly, D0, "D1", "D1", "D1"),
    (Advice::UnsetReadMostly, H, "H-RO", "H", "H"),
    (Advice::UnsetReadMostly, D0, "H-RO", "D0", "D0"),
    (Advice::UnsetReadMostly, NO, "R{0,1}", "H", "H"),
    (Advice::UnsetReadMostly, N1, "R{0}", "H", "H"),
    (Advice::UnsetReadMostly, H, "R{0}", "H", "H"),
    (Advice::UnsetReadMostly, D0, "R{0}", "D0", "D0"),
    (Advice::UnsetReadMostly, D0, "R{1}", "D0", "D0"),
    (Advice::UnsetReadMostly, D0, "R{0,1}", "D0", "D0"),
    // The pre-allocation table; in the source not without ACCESS_BY (Q-UVM-5).
    (Advice::PreferLocation, H, "U", "H", "U"),
    (Advice::PreferLocation, N1, "U", "H", "U"),
    (Advice::PreferLocation, D0, "U", "D0", "U"),
    (Advice::PreferLocation, H, "H", "H", "H"),
    (Advice::PreferLocation, D0, "H", "busy", "H"),
    (Advice::PreferLocation, H, "D0", "busy", "D0"),
    (Advice::PreferLocation, N1, "D0", "busy", "D0"),
    (Advice::PreferLocation, D0, "D0", "D0", "D0"),
    (Advice::PreferLocation, D0, "D1", "busy", "D1"),
    (Advice::PreferLocation, H, "H-RO", "H-RO", "H-RO"),
    (Advice::PreferLocation, H, "R{0}", "R{0}", "R{0}"),
    (Advice::PreferLocation, D0, "H-RO", "R{0}", "H-RO"),
    (Advice::PreferLocation, D0, "R{0}", "R{0}", "R{0}"),
    (Advice::PreferLocation, D0, "R{1}", "R{0,1}", "R{1}"),
];

#[test]
fn every_advice_does_to_every_state_what_the_table_says() {
    for &(advice, location, before, spec, source) in ROWS {
        for (mode, after) in [(Mode::Spec, spec), (Mode::Source, source)] {
            let row = format!("{mode:?}: {advice:?} {location:?} on {before}");
            let mut world = World::new(mode);
            let page = world.page_in(before);
            let answer = world.advise(page, 1, advice, location);
            if after == "busy" {
                let refused = answer.expect_err(&row);
                assert_eq!(refused.status.class(), Class::Busy, "{row}");
                assert_eq!(refused.finding, Some(Code::ReplayPreferConflict), "{row}");
                assert_eq!(world.state(page), before, "{row}");
                assert_eq!(world.page(page).expect("a page").preferred, None, "{row}");
            } else {
                let done = answer.unwrap_or_else(|e| panic!("{row}: {e}"));
                assert!(done.as_promised(), "{row}");
                assert_eq!(world.state(page), after, "{row}");
            }
            let differs = spec != source;
            assert_eq!(!world.notes.quirks.is_empty(), differs, "{row}: {:?}", world.notes.quirks);
            if spec == "busy" {
                assert!(world.noted(Quirk::Uvm6), "{row}");
                let warned = world.remarked(Code::ReplayPreferConflict);
                assert_eq!(warned, mode == Mode::Source, "{row}");
            } else if differs {
                assert!(world.noted(Quirk::Uvm5), "{row}");
            }
            // Not a write: the attribute is kept or given up on purpose.
            assert_eq!(world.counters.collapses, 0, "{row}");
        }
    }
}

/// State before, target, then by the document and in the source, when PREFER and ACCESS_BY name it.
const AHEAD: &[(&str, Location, &str, &str)] = &[
    ("U", H, "H", "H"),
    ("U", D0, "D0", "D0"),
    ("H", H, "H", "H"),
    ("H", D0, "busy", "H"),
    ("D0", H, "busy", "D0"),
    ("D0", D0, "D0", "D0"),
    ("D1", D0, "busy", "D1"),
    ("H-RO", H, "H-RO", "H-RO"),
    ("R{0}", H, "R{0}", "R{0}"),
    ("H-RO", D0, "R{0}", "R{0}"),
    ("R{0}", D0, "R{0}", "R{0}"),
    ("R{1}", D0, "R{0,1}", "R{0,1}"),
];

#[test]
fn pages_are_allocated_ahead_when_preferred_and_accessed_from_one_place() {
    for &(before, target, spec, source) in AHEAD {
        for (mode, after) in [(Mode::Spec, spec), (Mode::Source, source)] {
            let row = format!("{mode:?}: ACCESS_BY then PREFER {target:?} on {before}");
            let mut world = World::new(mode);
            let page = world.page_in(before);
            world.advise(page, 1, Advice::AccessBy, target).expect(&row);
            assert_eq!(world.state(page), before, "{row}");
            let answer = world.advise(page, 1, Advice::PreferLocation, target);
            assert_eq!(answer.is_err(), after == "busy", "{row}");
            let now = if after == "busy" { before } else { after };
            assert_eq!(world.state(page), now, "{row}");
        }
    }
}

#[test]
fn access_by_allocates_ahead_where_the_place_is_preferred() {
    for &(before, target, spec, source) in AHEAD {
        for (mode, after) in [(Mode::Spec, spec), (Mode::Source, source)] {
            let row = format!("{mode:?}: PREFER then ACCESS_BY {target:?} on {before}");
            let mut world = World::new(mode);
            let page = world.alloc(1);
            // Preferred first, while nothing forbids it; the state after that.
            world.advise(page, 1, Advice::PreferLocation, target).expect(&row);
            world.counters = Default::default();
            let ready = match (mode, before) {
                (Mode::Spec, "U") => continue,
                (_, state) => state,
            };
            reset(&mut world, page);
            world.make(page, ready);
            let answer = world.advise(page, 1, Advice::AccessBy, target);
            assert_eq!(answer.is_err(), after == "busy", "{row}");
            let now = if after == "busy" { before } else { after };
            assert_eq!(world.state(page), now, "{row}");
            // Once the bit is set nothing more is tried.
            if after != "busy" {
                let counters = world.counters;
                world.advise(page, 1, Advice::AccessBy, target).expect(&row);
                assert_eq!(world.counters, counters, "{row}");
            }
        }
    }
}

/// Back to U with the advice kept; no call does that, so by hand.
fn reset(world: &mut World, address: u64) {
    let page = world.page(address).expect("a page").clone();
    let state = world.state(address);
    let at = world.uvm.page_of(address);
    world.call(|uvm, cx| {
        uvm.give_replicas(cx, &page, 1, None);
        if page.on_host() {
            uvm.give_host(cx, &page, 1);
        }
        let home = super::super::page::Home::Unmapped;
        uvm.runs.set(at, at + 1, Some(page.with_home(home)));
    });
    assert_eq!(world.state(address), "U", "from {state}");
}

#[test]
fn a_value_that_is_set_already_allocates_ahead_by_the_document_only() {
    for (mode, after) in [(Mode::Spec, "D0"), (Mode::Source, "U")] {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        world.advise(page, 1, Advice::PreferLocation, D0).expect("U is fine");
        reset(&mut world, page);
        world.advise(page, 1, Advice::AccessBy, H).expect("another place");
        world.advise(page, 1, Advice::PreferLocation, D0).expect("the same again");
        assert_eq!(world.state(page), after, "{mode:?}");
    }
}

#[test]
fn a_numa_node_is_preferred_and_never_accessed_from() {
    for mode in [Mode::Spec, Mode::Source] {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        for advice in [Advice::AccessBy, Advice::UnsetAccessBy] {
            let refused = world.advise(page, 1, advice, N1).expect_err("a node");
            assert_eq!(refused.status.class(), Class::InvalidArgument, "{mode:?}");
        }
        world.advise(page, 1, Advice::AccessBy, H).expect("the host");
        world.advise(page, 1, Advice::PreferLocation, N1).expect("a node");
        // In the source a node never equals the host of ACCESS_BY.
        let after = if mode == Mode::Spec { "H" } else { "U" };
        assert_eq!(world.state(page), after);
        let offline = world.advise(page, 1, Advice::PreferLocation, Location::HostNuma(4));
        assert_eq!(offline.expect_err("4 nodes").status.class(), Class::InvalidArgument);
    }
}

#[test]
fn bad_arguments_are_refused_with_the_code_of_the_mode() {
    for (mode, kernel) in [(Mode::Spec, Status::InvalidValue), (Mode::Source, Status::ParaError)] {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        let mut advise = |address, len, advice, location| {
            let answer = world.call(|uvm, cx| uvm.advise(cx, address, len, advice, location));
            answer.expect_err("a bad argument").status
        };
        let rm = Some(Advice::ReadMostly);
        let prefer = Some(Advice::PreferLocation);
        assert_eq!(advise(page, 0, rm, H), Status::InvalidValue);
        assert_eq!(advise(4096, PAGE, rm, H), Status::InvalidValue);
        assert_eq!(advise(page, u64::MAX, rm, H), Status::InvalidValue);
        assert_eq!(advise(page, PAGE, None, H), kernel);
        assert_eq!(advise(page + PAGE, PAGE, rm, H), kernel);
        assert_eq!(advise(page, PAGE, prefer, NO), kernel);
        assert_eq!(advise(page, PAGE, prefer, Location::Device(65)), kernel);
        assert_eq!(advise(page, PAGE, prefer, Location::Device(2)), Status::InvalidDevice);
    }
}

#[test]
fn advice_that_finds_no_page_leaves_that_page_alone() {
    for mode in [Mode::Spec, Mode::Source] {
        let mut world = World::sized(mode, 2, 2);
        let range = world.alloc(3);
        let refused = world.advise(range, 3, Advice::ReadMostly, H).expect_err("two host pages");
        assert_eq!(refused.status, Status::OutOfMemory, "{mode:?}");
        let states: Vec<String> = (0..3).map(|n| world.state(range + n * PAGE)).collect();
        assert_eq!(states, ["H-RO", "H-RO", "U"], "{mode:?}");
        let other = world.alloc(3);
        world.advise(other, 3, Advice::AccessBy, D0).expect("a bit");
        let refused = world.advise(other, 3, Advice::PreferLocation, D0).expect_err("two pages");
        assert_eq!(refused.status, Status::OutOfMemory, "{mode:?}");
        let page = world.page(other + 2 * PAGE).expect("a page");
        assert_eq!(page.preferred, None, "{mode:?}");
        let attribute = world.page(other + PAGE).expect("a page").preferred;
        assert_eq!(attribute, Some(D0), "{mode:?}");
    }
}

#[test]
fn preferring_a_place_changes_no_fault() {
    for mode in [Mode::Spec, Mode::Source] {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        world.advise(page, 1, Advice::PreferLocation, D0).expect("U is fine");
        world.write(Who::Host, page, 1);
        assert_eq!(world.state(page), "H", "{mode:?}");
        world.write(Who::Device(1), page, 1);
        assert_eq!(world.state(page), "D1", "{mode:?}");
    }
}

#[test]
fn unsetting_clears_what_was_set() {
    for mode in [Mode::Spec, Mode::Source] {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        world.advise(page, 1, Advice::PreferLocation, D0).expect("fine");
        world.advise(page, 1, Advice::AccessBy, H).expect("fine");
        world.advise(page, 1, Advice::AccessBy, D0).expect("fine");
        world.advise(page, 1, Advice::UnsetPreferLocation, NO).expect("no place is needed");
        world.advise(page, 1, Advice::UnsetAccessBy, D0).expect("fine");
        let known = world.page(page).expect("a page");
        assert_eq!(known.preferred, None);
        assert_eq!((known.access_by.devices, known.access_by.host), (0, true), "{mode:?}");
    }
}

#[test]
fn a_replica_that_was_let_go_is_made_again_by_the_document_only() {
    for (mode, after) in [(Mode::Spec, "R{0}"), (Mode::Source, "H-RO")] {
        let mut world = World::new(mode);
        let page = world.page_in("R{0}");
        world.advise(page, 1, Advice::AccessBy, D0).expect("fine");
        world.advise(page, 1, Advice::PreferLocation, D0).expect("it is there");
        assert!(world.call(|uvm, cx| uvm.evict(cx, page)));
        // The value is set already: nothing is to be done, says the source.
        world.advise(page, 1, Advice::PreferLocation, D0).expect("fine");
        assert_eq!(world.state(page), after, "{mode:?}");
        assert!(world.noted(Quirk::Uvm5), "{mode:?}");
    }
}
