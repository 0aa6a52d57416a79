use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::Fault;
use crate::runtime::objects::Piece;
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::quirks::Quirk;
use crate::runtime::share::{IpcRequest, KeyId};
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::tests::rig::{Rig, both, finds};
use crate::runtime::svm::{Freed, Made};

fn shared(rig: &mut Rig, pids: &[u32]) -> (Made, KeyId) {
    let made = rig.dev(0, 8192);
    let request =
        IpcRequest { name: Some("k"), name_len: 65, pointer: Some(made.pointer), len: None };
    let key = rig.call(|s, cx| s.ipc_create(cx, 0, &request)).unwrap();
    if !pids.is_empty() {
        rig.call(|s, cx| s.ipc_setpid(cx, 0, Some(key), pids, false)).unwrap();
    }
    (made, key)
}

fn open(rig: &mut Rig, process: u32, key: KeyId, device: u32) -> Result<Made, Refused> {
    rig.call(|s, cx| s.ipc_open(cx, process, Some("i"), Some(key), device))
}

fn close(rig: &mut Rig, process: u32, pointer: Pointer) -> Result<Option<Freed>, Refused> {
    rig.call(|s, cx| s.ipc_close(cx, process, Some(pointer)))
}

#[test]
fn an_importer_sees_the_owners_bytes_at_an_address_of_its_own() {
    both(|mut rig| {
        let (made, key) = shared(&mut rig, &[1]);
        let opened = open(&mut rig, 1, key, 0).unwrap();
        assert_eq!((opened.object, opened.len), (made.object, 8192));
        assert_eq!(opened.pointer.process, 1);
        let reach = rig.reach(1, opened.pointer.offset(10), 5, Who::Device(0), How::Write);
        assert_eq!(reach.pieces, [Piece { object: made.object, start: 10, len: 5 }]);
        assert!(reach.wrong.is_empty());
        let host = rig.wrong(1, opened.pointer, 5, Who::Host, How::Read);
        assert_eq!(host, [Code::ReplayPerm]);
        assert!(close(&mut rig, 1, opened.pointer).unwrap().is_some());
        let after = rig.wrong(1, opened.pointer, 5, Who::Device(0), How::Read);
        assert_eq!(after, [Code::ReplayUaf]);
        rig.free(0, made.pointer).unwrap();
        assert!(rig.remarks().is_empty());
    });
}

#[test]
fn a_second_open_answers_with_the_same_address_and_wants_a_close_too() {
    both(|mut rig| {
        let (_, key) = shared(&mut rig, &[1]);
        let first = open(&mut rig, 1, key, 0).unwrap();
        assert_eq!(open(&mut rig, 1, key, 0), Ok(first));
        let other = open(&mut rig, 1, key, 1).unwrap();
        assert_ne!(other.pointer, first.pointer);
        assert_eq!(rig.counters.maps, 2);
        assert_eq!(close(&mut rig, 1, first.pointer), Ok(None));
        assert!(close(&mut rig, 1, first.pointer).unwrap().is_some());
        assert!(rig.wrong(1, other.pointer, 1, Who::Device(1), How::Read).is_empty());
    });
}

#[test]
fn only_processes_on_the_whitelist_open_a_name_and_its_creator() {
    both(|mut rig| {
        let (_, key) = shared(&mut rig, &[]);
        let answer = open(&mut rig, 1, key, 0);
        finds(&answer, Code::ReplayIpcPerm);
        rig.refuses(answer, Status::OperNotPermitted);
        assert!(open(&mut rig, 0, key, 0).is_ok());
    });
}

