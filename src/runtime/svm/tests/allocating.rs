use super::rig::{GIB, KIB, MIB, Rig, TIB, both, dev, of_kind};
use crate::model::machine::{Mode, Product};
use crate::model::trace::{AllocKind, Fault, MemoryFlags, PageClass};
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::objects::ObjectKind;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::Status;
use crate::runtime::svm::{AllocRequest, Zone};

fn flags(set: impl Fn(&mut MemoryFlags)) -> MemoryFlags {
    let mut flags = MemoryFlags::default();
    set(&mut flags);
    flags
}

#[test]
fn arguments_are_looked_at_in_the_order_of_the_library() {
    let bad = |f: &dyn Fn(&mut AllocRequest<'static>)| {
        let mut request = dev(4096);
        f(&mut request);
        request
    };
    // Each breaks its own rule and all that come later, so far as they can meet.
    let giant_uva = |r: &mut AllocRequest<'static>| {
        r.kind = AllocKind::HostUva;
        r.pages = PageClass::Giant;
        r.device = 99;
    };
    let rows: Vec<(AllocRequest<'static>, Status)> = vec![
        (bad(&|r| (r.name, r.size) = (None, 0)), Status::InvalidValue),
        (bad(&|r| (r.size, r.flags.huge_and_giant) = (0, true)), Status::InvalidValue),
        (bad(&|r| (r.size, r.flags.huge_and_giant) = (9 * TIB, true)), Status::OutOfMemory),
        (
            bad(&|r| {
                giant_uva(r);
                r.flags.huge_and_giant = true;
            }),
            Status::InvalidValue,
        ),
        (bad(&giant_uva), Status::NotSupport),
        (
            bad(&|r| {
                r.flags = flags(|f| (f.read_only, f.host_rw_dev_ro) = (true, true));
                r.device = 99;
            }),
            Status::ParaError,
        ),
        (
            bad(&|r| {
                (r.kind, r.device) = (AllocKind::HostUva, 99);
                r.flags.p2p = true;
            }),
            Status::NotSupport,
        ),
        (
            bad(&|r| {
                (r.kind, r.device) = (AllocKind::Svm, 99);
                r.flags.redirected = true;
            }),
            Status::NotSupport,
        ),
        (bad(&|r| r.device = 2), Status::InvalidDevice),
        (bad(&|r| r.device = 64), Status::InvalidDevice),
        (bad(&|r| r.size = 5 * GIB), Status::OutOfMemory),
    ];
    both(|mut rig| {
        for (request, status) in &rows {
            let refused = rig.alloc(0, request).unwrap_err();
            assert_eq!(refused.status, *status, "{request:?}");
        }
        assert!(rig.objects.is_empty());
    });
}

#[test]
fn giant_pages_are_for_device_memory_or_with_certain_flags() {
    both(|mut rig| {
        let giant =
            |kind, flags| AllocRequest { pages: PageClass::Giant, flags, ..of_kind(4096, kind) };
        let none = MemoryFlags::default();
        assert!(rig.alloc(0, &giant(AllocKind::Dev, none)).is_ok());
        assert_eq!(
            rig.alloc(0, &giant(AllocKind::Dvpp, none)).unwrap_err().status,
            Status::NotSupport
        );
        assert!(rig.alloc(0, &giant(AllocKind::Dvpp, flags(|f| f.ts = true))).is_ok());
        assert_eq!(rig.memory.used_for(Bank::Device(0), Purpose::Svm), 2 * GIB);
    });
}

