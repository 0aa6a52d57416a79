//! The rows Q-UVM-* of section 7 where the modes act apart: both sides, and that it is noted.

use super::super::Bytes;
use super::world::{BOTH, PAGE, World};
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{Advice, Attribute, Fault, Location};
use crate::runtime::memory::Bank;
use crate::runtime::pointer::{How, Who};
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Class, Status};

const D0: Location = Location::Device(0);
const D1: Location = Location::Device(1);
const H: Location = Location::Host;

fn states(world: &World, range: u64, pages: u64) -> Vec<String> {
    (0..pages).map(|n| world.state(range + n * PAGE)).collect()
}

#[test]
fn q_uvm_1_a_free_frees_every_page() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let range = world.alloc(3);
        world.write(Who::Device(1), range, 2);
        world.inject(&[Fault::DmaError(1), Fault::FailAlloc(1)]);
        world.call(|uvm, cx| uvm.free(cx, range)).expect("no page can fail");
        assert_eq!(world.memory.used(Bank::Device(1)), 0, "{mode:?}");
    }
}

#[test]
fn q_uvm_3_mixed_up_ids_cost_contents_in_the_source() {
    for mode in BOTH {
        // Device 0 is taken for device 1, which has a replica: nothing is copied to device 0.
        let mut world = World::new(mode);
        world.machine.device_ids_differ = true;
        let page = world.page_in("H-RO");
        world.read(Who::Device(1), page, 1);
        assert!(!world.noted(Quirk::Uvm3));
        let done = world.touch(Who::Device(0), page, PAGE, How::Read).expect("success");
        let stale =
            if mode == Mode::Source { vec![Bytes { start: page, len: PAGE }] } else { vec![] };
        assert_eq!(done.stale, stale, "{mode:?}");
        assert!(world.noted(Quirk::Uvm3), "{mode:?}");
        // The host still has the contents.
        let done = world.touch(Who::Host, page, PAGE, How::Write).expect("success");
        assert!(done.as_promised(), "{mode:?}");
    }
    // A write through such a replica leaves nothing but what is written.
    let mut world = World::new(Mode::Source);
    world.machine.device_ids_differ = true;
    let page = world.page_in("R{1}");
    let done = world.touch(Who::Device(0), page, 8, How::Write).expect("success");
    assert_eq!(done.poison, [Bytes { start: page, len: PAGE }]);
}

#[test]
fn q_uvm_4_device_64_is_the_host_in_the_source() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        let id = Location::Device(64);
        let answer = world.advise(page, 1, Advice::AccessBy, id);
        assert!(world.noted(Quirk::Uvm4), "{mode:?}");
        assert_eq!(answer.is_ok(), mode == Mode::Source);
        let answer = world.prefetch(page, 1, id);
        assert_eq!(answer.is_ok(), mode == Mode::Source);
        let list = world.call(|uvm, cx| {
            uvm.attribute(cx, page, PAGE, Some(Attribute::AccessBy), 4).expect("fine")
        });
        assert_eq!(list, [if mode == Mode::Source { -1 } else { -2 }]);
    }
}

#[test]
fn q_uvm_7_an_absent_page_drops_what_was_collected_in_the_source() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let range = world.alloc(6);
        world.write(Who::Host, range, 2);
        world.write(Who::Host, range + 3 * PAGE, 2);
        world.prefetch(range, 6, D0).expect("success");
        assert!(world.noted(Quirk::Uvm7), "{mode:?}");
        // The last page is absent as well.
        let source = ["H", "H", "U", "H", "H", "U"];
        let spec = ["D0", "D0", "U", "D0", "D0", "U"];
        let wanted = if mode == Mode::Spec { spec } else { source };
        assert_eq!(states(&world, range, 6), wanted, "{mode:?}");
        let last = world.page(range).expect("a page").last_prefetch;
        assert_eq!(last, Some(D0), "{mode:?}: skipped pages have it too");
    }
}

#[test]
fn q_uvm_8_a_replica_that_nobody_confirms() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.page_in("H-RO");
        world.inject(&[Fault::AckTimeout(1)]);
        let answer = world.prefetch(page, 1, D0);
        assert!(world.noted(Quirk::Uvm8), "{mode:?}");
        match mode {
            Mode::Spec => {
                assert_eq!(answer.expect_err("no answer").status, Status::WaitTimeout);
                assert_eq!(world.state(page), "H-RO");
                assert_eq!(world.memory.used(Bank::Device(0)), 0);
            }
            Mode::Source => {
                assert!(answer.expect("success").as_promised());
                assert_eq!(world.state(page), "R{0}");
                let seen = world.touch(Who::Device(0), page + 3, 4, How::Read).expect("no fault");
                assert_eq!(seen.stale, [Bytes { start: page + 3, len: 4 }]);
                let seen = world.touch(Who::Host, page, 4, How::Read).expect("no fault");
                assert!(seen.as_promised());
                // Sent again it is good.
                world.prefetch(page, 1, D0).expect("success");
                let seen = world.touch(Who::Device(0), page, 4, How::Read).expect("no fault");
                assert!(seen.as_promised());
            }
        }
    }
}

