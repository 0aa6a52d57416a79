//! Every row of the two tables of 5.9, in both modes.

use super::world::{BOTH, PAGE, World};
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{Advice, Fault, Location};
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::pointer::{How, Who};
use crate::runtime::status::Status;

/// Who, how, the state before, the state after, and what is counted.
type Row = (Who, How, &'static str, &'static str, &'static [(&'static str, u64)]);

const ROWS: &[Row] = &[
    (Who::Host, How::Read, "U", "H", &[("faults_host", 1), ("allocs", 1)]),
    (Who::Host, How::Write, "U", "H", &[("faults_host", 1), ("allocs", 1)]),
    (Who::Host, How::Read, "H", "H", &[]),
    (Who::Host, How::Write, "H", "H", &[]),
    (Who::Host, How::Read, "D0", "H", &[("faults_host", 1), ("migrations_d2h", 1)]),
    (Who::Host, How::Write, "D0", "H", &[("faults_host", 1), ("migrations_d2h", 1)]),
    (Who::Host, How::Read, "D1", "H", &[("faults_host", 1), ("migrations_d2h", 1)]),
    (Who::Host, How::Write, "D1", "H", &[("faults_host", 1), ("migrations_d2h", 1)]),
    (Who::Host, How::Read, "H-RO", "H-RO", &[]),
    (Who::Host, How::Read, "R{0}", "R{0}", &[]),
    (Who::Host, How::Read, "R{0,1}", "R{0,1}", &[]),
    (Who::Host, How::Write, "H-RO", "H", &[("faults_host", 1), ("collapses", 1)]),
    (Who::Host, How::Write, "R{0}", "H", &[("collapses", 1), ("frees", 1)]),
    (Who::Host, How::Write, "R{0,1}", "H", &[("collapses", 1), ("frees", 2)]),
    (Who::Device(0), How::Read, "U", "D0", &[("faults_device", 1), ("allocs", 1)]),
    (Who::Device(0), How::Write, "U", "D0", &[("faults_device", 1), ("allocs", 1)]),
    (Who::Device(0), How::Read, "H", "D0", &[("faults_device", 1), ("migrations_h2d", 1)]),
    (Who::Device(0), How::Write, "H", "D0", &[("faults_device", 1), ("migrations_h2d", 1)]),
    (Who::Device(0), How::Read, "D0", "D0", &[]),
    (Who::Device(0), How::Write, "D0", "D0", &[]),
    (Who::Device(0), How::Read, "D1", "D0", &[("faults_device", 1), ("migrations_d2d", 1)]),
    (Who::Device(0), How::Write, "D1", "D0", &[("faults_device", 1), ("migrations_d2d", 1)]),
    (Who::Device(0), How::Read, "H-RO", "R{0}", &[("faults_device", 1), ("replicas", 1)]),
    (Who::Device(1), How::Read, "R{0}", "R{0,1}", &[("faults_device", 1), ("replicas", 1)]),
    (Who::Device(0), How::Write, "H-RO", "D0", &[("collapses", 1), ("migrations_h2d", 1)]),
    // By a third place: neither the host nor the device that has the replica.
    (Who::Device(1), How::Write, "R{0}", "D1", &[("collapses", 1), ("frees", 2)]),
    (Who::Device(0), How::Read, "R{0}", "R{0}", &[]),
    (Who::Device(0), How::Read, "R{0,1}", "R{0,1}", &[]),
    (Who::Device(0), How::Write, "R{0}", "D0", &[("collapses", 1), ("migrations_h2d", 0)]),
    (Who::Device(0), How::Write, "R{0,1}", "D0", &[("collapses", 1), ("frees", 2)]),
];

#[test]
fn every_row_of_the_fault_tables_holds_in_both_modes() {
    for mode in BOTH {
        for &(who, how, before, after, counts) in ROWS {
            let row = format!("{mode:?}: {who:?} {how:?} of {before}");
            let mut world = World::new(mode);
            let page = world.page_in(before);
            let done = world.touch(who, page, PAGE, how).unwrap_or_else(|e| panic!("{row}: {e}"));
            assert!(done.as_promised(), "{row}");
            assert_eq!(world.state(page), after, "{row}");
            for &(name, count) in counts {
                assert_eq!(counter(&world, name), count, "{row}: {name}");
            }
            if counts.is_empty() {
                assert_eq!(world.counters, crate::runtime::counters::Counters::default(), "{row}");
                assert_eq!(world.notes.ticks, 0, "{row}");
            }
            let lost = matches!(before, "H-RO" | "R{0}" | "R{1}" | "R{0,1}") && how == How::Write;
            assert_eq!(world.remarked(Code::ReplayUvmRmLost), lost, "{row}");
            assert!(world.notes.quirks.is_empty(), "{row}");
            // A page is gone from wherever it no longer is.
            world.call(|uvm, cx| uvm.free(cx, page)).unwrap_or_else(|e| panic!("{row}: {e}"));
            for bank in [Bank::Host, Bank::Device(0), Bank::Device(1)] {
                assert_eq!(world.memory.used_for(bank, Purpose::Uvm), 0, "{row}: {bank:?}");
            }
        }
    }
}

fn counter(world: &World, name: &str) -> u64 {
    let rows = world.counters.rows();
    rows.iter().find(|row| row.0 == name).unwrap_or_else(|| panic!("{name}")).1
}

