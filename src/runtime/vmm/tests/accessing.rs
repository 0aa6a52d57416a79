use crate::diag::Code;
use crate::model::trace::{Location, PageClass};
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::tests::rig::{GIB, KIB, MIB, Rig, both, create, map};
use crate::runtime::vmm::{Access, CreateRequest};

fn set(rig: &mut Rig, p: Pointer, size: u64, to: &[Location], rw: bool) -> Result<(), Refused> {
    rig.call(|s, cx| s.set_access(cx, 0, Some(p), size, to, rw))
}

fn get(rig: &mut Rig, p: Pointer, location: Location) -> Result<Access, Refused> {
    rig.call(|s, cx| s.get_access(cx, 0, Some(p), location))
}

fn mapped(rig: &mut Rig) -> Pointer {
    let (r, h) = (rig.reserve(0, 8 * MIB), rig.create(0, 4 * MIB).handle);
    rig.map(0, r, 4 * MIB, h);
    r
}

#[test]
fn the_owner_has_access_from_the_start_and_others_by_permission() {
    both(|mut rig| {
        let p = mapped(&mut rig);
        assert_eq!(get(&mut rig, p, Location::Device(0)), Ok(Access::ReadWrite));
        for (location, who) in [(Location::Device(1), Who::Device(1)), (Location::Host, Who::Host)]
        {
            assert_eq!(get(&mut rig, p, location), Ok(Access::None));
            assert_eq!(rig.wrong(0, p, 1, who, How::Read), [Code::ReplayPerm]);
            // The same again is fine.
            set(&mut rig, p, 4 * MIB, &[location], true).unwrap();
            set(&mut rig, p, 4 * MIB, &[location, Location::Device(0)], true).unwrap();
            assert_eq!(get(&mut rig, p.offset(MIB), location), Ok(Access::ReadWrite));
            assert!(rig.wrong(0, p, 1, who, How::Write).is_empty());
        }
        // An unmap forgets it.
        let handle = rig.call(|s, cx| s.unmap(cx, 0, Some(p))).unwrap().handle;
        rig.map(0, p, 4 * MIB, handle);
        assert_eq!(get(&mut rig, p, Location::Host), Ok(Access::None));
    });
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    both(|mut rig| {
        let p = mapped(&mut rig);
        let host = [Location::Host];
        for (pointer, size, to, rw, status) in [
            (p, 4 * MIB, &host[..], false, Status::NotSupport),
            (p, 4 * MIB, &[][..], true, Status::InvalidValue),
            (p, 0, &host[..], true, Status::InvalidValue),
            (p, 2 * MIB, &host[..], true, Status::ParaError),
            (p.offset(2 * MIB), 2 * MIB, &host[..], true, Status::ParaError),
            (p, 4 * MIB, &[Location::Invalid][..], true, Status::InvalidValue),
            (p, 4 * MIB, &[Location::Device(2)][..], true, Status::InvalidDevice),
        ] {
            let answer = set(&mut rig, pointer, size, to, rw);
            rig.refuses(answer, status);
        }
        let answer = get(&mut rig, p.offset(4 * MIB), Location::Host);
        rig.refuses(answer, Status::ParaError);
        assert!(rig.call(|s, cx| s.get_access(cx, 0, None, Location::Host)).is_err());
    });
}

#[test]
fn what_was_allowed_before_a_refusal_stays_allowed() {
    both(|mut rig| {
        let p = mapped(&mut rig);
        rig.machine.capabilities.peer = false;
        let all = [Location::Host, Location::Device(1)];
        let answer = set(&mut rig, p, 4 * MIB, &all, true);
        assert_eq!(answer.unwrap_err().status, Status::NotSupport);
        assert_eq!(get(&mut rig, p, Location::Host), Ok(Access::ReadWrite));
        assert_eq!(get(&mut rig, p, Location::Device(1)), Ok(Access::None));
    });
}

#[test]
fn from_host_to_host_there_is_nothing_to_allow() {
    both(|mut rig| {
        let r = rig.reserve(0, 2 * MIB);
        let request = CreateRequest { device: None, ..create(2 * MIB) };
        let h = rig.call(|s, cx| s.create(cx, 0, &request)).unwrap().handle;
        rig.call(|s, cx| s.map(cx, 0, &map(r, 2 * MIB, h))).unwrap();
        let answer = set(&mut rig, r, 2 * MIB, &[Location::Host], true);
        assert_eq!(answer.unwrap_err().status, Status::NotSupport);
        assert!(set(&mut rig, r, 2 * MIB, &[Location::Device(1)], true).is_ok());
        assert!(rig.wrong(0, r, 1, Who::Host, How::Write).is_empty());
    });
}

#[test]
fn the_granularity_is_2_mib_with_few_exceptions() {
    both(|mut rig| {
        let rows = [
            (Some(0), PageClass::Huge, true, 2 * MIB),
            (Some(0), PageClass::Normal, true, 2 * MIB),
            (None, PageClass::Normal, false, 2 * MIB),
            (None, PageClass::Normal, true, 4 * KIB),
            (None, PageClass::Giant, false, GIB),
        ];
        for (device, pages, minimum, expected) in rows {
            let answer = rig.call(|s, _| s.granularity(0, device, pages, minimum));
            assert_eq!(answer, Ok(expected));
        }
        let answer = rig.call(|s, _| s.granularity(0, Some(2), PageClass::Huge, true));
        assert_eq!(answer.unwrap_err().status, Status::InvalidDevice);
    });
}
