//! The table of 5.12 in both modes, with the clarifications of 13.5.

use super::world::{BOTH, PAGE, World};
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{Advice, Fault, Location};
use crate::runtime::pointer::Who;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Class, Status};

const D0: Location = Location::Device(0);
const D1: Location = Location::Device(1);
const H: Location = Location::Host;
const N1: Location = Location::HostNuma(1);

/// State before, target, state after by the document and in the source (`NotSupport`: refused), pages
/// moved by the document and in the source, and the quirk where they differ.
type Row = (&'static str, Location, &'static str, &'static str, (u64, u64), Option<Quirk>);

const ROWS: &[Row] = &[
    ("U", D0, "U", "U", (0, 0), None),
    ("U", H, "U", "U", (0, 0), None),
    ("U", N1, "U", "U", (0, 0), None),
    ("H", D0, "D0", "D0", (1, 1), None),
    ("H-RO", D0, "R{0}", "R{0}", (1, 1), None),
    ("R{1}", D0, "R{0,1}", "R{0,1}", (1, 1), None),
    ("R{0}", D0, "R{0}", "R{0}", (0, 0), None),
    ("D0", H, "H", "H", (1, 1), None),
    ("D1", N1, "H", "H", (1, 1), None),
    ("H", H, "H", "NotSupport", (0, 0), Some(Quirk::Uvm19)),
    ("H-RO", H, "H-RO", "NotSupport", (0, 0), Some(Quirk::Uvm19)),
    ("R{0}", H, "R{0}", "NotSupport", (0, 0), Some(Quirk::Uvm19)),
    ("H", N1, "H", "H", (1, 1), None),
    ("H-RO", N1, "H-RO", "H-RO", (1, 1), None),
    ("R{0}", N1, "R{0}", "R{0}", (1, 1), None),
    ("D0", D0, "D0", "D0", (0, 0), None),
    ("D1", D0, "D0", "D1", (1, 0), Some(Quirk::Uvm9)),
];

#[test]
fn every_row_of_the_prefetch_table_holds_in_both_modes() {
    for &(before, target, spec, source, moved, quirk) in ROWS {
        for (mode, after, moved) in [(Mode::Spec, spec, moved.0), (Mode::Source, source, moved.1)] {
            let row = format!("{mode:?}: {before} to {target:?}");
            let mut world = World::new(mode);
            let page = world.page_in(before);
            let answer = world.prefetch(page, 1, target);
            if after == "NotSupport" {
                assert_eq!(answer.expect_err(&row).status, Status::NotSupport, "{row}");
                assert_eq!(world.state(page), before, "{row}");
                assert_eq!(world.page(page).expect("a page").last_prefetch, None, "{row}");
                assert!(world.noted(Quirk::Uvm19), "{row}");
                continue;
            }
            let done = answer.unwrap_or_else(|e| panic!("{row}: {e}"));
            assert!(done.as_promised(), "{row}");
            assert_eq!(world.state(page), after, "{row}");
            assert_eq!(world.counters.prefetched, moved, "{row}");
            assert_eq!(world.notes.quirks, quirk.into_iter().collect::<Vec<_>>(), "{row}");
            assert_eq!(world.page(page).expect("a page").last_prefetch, Some(target), "{row}");
            let useless = world.remarked(Code::ReplayPrefetchUseless);
            assert_eq!(useless, moved == 0, "{row}");
            let faults = world.counters.faults_host + world.counters.faults_device;
            assert_eq!(faults, 0, "{row}");
        }
    }
}

#[test]
fn a_replica_that_is_there_is_sent_again() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.page_in("R{0}");
        world.prefetch(page, 1, D0).expect("success");
        assert_eq!(world.counters.bytes_moved, PAGE, "{mode:?}");
    }
}

#[test]
fn pages_side_by_side_travel_together() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let (dma, link) = (world.machine.costs.dma_start, world.machine.costs.link);
        let range = world.alloc(20);
        world.write(Who::Host, range, 20);
        world.prefetch(range, 20, D0).expect("success");
        assert_eq!(world.notes.ticks, 2 * dma + 20 * (PAGE / link), "{mode:?}");
    }
}

#[test]
fn a_page_that_is_not_allocated_stops_everything_or_what_follows() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let range = world.alloc(17);
        world.write(Who::Host, range, 17);
        let refused = world.prefetch(range, 18, D0).expect_err("17 pages are allocated");
        assert_eq!(refused.status.class(), Class::InvalidArgument, "{mode:?}");
        // The source has sent one full message by then, and forgets what it has collected after it.
        let states = [0, 15, 16].map(|n| world.state(range + n * PAGE));
        let moved = if mode == Mode::Spec { ["H", "H", "H"] } else { ["D0", "D0", "H"] };
        assert_eq!(states, moved, "{mode:?}");
        let last = [15, 16].map(|n| world.page(range + n * PAGE).expect("a page").last_prefetch);
        assert_eq!(last, if mode == Mode::Spec { [None; 2] } else { [Some(D0), None] }, "{mode:?}");
    }
}

