//! Programs that are executed.

use super::build::Build;
use crate::diag::{Code, Severity};
use crate::model::*;

const FOREVER: Trips = Trips::AtLeast(0);

#[test]
fn straight_line_reuse_and_overwriting() {
    let mut b = Build::new(128, 32);
    let [x, y, z] = ["x", "y", "z"].map(|n| b.buf(n, 64));
    let [vx, vy, vz] = [x, y, z].map(|id| b.v(id));
    b.op("fill", &[], &[vx]);
    b.op("copy", &[vx], &[vy]);
    b.op("again", &[vy], &[vz]);
    b.op("use", &[vz], &[]);
    assert!(b.verify(&[("x", &[0]), ("y", &[64]), ("z", &[0])]).is_empty());
    let half = b.verify(&[("x", &[0]), ("y", &[64]), ("z", &[32])]);
    assert_eq!(half.len(), 1, "{half:?}");
    assert_eq!(half[0].code, Code::VerifyOverlap);
    assert_eq!(half[0].op.as_deref(), Some("again"));
    let same = b.errors(&[("x", &[0]), ("y", &[0]), ("z", &[64])]);
    assert_eq!(same, ["inplace_forbidden x y"]);
    b.f.ops[OpId(1)].inplace = InplaceRule::Any;
    assert!(b.verify(&[("x", &[0]), ("y", &[0]), ("z", &[64])]).is_empty());
    assert_eq!(
        b.errors(&[("x", &[0]), ("y", &[32]), ("z", &[96])]),
        ["over_capacity z", "inplace_shifted x y",]
    );
    b.problem.inplace = InplacePolicy::Isa;
    assert_eq!(b.errors(&[("x", &[0]), ("y", &[0]), ("z", &[64])]), ["inplace_forbidden x y"]);
    b.relation(RelationKind::Inplace, x, y);
    assert!(b.verify(&[("x", &[0]), ("y", &[0]), ("z", &[64])]).is_empty());
}

#[test]
fn an_operand_that_is_needed_again_is_clobbered_in_place() {
    let mut b = Build::new(128, 32);
    let [x, y] = ["x", "y"].map(|n| b.buf(n, 64));
    let [vx, vy] = [x, y].map(|id| b.v(id));
    b.op("fill", &[], &[vx]);
    let op = b.op("add", &[vx], &[vy]);
    b.f.ops[op].inplace = InplaceRule::Isa;
    b.op("both", &[vx, vy], &[]);
    let found = b.verify(&[("x", &[0]), ("y", &[0])]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, Code::VerifyClobbered);
    assert_eq!(found[0].buffers, ["x", "y"]);
    assert_eq!(found[0].op.as_deref(), Some("both"));
    assert!(found[0].message.contains("`add`"), "{}", found[0].message);
    assert_eq!(found[0].bytes, Some(ByteRange::new(0, 64)));
}

#[test]
fn case_11_read_again_by_the_next_trip() {
    let program = |trips| {
        let mut b = Build::new(196_352, 32);
        let [index, merged] = [("index", 16_384), ("merged", 65_536)].map(|(n, s)| b.buf(n, s));
        let [vi, vm] = [index, merged].map(|id| b.v(id));
        b.op("load", &[], &[vi]);
        b.repeat(trips, |b, _| {
            b.op("gather", &[vi], &[]);
            b.op("merge", &[], &[vm]);
            b.op("store", &[vm], &[]);
        });
        b
    };
    let bad: &[(&str, &[u64])] = &[("index", &[0]), ("merged", &[0])];
    let found = program(Trips::Known(4)).verify(bad);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, Code::VerifyClobbered);
    assert_eq!(found[0].buffers, ["index", "merged"]);
    assert_eq!(found[0].op.as_deref(), Some("gather"));
    let witness = "trip 1 of loop l0: `merge`; then trip 2 of loop l0: `gather`";
    assert_eq!(found[0].witness.as_deref(), Some(witness));
    assert_eq!(program(FOREVER).errors(bad), ["clobbered index merged"]);
    assert!(program(Trips::Known(1)).verify(bad).is_empty());
    assert!(program(Trips::Known(0)).verify(bad).is_empty());
    let good: &[(&str, &[u64])] = &[("index", &[65_536]), ("merged", &[0])];
    assert!(program(Trips::Known(u64::MAX - 1)).verify(good).is_empty());
}

