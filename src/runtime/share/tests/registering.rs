use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{AllocKind, Register};
use crate::runtime::memory::Bank;
use crate::runtime::objects::Piece;
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::quirks::Quirk;
use crate::runtime::share::{RegRequest, Registered};
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::tests::rig::{KIB, Rig, TIB, both, finds, of_kind};

const DEVICE: Who = Who::Device(0);

fn of(src: Pointer, kind: Register) -> RegRequest<'static> {
    RegRequest { name: Some("d"), src: Some(src), len: None, kind, device: 0, read_only: false }
}

fn reg(rig: &mut Rig, request: &RegRequest<'_>) -> Result<Registered, Refused> {
    rig.call(|s, cx| s.reg(cx, 0, request))
}

fn make(rig: &mut Rig, kind: AllocKind) -> Pointer {
    rig.alloc(0, &of_kind(16 * KIB, kind)).unwrap().pointer
}

fn dev_ptr(rig: &mut Rig, p: Pointer) -> Result<Pointer, Refused> {
    rig.call(|s, cx| s.get_dev_ptr(cx, 0, Some(p), 0, true))
}

#[test]
fn arguments_are_looked_at_in_order() {
    both(|mut rig| {
        let user = make(&mut rig, AllocKind::User);
        let ok = of(user, Register::HostMemMapDev);
        let unknown = RegRequest { kind: Register::Unknown(7), device: 9, ..ok };
        for (bad, status) in [
            (unknown, Status::NotSupport),
            (RegRequest { device: 2, name: None, ..ok }, Status::InvalidDevice),
            (RegRequest { name: None, ..ok }, Status::InvalidValue),
            (
                RegRequest { read_only: true, src: None, ..of(user, Register::PcieTh) },
                Status::NotSupport,
            ),
            (
                RegRequest { read_only: true, ..of(user, Register::HostMemMapDma) },
                Status::NotSupport,
            ),
            (
                RegRequest { read_only: true, ..of(user, Register::HostIoMapDev) },
                Status::NotSupport,
            ),
            (RegRequest { src: None, ..ok }, Status::InvalidValue),
            (RegRequest { len: Some(0), ..ok }, Status::InvalidValue),
            (RegRequest { src: Some(user.offset(100)), ..ok }, Status::ParaError),
            (RegRequest { len: Some(17 * KIB), ..ok }, Status::ParaError),
            (
                RegRequest { len: Some(8 * TIB + 1), ..of(user, Register::HostMemMapDma) },
                Status::InvalidValue,
            ),
            (of(user, Register::DevMemMapHost), Status::ParaError),
        ] {
            let answer = reg(&mut rig, &bad);
            rig.refuses(answer, status);
        }
        let dma = RegRequest { len: Some(12 * TIB), ..of(user, Register::HostMemMapDma) };
        assert_eq!(reg(&mut rig, &dma).unwrap_err().status, Status::InvalidValue);
        let managed = Pointer { process: 0, address: 9 * TIB, generation: 99 };
        let answer = reg(&mut rig, &of(managed, Register::HostMemMapDev));
        assert_eq!(answer.unwrap_err().status, Status::NotSupport);
        assert!(reg(&mut rig, &ok).is_ok());
    });
}

#[test]
fn plain_memory_gets_an_address_on_the_device_between_register_and_unregister() {
    both(|mut rig| {
        let user = make(&mut rig, AllocKind::User);
        assert_eq!(rig.wrong(0, user, 8, DEVICE, How::Read), [Code::ReplayPerm]);
        let request = RegRequest {
            src: Some(user.offset(4 * KIB)),
            len: Some(8 * KIB),
            ..of(user, Register::HostMemMapDev)
        };
        let view = reg(&mut rig, &request).unwrap().pointer;
        let reach = rig.reach(0, view.offset(8), 8, DEVICE, How::Write);
        let object = rig.reach(0, user, 1, Who::Host, How::Read).pieces[0].object;
        assert_eq!(reach.pieces, [Piece { object, start: 4 * KIB + 8, len: 8 }]);
        assert!(reach.wrong.is_empty());
        assert_eq!(rig.wrong(0, view, 8, Who::Device(1), How::Read), [Code::ReplayPerm]);
        assert_eq!(rig.wrong(0, view, 8, Who::Host, How::Read), [Code::ReplayPerm]);
        assert_eq!(rig.wrong(0, view, 9 * KIB, DEVICE, How::Read), [Code::ReplayOob]);
        rig.call(|s, cx| s.unreg(cx, 0, Some(user.offset(4 * KIB)), 0)).unwrap();
        assert_eq!(rig.wrong(0, view, 8, DEVICE, How::Read), [Code::ReplayUaf]);
        finds(&rig.free(0, view), Code::ReplayDoubleFree);
    });
}

