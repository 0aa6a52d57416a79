use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{Fault, PageClass, Register};
use crate::runtime::objects::Piece;
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::quirks::Quirk;
use crate::runtime::share::{IpcRequest, RegRequest};
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::tests::rig::{KIB, MIB, Rig, both, create, finds, map};
use crate::runtime::vmm::{CreateRequest, MapRequest, Unmapped};

fn call(rig: &mut Rig, request: &MapRequest) -> Result<Piece, Refused> {
    rig.call(|s, cx| s.map(cx, 0, request))
}

fn unmap(rig: &mut Rig, pointer: Pointer) -> Result<Unmapped, Refused> {
    rig.call(|s, cx| s.unmap(cx, 0, Some(pointer)))
}

#[test]
fn arguments_that_make_no_sense_are_refused_and_change_nothing() {
    both(|mut rig| {
        let r = rig.reserve(0, 8 * MIB);
        let h = rig.create(0, 4 * MIB).handle;
        let ok = map(r, 4 * MIB, h);
        let allocated = rig.dev(0, 4096).pointer;
        for (bad, status) in [
            (MapRequest { pointer: None, ..ok }, Status::InvalidValue),
            (MapRequest { handle: None, ..ok }, Status::InvalidValue),
            (MapRequest { size: 0, ..ok }, Status::InvalidValue),
            (MapRequest { offset: 2 * MIB, ..ok }, Status::InvalidValue),
            (MapRequest { flag: 1, ..ok }, Status::InvalidValue),
            (map(allocated, 4 * MIB, h), Status::ParaError),
            (map(r.offset(4096), 4 * MIB, h), Status::ParaError),
            (map(r, 4 * MIB - 4096, h), Status::ParaError),
            (map(r.offset(6 * MIB), 4 * MIB, h), Status::ParaError),
            (map(r, 6 * MIB, h), Status::ParaError),
            (map(r.offset(u64::MAX), 4 * MIB, h), Status::ParaError),
        ] {
            let answer = call(&mut rig, &bad);
            rig.refuses(answer, status);
        }
        let managed = Pointer { process: 0, address: 9 << 40, generation: 99 };
        let answer = call(&mut rig, &map(managed, 4 * MIB, h));
        assert_eq!(answer.unwrap_err().status, Status::NotSupport);
        assert_eq!(rig.space.handle_refs(h), (1, 0));
        assert_eq!(rig.counters.maps, 0);
        assert!(call(&mut rig, &ok).is_ok());
    });
}

#[test]
fn a_mapping_is_the_bytes_of_its_handle_for_its_device() {
    both(|mut rig| {
        let r = rig.reserve(0, 8 * MIB);
        let h = rig.create(0, 4 * MIB);
        let piece = call(&mut rig, &map(r.offset(2 * MIB), 4 * MIB, h.handle)).unwrap();
        assert_eq!(piece, Piece { object: h.object, start: 0, len: 4 * MIB });
        let reach = rig.reach(0, r.offset(3 * MIB), 10, Who::Device(0), How::Write);
        assert_eq!(reach.pieces, [Piece { object: h.object, start: MIB, len: 10 }]);
        assert!(reach.wrong.is_empty());
    });
}

#[test]
fn a_second_map_at_one_start_is_repeated_and_elsewhere_it_meets_pages() {
    both(|mut rig| {
        let r = rig.reserve(0, 8 * MIB);
        let (a, b) = (rig.create(0, 4 * MIB).handle, rig.create(0, 4 * MIB).handle);
        rig.map(0, r.offset(2 * MIB), 4 * MIB, a);
        let same = call(&mut rig, &map(r.offset(2 * MIB), 4 * MIB, b));
        assert_eq!(same.unwrap_err().status, Status::RepeatedUserd);
        for offset in [0, 4 * MIB] {
            let other = call(&mut rig, &map(r.offset(offset), 4 * MIB, b));
            assert_eq!(other.unwrap_err().status, Status::IoctlFail);
        }
    });
}

