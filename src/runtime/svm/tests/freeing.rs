use super::rig::{MIB, both, dev, finds, of_kind};
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{AllocKind, Register};
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::quirks::Quirk;
use crate::runtime::share::{IpcRequest, RegRequest};
use crate::runtime::status::Status;

#[test]
fn only_the_start_of_a_live_allocation_is_freed() {
    both(|mut rig| {
        let made = rig.dev(0, 8192);
        let null = rig.call(|s, cx| s.free(cx, 0, None));
        assert_eq!(null.unwrap_err().status, Status::InvalidValue);

        let inner = rig.free(0, made.pointer.offset(4096));
        finds(&inner, Code::ReplayBadFree);
        assert!(rig.noted(Quirk::Err1));
        rig.refuses(inner, Status::ParaError);

        let nowhere = rig.free(0, Pointer { process: 0, address: 77, generation: 999 });
        finds(&nowhere, Code::ReplayBadFree);
        rig.refuses(nowhere, Status::InvalidValue);

        let foreign = rig.free(1, made.pointer);
        finds(&foreign, Code::ReplayBadFree);

        assert_eq!(rig.free(0, made.pointer).unwrap().object, made.object);
        let again = rig.free(0, made.pointer);
        finds(&again, Code::ReplayDoubleFree);
        rig.refuses(again, Status::InvalidValue);
    });
}

#[test]
fn reserved_addresses_are_not_freed_like_allocations() {
    both(|mut rig| {
        let reserved = rig.reserve(0, 2 * MIB);
        let answer = rig.free(0, reserved);
        finds(&answer, Code::ReplayBadFree);
        rig.refuses(answer, Status::InvalidValue);
    });
}

#[test]
fn registered_memory_is_unregistered_first() {
    both(|mut rig| {
        let made = rig.alloc(0, &of_kind(4096, AllocKind::Host)).unwrap();
        let request = RegRequest {
            name: Some("d"),
            src: Some(made.pointer),
            len: None,
            kind: Register::HostMemMapDev,
            device: 0,
            read_only: false,
        };
        rig.call(|s, cx| s.reg(cx, 0, &request)).unwrap();
        let answer = rig.free(0, made.pointer);
        finds(&answer, Code::ReplayRegFree);
        rig.refuses(answer, Status::Busy);
        rig.call(|s, cx| s.unreg(cx, 0, Some(made.pointer), 0)).unwrap();
        assert!(rig.free(0, made.pointer).is_ok());
    });
}

#[test]
fn a_free_ends_the_share_and_leaves_importers_with_stale_memory() {
    both(|mut rig| {
        let made = rig.dev(0, 4096);
        let request =
            IpcRequest { name: Some("k"), name_len: 65, pointer: Some(made.pointer), len: None };
        let key = rig.call(|s, cx| s.ipc_create(cx, 0, &request)).unwrap();
        rig.call(|s, cx| s.ipc_setpid(cx, 0, Some(key), &[1], false)).unwrap();
        let opened = rig.call(|s, cx| s.ipc_open(cx, 1, Some("b"), Some(key), 0)).unwrap();
        rig.free(0, made.pointer).unwrap();
        assert_eq!(rig.remarks(), [Code::ReplayIpcOrder]);
        let wrong = rig.wrong(1, opened.pointer, 1, Who::Device(0), How::Read);
        assert_eq!(wrong, [Code::ReplayIpcStale]);
        // The name is gone with the memory; a close is still in order.
        let answer = rig.call(|s, cx| s.ipc_destroy(cx, 0, Some(key)));
        finds(&answer, Code::ReplayStaleHandle);
        assert!(rig.call(|s, cx| s.ipc_close(cx, 1, Some(opened.pointer))).unwrap().is_some());
        assert!(rig.remarks().is_empty());
    });
}

#[test]
fn a_free_of_a_share_that_nobody_has_open_is_in_order() {
    both(|mut rig| {
        let made = rig.dev(0, 4096);
        let request =
            IpcRequest { name: Some("k"), name_len: 65, pointer: Some(made.pointer), len: None };
        rig.call(|s, cx| s.ipc_create(cx, 0, &request)).unwrap();
        rig.free(0, made.pointer).unwrap();
        assert!(rig.remarks().is_empty());
    });
}

#[test]
fn an_old_pointer_never_means_the_new_allocation_at_its_address() {
    both(|mut rig| {
        let old = rig.dev(0, 4096);
        rig.free(0, old.pointer).unwrap();
        let new = rig.dev(0, 4096);
        assert_eq!(new.pointer.address, old.pointer.address);
        assert_ne!(new.object, old.object);
        let wrong = rig.wrong(0, old.pointer, 1, Who::Device(0), How::Read);
        assert_eq!(wrong, [Code::ReplayUaf]);
        finds(&rig.free(0, old.pointer), Code::ReplayDoubleFree);
        let reach = rig.reach(0, new.pointer, 4096, Who::Device(0), How::Read);
        assert_eq!((reach.pieces[0].object, reach.wrong), (new.object, vec![]));
    });
}

#[test]
fn frees_and_allocations_are_counted() {
    both(|mut rig| {
        let made = rig.alloc(0, &dev(4096)).unwrap();
        rig.free(0, made.pointer).unwrap();
        assert_eq!((rig.counters.allocs, rig.counters.frees), (1, 1));
        let used = rig.memory.used(crate::runtime::memory::Bank::Device(0));
        assert_eq!(used, if rig.mode == Mode::Source { 4096 } else { 0 });
    });
}
