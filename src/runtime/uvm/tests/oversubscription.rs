//! The scenarios `uvm_oversub_*` and `uvm_swap_vs_fault_race` of 8.1, by the model of 5.14.

use super::world::{BOTH, PAGE, World};
use crate::diag::Code;
use crate::model::machine::{Mode, WaterLevel};
use crate::model::trace::{Advice, Fault, Location};
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::pointer::{How, Who};

const D0: Who = Who::Device(0);

/// A device of so many pages that scans every 10 ticks as soon as a page is taken.
fn watched(mode: Mode, device_pages: u64, host_pages: u64) -> World {
    let mut world = World::sized(mode, device_pages, host_pages);
    let over = &mut world.machine.oversub;
    over.levels = vec![WaterLevel { free_below: 100, scan_every: 10, cold_after: 2 }];
    over.target_free = 50;
    world
}

fn states(world: &World, range: u64, pages: u64) -> Vec<String> {
    (0..pages).map(|n| world.state(range + n * PAGE)).collect()
}

#[test]
fn cold_pages_go_to_the_host_until_the_target_is_free() {
    for mode in BOTH {
        let mut world = watched(mode, 4, 8);
        let range = world.alloc(4);
        world.write(D0, range, 4);
        // Three scans: young, age 1, age 2 and cold.
        world.now = 29;
        world.call(|uvm, cx| uvm.tick(cx));
        assert_eq!((world.counters.scans, world.counters.swapped), (2, 0), "{mode:?}");
        world.now = 30;
        world.call(|uvm, cx| uvm.tick(cx));
        assert_eq!(states(&world, range, 4), ["H", "H", "D0", "D0"], "{mode:?}");
        assert_eq!(world.counters.swapped, 2, "{mode:?}");
        assert_eq!(world.notes.ticks, 0, "the scanner works beside the caller");
    }
}

#[test]
fn hot_pages_stay() {
    for mode in BOTH {
        let mut world = watched(mode, 4, 8);
        let range = world.alloc(4);
        world.write(D0, range, 4);
        for now in [10, 20, 30, 40, 50] {
            world.now = now;
            world.read(D0, range, 2);
        }
        let found = states(&world, range, 4);
        assert_eq!(found, ["D0", "D0", "H", "H"], "{mode:?}: the two that nobody touches go");
        assert_eq!(world.counters.faults_device, 4, "{mode:?}");
    }
}

#[test]
fn the_severest_level_that_is_violated_counts() {
    for mode in BOTH {
        for (used, scans) in [(8, 0), (9, 1), (10, 2), (11, 20)] {
            let mut world = World::sized(mode, 11, 40);
            world.machine.oversub.levels = vec![
                WaterLevel { free_below: 20, scan_every: 100, cold_after: 90 },
                WaterLevel { free_below: 10, scan_every: 50, cold_after: 90 },
                WaterLevel { free_below: 5, scan_every: 5, cold_after: 90 },
            ];
            let range = world.alloc(used);
            world.write(D0, range, used);
            world.now = 100;
            world.call(|uvm, cx| uvm.tick(cx));
            assert_eq!(world.counters.scans, scans, "{mode:?}: {used} of 11 pages");
        }
    }
}

#[test]
fn a_batch_bounds_what_one_scan_gives_up() {
    for mode in BOTH {
        let mut world = watched(mode, 8, 8);
        world.machine.oversub.batch = 1;
        let range = world.alloc(8);
        world.write(D0, range, 8);
        for (now, swapped) in [(30, 1), (40, 2), (50, 3), (90, 4)] {
            world.now = now;
            world.call(|uvm, cx| uvm.tick(cx));
            assert_eq!(world.counters.swapped, swapped, "{mode:?} at {now}");
        }
    }
}

#[test]
fn when_all_pages_are_hot_a_fault_takes_the_oldest_page_itself() {
    for mode in BOTH {
        let mut world = World::sized(mode, 4, 8);
        let range = world.alloc(6);
        world.write(D0, range, 4);
        world.write(D0, range + 4 * PAGE, 2);
        assert_eq!(states(&world, range, 6), ["H", "H", "D0", "D0", "D0", "D0"], "{mode:?}");
        let (fault, dma) = (world.machine.costs.fault, world.machine.costs.dma_start);
        let moving = PAGE / world.machine.costs.link;
        assert_eq!(world.notes.ticks, 2 * (fault + dma + moving), "the fault waits for the swap");
    }
}

#[test]
fn a_cyclic_sweep_over_more_than_there_is_swaps_and_keeps_going() {
    for mode in BOTH {
        let mut world = World::sized(mode, 8, 16);
        world.machine.oversub.thrash_window = 1000;
        let range = world.alloc(12);
        for round in 0..3 {
            for page in 0..12 {
                world.now += 1;
                world.write(D0, range + page * PAGE, 1);
                assert!(world.memory.used(Bank::Device(0)) <= 8 * PAGE);
                let _ = round;
            }
        }
        assert!(world.counters.swapped > 0 && world.counters.refaults > 0, "{mode:?}");
        assert_eq!(world.counters.migrations_h2d, world.counters.refaults, "{mode:?}");
        world.call(|uvm, cx| uvm.free(cx, range)).expect("live");
        assert!(world.remarked(Code::ReplayUvmThrash), "{mode:?}");
    }
}

