use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{Fault, PageClass};
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::objects::ObjectKind;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::tests::rig::{GIB, KIB, MIB, Rig, both, create, finds};
use crate::runtime::vmm::{CreateRequest, Created, HandleId};

fn call(rig: &mut Rig, request: &CreateRequest<'_>) -> Result<Created, Refused> {
    rig.call(|s, cx| s.create(cx, 0, request))
}

fn release(rig: &mut Rig, handle: HandleId) -> Result<bool, Refused> {
    rig.call(|s, cx| s.release(cx, 0, Some(handle))).map(|gone| gone.is_some())
}

fn used(rig: &Rig) -> u64 {
    rig.memory.used_for(Bank::Device(0), Purpose::Vmm)
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    both(|mut rig| {
        for (bad, status) in [
            (CreateRequest { name: None, ..create(2 * MIB) }, Status::InvalidValue),
            (create(0), Status::InvalidValue),
            (CreateRequest { flag: 1, ..create(2 * MIB) }, Status::InvalidValue),
            (CreateRequest { device: Some(2), ..create(2 * MIB) }, Status::InvalidDevice),
            (create(2 * MIB + 4 * KIB), Status::ParaError),
            (CreateRequest { pages: PageClass::Normal, ..create(4 * KIB + 1) }, Status::ParaError),
            (create(6 * GIB), Status::OutOfMemory),
        ] {
            let answer = call(&mut rig, &bad);
            rig.refuses(answer, status);
        }
        assert_eq!(used(&rig), 0);
    });
}

#[test]
fn a_handle_takes_memory_in_its_pages() {
    both(|mut rig| {
        for (size, pages, len) in [
            (2 * MIB, PageClass::Huge, 2 * MIB),
            (8 * KIB, PageClass::Normal, 8 * KIB),
            // Q-VMM-4: from 2 MiB on normal pages become huge ones.
            (2 * MIB + 4 * KIB, PageClass::Normal, 4 * MIB),
            (2 * MIB, PageClass::Giant, GIB),
        ] {
            let before = used(&rig);
            let made = call(&mut rig, &CreateRequest { pages, ..create(size) }).unwrap();
            assert_eq!((made.len, used(&rig) - before), (len, len), "{size} {pages:?}");
            let object = rig.objects.get(made.object).unwrap();
            assert_eq!(object.kind, ObjectKind::Handle(Bank::Device(0)));
        }
    });
}

#[test]
fn q_vmm_5_a_handle_of_host_memory_is_accepted_with_a_remark_in_spec() {
    both(|mut rig| {
        rig.call(|s, _| s.granularity(0, None, PageClass::Huge, true)).unwrap();
        call(&mut rig, &CreateRequest { device: None, ..create(2 * MIB) }).unwrap();
        let expected = if rig.mode == Mode::Spec { vec![Code::ReplayLint] } else { vec![] };
        assert_eq!(rig.remarks(), expected);
        assert_eq!(rig.memory.used_for(Bank::Host, Purpose::Vmm), 2 * MIB);
    });
}

#[test]
fn a_process_that_never_asks_for_the_granularity_is_told_once() {
    both(|mut rig| {
        rig.create(0, 2 * MIB);
        assert_eq!(rig.remarks(), [Code::ReplayLint]);
        rig.create(0, 2 * MIB);
        assert!(rig.remarks().is_empty());
    });
}

#[test]
fn memory_goes_with_the_last_reference() {
    both(|mut rig| {
        let handle = rig.create(0, 2 * MIB).handle;
        let reserved = rig.reserve(0, 2 * MIB);
        rig.map(0, reserved, 2 * MIB, handle);
        assert_eq!(rig.space.handle_refs(handle), (2, 1));
        assert_eq!(release(&mut rig, handle), Ok(false));
        assert_eq!(used(&rig), 2 * MIB);
        let unmapped = rig.call(|s, cx| s.unmap(cx, 0, Some(reserved))).unwrap();
        assert!(unmapped.freed.is_some());
        assert_eq!(used(&rig), 0);
    });
}

#[test]
fn a_handle_is_not_released_more_often_than_it_has_references() {
    both(|mut rig| {
        let handle = rig.create(0, 2 * MIB).handle;
        let reserved = rig.reserve(0, 2 * MIB);
        rig.map(0, reserved, 2 * MIB, handle);
        release(&mut rig, handle).unwrap();
        let answer = release(&mut rig, handle);
        finds(&answer, Code::ReplayDoubleFree);
        rig.refuses(answer, Status::InvalidValue);

        let handle = rig.create(0, 2 * MIB).handle;
        assert_eq!(release(&mut rig, handle), Ok(true));
        let answer = release(&mut rig, handle);
        finds(&answer, Code::ReplayStaleHandle);
        rig.refuses(answer, Status::InvalidHandle);
        let null = rig.call(|s, cx| s.release(cx, 0, None));
        assert_eq!(null.unwrap_err().status, Status::InvalidValue);
    });
}

#[test]
fn a_handle_belongs_to_its_process() {
    both(|mut rig| {
        let handle = rig.create(0, 2 * MIB).handle;
        let answer = rig.call(|s, cx| s.release(cx, 1, Some(handle)));
        assert_eq!(answer.unwrap_err().status, Status::InvalidHandle);
    });
}

#[test]
fn q_vmm_2_a_handle_is_retained_by_any_address_in_spec_and_by_the_start_in_source() {
    both(|mut rig| {
        let handle = rig.create(0, 4 * MIB).handle;
        let reserved = rig.reserve(0, 8 * MIB);
        rig.map(0, reserved, 4 * MIB, handle);
        let mut retain = |offset| rig.call(|s, cx| s.retain(cx, 0, Some(reserved.offset(offset))));
        assert_eq!(retain(0), Ok(handle));
        let inner = retain(4096);
        assert!(rig.noted(Quirk::Vmm2));
        if rig.mode == Mode::Source {
            rig.refuses(inner, Status::ParaError);
        } else {
            assert_eq!(inner, Ok(handle));
            release(&mut rig, handle).unwrap();
        }
        let behind = rig.call(|s, cx| s.retain(cx, 0, Some(reserved.offset(4 * MIB))));
        rig.refuses(behind, Status::ParaError);
        assert_eq!(rig.space.handle_refs(handle), (3, 1));
        // A reference that was retained counts like the first.
        release(&mut rig, handle).unwrap();
        release(&mut rig, handle).unwrap();
        assert!(release(&mut rig, handle).is_err());
    });
}

#[test]
fn a_handle_that_the_trace_makes_fail_takes_nothing() {
    both(|mut rig| {
        rig.inject(&[Fault::FailAlloc(1)]);
        assert_eq!(call(&mut rig, &create(2 * MIB)).unwrap_err().status, Status::OutOfMemory);
        assert_eq!((used(&rig), rig.counters.allocs), (0, 0));
    });
}
