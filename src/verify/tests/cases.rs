//! The case catalogue, with its numbers.

use super::build::Build;
use crate::diag::{Code, Severity};
use crate::model::{ByteRange, Finding, RelationKind, Reserved};

fn reserve(build: &mut Build, start: u64, end: u64) {
    let range = ByteRange::new(start, end);
    let scope = build.problem.scopes.iter_mut().next().unwrap();
    scope.reserved.push(Reserved { range, why: None });
}

fn first(findings: &[Finding], code: Code) -> Finding {
    findings.iter().find(|f| f.code == code).unwrap_or_else(|| panic!("{findings:?}")).clone()
}

#[test]
fn case_07_in_place_means_the_identical_slice() {
    let mut b = Build::new(8192, 256);
    let a = b.live("a", 4096, &[(6, 8)]);
    let user = b.live("b", 4096, &[(7, 11)]);
    b.live("k", 1024, &[(8, 12)]);
    b.relation(RelationKind::Inplace, a, user);
    let bad = b.verify(&[("a", &[0]), ("b", &[1024]), ("k", &[0])]);
    let found = first(&bad, Code::VerifyInplaceShifted);
    assert_eq!(found.buffers, ["a", "b"]);
    assert_eq!(found.bytes, Some(ByteRange::new(1024, 4096)));
    assert_eq!(bad.len(), 1);
    assert!(b.verify(&[("a", &[0]), ("b", &[4096]), ("k", &[0])]).is_empty());
    assert!(b.verify(&[("a", &[1024]), ("b", &[1024]), ("k", &[0])]).is_empty());
}

#[test]
fn case_09_packed_elements_need_other_bytes_than_they_count() {
    let mut b = Build::new(1536, 64);
    b.live("packed_u4", 512, &[(0, 2)]);
    b.live("neighbour", 512, &[(0, 5)]);
    b.live("bytes_u8", 1024, &[(3, 5)]);
    let bad = b.verify(&[("packed_u4", &[0]), ("neighbour", &[512]), ("bytes_u8", &[0])]);
    assert_eq!(bad.len(), 1);
    let found = first(&bad, Code::VerifyOverlap);
    assert_eq!(found.buffers, ["neighbour", "bytes_u8"]);
    assert_eq!(found.bytes, Some(ByteRange::new(512, 1024)));
    let good: &[(&str, &[u64])] =
        &[("packed_u4", &[0]), ("neighbour", &[1024]), ("bytes_u8", &[0])];
    assert!(b.verify(good).is_empty());
}

#[test]
fn case_11_ranges_that_reach_to_the_end_of_the_loop() {
    let mut b = Build::new(196_352, 32);
    b.live("index", 16_384, &[(2, 20)]);
    b.live("merged", 65_536, &[(14, 19)]);
    assert_eq!(b.errors(&[("index", &[0]), ("merged", &[0])]), ["overlap index merged"]);
    assert!(b.errors(&[("index", &[65_536]), ("merged", &[0])]).is_empty());
}

#[test]
fn case_15_physical_size_is_not_usable_size() {
    let mut b = Build::new(196_608, 32);
    reserve(&mut b, 188_416, 196_608);
    b.live("tiles", 180_224, &[(0, 4)]);
    b.live("vec", 256, &[(1, 4)]);
    b.live("tmp", 8192, &[(2, 3)]);
    let bad = b.verify(&[("tiles", &[0]), ("vec", &[180_224]), ("tmp", &[180_480])]);
    assert_eq!(bad.len(), 1);
    let found = first(&bad, Code::VerifyReserved);
    assert_eq!(found.buffers, ["tmp"]);
    assert_eq!(found.bytes, Some(ByteRange::new(188_416, 188_672)));
}

#[test]
fn case_16_a_pin_is_obeyed_and_nothing_lies_on_it() {
    let mut b = Build::new(16_384, 32);
    let pinned = b.live("pinned", 4096, &[(0, 10)]);
    b.at(pinned).pin = Some(vec![4096]);
    b.live("fifo", 4096, &[(0, 10)]);
    b.live("big", 8192, &[(0, 10)]);
    let on_top = b.errors(&[("pinned", &[4096]), ("fifo", &[4096]), ("big", &[8192])]);
    assert_eq!(on_top, ["overlap pinned fifo"]);
    let moved = b.errors(&[("pinned", &[0]), ("fifo", &[4096]), ("big", &[8192])]);
    assert_eq!(moved, ["pin_moved pinned"]);
    assert!(b.verify(&[("pinned", &[4096]), ("fifo", &[0]), ("big", &[8192])]).is_empty());
}

#[test]
fn case_20_every_candidate_of_a_choice_stays_alive() {
    let mut b = Build::new(262_144, 512);
    b.live("a", 16_384, &[(0, 5)]);
    b.live("b", 16_384, &[(1, 5)]);
    b.live("wide", 32_768, &[(3, 4)]);
    let bad = b.errors(&[("a", &[0]), ("b", &[16_384]), ("wide", &[0])]);
    assert_eq!(bad, ["overlap a wide", "overlap b wide"]);
    assert!(b.errors(&[("a", &[0]), ("b", &[16_384]), ("wide", &[32_768])]).is_empty());
}

