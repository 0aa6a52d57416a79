use super::rig::{GIB, Rig, both, dev};
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::runtime::status::Status;

fn fresh(mode: Mode) -> Rig {
    Rig::closed(mode, GIB, GIB)
}

#[test]
fn a_flag_above_one_and_a_device_that_does_not_exist_are_refused_in_that_order() {
    both(|mut rig| {
        let answer = rig.call(|s, cx| s.open(cx, 0, 9, 2));
        assert_eq!(answer.unwrap_err().status, Status::NotSupport);
        let answer = rig.call(|s, cx| s.open(cx, 0, 2, 1));
        assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
        assert!(rig.call(|s, cx| s.open(cx, 0, 1, 1)).is_ok());
    });
}

#[test]
fn nothing_is_allocated_on_a_device_that_is_not_open() {
    for mode in [Mode::Spec, Mode::Source] {
        let mut rig = fresh(mode);
        assert_eq!(rig.alloc(0, &dev(4096)).unwrap_err().status, Status::InvalidHandle);
        rig.call(|s, cx| s.open(cx, 0, 0, 0)).unwrap();
        assert!(rig.alloc(0, &dev(4096)).is_ok());
    }
}

#[test]
fn a_device_is_closed_as_often_as_it_was_opened() {
    for mode in [Mode::Spec, Mode::Source] {
        let mut rig = fresh(mode);
        rig.call(|s, cx| s.open(cx, 0, 0, 0)).unwrap();
        rig.call(|s, cx| s.open(cx, 0, 0, 0)).unwrap();
        rig.dev(0, 4096);
        assert_eq!(rig.call(|s, cx| s.close(cx, 0, 0, false)).unwrap(), []);
        assert!(rig.remarks().is_empty());
        assert_eq!(rig.call(|s, cx| s.close(cx, 0, 0, false)).unwrap().len(), 1);
        assert_eq!(rig.remarks(), [Code::ReplayLeak]);
        let answer = rig.call(|s, cx| s.close(cx, 0, 0, false));
        assert_eq!(answer.unwrap_err().status, Status::InvalidHandle);
        let answer = rig.call(|s, cx| s.close(cx, 0, 2, false));
        assert_eq!(answer.unwrap_err().status, Status::InvalidValue);
    }
}

#[test]
fn after_a_close_that_failed_the_device_cannot_be_used_or_opened() {
    both(|mut rig| {
        rig.dev(0, 4096);
        assert_eq!(rig.call(|s, cx| s.close(cx, 0, 0, true)).unwrap_err().status, Status::Inner);
        assert_eq!(rig.call(|s, cx| s.open(cx, 0, 0, 0)).unwrap_err().status, Status::ParaError);
        assert_eq!(rig.alloc(0, &dev(4096)).unwrap_err().status, Status::InvalidHandle);
        // Another process does not mind.
        assert!(rig.alloc(1, &dev(4096)).is_ok());
    });
}

#[test]
fn a_process_that_has_ended_does_nothing_until_it_opens_a_device_as_a_new_one() {
    both(|mut rig| {
        let old = rig.dev(0, 4096).pointer;
        rig.call(|s, cx| s.exit(cx, 0));
        assert!(!rig.space.is_alive(0));
        assert_eq!(rig.alloc(0, &dev(4096)).unwrap_err().status, Status::ProcessExit);
        rig.call(|s, cx| s.open(cx, 0, 0, 0)).unwrap();
        rig.dev(0, 4096);
        super::rig::finds(&rig.free(0, old), Code::ReplayDoubleFree);
    });
}