#[test]
fn q_vmm_3_a_range_stays_bound_to_the_side_of_its_first_map() {
    both(|mut rig| {
        let r = rig.reserve(0, 8 * MIB);
        let a = rig.create(0, 2 * MIB).handle;
        let request = CreateRequest { device: Some(1), ..create(2 * MIB) };
        let b = rig.call(|s, cx| s.create(cx, 0, &request)).unwrap().handle;
        rig.map(0, r, 2 * MIB, a);
        let other = call(&mut rig, &map(r.offset(2 * MIB), 2 * MIB, b));
        rig.refuses(other, Status::ParaError);
        assert!(rig.remarks().is_empty());
        unmap(&mut rig, r).unwrap();
        let other = call(&mut rig, &map(r, 2 * MIB, b));
        rig.refuses(other, Status::ParaError);
        assert_eq!(rig.remarks(), [Code::ReplayLint]);
        assert!(call(&mut rig, &map(r, 2 * MIB, a)).is_ok());
    });
}

#[test]
fn q_vmm_6_a_part_of_a_handle_is_mapped_in_source_only() {
    both(|mut rig| {
        let r = rig.reserve(0, 8 * MIB);
        let h = rig.create(0, 4 * MIB).handle;
        let answer = call(&mut rig, &map(r, 2 * MIB, h));
        assert!(rig.noted(Quirk::Vmm6));
        match rig.mode {
            Mode::Spec => rig.refuses(answer, Status::InvalidValue),
            Mode::Source => assert_eq!(answer.unwrap().len, 2 * MIB),
        }
    });
}

#[test]
fn a_small_handle_is_mapped_by_its_small_pages() {
    both(|mut rig| {
        let r = rig.reserve(0, 2 * MIB);
        let request = CreateRequest { pages: PageClass::Normal, ..create(8 * KIB) };
        let h = rig.call(|s, cx| s.create(cx, 0, &request)).unwrap().handle;
        assert!(call(&mut rig, &map(r, 8 * KIB, h)).is_ok());
        let wrong = rig.wrong(0, r, 8 * KIB + 1, Who::Device(0), How::Read);
        assert_eq!(wrong, [Code::ReplayUnmappedAccess]);
    });
}

#[test]
fn one_handle_at_two_addresses_is_one_memory_and_wants_to_be_announced() {
    both(|mut rig| {
        let r = rig.reserve(0, 8 * MIB);
        let h = rig.create(0, 2 * MIB);
        rig.map(0, r, 2 * MIB, h.handle);
        assert!(rig.remarks().is_empty());
        let second = map(r.offset(2 * MIB), 2 * MIB, h.handle);
        call(&mut rig, &second).unwrap();
        assert_eq!(rig.remarks(), [Code::ReplayVmmAlias]);
        let third = MapRequest { alias: true, ..map(r.offset(4 * MIB), 2 * MIB, h.handle) };
        call(&mut rig, &third).unwrap();
        assert!(rig.remarks().is_empty());
        for offset in [0, 2 * MIB, 4 * MIB] {
            let reach = rig.reach(0, r.offset(offset), 8, Who::Device(0), How::Read);
            assert_eq!(reach.pieces, [Piece { object: h.object, start: 0, len: 8 }]);
        }
        assert_eq!(rig.space.handle_refs(h.handle), (4, 3));
    });
}

#[test]
fn the_same_memory_moves_from_address_to_address_without_a_remark() {
    both(|mut rig| {
        let (r, h) = (rig.reserve(0, 8 * MIB), rig.create(0, 2 * MIB));
        for offset in [0, 4 * MIB, 2 * MIB] {
            let piece = call(&mut rig, &map(r.offset(offset), 2 * MIB, h.handle)).unwrap();
            assert_eq!(piece.object, h.object);
            assert!(rig.remarks().is_empty());
            unmap(&mut rig, r.offset(offset)).unwrap();
        }
        assert_eq!(rig.counters.allocs, 1);
    });
}

#[test]
fn a_segment_grows_piece_by_piece() {
    both(|mut rig| {
        let r = rig.reserve(0, 64 << 30);
        for at in 0..16 {
            let h = rig.create(0, 2 * MIB).handle;
            rig.map(0, r.offset(at * 2 * MIB), 2 * MIB, h);
        }
        let reach = rig.reach(0, r, 32 * MIB, Who::Device(0), How::Write);
        assert_eq!((reach.pieces.len(), reach.wrong.len()), (16, 0));
    });
}