#[test]
fn a_touch_of_what_is_not_allocated_is_named_by_who_does_it() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        let past = page + 8 * PAGE;
        for (who, never, freed) in [
            (Who::Host, Code::ReplayUvmWildAccess, Code::ReplayUvmWildAccess),
            (Who::Device(0), Code::ReplayUnmappedAccess, Code::ReplayUaf),
        ] {
            let refused = world.touch(who, past, 1, How::Read).expect_err("never allocated");
            assert_eq!(refused.finding, Some(never), "{mode:?} {who:?}");
            let outside = world.touch(who, 4096, 1, How::Read).expect_err("outside the window");
            assert_eq!(outside.finding, Some(never), "{mode:?} {who:?}");
            let other = world.alloc(1);
            world.call(|uvm, cx| uvm.free(cx, other)).expect("it is live");
            let refused = world.touch(who, other, 1, How::Write).expect_err("free again");
            assert_eq!(refused.finding, Some(freed), "{mode:?} {who:?}");
        }
    }
}

#[test]
fn a_touch_that_runs_past_the_allocation_keeps_the_pages_before() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let range = world.alloc(2);
        let refused = world.touch(Who::Device(0), range, 3 * PAGE, How::Write);
        assert_eq!(refused.expect_err("the third page").finding, Some(Code::ReplayUnmappedAccess));
        assert_eq!((world.state(range), world.state(range + PAGE)), ("D0".into(), "D0".into()));
    }
}

#[test]
fn a_fault_without_a_page_is_oom_and_changes_nothing() {
    for mode in BOTH {
        let mut world = World::sized(mode, 1, 1);
        world.machine.oversub.enabled = false;
        let range = world.alloc(4);
        world.write(Who::Device(0), range, 1);
        let refused = world.touch(Who::Device(0), range, 2 * PAGE, How::Write).expect_err("full");
        assert_eq!(refused.finding, Some(Code::ReplayOomDevice), "{mode:?}");
        assert_eq!(world.state(range + PAGE), "U");
        world.write(Who::Host, range + 2 * PAGE, 1);
        let refused =
            world.touch(Who::Host, range, PAGE, How::Write).expect_err("the host is full");
        assert_eq!(refused.finding, Some(Code::ReplayOomHost), "{mode:?}");
        assert_eq!(world.state(range), "D0");
    }
}

#[test]
fn a_fault_whose_transfer_fails_changes_nothing() {
    for mode in BOTH {
        for (before, who) in [("H", Who::Device(0)), ("D0", Who::Host), ("D1", Who::Device(0))] {
            let mut world = World::new(mode);
            let page = world.page_in(before);
            world.inject(&[Fault::DmaError(1)]);
            let refused = world.touch(who, page, PAGE, How::Write).expect_err("no transfer");
            assert_eq!(refused.status, Status::IoctlFail, "{mode:?} {before}");
            assert_eq!(world.state(page), before, "{mode:?}");
            world.write(who, page, 1);
        }
    }
}

#[test]
fn an_injected_failure_of_the_nth_page_hits_that_page() {
    let mut world = World::new(Mode::Spec);
    let range = world.alloc(4);
    world.inject(&[Fault::FailAlloc(3)]);
    let refused = world.touch(Who::Host, range, 4 * PAGE, How::Write).expect_err("the third");
    assert_eq!(refused.finding, Some(Code::ReplayOomHost));
    let states: Vec<String> = (0..4).map(|n| world.state(range + n * PAGE)).collect();
    assert_eq!(states, ["H", "H", "U", "U"]);
}

#[test]
fn a_fault_costs_the_fault_and_the_transfer() {
    let mut world = World::new(Mode::Spec);
    let (fault, dma) = (world.machine.costs.fault, world.machine.costs.dma_start);
    let (link, peer) = (world.machine.costs.link, world.machine.costs.peer_link);
    let range = world.alloc(3);
    world.write(Who::Host, range, 3);
    assert_eq!(world.notes.ticks, 3 * fault);
    world.write(Who::Device(0), range, 3);
    assert_eq!(world.notes.ticks, 3 * (fault + dma + PAGE / link));
    world.write(Who::Device(1), range, 3);
    assert_eq!(world.notes.ticks, 3 * (fault + dma + PAGE / peer));
    world.write(Who::Device(1), range, 3);
    assert_eq!(world.notes.ticks, 0);
}

#[test]
fn a_crash_of_a_device_loses_all_managed_contents_of_the_process() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let (a, b, c) = (world.page_in("H"), world.page_in("R{0}"), world.page_in("U"));
        world.advise(a, 1, Advice::AccessBy, Location::Device(0)).expect("fine");
        let done = world.call(|uvm, cx| uvm.crash_device(cx, 1));
        let lost: u64 = done.poison.iter().map(|bytes| bytes.len).sum();
        assert_eq!(lost, 2 * PAGE, "{mode:?}");
        for page in [a, b, c] {
            assert_eq!(world.state(page), "U", "{mode:?}");
        }
        world.write(Who::Host, a, 1);
    }
}

#[test]
fn the_end_of_a_process_frees_everything_and_names_what_was_left() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let (a, b) = (world.page_in("R{0,1}"), world.page_in("D1"));
        let left = world.call(|uvm, cx| uvm.close(cx));
        assert_eq!(left.iter().map(|range| range.start).collect::<Vec<_>>(), [a, b], "{mode:?}");
        for bank in [Bank::Host, Bank::Device(0), Bank::Device(1)] {
            assert_eq!(world.memory.used(bank), 0, "{mode:?} {bank:?}");
        }
    }
}
