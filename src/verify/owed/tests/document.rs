//! The example of the memory documents at their three levels.

use super::kernel::Kernel;
use crate::model::Trips;
use crate::verify::owed::Owed;

/// Load A, work on it with B, work on D with C, store D; for ever.
fn levels(
    size: u64,
    a: &[u64],
    b: u64,
    c: &[u64],
    e: Option<u64>,
    d: &[u64],
    d_size: u64,
) -> Kernel {
    let mut k = Kernel::new();
    let buf_a = k.buf("A", size, a);
    let buf_b = k.buf("B", 1024, &[b]);
    let buf_c = k.buf("C", size, c);
    // Promoted: the program knows one C.
    k.b.at(buf_c).slots = 1;
    let buf_e = e.map(|at| k.buf("E", size, &[at]));
    let buf_d = k.buf("D", d_size, d);
    let id = k.repeat(Trips::AtLeast(1), |k, _| {
        k.op("op1", "MTE2", &[], &[buf_a]);
        let two = k.op("op2", "V", &[buf_a], &[]);
        k.temp(two, buf_b);
        let three = k.op("op3", "V", &[], &[buf_d]);
        k.temp(three, buf_c);
        if let Some(e) = buf_e {
            k.temp(three, e);
        }
        k.op("op4", "MTE3", &[buf_d], &[]);
    });
    for buffer in [buf_a, buf_c, buf_d] {
        k.b.at(buffer).rotates_in = Some(id);
    }
    k
}

fn level_pipe() -> Owed {
    // B and C share; everything else is apart.
    levels(1024, &[0, 1024], 2048, &[2048], None, &[3072, 4096], 1024).owed()
}

fn level_slot() -> Owed {
    // C on both slots of A.
    levels(2048, &[0, 2048], 4096, &[0, 2048], None, &[5120, 5632], 512).owed()
}

fn level_lifetime() -> Owed {
    // C and E each on one slot of A.
    levels(2048, &[0, 2048], 4096, &[0], Some(2048), &[5120, 5632], 512).owed()
}

/// When op1 of trip `trip + 1` starts, and op3 of trip `trip` ends.
fn next_load_and_work(owed: &Owed, trip: usize) -> (u64, u64) {
    let of = |name: &str, n: usize| {
        let slices = owed.timeline.slices.iter().filter(|s| s.name == name);
        slices.map(|s| (s.start, s.end)).nth(n).expect("a trip")
    };
    (of("op1", trip + 1).0, of("op3", trip).1)
}

#[test]
fn work_on_one_tile_and_the_load_of_the_next_run_beside_each_other_except_at_level_lifetime() {
    for beside in [level_pipe(), level_slot()] {
        let (load, work) = next_load_and_work(&beside, 0);
        assert!(load < work, "{:?}", beside.timeline);
    }
    let (load, work) = next_load_and_work(&level_lifetime(), 0);
    assert!(load >= work);
}

#[test]
fn sharing_at_level_pipe_stalls_nobody() {
    let owed = level_pipe();
    assert!(owed.edges.iter().all(|e| !e.stall), "{:?}", owed.edges);
    assert_eq!(owed.timeline.makespan, owed.timeline.without_reuse);
    assert!(owed.timeline.prefix && !owed.bounded);
}

#[test]
fn what_a_level_costs_is_seen_in_the_makespan() {
    // The documents give their levels different sizes; per tile the slot plan loads twice as much, so
    // it is compared with itself without reuse.
    let (pipe, slot, lifetime) = (level_pipe(), level_slot(), level_lifetime());
    let lost = |owed: &Owed| owed.timeline.makespan - owed.timeline.without_reuse;
    assert_eq!(lost(&pipe), 0);
    assert!(lost(&pipe) <= lost(&slot) && lost(&slot) < lost(&lifetime));
    assert!(pipe.timeline.makespan <= slot.timeline.makespan);
    assert!(slot.timeline.makespan < lifetime.timeline.makespan);
    assert!(lifetime.edges.iter().any(|e| e.stall && e.distance == 1));
    // Delays are of edges in the list, the largest first, and none is more than all together.
    let delays = &lifetime.timeline.delays;
    assert!(delays.iter().all(|&(at, lost)| at < lifetime.edges.len() && lost > 0));
    assert!(delays.windows(2).all(|w| w[0].1 >= w[1].1));
}