#[test]
fn case_20_a_choice_keeps_every_candidate() {
    let mut b = Build::new(262_144, 512);
    let [x, y, wide] = [("a", 16_384), ("b", 16_384), ("wide", 32_768)].map(|(n, s)| b.buf(n, s));
    let [va, vb, vw] = [x, y, wide].map(|id| b.v(id));
    b.op("zero", &[], &[va]);
    b.op("one", &[], &[vb]);
    let s = b.select(&[va, vb]);
    b.op("widen", &[], &[vw]);
    b.op("store", &[s], &[]);
    let bad = b.errors(&[("a", &[0]), ("b", &[16_384]), ("wide", &[0])]);
    assert_eq!(bad, ["clobbered a wide", "clobbered b wide"]);
    assert!(b.verify(&[("a", &[0]), ("b", &[16_384]), ("wide", &[32_768])]).is_empty());
}

#[test]
fn branch_results_are_those_of_the_side_that_ran() {
    let mut b = Build::new(64, 1);
    let [x, y] = ["x", "y"].map(|n| b.buf(n, 64));
    let [vx, vy] = [x, y].map(|id| b.v(id));
    b.op("fill", &[], &[vx]);
    let either = b.branch(
        |_| vec![vx],
        |b| {
            b.op("other", &[], &[vy]);
            vec![vy]
        },
    );
    b.op("use", &[either[0]], &[]);
    // y lies on x: on the one path on which it is written, x is not read.
    assert!(b.verify(&[("x", &[0]), ("y", &[0])]).is_empty());
    b.op("use x", &[vx], &[]);
    let found = b.verify(&[("x", &[0]), ("y", &[0])]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].witness.as_deref(), Some("branch b0 not taken: `other`"));
}

#[test]
fn a_loop_that_may_not_run_leaves_what_was_there() {
    let mut b = Build::new(64, 1);
    let [x, y] = ["x", "y"].map(|n| b.buf(n, 8));
    let [vx, vy] = [x, y].map(|id| b.v(id));
    b.repeat(FOREVER, |b, _| {
        b.op("fill", &[], &[vx]);
    });
    b.op("use", &[vx], &[]);
    b.op("nothing", &[vy], &[]);
    let plan: &[(&str, &[u64])] = &[("x", &[0]), ("y", &[8])];
    assert_eq!(b.warnings(plan), ["read_before_write x"]);
    assert_eq!(b.errors(plan), ["read_before_write y"]);
    b.f.loops[LoopId(0)].trips = Trips::AtLeast(1);
    assert_eq!(b.warnings(plan), [""; 0]);
}

#[test]
fn carries_swap_by_reference() {
    let program = |trips| {
        let mut b = Build::new(256, 1);
        let [x, y, t] = ["x", "y", "t"].map(|n| b.buf(n, 8));
        let [vx, vy, vt] = [x, y, t].map(|id| b.v(id));
        b.op("fill x", &[], &[vx]);
        b.op("fill y", &[], &[vy]);
        let mut results = Vec::new();
        b.repeat(trips, |b, id| {
            let (old, last) = b.carry(id, vx);
            let (new, _) = b.carry(id, vy);
            b.op("step", &[old], &[new]);
            b.op("scratch", &[], &[vt]);
            b.next(id, 0, new);
            b.next(id, 1, old);
            results.push(last);
        });
        b.op("use", &[results[0]], &[]);
        b
    };
    for trips in [FOREVER, Trips::Known(1), Trips::Known(2), Trips::Known(1_000_000_007)] {
        let b = program(trips);
        assert!(b.verify(&[("x", &[0]), ("y", &[8]), ("t", &[16])]).is_empty());
        // The scratch lies on x, which is read in the next trip but one, or after the loop.
        let on_x = b.errors(&[("x", &[0]), ("y", &[8]), ("t", &[0])]);
        assert_eq!(on_x.is_empty(), trips == Trips::Known(1), "{trips:?} {on_x:?}");
        let on_y = b.errors(&[("x", &[0]), ("y", &[8]), ("t", &[8])]);
        assert_eq!(on_y, ["clobbered y t"]);
    }
}

