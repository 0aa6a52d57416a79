use crate::diag::Code;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::pointer::{How, Who};
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::tests::rig::{MIB, Rig, both, finds};
use crate::runtime::vmm::{Created, HandleId, ShareId};

fn export(rig: &mut Rig, handle: HandleId) -> Result<ShareId, Refused> {
    rig.call(|s, _| s.export(0, true, Some(handle)))
}

fn import(rig: &mut Rig, process: u32, share: ShareId) -> Result<Created, Refused> {
    rig.call(|s, cx| s.import(cx, process, true, Some(share), 0))
}

fn allow(rig: &mut Rig, share: ShareId, processes: &[u32], all: bool) -> Result<(), Refused> {
    rig.call(|s, _| s.export_attr(0, Some(share), processes, all))
}

fn used(rig: &Rig) -> u64 {
    rig.memory.used_for(Bank::Device(0), Purpose::Vmm)
}

#[test]
fn an_importer_sees_the_same_memory_and_the_last_process_frees_it() {
    both(|mut rig| {
        let a = rig.create(0, 2 * MIB);
        let share = export(&mut rig, a.handle).unwrap();
        allow(&mut rig, share, &[1], false).unwrap();
        let b = import(&mut rig, 1, share).unwrap();
        assert_eq!((b.object, b.len), (a.object, a.len));
        let r = rig.reserve(1, 2 * MIB);
        rig.map(1, r, 2 * MIB, b.handle);
        let reach = rig.reach(1, r, 8, Who::Device(0), How::Read);
        assert_eq!((reach.pieces[0].object, reach.wrong), (a.object, vec![]));

        let gone = rig.call(|s, cx| s.release(cx, 0, Some(a.handle))).unwrap();
        assert_eq!((gone, used(&rig)), (None, 2 * MIB));
        rig.call(|s, cx| s.unmap(cx, 1, Some(r))).unwrap();
        let gone = rig.call(|s, cx| s.release(cx, 1, Some(b.handle))).unwrap();
        assert_eq!((gone.map(|p| p.object), used(&rig)), (Some(a.object), 0));
    });
}

#[test]
fn a_handle_is_exported_once_and_an_imported_one_never() {
    both(|mut rig| {
        let a = rig.create(0, 2 * MIB);
        let share = export(&mut rig, a.handle).unwrap();
        let again = export(&mut rig, a.handle);
        assert_eq!(again.unwrap_err().status, Status::RepeatedUserd);
        allow(&mut rig, share, &[], true).unwrap();
        let b = import(&mut rig, 1, share).unwrap();
        let answer = rig.call(|s, _| s.export(1, true, Some(b.handle)));
        assert_eq!(answer.unwrap_err().status, Status::NotSupport);
        for (out, handle) in [(false, Some(a.handle)), (true, None)] {
            let answer = rig.call(|s, _| s.export(0, out, handle));
            assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
        }
    });
}

#[test]
fn only_processes_on_the_whitelist_import_unless_it_is_off() {
    both(|mut rig| {
        let a = rig.create(0, 2 * MIB).handle;
        let share = export(&mut rig, a).unwrap();
        let answer = import(&mut rig, 1, share);
        finds(&answer, Code::ReplayIpcPerm);
        rig.refuses(answer, Status::OperNotPermitted);
        assert_eq!(import(&mut rig, 0, share).unwrap_err().status, Status::InvalidValue);
        let foreign = rig.call(|s, _| s.export_attr(1, Some(share), &[1], false));
        rig.refuses(foreign, Status::OperNotPermitted);
        for bad in [&[][..], &[2][..]] {
            let answer = allow(&mut rig, share, bad, false);
            assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
        }
        allow(&mut rig, share, &[], true).unwrap();
        assert!(import(&mut rig, 1, share).is_ok());
    });
}

#[test]
fn a_process_that_starts_later_with_the_same_number_is_not_meant() {
    both(|mut rig| {
        let a = rig.create(0, 2 * MIB).handle;
        let share = export(&mut rig, a).unwrap();
        allow(&mut rig, share, &[1], false).unwrap();
        rig.call(|s, cx| s.exit(cx, 1));
        rig.call(|s, cx| s.open(cx, 1, 0, 0)).unwrap();
        finds(&import(&mut rig, 1, share), Code::ReplayIpcPerm);
        allow(&mut rig, share, &[1], false).unwrap();
        assert!(import(&mut rig, 1, share).is_ok());
    });
}

#[test]
fn a_value_holds_no_memory_and_ends_with_the_exporters_handle() {
    both(|mut rig| {
        let a = rig.create(0, 2 * MIB).handle;
        let share = export(&mut rig, a).unwrap();
        allow(&mut rig, share, &[], true).unwrap();
        rig.call(|s, cx| s.release(cx, 0, Some(a))).unwrap();
        assert_eq!(used(&rig), 0);
        let answer = import(&mut rig, 1, share);
        finds(&answer, Code::ReplayStaleHandle);
        rig.refuses(answer, Status::InvalidHandle);
    });
}

#[test]
fn an_importer_keeps_the_memory_of_an_exporter_that_ends() {
    both(|mut rig| {
        let a = rig.create(0, 2 * MIB).handle;
        let share = export(&mut rig, a).unwrap();
        allow(&mut rig, share, &[], true).unwrap();
        let b = import(&mut rig, 1, share).unwrap();
        assert!(rig.call(|s, cx| s.crash(cx, 0)).is_empty());
        assert_eq!(used(&rig), 2 * MIB);
        assert_eq!(rig.call(|s, cx| s.exit(cx, 1)).len(), 1);
        assert_eq!(used(&rig), 0);
        assert_eq!(rig.space.handle_refs(b.handle), (0, 0));
    });
}

#[test]
fn the_device_of_an_import_has_to_reach_the_memory() {
    both(|mut rig| {
        let a = rig.create(0, 2 * MIB).handle;
        let share = export(&mut rig, a).unwrap();
        allow(&mut rig, share, &[], true).unwrap();
        rig.machine.capabilities.peer = false;
        let mut on = |device| rig.call(|s, cx| s.import(cx, 1, true, Some(share), device));
        assert_eq!(on(1).unwrap_err().status, Status::NotSupport);
        assert_eq!(on(2).unwrap_err().status, Status::InvalidDevice);
        assert!(on(0).is_ok());
    });
}
