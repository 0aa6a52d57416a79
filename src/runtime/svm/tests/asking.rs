use super::rig::{GIB, KIB, MIB, Rig, TIB, both, dev, of_kind};
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{AllocKind, InfoKind, PageClass};
use crate::runtime::pointer::Pointer;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{AllocRequest, MemoryAttribute, MemoryInfo, MemoryType, PointerPlace};

fn attribute(rig: &mut Rig, p: Pointer) -> Result<MemoryAttribute, Refused> {
    rig.call(|s, cx| s.attribute(cx, 0, Some(p)))
}

#[test]
fn an_attribute_says_what_memory_is() {
    both(|mut rig| {
        let rows = [
            (AllocKind::Dev, MemoryType::LockDev, Some(0)),
            (AllocKind::Dvpp, MemoryType::Dvpp, Some(0)),
            (AllocKind::Host, MemoryType::LockHost, None),
            (AllocKind::HostUva, MemoryType::LockHost, None),
            (AllocKind::Svm, MemoryType::Svm, None),
        ];
        for (kind, expected, device) in rows {
            let made = rig.alloc(0, &of_kind(100, kind)).unwrap();
            let found = attribute(&mut rig, made.pointer.offset(99)).unwrap();
            let page = 4 * KIB;
            assert_eq!(found, MemoryAttribute { kind: expected, device, page, stale: false });
        }
        let managed = Pointer { process: 0, address: 9 * TIB, generation: 1000 };
        let found = attribute(&mut rig, managed).unwrap();
        assert_eq!((found.kind, found.page), (MemoryType::Uvm, 2 * MIB));
        let user = rig.alloc(0, &of_kind(100, AllocKind::User)).unwrap();
        assert_eq!(attribute(&mut rig, user.pointer).unwrap_err().status, Status::NotExist);
        let null = rig.call(|s, cx| s.attribute(cx, 0, None));
        assert_eq!(null.unwrap_err().status, Status::InvalidValue);
        let nowhere = Pointer { process: 0, address: 3, generation: 1001 };
        assert_eq!(attribute(&mut rig, nowhere).unwrap_err().status, Status::NotExist);
    });
}

#[test]
fn reserved_addresses_have_an_attribute_once_they_are_mapped() {
    both(|mut rig| {
        let reserved = rig.reserve(0, 4 * MIB);
        assert_eq!(attribute(&mut rig, reserved).unwrap_err().status, Status::NotExist);
        let handle = rig.create(0, 2 * MIB).handle;
        rig.map(0, reserved, 2 * MIB, handle);
        assert_eq!(attribute(&mut rig, reserved).unwrap().kind, MemoryType::LockDev);
        let behind = attribute(&mut rig, reserved.offset(2 * MIB));
        assert_eq!(behind.unwrap_err().status, Status::NotExist);
    });
}

#[test]
fn q_qry_1_freed_memory_has_an_attribute_in_source_while_its_heap_is_open() {
    both(|mut rig| {
        let made = rig.dev(0, 4096);
        rig.free(0, made.pointer).unwrap();
        let answer = attribute(&mut rig, made.pointer);
        assert!(rig.noted(Quirk::Qry1));
        assert_eq!(rig.remarks(), [Code::ReplayLint]);
        match rig.mode {
            Mode::Spec => assert_eq!(answer.unwrap_err().status, Status::NotExist),
            Mode::Source => assert!(answer.unwrap().stale),
        }
        rig.call(|s, cx| s.close(cx, 0, 0, false)).unwrap();
        let answer = attribute(&mut rig, made.pointer);
        assert_eq!(answer.unwrap_err().status, Status::NotExist);
        assert!(!rig.noted(Quirk::Qry1));
    });
}

fn info(rig: &mut Rig, device: u32) -> MemoryInfo {
    rig.call(|s, cx| s.info(cx, 0, device, InfoKind::Hbm)).unwrap()
}

