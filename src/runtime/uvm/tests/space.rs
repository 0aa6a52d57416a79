//! Allocation and free (5.9, 5.2).

use super::super::{BASE, Uvm, WINDOW};
use super::world::{BOTH, PAGE, World};
use crate::diag::Code;
use crate::model::machine::{Machine, Mode};
use crate::runtime::memory::Bank;
use crate::runtime::pointer::Who;
use crate::runtime::status::Status;

#[test]
fn an_allocation_takes_addresses_and_no_memory() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let a = world.call(|uvm, cx| uvm.alloc(cx, 3 * PAGE - 5)).expect("room");
        let b = world.alloc(1);
        assert_eq!((a, b), (BASE, BASE + 3 * PAGE));
        let range = world.uvm.range(a + PAGE).expect("inside");
        assert_eq!((range.start, range.len, range.rounded), (a, 3 * PAGE - 5, 3 * PAGE));
        assert_eq!(world.uvm.range(b + PAGE), None);
        assert!(Uvm::owns(a) && !Uvm::owns(BASE - 1) && !Uvm::owns(BASE + WINDOW));
        assert_eq!(world.memory.used(Bank::Host) + world.memory.used(Bank::Device(0)), 0);
    }
}

#[test]
fn no_bytes_and_too_many_are_refused() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let mut alloc = |size| world.call(|uvm, cx| uvm.alloc(cx, size)).map_err(|e| e.status);
        assert_eq!(alloc(0), Err(Status::InvalidValue));
        assert_eq!(alloc(u64::MAX), Err(Status::OutOfMemory));
        assert_eq!(alloc(WINDOW + 1), Err(Status::OutOfMemory));
        assert_eq!(alloc(WINDOW), Ok(BASE));
        assert_eq!(alloc(1), Err(Status::OutOfMemory));
        world.call(|uvm, cx| uvm.free(cx, BASE)).expect("live");
        world.call(|uvm, cx| uvm.alloc(cx, WINDOW)).expect("all of it is free again");
    }
}

#[test]
fn a_product_without_managed_memory_says_so() {
    let mut world = World::new(Mode::Spec);
    world.machine = Machine::named("950").expect("a chip of the table");
    let refused = world.call(|uvm, cx| uvm.alloc(cx, PAGE)).expect_err("not on this product");
    assert_eq!(refused.status, Status::FeatureNotSupport);
}

#[test]
fn free_wants_the_start_of_a_live_allocation() {
    let source = [Status::IoctlFail, Status::ParaError, Status::ParaError];
    for (mode, status) in [(Mode::Spec, [Status::InvalidValue; 3]), (Mode::Source, source)] {
        let mut world = World::new(mode);
        let a = world.alloc(2);
        let mut free = |address| {
            let answer = world.call(|uvm, cx| uvm.free(cx, address));
            answer.map(|range| range.len).map_err(|e| (e.status, e.finding))
        };
        assert_eq!(free(a + 1), Err((status[0], Some(Code::ReplayBadFree))));
        assert_eq!(free(a + PAGE), Err((status[1], Some(Code::ReplayBadFree))));
        assert_eq!(free(a + 9 * PAGE), Err((status[2], Some(Code::ReplayBadFree))));
        assert_eq!(free(7), Err((Status::InvalidValue, Some(Code::ReplayBadFree))));
        assert_eq!(free(a), Ok(2 * PAGE));
        assert_eq!(free(a), Err((status[1], Some(Code::ReplayDoubleFree))));
        assert!(world.uvm.was_freed(a) && !world.uvm.was_freed(a + 2 * PAGE));
    }
}

#[test]
fn addresses_come_back_and_hold_no_old_attributes() {
    let mut world = World::new(Mode::Spec);
    let (a, b) = (world.page_in("R{0,1}"), world.alloc(1));
    world.call(|uvm, cx| uvm.free(cx, a)).expect("live");
    assert_eq!(world.alloc(1), a);
    assert_eq!(world.state(a), "U");
    // Two small gaps are one large one.
    world.call(|uvm, cx| uvm.free(cx, a)).expect("live");
    world.call(|uvm, cx| uvm.free(cx, b)).expect("live");
    assert_eq!(world.alloc(2), a);
}

#[test]
fn neighbours_of_equal_state_are_two_allocations_still() {
    let mut world = World::new(Mode::Spec);
    let (a, b) = (world.alloc(1), world.alloc(1));
    world.write(Who::Device(0), a, 2);
    world.call(|uvm, cx| uvm.free(cx, a)).expect("live");
    assert_eq!(world.state(b), "D0");
    assert_eq!(world.state(a), "none");
}

#[test]
fn two_processes_share_the_memory_of_a_device_and_nothing_else() {
    let mut world = World::sized(Mode::Spec, 2, 8);
    let a = world.page_in("D0");
    let mut other = Uvm::new(1);
    let banks = [Bank::Host, Bank::Device(0), Bank::Device(1)];
    // The process of `world` is swapped for the other one, around the same memory.
    std::mem::swap(&mut world.uvm, &mut other);
    let (memory, mut notes) = (&mut world.memory, Default::default());
    let mut cx = crate::runtime::context::Context {
        machine: &world.machine,
        mode: Mode::Spec,
        memory,
        objects: &mut world.objects,
        injected: &mut world.injected,
        counters: &mut world.counters,
        notes: &mut notes,
        now: 0,
    };
    let b = world.uvm.alloc(&mut cx, 2 * PAGE).expect("addresses of its own");
    assert_eq!(a, b);
    let how = crate::runtime::pointer::How::Write;
    // One page is left; then the second process can only give up its own.
    world.uvm.touch(&mut cx, Who::Device(0), b, 2 * PAGE, how).expect("it swaps its first page");
    Uvm::check_all([&world.uvm, &other], &world.memory, &banks).expect("the accounts add up");
    assert_eq!((world.uvm.process(), other.pages(Bank::Device(0))), (1, 1));
}