#[test]
fn every_flag_that_host_memory_at_one_address_does_not_have_is_refused() {
    both(|mut rig| {
        let set: [fn(&mut MemoryFlags); 4] =
            [|f| f.contiguous = true, |f| f.p2p = true, |f| f.bar = true, |f| f.cp_only = true];
        for set in set {
            let request = AllocRequest { flags: flags(set), ..of_kind(4096, AllocKind::HostUva) };
            assert_eq!(rig.alloc(0, &request).unwrap_err().status, Status::NotSupport);
        }
        for pages in [PageClass::Huge, PageClass::Giant] {
            let request = AllocRequest { pages, ..of_kind(4096, AllocKind::HostUva) };
            assert_eq!(rig.alloc(0, &request).unwrap_err().status, Status::NotSupport);
        }
        assert!(rig.alloc(0, &of_kind(4096, AllocKind::HostUva)).is_ok());
    });
}

#[test]
fn memory_is_taken_in_pages_and_used_by_the_byte() {
    both(|mut rig| {
        let normal = rig.dev(0, 5000);
        assert_eq!((normal.len, rig.memory.used(Bank::Device(0))), (5000, 8192));
        assert_eq!(normal.pointer.address % (4 * KIB), 0);
        let huge = AllocRequest { pages: PageClass::Huge, ..dev(5000) };
        let huge = rig.alloc(0, &huge).unwrap();
        assert_eq!(rig.memory.used(Bank::Device(0)), 8192 + 2 * MIB);
        assert_eq!(huge.pointer.address % (2 * MIB), 0);
        let object = rig.objects.get(huge.object).unwrap();
        assert_eq!((object.len, object.kind), (5000, ObjectKind::Allocation(Bank::Device(0))));
        let large = rig.dev(0, GIB / 2 + 1);
        assert_eq!(large.pointer.address % GIB, 0);
        assert_eq!(rig.counters.allocs, 3);
    });
}

#[test]
fn every_kind_takes_its_memory_from_its_bank_and_its_addresses_from_its_zone() {
    both(|mut rig| {
        let rows = [
            (AllocKind::Dev, Zone::Svm, 4096, 0),
            (AllocKind::Dvpp, Zone::Svm, 4096, 0),
            (AllocKind::Svm, Zone::Svm, 0, 0),
            (AllocKind::Host, Zone::HostPin, 0, 4096),
            (AllocKind::HostUva, Zone::Svm, 0, 4096),
            (AllocKind::User, Zone::User, 0, 4096),
        ];
        for (kind, zone, on_device, on_host) in rows {
            let made = rig.alloc(0, &of_kind(100, kind)).unwrap();
            assert!(zone.contains(made.pointer.address), "{kind:?}");
            let used = (rig.memory.used(Bank::Device(0)), rig.memory.used(Bank::Host));
            assert_eq!(used, (on_device, on_host), "{kind:?}");
            rig.call(|s, cx| s.free(cx, 0, Some(made.pointer))).unwrap();
            if kind == AllocKind::Dev && rig.mode == Mode::Source {
                rig.call(|s, cx| s.close(cx, 0, 0, false)).unwrap();
                rig.call(|s, cx| s.open(cx, 0, 0, 0)).unwrap();
            }
        }
        let uvm = rig.alloc(0, &of_kind(100, AllocKind::Uvm));
        assert_eq!(uvm.unwrap_err().status, Status::NotSupport);
    });
}

#[test]
fn host_memory_needs_some_open_device_and_may_name_the_host() {
    for mode in [Mode::Spec, Mode::Source] {
        let mut rig = Rig::closed(mode, GIB, GIB);
        let request = AllocRequest { device: 64, ..of_kind(100, AllocKind::Host) };
        assert_eq!(rig.alloc(0, &request).unwrap_err().status, Status::InvalidHandle);
        rig.call(|s, cx| s.open(cx, 0, 1, 0)).unwrap();
        assert!(rig.alloc(0, &request).is_ok());
        // Plain memory needs nothing.
        assert!(rig.alloc(1, &of_kind(100, AllocKind::User)).is_ok());
    }
}

