use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::PageClass;
use crate::runtime::pointer::Pointer;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::tests::rig::{GIB, MIB, Rig, TIB, both, dev, finds, reserve};
use crate::runtime::vmm::{ReserveRequest, Reserved};

fn call(rig: &mut Rig, request: &ReserveRequest<'_>) -> Result<Reserved, Refused> {
    rig.call(|s, cx| s.reserve(cx, 0, request))
}

fn at(address: u64, size: u64) -> ReserveRequest<'static> {
    ReserveRequest { at: Some(address), ..reserve(size) }
}

fn unreserve(rig: &mut Rig, pointer: Pointer) -> Result<usize, Refused> {
    rig.call(|s, cx| s.unreserve(cx, 0, Some(pointer))).map(|gone| gone.len())
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    both(|mut rig| {
        for bad in [
            ReserveRequest { name: None, ..reserve(MIB) },
            reserve(0),
            ReserveRequest { alignment: 1, ..reserve(MIB) },
        ] {
            assert_eq!(call(&mut rig, &bad).unwrap_err().status, Status::InvalidValue);
        }
        let shared = ReserveRequest { shared: true, ..reserve(MIB) };
        assert_eq!(call(&mut rig, &shared).unwrap_err().status, Status::NotSupport);
        let shared = ReserveRequest { shared: true, ..at(20 * TIB, 2 * MIB) };
        assert!(call(&mut rig, &shared).is_ok());
        let mut closed = Rig::closed(rig.mode, GIB, GIB);
        assert_eq!(call(&mut closed, &reserve(MIB)).unwrap_err().status, Status::InvalidHandle);
    });
}

#[test]
fn reserved_addresses_come_in_multiples_of_2_mib_or_1_gib_and_take_no_memory() {
    both(|mut rig| {
        for (size, pages, len, align) in [
            (1, PageClass::Normal, 2 * MIB, 2 * MIB),
            (3 * MIB, PageClass::Huge, 4 * MIB, 2 * MIB),
            (GIB, PageClass::Huge, GIB, GIB),
            (1, PageClass::Giant, GIB, GIB),
            (64 * GIB, PageClass::Huge, 64 * GIB, GIB),
        ] {
            let made = call(&mut rig, &ReserveRequest { pages, ..reserve(size) }).unwrap();
            assert_eq!((made.len, made.pointer.address % align), (len, 0), "{size}");
        }
        assert_eq!(rig.counters.allocs, 0);
    });
}

#[test]
fn a_wanted_address_is_aligned_inside_the_window_and_free() {
    both(|mut rig| {
        for (address, size, status) in [
            (20 * TIB - 2 * MIB, 2 * MIB, Status::InvalidValue),
            (24 * TIB - 2 * MIB, 4 * MIB, Status::InvalidValue),
            (20 * TIB + MIB, 2 * MIB, Status::InvalidValue),
            (20 * TIB + 2 * MIB, 3 * MIB, Status::InvalidValue),
            (20 * TIB + 2 * MIB, GIB, Status::InvalidValue),
            (u64::MAX, u64::MAX, Status::InvalidValue),
        ] {
            let answer = call(&mut rig, &at(address, size));
            assert_eq!(answer.unwrap_err().status, status, "{address:#x} {size}");
        }
        let made = call(&mut rig, &at(20 * TIB + 4 * MIB, 3 * MIB)).unwrap();
        assert_eq!(made.pointer.address, 20 * TIB + 4 * MIB);
        for address in [20 * TIB + 4 * MIB, 20 * TIB + 6 * MIB] {
            let answer = call(&mut rig, &at(address, 2 * MIB));
            assert_eq!(answer.unwrap_err().status, Status::OutOfMemory);
        }
        unreserve(&mut rig, made.pointer).unwrap();
        assert!(call(&mut rig, &at(20 * TIB + 6 * MIB, 2 * MIB)).is_ok());
        // Each process has its own addresses.
        let request = at(20 * TIB + 6 * MIB, 2 * MIB);
        assert!(rig.call(|s, cx| s.reserve(cx, 1, &request)).is_ok());
    });
}

#[test]
fn only_the_start_of_a_reserved_range_is_unreserved() {
    both(|mut rig| {
        let reserved = rig.reserve(0, 4 * MIB);
        let allocated = rig.dev(0, 4096).pointer;
        assert_eq!(rig.alloc(0, &dev(4096)).unwrap().len, 4096);
        for bad in [reserved.offset(2 * MIB), allocated, Pointer { generation: 99, ..reserved }] {
            let answer = unreserve(&mut rig, bad);
            finds(&answer, Code::ReplayBadFree);
            rig.refuses(answer, Status::InvalidValue);
        }
        let null = rig.call(|s, cx| s.unreserve(cx, 0, None));
        assert_eq!(null.unwrap_err().status, Status::InvalidValue);
        assert_eq!(unreserve(&mut rig, reserved), Ok(0));
        finds(&unreserve(&mut rig, reserved), Code::ReplayDoubleFree);
    });
}

#[test]
fn q_vmm_1_a_mapped_range_is_freed_silently_in_source_only() {
    both(|mut rig| {
        let reserved = rig.reserve(0, 4 * MIB);
        let handle = rig.create(0, 2 * MIB).handle;
        rig.map(0, reserved, 2 * MIB, handle);
        rig.call(|s, cx| s.release(cx, 0, Some(handle))).unwrap();
        let answer = unreserve(&mut rig, reserved);
        assert!(rig.noted(Quirk::Vmm1));
        match rig.mode {
            Mode::Spec => finds(&answer, Code::ReplayVmmFreeMapped),
            Mode::Source => {
                assert_eq!(rig.remarks(), [Code::ReplayVmmFreeMapped]);
                // The mapping had the last reference.
                assert_eq!(answer, Ok(1));
                assert_eq!(rig.space.handle_refs(handle), (0, 0));
            }
        }
    });
}
