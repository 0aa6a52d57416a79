//! What a fault depends on, besides the place where it shows.

use super::build::Build;
use crate::model::{LoopId, Trips};

#[test]
fn a_fault_that_needs_a_side_of_an_earlier_branch_says_which() {
    // Either side makes the tile that is used afterwards; `work` lies on one of the two.
    let program = |on_whole: bool| {
        let mut b = Build::new(256, 1);
        let [padded, whole, work] = ["padded", "whole", "work"].map(|n| b.buf(n, 64));
        let [vp, vw, v] = [padded, whole, work].map(|id| b.v(id));
        let tile = b.branch(
            |b| {
                b.op("pad", &[], &[vp]);
                vec![vp]
            },
            |b| {
                b.op("load", &[], &[vw]);
                vec![vw]
            },
        );
        b.op("prepare", &[], &[v]);
        b.op("use", &[tile[0], v], &[]);
        let at = if on_whole { 64 } else { 0 };
        let found = b.verify(&[("padded", &[0]), ("whole", &[64]), ("work", &[at])]);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].witness.clone()
    };
    assert_eq!(program(true).as_deref(), Some("branch b0 not taken"));
    assert_eq!(program(false).as_deref(), Some("branch b0 taken"));
}

#[test]
fn a_fault_that_needs_a_loop_without_a_trip_says_so() {
    let mut b = Build::new(64, 1);
    let [best, work] = ["best", "work"].map(|n| b.buf(n, 8));
    let [vb, vw] = [best, work].map(|id| b.v(id));
    b.op("start", &[], &[vb]);
    b.op("warm up", &[], &[vw]);
    b.op("look", &[vw], &[]);
    b.repeat(Trips::AtLeast(0), |b, _| {
        b.op("replace", &[], &[vb]);
    });
    b.op("store", &[vb], &[]);
    let plan: &[(&str, &[u64])] = &[("best", &[0]), ("work", &[0])];
    let name = b.f.loops[LoopId(0)].name.clone();
    let found = b.verify(plan);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].witness, Some(format!("no trip of loop {name}")));
    b.f.loops[LoopId(0)].trips = Trips::AtLeast(1);
    assert!(b.verify(plan).is_empty());
}

#[test]
fn a_fault_of_every_path_depends_on_nothing() {
    let mut b = Build::new(64, 1);
    let [x, y, z] = ["x", "y", "z"].map(|n| b.buf(n, 8));
    let [vx, vy, vz] = [x, y, z].map(|id| b.v(id));
    b.op("fill", &[], &[vx]);
    b.branch(
        |b| {
            b.op("one", &[], &[vz]);
            vec![]
        },
        |_| vec![],
    );
    b.op("other", &[], &[vy]);
    b.op("use", &[vx, vy], &[]);
    let found = b.verify(&[("x", &[0]), ("y", &[0]), ("z", &[32])]);
    let lost = found.iter().find(|f| f.message.contains("gone"));
    assert_eq!(lost.map(|f| f.witness.clone()), Some(None), "{found:?}");
}
