//! Which paths are walked, and what it costs.

use super::kernel::{Kernel, words};
use crate::model::{AccessMode, Trips};
use crate::runtime::program::UnrollLimits;
use crate::verify::owed::Limits;

/// A long kernel: loads, work and stores that take turns on a few places.
fn long(ops: usize) -> Kernel {
    let mut k = Kernel::new();
    for n in 0..ops / 3 {
        let at = (n % 4) as u64 * 256;
        let x = k.buf(&format!("x{n}"), 200, &[at]);
        k.op(&format!("load{n}"), "MTE2", &[], &[x]);
        k.op(&format!("work{n}"), "V", &[x], &[x]);
        k.op(&format!("store{n}"), "MTE3", &[x], &[]);
    }
    k
}

#[test]
fn a_long_kernel_is_checked_whole() {
    let owed = long(3000).owed();
    assert!(!owed.bounded && !owed.timeline.prefix);
    assert_eq!(owed.timeline.slices.len(), 3000);
    // Each load waits for the store four tiles before.
    assert_eq!(owed.edges.len(), 1000 - 4);
    assert!(
        owed.edges.iter().all(|e| e.stall && e.pipes == ("MTE3".to_owned(), "MTE2".to_owned()))
    );
}

#[test]
fn either_side_of_a_branch_is_seen_and_a_loop_that_does_not_run() {
    let mut k = Kernel::new();
    let (x, y, z) = (k.buf("x", 8, &[0]), k.buf("y", 8, &[0]), k.buf("z", 8, &[0]));
    k.op("first", "V", &[], &[x]);
    k.branch(
        |k| {
            k.op("then", "MTE2", &[], &[y]);
        },
        |_| {},
    );
    k.repeat(Trips::AtLeast(0), |k, _| {
        k.op("body", "MTE2", &[], &[y]);
    });
    k.op("last", "MTE3", &[], &[z]);
    let owed = k.owed();
    assert!(!owed.bounded);
    assert_eq!(
        words(&owed),
        ["first -> then", "first -> body", "first -> last", "then -> last", "body -> last"]
    );
}

#[test]
fn too_many_paths_are_sampled_and_that_is_said() {
    let mut k = Kernel::new();
    let (x, y) = (k.buf("x", 8, &[0]), k.buf("y", 8, &[0]));
    for _ in 0..20 {
        k.branch(
            |k| {
                k.op("then", "MTE2", &[], &[x]);
            },
            |k| {
                k.op("else", "V", &[], &[y]);
            },
        );
    }
    let owed = k.owed();
    assert!(owed.bounded);
    assert!(words(&owed).contains(&"then -> else".to_owned()));
}

#[test]
fn a_deep_nest_stays_within_its_work() {
    fn nest(k: &mut Kernel, depth: usize) {
        if depth == 0 {
            let x = k.b.f.buffers.ids().next().expect("a buffer");
            k.op("deep", "V", &[], &[x]);
            return;
        }
        k.repeat(Trips::AtLeast(0), |k, _| nest(k, depth - 1));
    }
    let mut k = Kernel::new();
    k.buf("x", 8, &[0]);
    nest(&mut k, 40);
    assert!(k.owed().bounded);
}

#[test]
fn more_trips_than_are_walked_is_said() {
    let slots: Vec<u64> = (0..50).map(|n| n * 8).collect();
    let mut k = Kernel::new();
    let x = k.buf("x", 8, &slots);
    let id = k.repeat(Trips::Known(1000), |k, _| {
        k.op("load", "MTE2", &[], &[x]);
    });
    k.b.at(x).rotates_in = Some(id);
    let owed = k.owed();
    assert!(owed.bounded && owed.timeline.prefix);
    assert_eq!(owed.timeline.slices.len(), 64);
}

#[test]
fn a_matrix_op_reads_with_one_pipe_and_writes_with_another() {
    let mut k = Kernel::new();
    let (a, c) = (k.buf("a", 64, &[0]), k.buf("c", 64, &[64]));
    let reused = k.buf("b", 64, &[0]);
    let mmad = k.op("mmad", "", &[a], &[]);
    let (mte1, m) = (k.pipe("MTE1"), k.pipe("M"));
    k.b.f.ops[mmad].accesses[0].pipe = Some(mte1);
    let value = k.b.v(c);
    k.b.access(mmad, value, AccessMode::Write, |access| access.pipe = Some(m));
    k.op("load", "MTE2", &[], &[reused]);
    let owed = k.owed();
    assert_eq!(words(&owed), ["mmad -> load"]);
    assert_eq!(owed.edges[0].pipes, ("MTE1".to_owned(), "MTE2".to_owned()));
    let tracks: Vec<&str> = owed.timeline.slices.iter().map(|s| s.track.as_str()).collect();
    assert_eq!(tracks, ["MTE1", "M", "MTE2"]);
    // M starts when MTE1 is done.
    assert_eq!(owed.timeline.slices[0].end, owed.timeline.slices[1].start);
}

#[test]
fn what_an_op_says_it_costs_is_what_it_takes() {
    let mut k = Kernel::new();
    let x = k.buf("x", 64, &[0]);
    let op = k.op("slow", "V", &[], &[x]);
    k.b.f.ops[op].cost = Some(777);
    assert_eq!(k.owed().timeline.makespan, 777);
}

#[test]
fn delays_are_left_out_where_they_would_cost_too_much() {
    let k = long(30);
    let none = Limits { delays: 0, unroll: UnrollLimits::default(), ..Limits::default() };
    let (all, none) = (k.owed(), k.owed_within(none));
    assert_eq!(all.edges, none.edges);
    assert!(none.timeline.delays.is_empty());
}

#[test]
fn a_loop_that_may_run_once_implies_no_more_than_one_trip_does() {
    // Two trips tie S and V together both ways; one trip does not.
    let mut k = Kernel::new();
    let (x, y) = (k.buf("x", 1, &[4]), k.buf("y", 2, &[7]));
    let z = k.buf("z", 1, &[8]);
    k.op("before", "V", &[], &[z]);
    k.repeat(Trips::AtLeast(1), |k, _| {
        k.op("scalar", "S", &[], &[x]);
        k.op("vector", "V", &[], &[x]);
    });
    k.op("after", "V", &[], &[y]);
    assert_eq!(k.edges(), ["before -> after"]);
}

#[test]
fn a_loop_ends_in_the_slot_in_which_the_program_ends_it() {
    // After five trips slot 0 was used last, after four slot 1.
    let edges = |trips: Trips| {
        let mut k = Kernel::new();
        let (x, y) = (k.buf("x", 8, &[0, 8]), k.buf("y", 8, &[0]));
        let id = k.repeat(trips, |k, _| {
            k.op("load", "MTE2", &[], &[x]);
        });
        k.b.at(x).rotates_in = Some(id);
        k.op("after", "V", &[], &[y]);
        k.edges()
    };
    for trips in [Trips::Known(4), Trips::Known(5), Trips::Known(1000), Trips::AtLeast(0)] {
        assert_eq!(edges(trips), ["load -> after"]);
    }
}
