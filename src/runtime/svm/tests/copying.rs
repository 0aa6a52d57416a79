use super::rig::{Rig, TIB, both, dev, finds, of_kind};
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{AllocKind, Register};
use crate::runtime::pointer::{Pointer, Who};
use crate::runtime::share::{IpcRequest, RegRequest};
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{AllocRequest, Copy2d, CopyRequest, Direction, Place};

fn copy(
    rig: &mut Rig,
    dst: Option<Pointer>,
    src: Option<Pointer>,
    max: Option<u64>,
    count: u64,
) -> Result<Option<Direction>, Refused> {
    let request = CopyRequest { dst, src, dest_max: max, count, hal: false };
    rig.call(|s, cx| s.copy_check(cx, 0, &request))
}

struct Places {
    dev: Pointer,
    other: Pointer,
    pinned: Pointer,
    user: Pointer,
    managed: Pointer,
    pool: Pointer,
}

fn places(rig: &mut Rig) -> Places {
    let other = AllocRequest { device: 1, ..dev(8192) };
    Places {
        dev: rig.dev(0, 8192).pointer,
        other: rig.alloc(0, &other).unwrap().pointer,
        pinned: rig.alloc(0, &of_kind(8192, AllocKind::Host)).unwrap().pointer,
        user: rig.alloc(0, &of_kind(8192, AllocKind::User)).unwrap().pointer,
        managed: Pointer { process: 0, address: 9 * TIB, generation: 900 },
        pool: Pointer { process: 0, address: 12 * TIB, generation: 901 },
    }
}

#[test]
fn a_copy_without_address_or_room_is_refused_and_one_of_nothing_succeeds() {
    both(|mut rig| {
        let p = places(&mut rig);
        for (dst, src, max, count) in [
            (None, Some(p.dev), None, 4),
            (Some(p.dev), None, None, 0),
            (Some(p.dev), Some(p.pinned), Some(0), 0),
            (Some(p.dev), Some(p.pinned), Some(3), 4),
        ] {
            let answer = copy(&mut rig, dst, src, max, count);
            assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
        }
        assert_eq!(copy(&mut rig, Some(p.dev), Some(p.pinned), Some(4), 0), Ok(None));
    });
}

#[test]
fn the_direction_comes_from_the_addresses() {
    both(|mut rig| {
        let p = places(&mut rig);
        let all = [
            (p.dev, Place::Device(0)),
            (p.other, Place::Device(1)),
            (p.pinned, Place::Pinned),
            (p.user, Place::Pageable),
            (p.managed, Place::Managed),
            (p.pool, Place::Pool),
        ];
        for (to, dst) in all {
            for (from, src) in all {
                let answer = copy(&mut rig, Some(to), Some(from), None, 4);
                assert_eq!(answer, Ok(Some(Direction { dst, src })));
            }
        }
        assert_eq!(Place::Device(1).who(), Some(Who::Device(1)));
        assert_eq!(Place::Pageable.who(), Some(Who::Host));
        assert_eq!(Place::Managed.who(), None);
    });
}

#[test]
fn no_copy_or_fill_crosses_the_border_of_the_pools() {
    both(|mut rig| {
        let p = places(&mut rig);
        let before = Pointer { process: 0, address: 12 * TIB - 4, generation: 902 };
        let end = Pointer { process: 0, address: 14 * TIB - 4, generation: 903 };
        for border in [before, end] {
            let answer = copy(&mut rig, Some(p.dev), Some(border), None, 8);
            assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
            let answer = copy(&mut rig, Some(border), Some(p.dev), None, 8);
            assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
            let answer = rig.space.memset_check(0, Some(border), None, 8);
            assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
            assert!(copy(&mut rig, Some(p.dev), Some(border), None, 4).is_ok());
        }
    });
}

#[test]
fn memory_of_another_process_is_not_copied_between_devices() {
    both(|mut rig| {
        let p = places(&mut rig);
        let theirs = rig.dev(1, 4096);
        let request =
            IpcRequest { name: Some("k"), name_len: 65, pointer: Some(theirs.pointer), len: None };
        let key = rig.call(|s, cx| s.ipc_create(cx, 1, &request)).unwrap();
        rig.call(|s, cx| s.ipc_setpid(cx, 1, Some(key), &[], true)).unwrap();
        let i = rig.call(|s, cx| s.ipc_open(cx, 0, Some("i"), Some(key), 0)).unwrap().pointer;
        for (dst, src) in [(i, p.dev), (p.other, i), (i, i), (p.pool, i)] {
            let answer = copy(&mut rig, Some(dst), Some(src), None, 4);
            assert_eq!(answer.unwrap_err().status, Status::NotSupport);
        }
        assert!(copy(&mut rig, Some(i), Some(p.user), None, 4).is_ok());
        assert!(copy(&mut rig, Some(p.pinned), Some(i), None, 4).is_ok());
    });
}

