use super::rig::{MIB, Rig, both, dev, of_kind};
use crate::diag::Code;
use crate::model::trace::{AllocKind, MemoryFlags};
use crate::runtime::objects::Piece;
use crate::runtime::pointer::How::{Read, Write};
use crate::runtime::pointer::Who::{Device, Host};
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::svm::AllocRequest;

#[test]
fn an_access_past_the_bytes_asked_for_is_out_of_bounds_and_reaches_the_rest() {
    both(|mut rig| {
        let made = rig.dev(0, 5000);
        let reach = rig.reach(0, made.pointer.offset(4000), 2000, Device(0), Read);
        assert_eq!(reach.pieces, [Piece { object: made.object, start: 4000, len: 1000 }]);
        assert_eq!(reach.wrong[0].code, Code::ReplayOob);
        let reach = rig.reach(0, made.pointer.offset(1 << 40), 1, Device(0), Read);
        assert_eq!((reach.pieces.len(), reach.wrong.len()), (0, 1));
        let reach = rig.reach(0, made.pointer, 0, Host, Write);
        assert_eq!((reach.pieces.len(), reach.wrong.len()), (0, 0));
        let reach = rig.reach(0, made.pointer.offset(1), u64::MAX, Device(0), Read);
        assert_eq!(reach.pieces, [Piece { object: made.object, start: 1, len: 4999 }]);
    });
}

#[test]
fn an_address_that_nobody_was_given_or_another_process_was_is_not_mapped() {
    both(|mut rig| {
        let made = rig.dev(0, 4096);
        let unknown = Pointer { generation: 55, ..made.pointer };
        assert_eq!(rig.wrong(0, unknown, 1, Device(0), Read), [Code::ReplayUnmappedAccess]);
        assert_eq!(rig.wrong(1, made.pointer, 1, Device(0), Read), [Code::ReplayUnmappedAccess]);
    });
}

fn allowed(rig: &mut Rig, request: &AllocRequest<'_>, who: Who, how: How) -> bool {
    let made = rig.alloc(0, request).unwrap();
    let wrong = rig.wrong(0, made.pointer, 4096, who, how);
    assert!(wrong.is_empty() || wrong == [Code::ReplayPerm]);
    wrong.is_empty()
}

#[test]
fn each_kind_of_memory_is_for_its_side() {
    both(|mut rig| {
        for peer in [false, true] {
            rig.machine.capabilities.peer = peer;
            let rows = [
                (AllocKind::Dev, [false, true, peer]),
                (AllocKind::Dvpp, [false, true, peer]),
                (AllocKind::Host, [true, false, false]),
                (AllocKind::HostUva, [true, true, true]),
                (AllocKind::User, [true, false, false]),
            ];
            for (kind, expected) in rows {
                for how in [Read, Write] {
                    let found = [Host, Device(0), Device(1)]
                        .map(|who| allowed(&mut rig, &of_kind(4096, kind), who, how));
                    assert_eq!(found, expected, "{kind:?} {how:?}");
                }
            }
        }
    });
}

#[test]
fn flags_say_who_may_write() {
    both(|mut rig| {
        rig.machine.capabilities.peer = false;
        let none = MemoryFlags::default();
        let rows = [
            (MemoryFlags { read_only: true, ..none }, Device(0), [true, false]),
            (MemoryFlags { read_only: true, ..none }, Host, [false, false]),
            (MemoryFlags { host_rw_dev_ro: true, ..none }, Device(0), [true, false]),
            (MemoryFlags { host_rw_dev_ro: true, ..none }, Host, [true, true]),
            (MemoryFlags { bar: true, ..none }, Host, [true, true]),
            (MemoryFlags { p2p: true, ..none }, Device(1), [true, true]),
        ];
        for (flags, who, expected) in rows {
            let request = AllocRequest { flags, ..dev(4096) };
            let found = [Read, Write].map(|how| allowed(&mut rig, &request, who, how));
            assert_eq!(found, expected, "{flags:?} {who:?}");
        }
    });
}

#[test]
fn only_the_mapped_parts_of_reserved_addresses_are_reached() {
    both(|mut rig| {
        let reserved = rig.reserve(0, 8 * MIB);
        let (a, b) = (rig.create(0, 2 * MIB), rig.create(0, 2 * MIB));
        rig.map(0, reserved, 2 * MIB, a.handle);
        rig.map(0, reserved.offset(4 * MIB), 2 * MIB, b.handle);
        let reach = rig.reach(0, reserved.offset(MIB), 4 * MIB, Device(0), Read);
        let piece = |object, start, len| Piece { object, start, len };
        assert_eq!(reach.pieces, [piece(a.object, MIB, MIB), piece(b.object, 0, MIB)]);
        let codes: Vec<_> = reach.wrong.iter().map(|r| r.code).collect();
        assert_eq!(codes, [Code::ReplayUnmappedAccess]);
        let all = rig.reach(0, reserved, 8 * MIB, Device(0), Read);
        assert_eq!((all.pieces.len(), all.wrong.len()), (2, 2));
        // The owner's side is allowed by the map, nobody else.
        assert_eq!(rig.wrong(0, reserved, 1, Device(1), Read), [Code::ReplayPerm]);
        assert_eq!(rig.wrong(0, reserved, 1, Host, Read), [Code::ReplayPerm]);
    });
}