#[test]
fn q_uvm_8_a_write_through_a_stale_replica_loses_the_page() {
    for (advice, write) in [(None, true), (Some(Advice::UnsetReadMostly), false)] {
        let mut world = World::new(Mode::Source);
        let page = world.page_in("H-RO");
        world.inject(&[Fault::AckTimeout(1)]);
        world.prefetch(page, 1, D0).expect("success");
        let done = match advice {
            Some(advice) => world.advise(page, 1, advice, D0),
            None => world.touch(Who::Device(0), page, 4, How::Write),
        };
        assert_eq!(done.expect("success").poison, [Bytes { start: page, len: PAGE }], "{write}");
        assert_eq!(world.state(page), "D0");
    }
}

#[test]
fn q_uvm_9_a_prefetch_between_devices() {
    for (mode, after) in [(Mode::Spec, ["D1", "D1"]), (Mode::Source, ["D0", "D1"])] {
        let mut world = World::new(mode);
        let range = world.alloc(2);
        world.write(Who::Device(0), range, 1);
        world.write(Who::Device(1), range + PAGE, 1);
        world.prefetch(range, 2, D1).expect("success");
        assert_eq!(states(&world, range, 2), after, "{mode:?}");
        assert!(world.noted(Quirk::Uvm9));
        assert_eq!(world.counters.migrations_d2d, u64::from(mode == Mode::Spec));
    }
}

#[test]
fn q_uvm_10_a_prefetch_whose_transfer_fails() {
    for mode in BOTH {
        for (before, target, after) in [("H", D0, "D0"), ("D1", H, "H")] {
            let mut world = World::new(mode);
            let page = world.page_in(before);
            world.inject(&[Fault::DmaError(1)]);
            let answer = world.prefetch(page, 1, target);
            assert!(world.noted(Quirk::Uvm10), "{mode:?} {before}");
            match mode {
                Mode::Spec => {
                    assert_eq!(answer.expect_err("failed").status, Status::IoctlFail);
                    assert_eq!(world.state(page), before);
                    assert_eq!(world.page(page).expect("a page").last_prefetch, None);
                }
                Mode::Source => {
                    let done = answer.expect("success");
                    assert_eq!(done.poison, [Bytes { start: page, len: PAGE }]);
                    assert_eq!(world.state(page), after);
                }
            }
        }
    }
}

#[test]
fn q_uvm_10_a_failed_message_spoils_all_of_its_pages() {
    let mut world = World::new(Mode::Source);
    let range = world.alloc(20);
    world.write(Who::Host, range, 20);
    world.inject(&[Fault::DmaError(2)]);
    let done = world.prefetch(range, 20, D0).expect("success");
    assert_eq!(done.poison, [Bytes { start: range + 16 * PAGE, len: 4 * PAGE }]);
}

#[test]
fn q_uvm_11_an_asynchronous_batch() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.page_in("H");
        let answer =
            world.call(|uvm, cx| uvm.prefetch_batch(cx, &[(page, PAGE)], &[D0], &[0], 0, true));
        assert!(world.noted(Quirk::Uvm11), "{mode:?}");
        assert_eq!(
            answer.map_err(|e| e.status.class()).err(),
            match mode {
                Mode::Spec => None,
                Mode::Source => Some(Class::Unsupported),
            }
        );
        assert_eq!(world.state(page), if mode == Mode::Spec { "D0" } else { "H" });
    }
}

#[test]
fn q_uvm_14_which_copy_stays() {
    for (preferred, argument, spec, source) in
        [(D0, H, "H", "D0"), (H, D0, "D0", "H"), (D0, D1, "D1", "D0")]
    {
        for (mode, after) in [(Mode::Spec, spec), (Mode::Source, source)] {
            let mut world = World::new(mode);
            let page = world.page_in("R{0,1}");
            world.advise(page, 1, Advice::PreferLocation, preferred).expect("fine");
            world.advise(page, 1, Advice::UnsetReadMostly, argument).expect("fine");
            assert_eq!(world.state(page), after, "{mode:?} {preferred:?} {argument:?}");
            assert!(world.noted(Quirk::Uvm14));
        }
    }
}

#[test]
fn q_uvm_16_advice_that_meets_a_bad_page() {
    for (mode, after) in [(Mode::Spec, "U"), (Mode::Source, "H-RO")] {
        let mut world = World::new(mode);
        let range = world.alloc(2);
        let refused = world.advise(range, 3, Advice::ReadMostly, H).expect_err("two pages");
        assert_eq!(refused.status.class(), Class::InvalidArgument);
        assert!(world.noted(Quirk::Uvm16));
        assert_eq!(states(&world, range, 2), [after, after], "{mode:?}");
    }
}

