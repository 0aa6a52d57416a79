use crate::diag::Code;
use crate::model::trace::{AllocKind, MemoryFlags};
use crate::runtime::pointer::Pointer;
use crate::runtime::share::{IpcRequest, KeyId};
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::AllocRequest;
use crate::runtime::svm::tests::rig::{KIB, Rig, TIB, both, dev, finds, of_kind};

fn named(pointer: Pointer) -> IpcRequest<'static> {
    IpcRequest { name: Some("k"), name_len: 65, pointer: Some(pointer), len: None }
}

fn create(rig: &mut Rig, request: &IpcRequest<'_>) -> Result<KeyId, Refused> {
    rig.call(|s, cx| s.ipc_create(cx, 0, request))
}

fn setpid(rig: &mut Rig, key: KeyId, pids: &[u32], off: bool) -> Result<(), Refused> {
    rig.call(|s, cx| s.ipc_setpid(cx, 0, Some(key), pids, off))
}

#[test]
fn a_name_needs_a_buffer_of_65_bytes_and_memory() {
    both(|mut rig| {
        let made = rig.dev(0, 8192);
        let ok = named(made.pointer);
        for bad in [
            IpcRequest { name: None, ..ok },
            IpcRequest { name_len: 64, ..ok },
            IpcRequest { pointer: None, ..ok },
            IpcRequest { len: Some(0), ..ok },
        ] {
            assert_eq!(create(&mut rig, &bad).unwrap_err().status, Status::InvalidValue);
        }
        assert!(create(&mut rig, &ok).is_ok());
    });
}

#[test]
fn only_whole_writable_pages_of_a_device_are_shared_and_only_once() {
    both(|mut rig| {
        let made = rig.dev(0, 8192);
        let read_only = MemoryFlags { read_only: true, ..MemoryFlags::default() };
        let read_only = rig.alloc(0, &AllocRequest { flags: read_only, ..dev(4096) }).unwrap();
        let mut rows = vec![
            named(made.pointer.offset(100)),
            named(made.pointer.offset(8192)),
            IpcRequest { len: Some(8193), ..named(made.pointer) },
            named(read_only.pointer),
            named(Pointer { generation: 77, ..made.pointer }),
        ];
        for kind in [AllocKind::Host, AllocKind::HostUva, AllocKind::Svm, AllocKind::User] {
            rows.push(named(rig.alloc(0, &of_kind(4096, kind)).unwrap().pointer));
        }
        rows.push(named(rig.reserve(0, 4096)));
        for bad in rows {
            let answer = create(&mut rig, &bad);
            rig.refuses(answer, Status::ParaError);
        }
        let first = IpcRequest { len: Some(4096), ..named(made.pointer) };
        create(&mut rig, &first).unwrap();
        let again = create(&mut rig, &named(made.pointer));
        rig.refuses(again, Status::ParaError);
        // The other page is not shared yet.
        assert!(create(&mut rig, &named(made.pointer.offset(4096))).is_ok());
        let managed = named(Pointer { process: 0, address: 9 * TIB, generation: 78 });
        assert_eq!(create(&mut rig, &managed).unwrap_err().status, Status::NotSupport);
    });
}

#[test]
fn a_small_acl_allocation_may_be_cut_out_of_a_larger_one() {
    both(|mut rig| {
        let flags = MemoryFlags { acl: true, ..MemoryFlags::default() };
        let made = rig.alloc(0, &AllocRequest { flags, ..dev(100 * KIB) }).unwrap();
        create(&mut rig, &named(made.pointer)).unwrap();
        assert_eq!(rig.remarks(), [Code::ReplayLint]);
    });
}

#[test]
fn a_whitelist_is_written_by_the_creator_with_1_to_31_others() {
    both(|mut rig| {
        let made = rig.dev(0, 4096);
        let key = create(&mut rig, &named(made.pointer)).unwrap();
        for bad in [&[][..], &[0][..], &[1; 32][..], &[7][..]] {
            let answer = setpid(&mut rig, key, bad, false);
            assert_eq!(answer.unwrap_err().status, Status::InvalidValue, "{bad:?}");
        }
        let foreign = rig.call(|s, cx| s.ipc_setpid(cx, 1, Some(key), &[1], false));
        finds(&foreign, Code::ReplayIpcPerm);
        rig.refuses(foreign, Status::OperNotPermitted);
        assert!(setpid(&mut rig, key, &[0, 1], false).is_ok());
        assert!(setpid(&mut rig, key, &[1; 31], false).is_ok());
        // Too late to switch it off.
        let off = setpid(&mut rig, key, &[], true);
        assert_eq!(off.unwrap_err().status, Status::OperNotPermitted);
        let null = rig.call(|s, cx| s.ipc_setpid(cx, 0, None, &[1], false));
        assert_eq!(null.unwrap_err().status, Status::InvalidValue);
    });
}

#[test]
fn a_whitelist_that_is_switched_off_is_not_written() {
    both(|mut rig| {
        let made = rig.dev(0, 4096);
        let key = create(&mut rig, &named(made.pointer)).unwrap();
        setpid(&mut rig, key, &[], true).unwrap();
        let answer = setpid(&mut rig, key, &[1], false);
        assert_eq!(answer.unwrap_err().status, Status::OperNotPermitted);
        assert!(rig.call(|s, cx| s.ipc_open(cx, 1, Some("i"), Some(key), 0)).is_ok());
    });
}

#[test]
fn a_name_is_destroyed_once_and_by_its_creator() {
    both(|mut rig| {
        let made = rig.dev(0, 4096);
        let key = create(&mut rig, &named(made.pointer)).unwrap();
        let mut destroy = |process, key| rig.call(|s, cx| s.ipc_destroy(cx, process, key));
        assert_eq!(destroy(1, Some(key)).unwrap_err().status, Status::IoctlFail);
        assert_eq!(destroy(0, None).unwrap_err().status, Status::InvalidValue);
        assert_eq!(destroy(0, Some(key)), Ok(()));
        let again = destroy(0, Some(key));
        finds(&again, Code::ReplayStaleHandle);
        assert_eq!(again.unwrap_err().status, Status::InvalidHandle);
        let unknown = destroy(0, Some(KeyId(9)));
        rig.refuses(unknown, Status::ParaError);
        // The memory can be shared anew.
        assert!(create(&mut rig, &named(made.pointer)).is_ok());
    });
}
