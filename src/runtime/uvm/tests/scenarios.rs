//! The scenarios of 8.1 that are not one row of a table.

use super::world::{BOTH, PAGE, World};
use crate::diag::Code;
use crate::model::trace::{Advice, Attribute, Location};
use crate::runtime::memory::Bank;
use crate::runtime::pointer::{How, Who};

const D0: Who = Who::Device(0);
const D1: Who = Who::Device(1);
const H: Location = Location::Host;

#[test]
fn uvm_roundtrip() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let (x, y) = (world.alloc(1), world.alloc(1));
        world.write(Who::Host, x, 1);
        world.write(Who::Host, y, 1);
        world.advise(x, 1, Advice::ReadMostly, H).expect("fine");
        world.write(Who::Host, x, 1);
        assert_eq!((world.state(x).as_str(), world.counters.collapses), ("H", 1), "{mode:?}");
        world.advise(x, 1, Advice::PreferLocation, H).expect("fine");
        world.advise(x, 1, Advice::AccessBy, H).expect("fine");
        world.call(|uvm, cx| uvm.memset(cx, x, PAGE)).expect("fine");
        world.prefetch(x, 1, Location::Device(0)).expect("fine");
        for (attribute, wanted) in [
            (Attribute::LastPrefetchLoc, 0),
            (Attribute::LastPrefetchLocType, 1),
            (Attribute::LastPrefetchLocId, 0),
        ] {
            let found = world.call(|uvm, cx| uvm.attribute(cx, x, PAGE, Some(attribute), 4));
            assert_eq!(found.expect("fine"), [wanted], "{mode:?} {attribute:?}");
        }
        world.read(Who::Host, x, 1);
        let done = world.call(|uvm, cx| uvm.copy(cx, y, x, PAGE)).expect("fine");
        assert!(done.as_promised(), "{mode:?}");
        for page in [x, y] {
            world.call(|uvm, cx| uvm.free(cx, page)).expect("live");
        }
        assert_eq!(world.counters.collapses, 1, "{mode:?}");
        assert_eq!(world.memory.used(Bank::Host) + world.memory.used(Bank::Device(0)), 0);
    }
}

#[test]
fn uvm_readmostly_prefetch() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        world.advise(page, 1, Advice::ReadMostly, H).expect("fine");
        assert_eq!(world.state(page), "H-RO", "{mode:?}");
        world.call(|uvm, cx| uvm.memset(cx, page, PAGE)).expect("fine");
        world.prefetch(page, 1, Location::Device(0)).expect("fine");
        assert_eq!(world.state(page), "R{0}", "{mode:?}");
        world.read(Who::Host, page, 1);
        assert_eq!(world.counters.faults_host, 0, "{mode:?}");
        let before = world.counters.frees;
        world.call(|uvm, cx| uvm.free(cx, page)).expect("live");
        assert_eq!(world.counters.frees - before, 2, "{mode:?}: both copies");
    }
}

#[test]
fn uvm_kernel_add() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let (a, b, c) = (world.alloc(1), world.alloc(1), world.alloc(1));
        world.write(Who::Host, a, 1);
        world.write(Who::Host, b, 1);
        world.read(D0, a, 1);
        world.read(D0, b, 1);
        world.write(D0, c, 1);
        world.read(Who::Host, c, 1);
        let n = world.counters;
        assert_eq!((n.migrations_h2d, n.migrations_d2h), (2, 1), "{mode:?}");
        assert_eq!((n.faults_device, n.faults_host), (3, 3), "{mode:?}");
    }
}

#[test]
fn uvm_rm_write_loses_attr() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.page_in("H");
        world.advise(page, 1, Advice::ReadMostly, H).expect("fine");
        world.write(Who::Host, page, 1);
        assert!(world.remarked(Code::ReplayUvmRmLost), "{mode:?}");
        // Two devices that read: the page goes to and fro instead of being there twice.
        for device in [D0, D1, D0, D1] {
            world.read(device, page, 1);
        }
        assert_eq!(world.counters.migrations_h2d, 1, "{mode:?}");
        assert_eq!(world.counters.migrations_d2d, 3, "{mode:?}");
        assert_eq!(world.counters.replicas, 0, "{mode:?}");
    }
}

/// Turns of the host and a device on bytes of one page; says whether false sharing was named.
fn turns(
    mode: crate::model::machine::Mode,
    host: (u64, u64),
    device: (u64, u64),
) -> Option<String> {
    let mut world = World::new(mode);
    let page = world.alloc(1);
    for _ in 0..4 {
        world.touch(Who::Host, page + host.0, host.1, How::Write).expect("room");
        world.touch(D0, page + device.0, device.1, How::Write).expect("room");
    }
    world.call(|uvm, cx| uvm.free(cx, page)).expect("live");
    let remarks = &world.notes.remarks;
    let found = remarks.iter().find(|remark| remark.code == Code::ReplayUvmFalseSharing);
    found.map(|remark| remark.message.clone())
}

#[test]
fn uvm_false_sharing_is_named_with_how_often_the_page_went() {
    for mode in BOTH {
        let half = PAGE / 2;
        let message = turns(mode, (0, half), (half, half)).expect("disjoint bytes");
        assert!(message.contains(" 7 times"), "{message}");
        assert_eq!(turns(mode, (0, half + 1), (half, half)), None, "they share a byte");
        assert_eq!(turns(mode, (0, PAGE), (0, PAGE)), None, "they share all of it");
    }
}

#[test]
fn one_handover_is_no_false_sharing() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.alloc(1);
        world.touch(Who::Host, page, 8, How::Write).expect("room");
        for _ in 0..3 {
            world.touch(D0, page + 64, 8, How::Write).expect("room");
        }
        world.call(|uvm, cx| uvm.close(cx));
        assert!(!world.remarked(Code::ReplayUvmFalseSharing), "{mode:?}");
    }
}

#[test]
fn readers_of_replicas_do_not_share_falsely() {
    for mode in BOTH {
        let mut world = World::new(mode);
        let page = world.page_in("H-RO");
        for _ in 0..4 {
            for (device, at) in [(D0, 0), (D1, 100), (Who::Host, 200)] {
                world.touch(device, page + at, 8, How::Read).expect("room");
            }
        }
        world.call(|uvm, cx| uvm.free(cx, page)).expect("live");
        assert!(!world.remarked(Code::ReplayUvmFalseSharing), "{mode:?}");
    }
}
