use super::rig::{KIB, Rig, both, of_kind};
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{AllocKind, PageClass};
use crate::runtime::memory::Bank;
use crate::runtime::pointer::How::{Read, Write};
use crate::runtime::pointer::Pointer;
use crate::runtime::pointer::Who::{self, Device, Host};
use crate::runtime::svm::{AllocRequest, MemoryType};

fn svm(rig: &mut Rig) -> Pointer {
    rig.alloc(0, &of_kind(16 * KIB, AllocKind::Svm)).unwrap().pointer
}

fn touch(rig: &mut Rig, pointer: Pointer, len: u64, who: Who) {
    rig.call(|s, cx| s.touch(cx, 0, pointer, len, who));
}

fn used(rig: &Rig) -> [u64; 3] {
    [Bank::Host, Bank::Device(0), Bank::Device(1)].map(|bank| rig.memory.used(bank) / KIB)
}

#[test]
fn pages_appear_on_the_host_when_it_touches_them_and_nowhere_else() {
    both(|mut rig| {
        let p = svm(&mut rig);
        touch(&mut rig, p, 16 * KIB, Device(0));
        assert_eq!(used(&rig), [0, 0, 0]);
        let reach = rig.reach(0, p, 8 * KIB, Device(0), Write);
        assert!(reach.pieces.is_empty());
        assert_eq!(reach.wrong[0].code, Code::ReplayUnmappedAccess);

        touch(&mut rig, p.offset(4095), 2, Host);
        assert_eq!(used(&rig), [8, 0, 0]);
        let reach = rig.reach(0, p, 16 * KIB, Device(0), Read);
        assert_eq!((reach.pieces.len(), reach.wrong.len()), (1, 1));
        assert_eq!((reach.pieces[0].start, reach.pieces[0].len), (0, 8 * KIB));
    });
}

#[test]
fn a_page_goes_to_whoever_touches_it() {
    both(|mut rig| {
        let p = svm(&mut rig);
        touch(&mut rig, p, 16 * KIB, Host);
        touch(&mut rig, p.offset(4 * KIB), 4 * KIB, Device(1));
        assert_eq!(used(&rig), [12, 0, 4]);
        touch(&mut rig, p, 16 * KIB, Device(0));
        assert_eq!(used(&rig), [0, 16, 0]);
        let kind = |rig: &mut Rig, p| rig.call(|s, cx| s.attribute(cx, 0, Some(p))).unwrap().kind;
        assert_eq!(kind(&mut rig, p), MemoryType::SvmDevice);
        touch(&mut rig, p, 1, Host);
        assert_eq!(kind(&mut rig, p), MemoryType::SvmHost);
        assert_eq!(used(&rig), [4, 12, 0]);
        assert_eq!(rig.counters.bytes_moved, (4 + 16 + 4) * KIB);
        rig.free(0, p).unwrap();
        assert_eq!(used(&rig), [0, 0, 0]);
    });
}

#[test]
fn a_page_without_room_stays_where_it_was() {
    for mode in [Mode::Spec, Mode::Source] {
        let mut rig = Rig::sized(mode, 4 * KIB, 8 * KIB);
        let p = svm(&mut rig);
        touch(&mut rig, p, 12 * KIB, Host);
        assert_eq!(rig.remarks(), [Code::ReplayOomHost]);
        assert_eq!(used(&rig), [0, 0, 0]);
        touch(&mut rig, p, 8 * KIB, Host);
        touch(&mut rig, p, 8 * KIB, Device(0));
        assert_eq!(rig.remarks(), [Code::ReplayOomDevice]);
        assert_eq!(used(&rig), [8, 0, 0]);
    }
}

#[test]
fn huge_pages_come_whole_and_other_memory_is_not_touched() {
    both(|mut rig| {
        let huge = AllocRequest { pages: PageClass::Huge, ..of_kind(100, AllocKind::Svm) };
        let p = rig.alloc(0, &huge).unwrap().pointer;
        touch(&mut rig, p, 1, Host);
        assert_eq!(used(&rig), [2048, 0, 0]);
        let dev = rig.dev(0, 4096).pointer;
        touch(&mut rig, dev, 4096, Host);
        assert_eq!(used(&rig), [2048, 4, 0]);
        touch(&mut rig, p.offset(100), 1, Device(0));
        assert_eq!(used(&rig), [2048, 4, 0]);
    });
}