/// A pipeline of two slots: trip `t` fills its slot and reads that of the trip before by a carry.
fn rotating(slots: u32) -> Build {
    let mut b = Build::new(256, 1);
    let [x, t] = ["x", "t"].map(|n| b.buf(n, 8));
    let [vx, vt] = [x, t].map(|id| b.v(id));
    b.at(x).slots = slots;
    b.op("first", &[], &[vt]);
    let id = b.repeat(FOREVER, |b, id| {
        let (before, _) = b.carry(id, vt);
        b.op("fill", &[], &[vx]);
        b.op("use", &[vx, before], &[]);
        b.next(id, 0, vx);
    });
    b.at(x).rotates_in = (slots > 1).then_some(id);
    b
}

#[test]
fn a_reference_carried_into_the_next_trip_keeps_its_slot() {
    assert!(rotating(2).verify(&[("x", &[0, 8]), ("t", &[16])]).is_empty());
    assert!(rotating(3).verify(&[("x", &[0, 8, 16]), ("t", &[24])]).is_empty());
    // t is read in the first trip only, after slot 0 was filled.
    assert_eq!(rotating(2).errors(&[("x", &[0, 8]), ("t", &[0])]), ["clobbered t x"]);
    assert!(rotating(2).verify(&[("x", &[0, 8]), ("t", &[8])]).is_empty());
}

#[test]
fn promoted_buffers_are_one_buffer_in_several_places() {
    let mut b = Build::new(256, 1);
    let [x, y] = ["x", "y"].map(|n| b.buf(n, 8));
    let [vx, vy] = [x, y].map(|id| b.v(id));
    let mut ops = Vec::new();
    b.repeat(FOREVER, |b, _| {
        ops.push(b.op("fill", &[], &[vx]));
        b.op("copy", &[vx], &[vy]);
        b.op("use", &[vy], &[]);
    });
    assert!(b.verify(&[("x", &[0, 8]), ("y", &[16])]).is_empty());
    assert!(b.verify(&[("x", &[0, 8]), ("y", &[16, 24, 32])]).is_empty());
    assert_eq!(b.errors(&[("x", &[0, 8]), ("y", &[8])]), ["inplace_forbidden x y"]);
    // What a trip leaves for the next one is in the other slot then.
    b.access(ops[0], vy, AccessMode::Read, |_| {});
    let found = b.verify(&[("x", &[0]), ("y", &[16, 24])]);
    let lost: Vec<_> = found.iter().filter(|f| f.code == Code::VerifyClobbered).collect();
    assert_eq!(lost.len(), 1);
    assert!(lost[0].message.contains("another of its slots"), "{}", lost[0].message);
    // A buffer that is used outside of loops has no trips.
    b.op("after", &[vx], &[]);
    let found = b.errors(&[("x", &[0, 8]), ("y", &[16])]);
    assert_eq!(found, ["wrong_slots x", "read_before_write y"]);
}

#[test]
fn temporaries_destroy_and_share_with_no_operand() {
    let mut b = Build::new(256, 1);
    let [x, y, t] = ["x", "y", "t"].map(|n| b.buf(n, 8));
    let [vx, vy, vt] = [x, y, t].map(|id| b.v(id));
    b.op("fill", &[], &[vx]);
    let op = b.op("reduce", &[], &[vy]);
    b.access(op, vt, AccessMode::Temporary, |_| {});
    b.op("use", &[vx, vy], &[]);
    assert!(b.verify(&[("x", &[0]), ("y", &[8]), ("t", &[16])]).is_empty());
    assert_eq!(b.errors(&[("x", &[0]), ("y", &[8]), ("t", &[0])]), ["clobbered x t"]);
    assert_eq!(b.errors(&[("x", &[0]), ("y", &[8]), ("t", &[8])]), ["overlap y t"]);
    b.op("late", &[vt], &[]);
    let plan: &[(&str, &[u64])] = &[("x", &[0]), ("y", &[8]), ("t", &[16])];
    assert_eq!(b.errors(plan), ["read_before_write t"]);
}