#[test]
fn prefetch_arguments_are_checked() {
    for (mode, kernel) in [(Mode::Spec, Status::InvalidValue), (Mode::Source, Status::ParaError)] {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        let mut prefetch = |address, len, location, flags| {
            let answer = world.call(|uvm, cx| uvm.prefetch(cx, address, len, location, flags));
            answer.expect_err("a bad argument").status
        };
        assert_eq!(prefetch(page, PAGE, D0, 1), Status::NotSupport);
        assert_eq!(prefetch(page, 0, D0, 0), Status::InvalidValue);
        assert_eq!(prefetch(64, PAGE, D0, 0), Status::InvalidValue);
        assert_eq!(prefetch(page, PAGE, Location::Invalid, 0), kernel);
        assert_eq!(prefetch(page, PAGE, Location::HostNuma(4), 0), kernel);
        assert_eq!(prefetch(page, PAGE, Location::Device(65), 0), kernel);
        assert_eq!(prefetch(page, PAGE, Location::Device(2), 0), Status::InvalidDevice);
    }
}

#[test]
fn a_prefetch_that_finds_no_room_leaves_the_page_and_succeeds() {
    for mode in BOTH {
        let mut world = World::sized(mode, 2, 8);
        let range = world.alloc(4);
        world.write(Who::Host, range, 4);
        world.prefetch(range, 4, D0).expect("a hint");
        let states: Vec<String> = (0..4).map(|n| world.state(range + n * PAGE)).collect();
        assert_eq!(states, ["D0", "D0", "H", "H"], "{mode:?}");
        assert_eq!(world.counters.prefetch_failed, 2, "{mode:?}");
        assert_eq!(world.page(range + 3 * PAGE).expect("a page").last_prefetch, Some(D0));
    }
}

#[test]
fn pages_that_were_prefetched_and_never_touched_are_named_when_freed() {
    for mode in BOTH {
        for touched in [false, true] {
            let mut world = World::new(mode);
            let page = world.page_in("H");
            world.prefetch(page, 1, D0).expect("success");
            assert!(!world.remarked(Code::ReplayPrefetchUseless));
            if touched {
                world.read(Who::Device(0), page, 1);
            }
            world.call(|uvm, cx| uvm.free(cx, page)).expect("live");
            assert_eq!(world.remarked(Code::ReplayPrefetchUseless), !touched, "{mode:?}");
        }
    }
}

#[test]
fn a_batch_sends_each_range_to_its_place() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let range = world.alloc(3);
        world.write(Who::Host, range, 3);
        let ranges = [0, 1, 2].map(|n| (range + n * PAGE, PAGE));
        let places = [D0, D1];
        let mut batch = |ranges: &[(u64, u64)], index: &[u64], flags, later| {
            let answer =
                world.call(|uvm, cx| uvm.prefetch_batch(cx, ranges, &places, index, flags, later));
            answer.map(|_| ()).map_err(|e| e.status)
        };
        for wrong in [&[1, 2][..], &[0, 0], &[2, 0], &[0, 3], &[0], &[0, 1, 2]] {
            assert_eq!(batch(&ranges, wrong, 0, false), Err(Status::InvalidValue), "{wrong:?}");
        }
        assert_eq!(batch(&[], &[0, 1], 0, false), Err(Status::InvalidValue));
        assert_eq!(batch(&vec![ranges[0]; 4097], &[0, 1], 0, false), Err(Status::InvalidValue));
        assert_eq!(batch(&ranges, &[0, 1], 1, false), Err(Status::NotSupport));
        assert_eq!(batch(&ranges, &[0, 1], 0, false), Ok(()));
        let states = [0, 1, 2].map(|n| world.state(range + n * PAGE));
        assert_eq!(states, ["D0", "D1", "D1"], "{mode:?}");
    }
}

#[test]
fn a_batch_may_run_backwards() {
    let mut world = World::new(Mode::Spec);
    let page = world.page_in("H");
    world.inject(&[Fault::ReorderBatch]);
    let (ranges, places) = ([(page, PAGE), (page, PAGE)], [D0, D1]);
    world
        .call(|uvm, cx| uvm.prefetch_batch(cx, &ranges, &places, &[0, 1], 0, false))
        .expect("success");
    assert_eq!(world.state(page), "D0");
}

#[test]
fn read_mostly_pages_keep_the_host_copy_when_prefetched() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.page_in("H");
        world.advise(page, 1, Advice::ReadMostly, H).expect("fine");
        world.prefetch(page, 1, D0).expect("success");
        world.prefetch(page, 1, D1).expect("success");
        assert_eq!(world.state(page), "R{0,1}", "{mode:?}");
        world.read(Who::Host, page, 1);
        world.read(Who::Device(0), page, 1);
        assert_eq!(world.counters.faults_device + world.counters.faults_host, 0, "{mode:?}");
    }
}