#[test]
fn q_uvm_17_odd_ranges_are_rounded() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let range = world.alloc(3);
        let rm = Some(Advice::ReadMostly);
        // Bytes of two pages: the source rounds down and up apart, and misses the second.
        let (address, len) = (range + PAGE / 2, PAGE);
        world.call(|uvm, cx| uvm.advise(cx, address, len, rm, H)).expect("fine");
        assert!(world.noted(Quirk::Uvm17));
        assert_eq!(world.remarked(Code::ReplayLint), mode == Mode::Spec);
        let wanted = if mode == Mode::Spec { ["H-RO", "H-RO"] } else { ["H-RO", "U"] };
        assert_eq!(states(&world, range, 2), wanted, "{mode:?}");
        // An allocation of odd size, taken whole, is no odd range.
        let odd = world.call(|uvm, cx| uvm.alloc(cx, PAGE + 9)).expect("room");
        world.call(|uvm, cx| uvm.advise(cx, odd, PAGE + 9, rm, H)).expect("fine");
        assert!(!world.noted(Quirk::Uvm17) && !world.remarked(Code::ReplayLint), "{mode:?}");
        assert_eq!(states(&world, odd, 2), ["H-RO", "H-RO"], "{mode:?}");
    }
}

#[test]
fn q_uvm_19_a_prefetch_to_the_host_of_what_is_there() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let range = world.alloc(4);
        world.write(Who::Device(0), range, 1);
        world.write(Who::Host, range + PAGE, 2);
        world.write(Who::Device(0), range + 3 * PAGE, 1);
        let answer = world.prefetch(range, 4, H);
        assert!(world.noted(Quirk::Uvm19), "{mode:?}");
        let last = |world: &World, n| world.page(range + n * PAGE).expect("a page").last_prefetch;
        match mode {
            Mode::Spec => {
                answer.expect("success");
                assert_eq!(states(&world, range, 4), ["H"; 4]);
                assert_eq!(last(&world, 3), Some(H));
            }
            Mode::Source => {
                assert_eq!(answer.expect_err("at home").status, Status::NotSupport);
                assert_eq!(states(&world, range, 4), ["H", "H", "H", "D0"]);
                assert_eq!((last(&world, 0), last(&world, 1)), (Some(H), None));
            }
        }
    }
}

#[test]
fn q_uvm_20_where_swapped_pages_go() {
    for mode in BOTH {
        let mut world = World::sized(mode, 1, 4);
        world.machine.oversub.host_swap_pages = Some(1);
        let range = world.alloc(4);
        let reserved = if mode == Mode::Spec { PAGE } else { 0 };
        assert_eq!(world.memory.used(Bank::Host), reserved, "{mode:?}");
        world.write(Who::Device(0), range, 2);
        assert_eq!(world.memory.used(Bank::Host), PAGE, "{mode:?}");
        // The area is full; the host is not.
        let answer = world.touch(Who::Device(0), range + 2 * PAGE, PAGE, How::Write);
        assert_eq!(answer.is_err(), mode == Mode::Spec, "{mode:?}");
        assert_eq!(world.noted(Quirk::Uvm20), mode == Mode::Spec, "{mode:?}");
        // A page that comes back leaves its place in the area.
        if mode == Mode::Spec {
            world.call(|uvm, cx| uvm.free(cx, range)).expect("live");
            assert_eq!(world.memory.used(Bank::Host), PAGE);
            world.call(|uvm, cx| uvm.close(cx));
            assert_eq!(world.memory.used(Bank::Host), 0);
        }
    }
}

#[test]
fn q_uvm_21_access_by_lets_nobody_in_without_moving() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.page_in("H");
        world.advise(page, 1, Advice::AccessBy, D0).expect("fine");
        world.read(Who::Device(0), page, 1);
        assert_eq!(world.state(page), "D0", "{mode:?}");
    }
}

#[test]
fn q_uvm_22_the_page_size_is_a_parameter() {
    for mode in BOTH {
        let mut world = World::new(mode);
        world.machine.uvm_page = 4096;
        let range = world.call(|uvm, cx| uvm.alloc(cx, 8192)).expect("room");
        world.touch(Who::Device(0), range + 4095, 2, How::Write).expect("two pages");
        assert_eq!(world.memory.used(Bank::Device(0)), 8192, "{mode:?}");
    }
}

#[test]
fn q_uvm_23_unset_read_mostly_with_an_invalid_location() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.page_in("R{0}");
        let answer = world.advise(page, 1, Advice::UnsetReadMostly, Location::Device(65));
        assert!(world.noted(Quirk::Uvm23), "{mode:?}");
        match mode {
            Mode::Spec => assert!(answer.is_ok() && world.state(page) == "H"),
            Mode::Source => {
                assert_eq!(answer.expect_err("too large").status, Status::ParaError);
                assert_eq!(world.state(page), "R{0}");
            }
        }
    }
}
