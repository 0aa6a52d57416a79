use super::rig::{MIB, Rig, both, finds, of_kind};
use crate::diag::Code;
use crate::model::trace::{AllocKind, Register};
use crate::runtime::memory::Bank;
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::share::{IpcRequest, KeyId, RegRequest};
use crate::runtime::status::Status;

/// One of everything.
fn everything(rig: &mut Rig) -> (Pointer, KeyId) {
    rig.dev(0, 4096);
    let host = rig.alloc(0, &of_kind(4096, AllocKind::Host)).unwrap().pointer;
    rig.alloc(0, &of_kind(4096, AllocKind::User)).unwrap();
    let svm = rig.alloc(0, &of_kind(4096, AllocKind::Svm)).unwrap().pointer;
    rig.call(|s, cx| s.touch(cx, 0, svm, 1, Who::Host));
    let reserved = rig.reserve(0, 4 * MIB);
    let handle = rig.create(0, 2 * MIB).handle;
    rig.map(0, reserved, 2 * MIB, handle);
    let request = RegRequest {
        name: Some("d"),
        src: Some(host),
        len: None,
        kind: Register::HostMemMapDev,
        device: 0,
        read_only: false,
    };
    rig.call(|s, cx| s.reg(cx, 0, &request)).unwrap();
    let shared = rig.dev(0, 4096);
    let request =
        IpcRequest { name: Some("k"), name_len: 65, pointer: Some(shared.pointer), len: None };
    let key = rig.call(|s, cx| s.ipc_create(cx, 0, &request)).unwrap();
    rig.call(|s, cx| s.ipc_setpid(cx, 0, Some(key), &[1], false)).unwrap();
    let opened = rig.call(|s, cx| s.ipc_open(cx, 1, Some("i"), Some(key), 0)).unwrap();
    (opened.pointer, key)
}

fn used(rig: &Rig) -> [u64; 2] {
    [Bank::Host, Bank::Device(0)].map(|bank| rig.memory.used(bank))
}

#[test]
fn a_process_leaves_no_memory_behind_and_every_thing_that_it_forgot_is_a_leak() {
    both(|mut rig| {
        let (opened, key) = everything(&mut rig);
        let gone = rig.call(|s, cx| s.exit(cx, 0));
        assert_eq!(used(&rig), [0, 0]);
        // Device, host, user, SVM and shared memory, and the handle.
        assert_eq!(gone.len(), 6);
        let leaks = rig.remarks().iter().filter(|&&c| c == Code::ReplayLeak).count();
        // 4 allocations, the registration, the mapping, the handle, the reserved addresses, the share.
        assert_eq!(leaks, 9);
        assert!(rig.remarks().contains(&Code::ReplayIpcOrder));
        let wrong = rig.wrong(1, opened, 1, Who::Device(0), How::Read);
        assert_eq!(wrong, [Code::ReplayIpcStale]);
        let answer = rig.call(|s, cx| s.ipc_open(cx, 1, Some("i"), Some(key), 1));
        finds(&answer, Code::ReplayStaleHandle);
        assert!(rig.call(|s, cx| s.exit(cx, 0)).is_empty());
    });
}

#[test]
fn a_crash_does_the_same_without_blame() {
    both(|mut rig| {
        let (opened, _) = everything(&mut rig);
        assert_eq!(rig.call(|s, cx| s.crash(cx, 0)).len(), 6);
        assert!(rig.remarks().is_empty());
        assert_eq!(used(&rig), [0, 0]);
        let wrong = rig.wrong(1, opened, 1, Who::Device(0), How::Read);
        assert_eq!(wrong, [Code::ReplayIpcStale]);
        // The importer can still close.
        assert!(rig.call(|s, cx| s.ipc_close(cx, 1, Some(opened))).unwrap().is_some());
    });
}

#[test]
fn a_close_takes_what_is_on_the_device_and_leaves_the_host_alone() {
    both(|mut rig| {
        everything(&mut rig);
        rig.call(|s, cx| s.close(cx, 0, 0, false)).unwrap();
        assert_eq!(used(&rig), [8192, 0]);
        let leaks = rig.remarks().iter().filter(|&&c| c == Code::ReplayLeak).count();
        // Two allocations on the device, the SVM one, the registration, the mapping, the handle and
        // the share.
        assert_eq!(leaks, 7);
        // Device 1 is still open.
        assert!(rig.alloc(0, &of_kind(4096, AllocKind::Host)).is_ok());
        let answer = rig.alloc(0, &of_kind(4096, AllocKind::Dev));
        assert_eq!(answer.unwrap_err().status, Status::InvalidHandle);
    });
}

#[test]
fn an_importer_that_ends_no_longer_counts_as_one() {
    both(|mut rig| {
        let (_, key) = everything(&mut rig);
        rig.call(|s, cx| s.exit(cx, 1));
        assert_eq!(rig.remarks(), [Code::ReplayLeak]);
        rig.call(|s, cx| s.ipc_destroy(cx, 0, Some(key))).unwrap();
        assert!(rig.remarks().is_empty());
    });
}

#[test]
fn the_view_of_a_mapping_ends_with_the_device_of_its_memory() {
    both(|mut rig| {
        let reserved = rig.reserve(0, 2 * MIB);
        let handle = rig.create(0, 2 * MIB).handle;
        rig.map(0, reserved, 2 * MIB, handle);
        let request = RegRequest {
            name: Some("d"),
            src: Some(reserved),
            len: None,
            kind: Register::DevMemMapHost,
            device: 1,
            read_only: false,
        };
        let view = rig.call(|s, cx| s.reg(cx, 0, &request)).unwrap().pointer;
        assert!(rig.wrong(0, view, 1, Who::Host, How::Read).is_empty());
        rig.call(|s, cx| s.close(cx, 0, 0, false)).unwrap();
        assert_eq!(rig.wrong(0, view, 1, Who::Host, How::Read), [Code::ReplayUaf]);
    });
}