#[test]
fn huge_pages_fall_back_to_normal_ones_only_when_asked_first() {
    for mode in [Mode::Spec, Mode::Source] {
        let mut rig = Rig::sized(mode, MIB, GIB);
        let of = |pages| AllocRequest { pages, ..dev(8192) };
        let only = rig.alloc(0, &of(PageClass::Huge));
        assert_eq!(only.unwrap_err().status, Status::OutOfMemory);
        let first = rig.alloc(0, &of(PageClass::HugeFirst)).unwrap();
        assert_eq!(rig.memory.used(Bank::Device(0)), 8192);
        assert!(Zone::Svm.contains(first.pointer.address));
        let mut rig = Rig::sized(mode, 8 * MIB, GIB);
        rig.alloc(0, &of(PageClass::HugeFirst)).unwrap();
        assert_eq!(rig.memory.used(Bank::Device(0)), 2 * MIB);
    }
}

#[test]
fn acl_keeps_32_bytes_behind_the_memory_on_a2_and_a3_except_with_giant_pages() {
    both(|mut rig| {
        let acl = |size, pages| AllocRequest { pages, flags: flags(|f| f.acl = true), ..dev(size) };
        let made = rig.alloc(0, &acl(4096, PageClass::Normal)).unwrap();
        assert_eq!((made.len, rig.memory.used(Bank::Device(0))), (4096, 8192));
        rig.alloc(0, &acl(4064, PageClass::Normal)).unwrap();
        assert_eq!(rig.memory.used(Bank::Device(0)), 12288);
        rig.alloc(0, &acl(GIB, PageClass::Giant)).unwrap();
        assert_eq!(rig.memory.used(Bank::Device(0)), 12288 + GIB);
        rig.machine.product = Product::P950;
        rig.alloc(0, &acl(4096, PageClass::Normal)).unwrap();
        assert_eq!(rig.memory.used(Bank::Device(0)), 16384 + GIB);
    });
}

#[test]
fn q_alloc_1_the_largest_allocation_depends_on_the_mode() {
    both(|mut rig| {
        let request = of_kind(129 * GIB, AllocKind::Svm);
        let answer = rig.alloc(0, &request);
        assert!(rig.noted(Quirk::Alloc1));
        assert_eq!(answer.is_ok(), rig.mode == Mode::Source);
        let answer = rig.alloc(0, &of_kind(8 * TIB + 1, AllocKind::Svm));
        assert_eq!(answer.unwrap_err().status, Status::OutOfMemory);
        assert!(!rig.noted(Quirk::Alloc1));
        assert!(rig.alloc(0, &of_kind(128 * GIB, AllocKind::Svm)).is_ok());
        assert!(!rig.noted(Quirk::Alloc1));
    });
}

#[test]
fn pages_side_by_side_are_few() {
    both(|mut rig| {
        let of = |size| AllocRequest { flags: flags(|f| f.contiguous = true), ..dev(size) };
        assert!(rig.alloc(0, &of(4 * MIB)).is_ok());
        assert_eq!(rig.alloc(0, &of(4 * MIB + 1)).unwrap_err().status, Status::OutOfMemory);
    });
}

#[test]
fn an_allocation_that_the_trace_makes_fail_leaves_nothing_behind() {
    both(|mut rig| {
        rig.inject(&[Fault::FailAlloc(2)]);
        rig.dev(0, 4096);
        assert_eq!(rig.alloc(0, &dev(4096)).unwrap_err().status, Status::OutOfMemory);
        assert_eq!((rig.memory.used(Bank::Device(0)), rig.counters.allocs), (4096, 1));
        rig.dev(0, 4096);
    });
}

#[test]
fn addresses_of_a_process_never_meet_while_both_are_live() {
    both(|mut rig| {
        let mut live: Vec<(u64, u64)> = Vec::new();
        for at in 0..200_u64 {
            let size = 1 + at * 7919 % 300_000;
            let made = rig.dev(0, size);
            let end = made.pointer.address + size;
            assert!(live.iter().all(|&(s, e)| end <= s || e <= made.pointer.address));
            if at % 3 == 0 {
                rig.free(0, made.pointer).unwrap();
            } else {
                live.push((made.pointer.address, end));
            }
        }
    });
}
