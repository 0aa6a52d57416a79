//! Programs that order their pipes themselves.

use super::kernel::Kernel;
use crate::model::Trips;

#[test]
fn one_buffer_between_load_and_store_needs_the_flag_back() {
    let idiom = |back: bool| {
        let mut k = Kernel::new();
        let x = k.buf("x", 64, &[0]);
        if back {
            k.set("MTE3", "MTE2", 0);
        }
        k.repeat(Trips::AtLeast(1), |k, _| {
            if back {
                k.wait("MTE3", "MTE2", 0);
            }
            k.op("load", "MTE2", &[], &[x]);
            k.flag("MTE2", "MTE3", 0);
            k.op("store", "MTE3", &[x], &[]);
            if back {
                k.set("MTE3", "MTE2", 0);
            }
        });
        if back {
            k.wait("MTE3", "MTE2", 0);
        }
        k
    };
    assert!(idiom(true).faults().is_empty(), "{:?}", idiom(true).owed().findings);
    let faults = idiom(false).faults();
    assert!(faults.contains(&"race_war".to_owned()), "{faults:?}");
}

#[test]
fn two_slots_need_two_flags_that_take_turns() {
    let double = |ids: &[u64]| {
        let mut k = Kernel::new();
        let x = k.buf("x", 64, &[0, 64]);
        for &id in ids {
            k.set("MTE3", "MTE2", id);
        }
        let id = k.repeat(Trips::AtLeast(1), |k, id| {
            k.turn(false, "MTE3", "MTE2", id, ids);
            k.op("load", "MTE2", &[], &[x]);
            k.turn(true, "MTE2", "MTE3", id, ids);
            k.turn(false, "MTE2", "MTE3", id, ids);
            k.op("store", "MTE3", &[x], &[]);
            k.turn(true, "MTE3", "MTE2", id, ids);
        });
        for &id in ids {
            k.wait("MTE3", "MTE2", id);
        }
        k.b.at(x).rotates_in = Some(id);
        k
    };
    assert!(double(&[0, 1]).faults().is_empty(), "{:?}", double(&[0, 1]).owed().findings);
    // One flag is right too, and slower: each load waits for the store before it.
    assert!(double(&[0]).faults().is_empty());
    let times = |k: &Kernel| k.owed().timeline.makespan;
    assert!(times(&double(&[0, 1])) < times(&double(&[0])));
}

#[test]
fn an_op_of_a_pipe_does_not_wait_for_the_one_before() {
    let kernel = |barrier: bool| {
        let mut k = Kernel::new();
        let (x, y) = (k.buf("x", 64, &[0]), k.buf("y", 64, &[64]));
        k.op("first", "V", &[], &[x]);
        k.barrier(if barrier { "V" } else { "MTE2" });
        k.op("second", "V", &[x], &[y]);
        k.faults()
    };
    assert_eq!(kernel(false), ["same_pipe_hazard"]);
    assert!(kernel(true).is_empty());
}

#[test]
fn the_scalar_pipe_has_no_barrier_and_passes_on_what_it_waited_for() {
    let mut k = Kernel::new();
    let x = k.buf("x", 64, &[0]);
    k.op("write", "V", &[], &[x]);
    k.flag("V", "S", 0);
    // Issued by S after it has waited.
    k.op("store", "MTE3", &[x], &[]);
    assert!(k.faults().is_empty());
    k.barrier("S");
    assert_eq!(k.faults(), ["barrier_s"]);
}

#[test]
fn flags_are_set_once_awaited_once_and_exist() {
    let faults = |add: &dyn Fn(&mut Kernel)| {
        let mut k = Kernel::new();
        let x = k.buf("x", 64, &[0]);
        k.op("load", "MTE2", &[], &[x]);
        add(&mut k);
        k.faults()
    };
    assert_eq!(faults(&|k| k.set("MTE2", "V", 0)), ["flag_unmatched"]);
    assert_eq!(faults(&|k| k.wait("MTE2", "V", 0)), ["flag_unmatched"]);
    assert_eq!(faults(&|k| k.flag("MTE2", "V", 8)), ["flag_id_range", "flag_id_range"]);
    let twice = |k: &mut Kernel| {
        k.set("MTE2", "V", 0);
        k.set("MTE2", "V", 0);
        k.wait("MTE2", "V", 0);
        k.wait("MTE2", "V", 0);
    };
    assert_eq!(faults(&twice), ["flag_overrun"]);
    let circle = |k: &mut Kernel| {
        k.wait("MTE2", "V", 0);
        k.set("V", "MTE2", 0);
        k.wait("V", "MTE2", 0);
        k.set("MTE2", "V", 0);
    };
    assert_eq!(faults(&circle), ["deadlock"]);
}