#[test]
fn a_handle_without_references_of_the_user_is_not_mapped() {
    both(|mut rig| {
        let (r, h) = (rig.reserve(0, 8 * MIB), rig.create(0, 2 * MIB).handle);
        rig.map(0, r, 2 * MIB, h);
        rig.call(|s, cx| s.release(cx, 0, Some(h))).unwrap();
        let answer = call(&mut rig, &map(r.offset(2 * MIB), 2 * MIB, h));
        finds(&answer, Code::ReplayStaleHandle);
        rig.refuses(answer, Status::InvalidHandle);
    });
}

#[test]
fn only_the_start_of_a_mapping_is_unmapped() {
    both(|mut rig| {
        let (r, h) = (rig.reserve(0, 8 * MIB), rig.create(0, 4 * MIB).handle);
        rig.map(0, r, 4 * MIB, h);
        for offset in [2 * MIB, 4 * MIB] {
            let answer = unmap(&mut rig, r.offset(offset));
            rig.refuses(answer, Status::ParaError);
        }
        assert_eq!(unmap(&mut rig, r).unwrap().piece.len, 4 * MIB);
        let again = unmap(&mut rig, r);
        rig.refuses(again, Status::ParaError);
        assert_eq!(rig.space.handle_refs(h), (1, 0));
        let wrong = rig.wrong(0, r, 1, Who::Device(0), How::Read);
        assert_eq!(wrong, [Code::ReplayUnmappedAccess]);
    });
}

#[test]
fn a_registered_mapping_is_not_unmapped() {
    both(|mut rig| {
        let (r, h) = (rig.reserve(0, 8 * MIB), rig.create(0, 2 * MIB).handle);
        rig.map(0, r, 2 * MIB, h);
        let request = RegRequest {
            name: Some("v"),
            src: Some(r),
            len: Some(2 * MIB),
            kind: Register::DevMemMapHost,
            device: 0,
            read_only: false,
        };
        rig.call(|s, cx| s.reg(cx, 0, &request)).unwrap();
        for answer in [
            unmap(&mut rig, r).map(|_| ()),
            rig.call(|s, cx| s.unreserve(cx, 0, Some(r))).map(|_| ()),
        ] {
            finds(&answer, Code::ReplayRegFree);
            rig.refuses(answer, Status::Busy);
        }
        rig.call(|s, cx| s.unreg(cx, 0, Some(r), 0)).unwrap();
        assert!(unmap(&mut rig, r).is_ok());
    });
}

#[test]
fn q_ipc_1_a_mapping_that_is_shared_by_name_is_not_unmapped_in_source() {
    both(|mut rig| {
        let (r, h) = (rig.reserve(0, 8 * MIB), rig.create(0, 2 * MIB).handle);
        rig.map(0, r, 2 * MIB, h);
        let request =
            IpcRequest { name: Some("k"), name_len: 65, pointer: Some(r), len: Some(2 * MIB) };
        let key = rig.call(|s, cx| s.ipc_create(cx, 0, &request));
        assert!(rig.noted(Quirk::Ipc1));
        match rig.mode {
            Mode::Spec => rig.refuses(key, Status::InvalidValue),
            Mode::Source => {
                assert_eq!(unmap(&mut rig, r).unwrap_err().status, Status::Busy);
                rig.call(|s, cx| s.ipc_destroy(cx, 0, key.ok())).unwrap();
                assert!(unmap(&mut rig, r).is_ok());
            }
        }
    });
}

#[test]
fn a_map_that_the_trace_makes_fail_changes_nothing() {
    both(|mut rig| {
        let (r, h) = (rig.reserve(0, 8 * MIB), rig.create(0, 2 * MIB).handle);
        rig.inject(&[Fault::FailMap(1)]);
        let answer = call(&mut rig, &map(r, 2 * MIB, h));
        assert_eq!(answer.unwrap_err().status, Status::OutOfMemory);
        assert_eq!(rig.space.handle_refs(h), (1, 0));
        rig.map(0, r, 2 * MIB, h);
    });
}