#[test]
fn a_page_that_comes_back_late_is_no_thrash() {
    for mode in BOTH {
        for (wait, refaults) in [(1000, 1), (1001, 0)] {
            let mut world = World::sized(mode, 1, 8);
            world.machine.oversub.thrash_window = 1000;
            let range = world.alloc(2);
            world.write(D0, range, 2);
            assert_eq!(world.state(range), "H");
            world.now = wait;
            world.read(D0, range, 1);
            assert_eq!(world.counters.refaults, refaults, "{mode:?} after {wait}");
            world.call(|uvm, cx| uvm.free(cx, range)).expect("live");
            assert_eq!(world.remarked(Code::ReplayUvmThrash), refaults > 0, "{mode:?}");
        }
    }
}

#[test]
fn memory_of_others_and_pages_in_use_are_no_victims() {
    for mode in BOTH {
        let mut world = World::sized(mode, 4, 8);
        world.memory.take(Bank::Device(0), Purpose::Svm, 2 * PAGE).expect("room");
        let range = world.alloc(4);
        world.write(D0, range, 2);
        world.uvm.hold(range, 2 * PAGE);
        let refused = world.touch(D0, range + 2 * PAGE, PAGE, How::Write).expect_err("pinned");
        assert_eq!(refused.finding, Some(Code::ReplayOomDevice), "{mode:?}");
        assert_eq!(states(&world, range, 3), ["D0", "D0", "U"], "{mode:?}");
        assert!(!world.call(|uvm, cx| uvm.evict(cx, range)), "{mode:?}");
        world.uvm.unhold(range, 2 * PAGE);
        world.write(D0, range + 2 * PAGE, 1);
        assert_eq!(states(&world, range, 3), ["H", "D0", "D0"], "{mode:?}");
    }
}

#[test]
fn a_full_host_makes_victims_stay() {
    for mode in BOTH {
        let mut world = World::sized(mode, 2, 1);
        let range = world.alloc(4);
        world.write(Who::Host, range, 1);
        world.write(D0, range + PAGE, 2);
        let refused = world.touch(D0, range + 3 * PAGE, PAGE, How::Write).expect_err("no room");
        assert_eq!(refused.finding, Some(Code::ReplayOomDevice), "{mode:?}");
        assert_eq!(states(&world, range, 4), ["H", "D0", "D0", "U"], "{mode:?}");
        assert_eq!(world.counters.swapped, 0, "{mode:?}");
    }
}

#[test]
fn swapping_may_be_refused_by_injection() {
    for mode in BOTH {
        let mut world = World::sized(mode, 1, 8);
        world.inject(&[Fault::SwapRefused]);
        let range = world.alloc(2);
        let refused = world.touch(D0, range, 2 * PAGE, How::Write).expect_err("no victim");
        assert_eq!(refused.finding, Some(Code::ReplayOomDevice), "{mode:?}");
        assert_eq!(states(&world, range, 2), ["D0", "U"], "{mode:?}");
    }
}

#[test]
fn replicas_are_let_go_without_a_copy_even_when_the_host_is_full() {
    for mode in BOTH {
        let mut world = World::sized(mode, 2, 2);
        let range = world.alloc(3);
        world.advise(range, 2, Advice::ReadMostly, Location::Host).expect("two host pages");
        world.read(D0, range, 2);
        let moved = world.counters.bytes_moved;
        world.write(D0, range + 2 * PAGE, 1);
        assert_eq!(states(&world, range, 3), ["H-RO", "R{0}", "D0"], "{mode:?}");
        assert_eq!((world.counters.released, world.counters.swapped), (1, 0), "{mode:?}");
        assert_eq!(world.counters.bytes_moved, moved, "{mode:?}");
    }
}

#[test]
fn without_oversubscription_or_reclaim_a_full_device_is_full() {
    for mode in BOTH {
        for direct in [false, true] {
            let mut world = World::sized(mode, 1, 8);
            world.machine.oversub.enabled = direct;
            world.machine.oversub.direct_reclaim = !direct;
            let range = world.alloc(2);
            let refused = world.touch(D0, range, 2 * PAGE, How::Write).expect_err("full");
            assert_eq!(refused.finding, Some(Code::ReplayOomDevice), "{mode:?}");
        }
    }
}

#[test]
fn swap_and_fault_on_one_page_end_alike_in_both_orders() {
    for mode in BOTH {
        let run = |swap_first: bool| {
            let mut world = World::new(mode);
            let page = world.page_in("D0");
            let swap = |world: &mut World| world.call(|uvm, cx| uvm.evict(cx, page));
            if swap_first {
                assert!(swap(&mut world));
                assert_eq!(world.state(page), "H");
                world.read(D0, page, 1);
            } else {
                world.read(D0, page, 1);
                assert!(swap(&mut world));
                world.read(D0, page, 1);
            }
            (world.state(page), world.counters.swapped, world.counters.refaults)
        };
        assert_eq!(run(true), run(false), "{mode:?}");
        assert_eq!(run(true), ("D0".to_owned(), 1, 1));
    }
}

#[test]
fn no_device_copy_is_left_after_a_swap() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.page_in("D1");
        world.call(|uvm, cx| uvm.evict(cx, page));
        assert_eq!(world.memory.used(Bank::Device(1)), 0, "{mode:?}");
        world.read(Who::Host, page, 1);
        assert_eq!(world.counters.faults_host, 0, "{mode:?}: the host has it mapped already");
        assert!(!world.call(|uvm, cx| uvm.evict(cx, page)), "nothing is left to evict");
    }
}

#[test]
fn room_can_be_made_for_others() {
    for mode in BOTH {
        let mut world = World::sized(mode, 4, 8);
        let range = world.alloc(4);
        world.write(D0, range, 4);
        assert_eq!(world.call(|uvm, cx| uvm.make_room(cx, 0, 3)), 3, "{mode:?}");
        world.memory.take(Bank::Device(0), Purpose::Svm, 3 * PAGE).expect("room was made");
    }
}
