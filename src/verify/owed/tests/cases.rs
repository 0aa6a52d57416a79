//! What people ran into: cases 13 and 14 of the collection.

use super::kernel::Kernel;
use crate::model::ByteRange;

/// A store still reads its bytes when the vector pipe writes what lies there next.
fn recycled(offset: u64) -> Kernel {
    let mut k = Kernel::new();
    let stored = k.buf("stored", 8192, &[1280]);
    let reused = k.buf("reused", 8192, &[offset]);
    k.op("v0", "V", &[], &[stored]);
    k.op("st", "MTE3", &[stored], &[]);
    k.op("v1", "V", &[], &[reused]);
    k
}

#[test]
fn a_store_that_still_reads_is_owed_to_the_write_over_its_bytes() {
    let owed = recycled(8192).owed();
    assert_eq!(owed.edges.len(), 1);
    let edge = &owed.edges[0];
    assert_eq!((edge.first.as_str(), edge.second.as_str()), ("st", "v1"));
    assert_eq!((edge.first_buffer.as_str(), edge.second_buffer.as_str()), ("stored", "reused"));
    assert_eq!(edge.bytes, [ByteRange::new(8192, 9472)]);
    assert_eq!(edge.pipes, ("MTE3".to_owned(), "V".to_owned()));
    assert!(edge.stall && edge.distance == 0);
    assert_eq!(edge.edge, "set_flag(MTE3, V) after st, wait_flag(MTE3, V) before v1");
    // v1 waits for the whole store.
    assert!(owed.timeline.without_reuse < owed.timeline.makespan);
    assert_eq!(owed.timeline.delays, [(0, owed.timeline.makespan - owed.timeline.without_reuse)]);
}

#[test]
fn bytes_of_their_own_owe_nothing() {
    let owed = recycled(9472).owed();
    assert!(owed.edges.is_empty() && owed.findings.is_empty() && !owed.bounded);
    assert_eq!(owed.timeline.without_reuse, owed.timeline.makespan);
}

#[test]
fn the_flag_that_is_owed_makes_the_program_right() {
    let mut k = Kernel::new();
    let stored = k.buf("stored", 8192, &[1280]);
    let reused = k.buf("reused", 8192, &[8192]);
    k.op("v0", "V", &[], &[stored]);
    k.flag("V", "MTE3", 0);
    k.op("st", "MTE3", &[stored], &[]);
    k.flag("MTE3", "V", 0);
    k.op("v1", "V", &[], &[reused]);
    let owed = k.owed();
    assert!(owed.edges.is_empty() && owed.findings.is_empty(), "{owed:?}");
}

/// Two tiles through the store pipe; with sync as a pass inserts it that knows values, not bytes.
fn tiles(q: u64, sync: bool, owed: bool) -> Kernel {
    let mut k = Kernel::new();
    let p_tile = k.buf("p", 8192, &[65536]);
    let q_tile = k.buf("q", 8192, &[q]);
    k.buf("r", 64, &[81920]);
    k.op("wp", "V", &[], &[p_tile]);
    if sync {
        k.flag("V", "MTE3", 0);
    }
    k.op("sp", "MTE3", &[p_tile], &[]);
    if owed {
        k.flag("MTE3", "V", 0);
    }
    k.op("wq", "V", &[], &[q_tile]);
    if sync {
        k.flag("V", "MTE3", 1);
    }
    k.op("sq", "MTE3", &[q_tile], &[]);
    k
}

#[test]
fn what_is_owed_depends_on_the_placement() {
    assert!(tiles(73728, false, false).edges().is_empty());
    assert_eq!(tiles(65600, false, false).edges(), ["sp -> wq"]);
}

#[test]
fn a_program_with_sync_but_without_the_owed_edge_is_rejected() {
    assert!(tiles(73728, true, false).faults().is_empty());
    assert_eq!(tiles(65600, true, false).faults(), ["race_war"]);
    assert!(tiles(65600, true, true).faults().is_empty());
    let k = tiles(65600, true, false);
    let found = crate::verify::verify(&k.b.problem(), &k.plan());
    assert!(found.iter().any(|f| f.code == crate::diag::Code::ReplayRaceWar));
}

#[test]
fn work_spaces_of_one_pipe_owe_a_barrier_that_stalls_nobody() {
    let mut k = Kernel::new();
    let (a, b) = (k.buf("a", 64, &[0]), k.buf("b", 64, &[0]));
    k.op("first", "V", &[], &[a]);
    k.op("second", "V", &[], &[b]);
    let owed = k.owed();
    assert_eq!(owed.edges.len(), 1);
    assert!(!owed.edges[0].stall);
    assert_eq!(owed.edges[0].edge, "pipe_barrier(V) before second");
    assert_eq!(owed.timeline.makespan, owed.timeline.without_reuse);
}

#[test]
fn ops_without_a_pipe_run_in_their_order_and_owe_nothing_among_them() {
    let mut k = Kernel::new();
    let (a, b) = (k.buf("a", 64, &[0]), k.buf("b", 64, &[0]));
    k.op("first", "", &[], &[a]);
    k.op("second", "", &[], &[b]);
    assert!(k.edges().is_empty());
    k.op("third", "V", &[], &[a]);
    assert_eq!(k.edges(), ["second -> third"]);
}