#[test]
fn partial_writes_and_views() {
    let mut b = Build::new(256, 1);
    let [x, y] = ["x", "y"].map(|n| b.buf(n, 64));
    let [vx, vy] = [x, y].map(|id| b.v(id));
    let (low, high) = (b.view(vx, 0, 32), b.view(vx, 32, 32));
    b.op("low", &[], &[low]);
    b.op("high", &[], &[high]);
    let part = b.view(vy, 0, 32);
    b.op("other", &[], &[part]);
    b.op("use", &[high, part], &[]);
    // y covers x, but only its lower half is written, and only x's upper half read afterwards.
    assert!(b.verify(&[("x", &[0]), ("y", &[0])]).is_empty());
    assert_eq!(b.errors(&[("x", &[0]), ("y", &[16])]), ["clobbered x y"]);
    // A masked write may leave what was there, or not.
    let op = b.op("mask", &[], &[]);
    b.access(op, vy, AccessMode::Write, |a| a.partial = true);
    b.op("use again", &[high], &[]);
    assert_eq!(b.errors(&[("x", &[0]), ("y", &[0])]), ["clobbered x y"]);
    let dynamic = b.view(vy, None, None);
    b.op("somewhere", &[dynamic], &[]);
    assert_eq!(b.warnings(&[("x", &[0]), ("y", &[64])]), [""; 0]);
}

#[test]
fn a_part_that_was_never_written() {
    let mut b = Build::new(256, 1);
    let x = b.buf("x", 64);
    let vx = b.v(x);
    let low = b.view(vx, 0, 48);
    b.op("low", &[], &[low]);
    b.op("use", &[vx], &[]);
    let found = b.verify(&[("x", &[64])]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Warning);
    assert_eq!(found[0].bytes, Some(ByteRange::new(112, 128)));
}

#[test]
fn what_comes_in_and_what_goes_out() {
    let mut b = Build::new(256, 1);
    let [x, y, t] = ["x", "y", "t"].map(|n| b.buf(n, 8));
    let [vx, vy, vt] = [x, y, t].map(|id| b.v(id));
    b.at(x).class = LifetimeClass::Constant;
    b.at(y).class = LifetimeClass::Output;
    b.op("compute", &[vx], &[vy]);
    b.op("scratch", &[], &[vt]);
    let plan = |x, y, t| b.errors(&[("x", &[x]), ("y", &[y]), ("t", &[t])]);
    assert!(plan(0, 8, 16).is_empty());
    assert_eq!(plan(0, 8, 0), ["clobbered x t"]);
    assert_eq!(plan(0, 8, 8), ["clobbered y t"]);
    b.at(x).class = LifetimeClass::Donated;
    assert!(b.errors(&[("x", &[0]), ("y", &[8]), ("t", &[0])]).is_empty());
    b.at(t).class = LifetimeClass::Constant;
    let found = b.errors(&[("x", &[0]), ("y", &[8]), ("t", &[0])]);
    assert_eq!(found, ["clobbered x t"]);
}

#[test]
fn candidates_that_share_bytes_leave_no_choice_there() {
    let mut b = Build::new(256, 1);
    let [x, y] = ["x", "y"].map(|n| b.buf(n, 8));
    let [vx, vy] = [x, y].map(|id| b.v(id));
    let high = b.view(vx, 4, 4);
    let either = b.select(&[vx, high]);
    b.op("fill", &[], &[vx]);
    b.op("over", &[], &[vy]);
    b.op("again", &[], &[either]);
    b.op("use", &[high], &[]);
    assert!(b.verify(&[("x", &[0]), ("y", &[0])]).is_empty());
    b.op("use all", &[vx], &[]);
    assert_eq!(b.errors(&[("x", &[0]), ("y", &[0])]), ["clobbered x y"]);
}

