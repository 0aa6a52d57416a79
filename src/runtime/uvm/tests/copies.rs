//! Memset and copies (5.13, 13.5), each row in both modes.

use super::super::Bytes;
use super::world::{BOTH, PAGE, World};
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::runtime::pointer::Who;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::Status;

const STATES: [&str; 7] = ["U", "H", "D0", "D1", "H-RO", "R{0}", "R{0,1}"];

#[test]
fn memset_writes_pages_where_they_are() {
    for mode in BOTH {
        for before in STATES {
            let mut world = World::new(mode);
            let page = world.page_in(before);
            let done = world.call(|uvm, cx| uvm.memset(cx, page, PAGE)).expect("allocated");
            assert!(done.as_promised());
            let after = if before == "U" { "H" } else { before };
            assert_eq!(world.state(page), after, "{mode:?} {before}");
            assert_eq!(world.counters.collapses, 0, "{mode:?} {before}");
            assert!(!world.remarked(Code::ReplayUvmRmLost), "{mode:?} {before}");
            // The host's thread does it: nothing faults.
            assert_eq!(world.counters.faults_host, 0, "{mode:?} {before}");
        }
    }
}

#[test]
fn memset_of_what_is_not_allocated_is_refused_whole() {
    for (mode, status) in [(Mode::Spec, Status::InvalidValue), (Mode::Source, Status::ParaError)] {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        let refused = world.call(|uvm, cx| uvm.memset(cx, page, PAGE + 1)).expect_err("one page");
        assert_eq!(refused.status, status);
        assert_eq!(world.state(page), "U", "{mode:?}");
        let refused = world.call(|uvm, cx| uvm.memset(cx, page, 0)).expect_err("no bytes");
        assert_eq!(refused.status, Status::InvalidValue);
    }
}

#[test]
fn a_copy_between_managed_ranges_follows_the_table() {
    for mode in BOTH {
        for source in STATES {
            for before in STATES {
                let row = format!("{mode:?}: {source} to {before}");
                let mut world = World::new(mode);
                let (src, dst) = (world.page_in(source), world.page_in(before));
                let answer = world.call(|uvm, cx| uvm.copy(cx, dst, src, PAGE));
                if source == "U" {
                    let refused = answer.expect_err(&row);
                    assert_eq!(refused.status, Status::InvalidHandle, "{row}");
                    assert_eq!(refused.finding, Some(Code::ReplayUninitRead), "{row}");
                    assert_eq!(world.state(dst), before, "{row}");
                    continue;
                }
                let done = answer.unwrap_or_else(|e| panic!("{row}: {e}"));
                let apart = matches!((source, before), ("D0", "D1") | ("D1", "D0"));
                let left_out = apart && mode == Mode::Source;
                let missing = if left_out { vec![Bytes { start: dst, len: PAGE }] } else { vec![] };
                assert_eq!(done.missing, missing, "{row}");
                assert_eq!(world.noted(Quirk::Uvm13), apart, "{row}");
                let after = match before {
                    "D0" | "D1" => before,
                    _ => "H",
                };
                assert_eq!(world.state(dst), after, "{row}");
                assert_eq!(world.state(src), source, "{row}");
                let read_mostly = before == "H-RO" || before.starts_with('R');
                assert_eq!(world.counters.collapses, u64::from(read_mostly), "{row}");
                assert_eq!(world.remarked(Code::ReplayUvmRmLost), read_mostly, "{row}");
            }
        }
    }
}

#[test]
fn a_copy_to_pages_that_are_not_allocated_copies_nothing_there() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let src = world.alloc(3);
        world.write(Who::Host, src, 3);
        let dst = world.alloc(2);
        let past = dst + 2 * PAGE;
        for copied_in in [false, true] {
            let answer = world.call(|uvm, cx| {
                if copied_in {
                    uvm.copy_in(cx, dst, 3 * PAGE)
                } else {
                    uvm.copy(cx, dst, src, 3 * PAGE)
                }
            });
            assert!(world.noted(Quirk::Uvm12), "{mode:?}");
            match mode {
                Mode::Spec => {
                    assert_eq!(answer.expect_err("bad").status, Status::InvalidValue);
                    assert_eq!(world.state(dst), "U");
                }
                Mode::Source => {
                    let missing = answer.expect("success").missing;
                    assert_eq!(missing, [Bytes { start: past, len: PAGE }]);
                    assert_eq!(world.state(dst), "H");
                }
            }
        }
    }
}

#[test]
fn copies_in_and_out_treat_pages_as_destination_and_source() {
    for mode in BOTH {
        for before in STATES {
            let mut world = World::new(mode);
            let page = world.page_in(before);
            let out = world.call(|uvm, cx| uvm.copy_out(cx, page, PAGE));
            // By the document reading U is for the reader's shadow to find.
            let refused = before == "U" && mode == Mode::Source;
            assert_eq!(out.is_err(), refused, "{mode:?} {before}");
            assert_eq!(world.state(page), before, "{mode:?}");
            world.call(|uvm, cx| uvm.copy_in(cx, page + 5, 10)).expect("allocated");
            let after = if before.starts_with('D') { before } else { "H" };
            assert_eq!(world.state(page), after, "{mode:?} {before}");
        }
    }
}

#[test]
fn a_copy_between_odd_addresses_is_cut_at_the_borders_of_both_sides() {
    let mut world = World::new(Mode::Source);
    let (src, dst) = (world.alloc(2), world.alloc(2));
    world.write(Who::Device(0), src, 1);
    world.write(Who::Device(1), src + PAGE, 1);
    world.write(Who::Device(1), dst, 1);
    world.write(Who::Device(0), dst + PAGE, 1);
    // src page 0 -> dst 0 (apart), src 0 -> dst 1 (alike), src 1 -> dst 1 (apart).
    let answer = world.call(|uvm, cx| uvm.copy(cx, dst + 1000, src, PAGE + 500)).expect("success");
    let missing = [
        Bytes { start: dst + 1000, len: PAGE - 1000 },
        Bytes { start: dst + 1000 + PAGE, len: 500 },
    ];
    assert_eq!(answer.missing, missing);
}