#[test]
fn pinned_memory_keeps_its_address() {
    both(|mut rig| {
        let host = make(&mut rig, AllocKind::Host);
        assert_eq!(rig.wrong(0, host, 8, DEVICE, How::Read), [Code::ReplayPerm]);
        let view = reg(&mut rig, &of(host, Register::HostMemMapDev)).unwrap().pointer;
        assert_eq!(view, host);
        assert!(rig.wrong(0, host, 8, DEVICE, How::Write).is_empty());
        assert!(rig.wrong(0, host, 8, Who::Host, How::Write).is_empty());
        rig.call(|s, cx| s.unreg(cx, 0, Some(host), 0)).unwrap();
        assert_eq!(rig.wrong(0, host, 8, DEVICE, How::Read), [Code::ReplayPerm]);
    });
}

#[test]
fn device_memory_gets_an_address_on_the_host() {
    both(|mut rig| {
        let dev = make(&mut rig, AllocKind::Dev);
        let request = RegRequest { read_only: true, ..of(dev, Register::DevMemMapHost) };
        let view = reg(&mut rig, &request).unwrap().pointer;
        assert!(rig.wrong(0, view, 8, Who::Host, How::Read).is_empty());
        assert_eq!(rig.wrong(0, view, 8, Who::Host, How::Write), [Code::ReplayPerm]);
        assert_eq!(rig.wrong(0, view, 8, DEVICE, How::Read), [Code::ReplayPerm]);
        let answer = reg(&mut rig, &of(dev, Register::HostMemMapDev));
        rig.refuses(answer, Status::ParaError);
    });
}

#[test]
fn pages_of_kind_svm_are_there_once_they_are_registered() {
    both(|mut rig| {
        let svm = make(&mut rig, AllocKind::Svm);
        let answer = reg(&mut rig, &of(svm, Register::HostMemMapDev));
        rig.refuses(answer, Status::ParaError);
        reg(&mut rig, &of(svm, Register::HostSvmMapDev)).unwrap();
        assert_eq!(rig.memory.used(Bank::Host), 16 * KIB);
        assert!(rig.wrong(0, svm, 16 * KIB, DEVICE, How::Read).is_empty());
    });
}

#[test]
fn q_reg_1_the_same_bytes_again_are_accepted_in_spec_and_repeated_in_source() {
    both(|mut rig| {
        let user = make(&mut rig, AllocKind::User);
        let request = of(user, Register::HostMemMapDev);
        let first = reg(&mut rig, &request).unwrap();
        let again = reg(&mut rig, &request);
        assert!(rig.noted(Quirk::Reg1));
        match rig.mode {
            Mode::Spec => assert_eq!(again, Ok(first)),
            Mode::Source => rig.refuses(again, Status::RepeatedUserd),
        }
        // One entry, so one unregister.
        let mut unreg = || rig.call(|s, cx| s.unreg(cx, 0, Some(user), 0));
        assert!(unreg().is_ok());
        assert_eq!(unreg().unwrap_err().status, Status::NotExist);
    });
}

#[test]
fn registrations_may_overlap_and_the_first_one_counts() {
    both(|mut rig| {
        let user = make(&mut rig, AllocKind::User);
        let part = |offset, len| RegRequest {
            src: Some(user.offset(offset)),
            len: Some(len),
            ..of(user, Register::HostMemMapDev)
        };
        let a = reg(&mut rig, &part(0, 8 * KIB)).unwrap().pointer;
        let b = reg(&mut rig, &part(4 * KIB, 8 * KIB)).unwrap().pointer;
        assert_eq!(dev_ptr(&mut rig, user.offset(5 * KIB)), Ok(a.offset(5 * KIB)));
        assert_eq!(dev_ptr(&mut rig, user.offset(8 * KIB)), Ok(b.offset(4 * KIB)));
        let answer = dev_ptr(&mut rig, user.offset(12 * KIB));
        assert_eq!(answer.unwrap_err().status, Status::NotExist);
    });
}

#[test]
fn a_device_address_is_told_after_the_capability_was_asked_for() {
    both(|mut rig| {
        let user = make(&mut rig, AllocKind::User);
        reg(&mut rig, &of(user, Register::HostMemMapDev)).unwrap();
        let mut get = |p, device, asked| rig.call(|s, cx| s.get_dev_ptr(cx, 0, p, device, asked));
        assert_eq!(get(Some(user), 0, false).unwrap_err().status, Status::NotSupport);
        assert_eq!(get(Some(user), 2, true).unwrap_err().status, Status::InvalidDevice);
        assert_eq!(get(Some(user), 1, true).unwrap_err().status, Status::NotExist);
        assert!(get(Some(user), 0, true).is_ok());
        let null = get(None, 0, true);
        rig.refuses(null, Status::ParaError);
    });
}