#[test]
fn colocated_buffers_are_one_owner() {
    let mut b = Build::new(256, 1);
    let [x, y, z] = [("x", 16), ("y", 8), ("z", 8)].map(|(n, s)| b.buf(n, s));
    let [vx, vy, vz] = [x, y, z].map(|id| b.v(id));
    b.relation(RelationKind::Colocate { delta: 8 }, x, y);
    b.op("fill", &[], &[vx]);
    b.op("over", &[], &[vz]);
    b.op("use", &[vy], &[]);
    assert!(b.verify(&[("x", &[0]), ("y", &[8]), ("z", &[0])]).is_empty());
    assert_eq!(b.errors(&[("x", &[0]), ("y", &[8]), ("z", &[8])]), ["clobbered y z"]);
    assert_eq!(b.errors(&[("x", &[0]), ("y", &[16]), ("z", &[32])]), ["colocate_split x y"]);
}

#[test]
fn given_ranges_beside_a_program() {
    let mut b = Build::new(256, 1);
    let [x, y] = ["x", "y"].map(|n| b.buf(n, 8));
    let g = b.live("g", 8, &[(2, 4)]);
    let [vx, vy] = [x, y].map(|id| b.v(id));
    for (name, reads, writes) in [
        ("fill", vec![], vec![vx]),
        ("use", vec![vx], vec![]),
        ("a", vec![], vec![vy]),
        ("b", vec![vy], vec![]),
        ("c", vec![vx], vec![]),
    ] {
        b.op(name, &reads, &writes);
    }
    assert!(b.verify(&[("x", &[0]), ("y", &[8]), ("g", &[16])]).is_empty());
    // y is written while g holds the bytes.
    let found = b.errors(&[("x", &[0]), ("y", &[8]), ("g", &[8])]);
    assert_eq!(found, ["overlap y g"]);
    // x is read after g had the bytes.
    let found = b.verify(&[("x", &[0]), ("y", &[8]), ("g", &[0])]);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("in steps [2, 4)"), "{}", found[0].message);
    b.relation(RelationKind::Exclusive, x, g);
    assert!(b.errors(&[("x", &[0]), ("y", &[8]), ("g", &[0])]).is_empty());
    // In place: g takes the bytes at its first step, after they were read there.
    b.f.relations.clear();
    b.at(g).live = Some(vec![Live::new(1, 3)]);
    b.f.ops[OpId(4)].accesses.clear();
    assert_eq!(b.errors(&[("x", &[0]), ("y", &[8]), ("g", &[0])]), ["clobbered x g"]);
    b.relation(RelationKind::Inplace, x, g);
    assert!(b.errors(&[("x", &[0]), ("y", &[8]), ("g", &[0])]).is_empty());
    assert_eq!(
        b.errors(&[("x", &[0]), ("y", &[8]), ("g", &[4])]),
        ["clobbered x g", "overlap y g"]
    );
    // And y takes g's at its last.
    assert_eq!(b.errors(&[("x", &[0]), ("y", &[8]), ("g", &[8])]), ["overlap y g"]);
    b.relation(RelationKind::Inplace, g, y);
    assert!(b.errors(&[("x", &[0]), ("y", &[8]), ("g", &[8])]).is_empty());
}

#[test]
fn preloaded_buffers_hold_their_bytes_through_the_loop() {
    let mut b = Build::new(256, 1);
    let [p, t] = ["p", "t"].map(|n| b.buf(n, 8));
    let [vp, vt] = [p, t].map(|id| b.v(id));
    b.repeat(FOREVER, |b, _| {
        b.op("scratch", &[], &[vt]);
        b.op("load", &[], &[vp]);
        b.op("use", &[vp], &[]);
    });
    let plan: &[(&str, &[u64])] = &[("p", &[0]), ("t", &[0])];
    assert!(b.verify(plan).is_empty());
    b.at(p).preload = true;
    assert_eq!(b.errors(plan), ["overlap t p"]);
}

/// Forty loops inside each other, each reading what another writes.
fn nest() -> (Build, Vec<(String, [u64; 1])>) {
    fn inside(b: &mut Build, values: &[ValueId], depth: usize) {
        let Some(&v) = values.get(depth) else { return };
        b.repeat(Trips::AtLeast(0), |b, _| {
            b.op("read", &[values[(depth + 7) % values.len()]], &[]);
            inside(b, values, depth + 1);
            b.op("write", &[], &[v]);
        });
    }
    let mut b = Build::new(4096, 1);
    let ids: Vec<_> = (0..40).map(|n| b.buf(&format!("x{n}"), 8)).collect();
    let values: Vec<_> = ids.iter().map(|&id| b.v(id)).collect();
    inside(&mut b, &values, 0);
    let plan = (0..40).map(|n| (format!("x{n}"), [n * 8]));
    (b, plan.collect())
}

