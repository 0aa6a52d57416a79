use super::rig::{GIB, KIB, MIB, Rig, both, dev};
use crate::model::machine::Mode;
use crate::model::trace::{Fault, PageClass};
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::quirks::Quirk;
use crate::runtime::status::Status;
use crate::runtime::svm::AllocRequest;
use crate::runtime::vmm::ReserveRequest;

const DEVICE: Bank = Bank::Device(0);

fn huge(size: u64) -> AllocRequest<'static> {
    AllocRequest { pages: PageClass::Huge, ..dev(size) }
}

fn at(address: u64, size: u64) -> ReserveRequest<'static> {
    ReserveRequest { at: Some(address), ..super::rig::reserve(size) }
}

#[test]
fn q_alloc_2_a_freed_address_is_free_in_spec_and_kept_in_source() {
    both(|mut rig| {
        let made = rig.alloc(0, &huge(2 * MIB)).unwrap();
        rig.free(0, made.pointer).unwrap();
        let request = at(made.pointer.address, 2 * MIB);
        let answer = rig.call(|s, cx| s.reserve(cx, 0, &request));
        assert!(rig.noted(Quirk::Alloc2));
        match rig.mode {
            Mode::Spec => assert_eq!(answer.unwrap().pointer.address, made.pointer.address),
            Mode::Source => {
                assert_eq!(answer.unwrap_err().status, Status::OutOfMemory);
                assert_eq!(rig.memory.used_for(DEVICE, Purpose::Cache), 2 * MIB);
            }
        }
    });
}

#[test]
fn an_address_in_use_cannot_be_reserved_in_either_mode() {
    both(|mut rig| {
        let made = rig.alloc(0, &huge(2 * MIB)).unwrap();
        let request = at(made.pointer.address, 2 * MIB);
        let answer = rig.call(|s, cx| s.reserve(cx, 0, &request));
        assert_eq!(answer.unwrap_err().status, Status::OutOfMemory);
        assert!(!rig.noted(Quirk::Alloc2));
    });
}

#[test]
fn an_address_that_is_in_use_again_is_not_kept_any_more() {
    both(|mut rig| {
        let made = rig.alloc(0, &huge(2 * MIB)).unwrap();
        rig.free(0, made.pointer).unwrap();
        let again = rig.alloc(0, &huge(2 * MIB)).unwrap();
        assert_eq!(again.pointer.address, made.pointer.address);
        assert_eq!(rig.memory.used_for(DEVICE, Purpose::Cache), 0);
        let request = at(made.pointer.address, 2 * MIB);
        assert!(rig.call(|s, cx| s.reserve(cx, 0, &request)).is_err());
        assert!(!rig.noted(Quirk::Alloc2));
    });
}

#[test]
fn each_class_keeps_as_much_as_its_limit() {
    let mut rig = Rig::new(Mode::Source);
    let all: Vec<_> = (0..20).map(|_| rig.alloc(0, &huge(2 * MIB)).unwrap()).collect();
    for made in all {
        rig.free(0, made.pointer).unwrap();
    }
    assert_eq!(rig.memory.used_for(DEVICE, Purpose::Cache), 36 * MIB);
    let all: Vec<_> = (0..20).map(|_| rig.dev(0, MIB)).collect();
    for made in all {
        rig.free(0, made.pointer).unwrap();
    }
    assert_eq!(rig.memory.used_for(DEVICE, Purpose::Cache), (36 + 18) * MIB);
}

#[test]
fn what_is_kept_counts_as_used_and_goes_under_pressure() {
    let mut rig = Rig::sized(Mode::Source, 8 * MIB, GIB);
    let (a, b) = (rig.dev(0, 3 * MIB), rig.dev(0, 3 * MIB));
    rig.free(0, a.pointer).unwrap();
    rig.free(0, b.pointer).unwrap();
    assert_eq!(rig.memory.free(DEVICE), 2 * MIB);
    rig.dev(0, 4 * MIB);
    // The older one went as a whole.
    assert_eq!(rig.memory.used_for(DEVICE, Purpose::Cache), 3 * MIB);
    rig.dev(0, 8 * MIB - 4 * MIB);
    assert_eq!(rig.memory.used_for(DEVICE, Purpose::Cache), 0);
    assert!(rig.alloc(0, &dev(4 * KIB)).is_err());
}

#[test]
fn memory_from_the_library_is_no_allocation_of_physical_memory() {
    let mut rig = Rig::new(Mode::Source);
    let made = rig.dev(0, 4096);
    rig.free(0, made.pointer).unwrap();
    rig.inject(&[Fault::FailAlloc(1)]);
    rig.dev(0, 4096);
    assert_eq!(rig.counters.allocs, 1);
    assert!(rig.alloc(0, &dev(4096)).is_err());
}

#[test]
fn another_process_does_not_get_what_is_kept() {
    let mut rig = Rig::new(Mode::Source);
    let made = rig.dev(0, 4096);
    rig.free(0, made.pointer).unwrap();
    rig.dev(1, 4096);
    assert_eq!(rig.memory.used(DEVICE), 8192);
    rig.call(|s, cx| s.exit(cx, 0));
    assert_eq!(rig.memory.used(DEVICE), 4096);
}

#[test]
fn giant_pages_and_pages_with_a_purpose_of_their_own_are_not_kept() {
    let mut rig = Rig::new(Mode::Source);
    let giant = AllocRequest { pages: PageClass::Giant, ..dev(4096) };
    let made = rig.alloc(0, &giant).unwrap();
    rig.free(0, made.pointer).unwrap();
    let mut shared = dev(4096);
    shared.flags.p2p = true;
    let made = rig.alloc(0, &shared).unwrap();
    rig.free(0, made.pointer).unwrap();
    assert_eq!(rig.memory.used(DEVICE), 0);
}

#[test]
fn what_is_used_again_and_again_is_kept_once() {
    both(|mut rig| {
        let mut last = rig.alloc(0, &huge(2 * MIB)).unwrap();
        for _ in 0..50 {
            rig.free(0, last.pointer).unwrap();
            last = rig.alloc(0, &huge(2 * MIB)).unwrap();
        }
        rig.free(0, last.pointer).unwrap();
        let request = at(last.pointer.address, 2 * MIB);
        let _ = rig.call(|s, cx| s.reserve(cx, 0, &request));
        assert!(rig.noted(Quirk::Alloc2));
    });
}