#[test]
fn case_22_branches_exclude_each_other_and_conditionals_in_sequence_do_not() {
    let mut b = Build::new(4096, 16);
    let c0_true = b.live("c0_true", 1024, &[(1, 6)]);
    let c0_false = b.live("c0_false", 512, &[(1, 6)]);
    let c1_true = b.live("c1_true", 768, &[(3, 5)]);
    let c1_false = b.live("c1_false", 1024, &[(3, 5)]);
    b.relation(RelationKind::Exclusive, c0_true, c0_false);
    b.relation(RelationKind::Exclusive, c1_true, c1_false);
    let all_at = |x: &'static [u64], y: &'static [u64]| {
        [("c0_true", x), ("c0_false", x), ("c1_true", y), ("c1_false", y)]
    };
    let bad = b.errors(&all_at(&[0], &[0]));
    let pairs = [
        "overlap c0_true c1_true",
        "overlap c0_true c1_false",
        "overlap c0_false c1_true",
        "overlap c0_false c1_false",
    ];
    assert_eq!(bad, pairs);
    assert!(b.verify(&all_at(&[0], &[1024])).is_empty());
}

#[test]
fn case_24_singles_take_slots_and_the_scope_is_exactly_full() {
    const TILE: u64 = 24_576;
    let mut b = Build::new(8 * TILE, 32);
    for (name, slots, live) in
        [("src1", 4, (0, 2)), ("dst1", 4, (1, 3)), ("src2", 1, (3, 5)), ("dst2", 1, (4, 6))]
    {
        let id = b.live(name, TILE, &[live]);
        b.at(id).slots = slots;
    }
    let src1 = [0, TILE, 2 * TILE, 3 * TILE];
    let dst1 = [4 * TILE, 5 * TILE, 6 * TILE, 7 * TILE];
    let full: &[(&str, &[u64])] =
        &[("src1", &src1), ("dst1", &dst1), ("src2", &[0]), ("dst2", &[4 * TILE])];
    assert!(b.verify(full).is_empty());
    // Both singles on one slot: alive together at step 4.
    let both: &[(&str, &[u64])] =
        &[("src1", &src1), ("dst1", &dst1), ("src2", &[0]), ("dst2", &[0])];
    assert_eq!(b.errors(both), ["overlap src2 dst2"]);
    reserve(&mut b, 188_416, 196_608);
    assert_eq!(b.errors(full), ["reserved dst1"]);
}

#[test]
fn case_29_a_chain_of_in_place_pairs() {
    let mut b = Build::new(188_416, 32);
    let size = 32_768;
    let oi = b.live("oi", size, &[(0, 2)]);
    let cur = b.live("cur", size, &[(0, 3)]);
    let oi_s = b.live("oi_s", size, &[(1, 4)]);
    let cur_s = b.live("cur_s", size, &[(2, 4)]);
    let oi_new = b.live("oi_new", size, &[(3, 5)]);
    let names = ["oi", "cur", "oi_s", "cur_s", "oi_new"];
    let folded: Vec<(&str, &[u64])> =
        names.iter().map(|&n| (n, if n.contains("cur") { &[32_768][..] } else { &[0] })).collect();
    assert_eq!(b.errors(&folded), ["overlap oi oi_s", "overlap cur cur_s", "overlap oi_s oi_new"]);
    b.relation(RelationKind::Inplace, oi, oi_s);
    b.relation(RelationKind::Inplace, cur, cur_s);
    b.relation(RelationKind::Inplace, oi_s, oi_new);
    assert!(b.verify(&folded).is_empty());
    // cur lives one step longer than oi_s allows: no relation, no excuse.
    let wrong: Vec<(&str, &[u64])> = names.iter().map(|&n| (n, &[0][..])).collect();
    assert!(b.errors(&wrong).contains(&"overlap oi cur".to_owned()));
}

#[test]
fn case_32_total_free_is_enough_and_the_largest_hole_is_not() {
    let mut b = Build::new(1_329_888, 32);
    b.live("live", 323_936, &[(0, 5)]);
    b.live("want", 608_256, &[(3, 4)]);
    let found = b.verify(&[("live", &[414_080])]);
    let unplaced = first(&found, Code::VerifyUnplaced);
    assert_eq!(unplaced.buffers, ["want"]);
    for number in ["608256", "1005952", "591872"] {
        assert!(unplaced.message.contains(number), "{}", unplaced.message);
    }
    assert_eq!(first(&found, Code::VerifyFragmented).severity, Severity::Note);
    assert!(b.verify(&[("live", &[0]), ("want", &[323_936])]).is_empty());
}