#[test]
fn nests_are_bounded() {
    let (b, plan) = nest();
    let plan: Vec<(&str, &[u64])> = plan.iter().map(|(n, o)| (n.as_str(), &o[..])).collect();
    let found = b.verify(&plan);
    let (notes, rest): (Vec<_>, Vec<_>) =
        found.iter().partition(|f| f.code == Code::VerifyUndecided);
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].severity, Severity::Note);
    assert!(rest.iter().all(|f| f.code == Code::VerifyReadBeforeWrite));
}

#[test]
fn a_limit_is_never_silent() {
    let (b, plan) = nest();
    let plan: Vec<(&str, &[u64])> = plan.iter().map(|(n, o)| (n.as_str(), &o[..])).collect();
    let (problem, plan) = (b.problem(), b.plan(&plan));
    let mut findings = Vec::new();
    let case = crate::verify::placements::place(
        &problem,
        &problem.functions[0],
        &plan.functions[0],
        &mut findings,
    );
    let limits = crate::runtime::program::Limits { work: 50, trips: 4, without: None };
    crate::verify::report::check(&case, limits, false, &mut findings);
    let undecided = |f: &&Finding| f.code == Code::VerifyUndecided && f.severity == Severity::Error;
    assert_eq!(findings.iter().filter(undecided).count(), 1);
}

/// A long program on few bytes: buffer `n` is written by op `n` and read by the next two.
#[test]
fn a_hundred_thousand_ops_take_seconds() {
    const OPS: u64 = 100_000;
    let mut b = Build::new(4 * 64, 64);
    let ids: Vec<_> = (0..OPS).map(|n| b.buf(&format!("b{n}"), 64)).collect();
    let values: Vec<_> = ids.iter().map(|&id| b.v(id)).collect();
    for n in 0..OPS as usize {
        let reads: Vec<_> = (1..3).filter_map(|d| values.get(n.checked_sub(d)?)).copied().collect();
        b.op("op", &reads, &[values[n]]);
    }
    let mut plan = b.plan(&[]);
    let place = |n: u64, columns: u64| Placement {
        name: format!("b{n}"),
        id: None,
        scope: None,
        offsets: vec![n % columns * 64],
        loc: None,
    };
    let problem = b.problem();
    for (columns, faults) in [(4, 0), (3, 0), (2, 1_001)] {
        plan.functions[0].placements = (0..OPS).map(|n| place(n, columns)).collect();
        let start = std::time::Instant::now();
        let found = crate::verify::verify(&problem, &plan);
        println!("{columns} columns: {:?}", start.elapsed());
        assert_eq!(found.len(), faults);
        assert!(start.elapsed().as_secs() < 30);
    }
}

/// Many small loops and branches one after the other: each forks the whole state.
#[test]
fn ten_thousand_loops_take_seconds() {
    const LOOPS: u64 = 10_000;
    let mut b = Build::new(LOOPS * 64, 64);
    let ids: Vec<_> = (0..LOOPS).map(|n| b.buf(&format!("b{n}"), 64)).collect();
    let values: Vec<_> = ids.iter().map(|&id| b.v(id)).collect();
    b.op("fill", &[], &values);
    for &value in &values {
        b.repeat(FOREVER, |b, _| {
            b.branch(
                |b| {
                    b.op("then", &[value], &[]);
                    vec![]
                },
                |b| {
                    b.op("else", &[], &[value]);
                    vec![]
                },
            );
        });
    }
    let names: Vec<String> = (0..LOOPS).map(|n| format!("b{n}")).collect();
    let offsets: Vec<[u64; 1]> = (0..LOOPS).map(|n| [n * 64]).collect();
    let plan: Vec<(&str, &[u64])> =
        names.iter().zip(&offsets).map(|(n, o)| (n.as_str(), &o[..])).collect();
    let start = std::time::Instant::now();
    assert!(b.verify(&plan).is_empty());
    println!("{:?}", start.elapsed());
    assert!(start.elapsed().as_secs() < 30);
}
