//! The scenarios of 8.3 and 8.4 from end to end, as far as they need no clocks.

use crate::diag::Code;
use crate::model::trace::Location;
use crate::runtime::memory::Bank;
use crate::runtime::pointer::{How, Who};
use crate::runtime::share::IpcRequest;
use crate::runtime::svm::tests::rig::{MIB, Rig, both, finds};

const DEVICE: Who = Who::Device(0);

fn clean(rig: &mut Rig) {
    for process in [0, 1] {
        rig.call(|s, cx| s.exit(cx, process));
        assert!(rig.remarks().is_empty(), "{:?}", rig.notes.remarks);
    }
    for bank in [Bank::Host, Bank::Device(0), Bank::Device(1)] {
        assert_eq!(rig.memory.used(bank), 0);
    }
}

#[test]
fn two_processes_share_memory_by_name_and_leave_nothing_behind() {
    both(|mut rig| {
        let a = rig.dev(0, 4096);
        let request =
            IpcRequest { name: Some("k"), name_len: 65, pointer: Some(a.pointer), len: None };
        let key = rig.call(|s, cx| s.ipc_create(cx, 0, &request)).unwrap();
        rig.call(|s, cx| s.ipc_setpid(cx, 0, Some(key), &[1], false)).unwrap();
        let b = rig.call(|s, cx| s.ipc_open(cx, 1, Some("b"), Some(key), 0)).unwrap();
        let theirs = rig.reach(1, b.pointer, 4, DEVICE, How::Read);
        let ours = rig.reach(0, a.pointer, 4, DEVICE, How::Write);
        assert_eq!(theirs, ours);
        rig.call(|s, cx| s.ipc_close(cx, 1, Some(b.pointer))).unwrap();
        rig.call(|s, cx| s.ipc_destroy(cx, 0, Some(key))).unwrap();
        rig.free(0, a.pointer).unwrap();
        clean(&mut rig);
    });
}

#[test]
fn several_names_are_closed_one_after_the_other() {
    both(|mut rig| {
        let mut all = Vec::new();
        for _ in 0..8 {
            let a = rig.dev(0, 4096).pointer;
            let request = IpcRequest { name: Some("k"), name_len: 65, pointer: Some(a), len: None };
            let key = rig.call(|s, cx| s.ipc_create(cx, 0, &request)).unwrap();
            rig.call(|s, cx| s.ipc_setpid(cx, 0, Some(key), &[], true)).unwrap();
            let b = rig.call(|s, cx| s.ipc_open(cx, 1, Some("b"), Some(key), 1)).unwrap();
            all.push((a, b.pointer));
        }
        for &(_, b) in &all {
            assert!(rig.call(|s, cx| s.ipc_close(cx, 1, Some(b))).unwrap().is_some());
        }
        for (a, _) in all {
            rig.free(0, a).unwrap();
        }
        clean(&mut rig);
    });
}

#[test]
fn two_processes_share_a_handle_and_leave_nothing_behind() {
    both(|mut rig| {
        let a = rig.create(0, 2 * MIB);
        let ra = rig.reserve(0, 2 * MIB);
        rig.map(0, ra, 2 * MIB, a.handle);
        let to = [Location::Host];
        rig.call(|s, cx| s.set_access(cx, 0, Some(ra), 2 * MIB, &to, true)).unwrap();
        let share = rig.call(|s, _| s.export(0, true, Some(a.handle))).unwrap();
        rig.call(|s, _| s.export_attr(0, Some(share), &[1], false)).unwrap();
        let b = rig.call(|s, cx| s.import(cx, 1, true, Some(share), 0)).unwrap();
        let rb = rig.reserve(1, 2 * MIB);
        rig.map(1, rb, 2 * MIB, b.handle);
        let ours = rig.reach(0, ra, 4, DEVICE, How::Write);
        assert_eq!(rig.reach(1, rb, 4, DEVICE, How::Read), ours);
        // Permissions are those of each process.
        assert!(rig.wrong(0, ra, 4, Who::Host, How::Read).is_empty());
        assert_eq!(rig.wrong(1, rb, 4, Who::Host, How::Read), [Code::ReplayPerm]);
        for (process, range, handle) in [(0, ra, a.handle), (1, rb, b.handle)] {
            rig.call(|s, cx| s.unmap(cx, process, Some(range))).unwrap();
            rig.call(|s, cx| s.unreserve(cx, process, Some(range))).unwrap();
            rig.call(|s, cx| s.release(cx, process, Some(handle))).unwrap();
        }
        clean(&mut rig);
    });
}

#[test]
fn an_exporter_that_crashes_takes_its_memory_along() {
    both(|mut rig| {
        let a = rig.dev(0, 4096).pointer;
        let request = IpcRequest { name: Some("k"), name_len: 65, pointer: Some(a), len: None };
        let key = rig.call(|s, cx| s.ipc_create(cx, 0, &request)).unwrap();
        rig.call(|s, cx| s.ipc_setpid(cx, 0, Some(key), &[1], false)).unwrap();
        let b = rig.call(|s, cx| s.ipc_open(cx, 1, Some("b"), Some(key), 0)).unwrap().pointer;
        rig.call(|s, cx| s.crash(cx, 0));
        assert_eq!(rig.wrong(1, b, 4, DEVICE, How::Read), [Code::ReplayIpcStale]);
        finds(&rig.free(1, b), Code::ReplayBadFree);
        rig.call(|s, cx| s.ipc_close(cx, 1, Some(b))).unwrap();
        clean(&mut rig);
    });
}