#[test]
fn free_is_capacity_less_what_is_used_and_huge_counts_2m_and_1g() {
    both(|mut rig| {
        let empty = info(&mut rig, 0);
        assert_eq!((empty.total, empty.free, empty.huge_total), (4 * GIB, 4 * GIB, 4 * GIB));
        assert_eq!((empty.giant_total, empty.giant_free), (4 * GIB, 4 * GIB));
        rig.dev(0, 4 * KIB);
        rig.alloc(0, &AllocRequest { pages: PageClass::Huge, ..dev(2 * MIB) }).unwrap();
        rig.alloc(0, &AllocRequest { pages: PageClass::Giant, ..dev(GIB) }).unwrap();
        rig.create(0, 2 * MIB);
        let found = info(&mut rig, 0);
        let free = 4 * GIB - 4 * KIB - 4 * MIB - GIB;
        assert_eq!((found.free, found.total), (free, free + 4 * KIB));
        assert_eq!(found.huge_free, free - free % (2 * MIB));
        assert_eq!(found.huge_total, found.huge_free + 4 * MIB + GIB);
        assert_eq!((found.giant_free, found.giant_total), (2 * GIB, 3 * GIB));
        assert_eq!(info(&mut rig, 1).free, 4 * GIB);
        assert_eq!(info(&mut rig, 64).free, 8 * GIB);
        let answer = rig.call(|s, cx| s.info(cx, 0, 2, InfoKind::Hbm));
        assert_eq!(answer.unwrap_err().status, Status::InvalidDevice);
        let answer = rig.call(|s, cx| s.info(cx, 0, 0, InfoKind::AddrCheck));
        assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
    });
}

#[test]
fn the_range_of_an_address_is_its_whole_allocation_in_pages() {
    both(|mut rig| {
        let made = rig.dev(0, 5000);
        let found = rig.space.address_range(0, Some(made.pointer.offset(4999))).unwrap();
        assert_eq!((found.base, found.size), (made.pointer, 8192));
        let refused = |rig: &Rig, p| rig.space.address_range(0, p).unwrap_err().status;
        assert_eq!(refused(&rig, None), Status::InvalidValue);
        assert_eq!(refused(&rig, Some(made.pointer.offset(8192))), Status::InvalidValue);
        rig.free(0, made.pointer).unwrap();
        assert_eq!(refused(&rig, Some(made.pointer)), Status::InvalidValue);
    });
}

#[test]
fn pointer_attributes_say_where_memory_is() {
    both(|mut rig| {
        let place = |rig: &mut Rig, kind| {
            let made = rig.alloc(0, &of_kind(100, kind)).unwrap();
            rig.space.pointer_attr(0, Some(made.pointer)).unwrap()
        };
        assert_eq!(place(&mut rig, AllocKind::Dev), PointerPlace::Device(0));
        assert_eq!(place(&mut rig, AllocKind::Host), PointerPlace::Host);
        assert_eq!(place(&mut rig, AllocKind::User), PointerPlace::Unregistered);
        let managed = Pointer { process: 0, address: 10 * TIB, generation: 1000 };
        let found = rig.space.pointer_attr(0, Some(managed)).unwrap();
        assert_eq!(found, PointerPlace::Managed);
    });
}

#[test]
fn up_to_1024_addresses_are_checked_at_once() {
    both(|mut rig| {
        let made = rig.dev(0, 4096);
        let freed = rig.dev(0, 4096).pointer;
        rig.free(0, freed).unwrap();
        let asked = [made.pointer, made.pointer.offset(4096), freed];
        assert_eq!(rig.space.address_check(0, &asked), Ok(vec![true, false, false]));
        assert_eq!(rig.space.address_check(0, &[freed; 1024]).unwrap().len(), 1024);
        for bad in [&[][..], &[freed; 1025][..]] {
            let answer = rig.space.address_check(0, bad);
            assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
        }
    });
}