#[test]
fn a_process_that_starts_later_with_the_same_number_is_not_meant() {
    both(|mut rig| {
        let (_, key) = shared(&mut rig, &[1]);
        rig.call(|s, cx| s.crash(cx, 1));
        rig.call(|s, cx| s.open(cx, 1, 0, 0)).unwrap();
        finds(&open(&mut rig, 1, key, 0), Code::ReplayIpcPerm);
        rig.call(|s, cx| s.ipc_setpid(cx, 0, Some(key), &[1], false)).unwrap();
        assert!(open(&mut rig, 1, key, 0).is_ok());
    });
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    both(|mut rig| {
        let (_, key) = shared(&mut rig, &[1]);
        assert_eq!(open(&mut rig, 1, key, 2).unwrap_err().status, Status::InvalidValue);
        for (name, key) in [(None, Some(key)), (Some("i"), None)] {
            let answer = rig.call(|s, cx| s.ipc_open(cx, 1, name, key, 0));
            assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
        }
        rig.call(|s, cx| s.close(cx, 1, 1, false)).unwrap();
        assert_eq!(open(&mut rig, 1, key, 1).unwrap_err().status, Status::InvalidHandle);
        rig.inject(&[Fault::FailMap(1)]);
        assert_eq!(open(&mut rig, 1, key, 0).unwrap_err().status, Status::OutOfMemory);
        assert!(open(&mut rig, 1, key, 0).is_ok());
    });
}

#[test]
fn q_ipc_2_an_unknown_pointer_is_closed_successfully_in_source_only() {
    both(|mut rig| {
        let (made, key) = shared(&mut rig, &[1]);
        let opened = open(&mut rig, 1, key, 0).unwrap();
        close(&mut rig, 1, opened.pointer).unwrap();
        let rows = [
            (1, opened.pointer, Code::ReplayDoubleFree),
            (0, made.pointer, Code::ReplayBadFree),
            (1, Pointer { process: 1, address: 1, generation: 99 }, Code::ReplayBadFree),
        ];
        for (process, pointer, code) in rows {
            let answer = close(&mut rig, process, pointer);
            assert!(rig.noted(Quirk::Ipc2));
            match rig.mode {
                Mode::Source => assert_eq!(answer, Ok(None)),
                Mode::Spec => {
                    finds(&answer, code);
                    rig.refuses(answer, Status::InvalidValue);
                }
            }
        }
    });
}

#[test]
fn q_ipc_3_importers_of_a_destroyed_name_fault_later() {
    both(|mut rig| {
        let (_, key) = shared(&mut rig, &[1]);
        let opened = open(&mut rig, 1, key, 0).unwrap();
        rig.call(|s, cx| s.ipc_destroy(cx, 0, Some(key))).unwrap();
        assert_eq!(rig.remarks(), [Code::ReplayIpcOrder]);
        let wrong = rig.wrong(1, opened.pointer, 1, Who::Device(0), How::Read);
        assert_eq!(wrong, [Code::ReplayIpcStale]);
        assert!(rig.reach(1, opened.pointer, 1, Who::Device(0), How::Read).pieces.is_empty());
        finds(&open(&mut rig, 1, key, 0), Code::ReplayStaleHandle);
        assert!(close(&mut rig, 1, opened.pointer).unwrap().is_some());
    });
}

#[test]
fn q_ipc_4_an_importer_closes_and_does_not_free() {
    both(|mut rig| {
        let (_, key) = shared(&mut rig, &[1]);
        let opened = open(&mut rig, 1, key, 0).unwrap();
        let answer = rig.free(1, opened.pointer);
        finds(&answer, Code::ReplayBadFree);
        rig.refuses(answer, Status::InvalidValue);
        assert!(close(&mut rig, 1, opened.pointer).unwrap().is_some());
    });
}

#[test]
fn a_device_that_does_not_reach_the_memory_cannot_open_it() {
    both(|mut rig| {
        let (_, key) = shared(&mut rig, &[1]);
        rig.machine.capabilities.peer = false;
        assert_eq!(open(&mut rig, 1, key, 1).unwrap_err().status, Status::NotSupport);
        let opened = open(&mut rig, 1, key, 0).unwrap();
        let wrong = rig.wrong(1, opened.pointer, 1, Who::Device(1), How::Read);
        assert_eq!(wrong, [Code::ReplayPerm]);
    });
}

#[test]
fn imported_memory_is_not_shared_on() {
    both(|mut rig| {
        let (_, key) = shared(&mut rig, &[1]);
        let opened = open(&mut rig, 1, key, 0).unwrap();
        let request =
            IpcRequest { name: Some("k"), name_len: 65, pointer: Some(opened.pointer), len: None };
        let answer = rig.call(|s, cx| s.ipc_create(cx, 1, &request));
        rig.refuses(answer, Status::ParaError);
    });
}