#[test]
fn an_address_that_a_registration_has_made_is_for_kernels_only() {
    both(|mut rig| {
        let p = places(&mut rig);
        let request = RegRequest {
            name: Some("d"),
            src: Some(p.user),
            len: None,
            kind: Register::HostMemMapDev,
            device: 0,
            read_only: false,
        };
        let view = rig.call(|s, cx| s.reg(cx, 0, &request)).unwrap().pointer;
        let answer = copy(&mut rig, Some(view), Some(p.dev), None, 4);
        assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
        // Registered memory does not move away.
        let answer = copy(&mut rig, Some(p.user), Some(p.dev), None, 4).unwrap().unwrap();
        assert_eq!(answer.dst, Place::Pinned);
    });
}

#[test]
fn q_cpy_1_the_hal_allows_all_directions_with_a_remark_in_spec() {
    both(|mut rig| {
        let p = places(&mut rig);
        let mut hal = |dst, src| {
            let request =
                CopyRequest { dst: Some(dst), src: Some(src), dest_max: None, count: 4, hal: true };
            rig.call(|s, cx| s.copy_check(cx, 0, &request)).unwrap();
            rig.remarks().len()
        };
        let linted = [hal(p.dev, p.user), hal(p.dev, p.dev), hal(p.user, p.dev)];
        let expected = if rig.mode == Mode::Spec { [1, 1, 0] } else { [0, 0, 0] };
        assert_eq!(linted, expected);
    });
}

#[test]
fn rows_are_copied_between_host_and_device_only() {
    both(|mut rig| {
        let p = places(&mut rig);
        let rows = |dst, src, width, height| Copy2d {
            dst: Some(dst),
            src: Some(src),
            width,
            height,
            dst_pitch: 64,
            src_pitch: 32,
        };
        let mut check = |request: &Copy2d| rig.call(|s, _| s.copy2d_check(0, request));
        assert!(check(&rows(p.dev, p.user, 32, 4)).unwrap().is_some());
        assert!(check(&rows(p.user, p.dev, 32, 4)).unwrap().is_some());
        assert_eq!(check(&rows(p.user, p.dev, 32, 0)), Ok(None));
        for (dst, src) in [(p.dev, p.other), (p.user, p.pinned), (p.managed, p.user)] {
            let answer = check(&rows(dst, src, 32, 4));
            assert_eq!(answer.unwrap_err().status, Status::NotSupport);
        }
        let wide = check(&rows(p.dev, p.user, 33, 4));
        assert_eq!(wide.unwrap_err().status, Status::InvalidValue);
        let null = check(&Copy2d { dst: None, ..rows(p.dev, p.user, 1, 1) });
        assert_eq!(null.unwrap_err().status, Status::InvalidValue);
        let tall = check(&rows(p.dev, p.user, 32, u64::MAX));
        assert_eq!(tall.unwrap_err().status, Status::InvalidValue);
    });
}

#[test]
fn a_batch_has_at_most_4096_entries_and_each_is_between_host_and_device() {
    both(|mut rig| {
        let p = places(&mut rig);
        let many = |n: usize| vec![(p.dev, p.user, 4); n];
        assert_eq!(rig.space.batch_check(0, &many(4096)).unwrap().len(), 4096);
        let answer = rig.space.batch_check(0, &many(4097));
        assert_eq!(answer.unwrap_err().status, Status::NotSupport);
        assert_eq!(rig.space.batch_check(0, &[]).unwrap_err().status, Status::InvalidValue);
        for bad in [(p.user, p.pinned, 4), (p.dev, p.other, 4), (p.managed, p.user, 4)] {
            let refused = rig.space.batch_check(0, &[(p.dev, p.user, 4), bad]).unwrap_err();
            assert_eq!(refused.status, Status::NotSupport);
            assert!(refused.why.starts_with("entry 1"), "{refused}");
        }
    });
}

#[test]
fn a_fill_needs_an_address_bytes_and_room() {
    both(|mut rig| {
        let p = places(&mut rig);
        let check = |dst, max, count| rig.space.memset_check(0, dst, max, count);
        for answer in
            [check(None, None, 1), check(Some(p.dev), None, 0), check(Some(p.dev), Some(3), 4)]
        {
            assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
        }
        assert_eq!(check(Some(p.dev), Some(4), 4), Ok(Place::Device(0)));
        assert_eq!(check(Some(p.user), None, 4), Ok(Place::Pageable));
    });
}

#[test]
fn a_copy_to_memory_of_kind_svm_goes_where_its_page_is() {
    both(|mut rig| {
        let p = places(&mut rig);
        let svm = rig.alloc(0, &of_kind(8192, AllocKind::Svm)).unwrap().pointer;
        let dst = |rig: &mut Rig| copy(rig, Some(svm), Some(p.user), None, 4).unwrap().unwrap().dst;
        assert_eq!(dst(&mut rig), Place::Pinned);
        rig.call(|s, cx| s.touch(cx, 0, svm, 4, Who::Host));
        rig.call(|s, cx| s.touch(cx, 0, svm, 4, Who::Device(1)));
        assert_eq!(dst(&mut rig), Place::Device(1));
        rig.free(0, svm).unwrap();
        finds(&rig.free(0, svm), Code::ReplayDoubleFree);
    });
}
