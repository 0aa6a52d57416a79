//! Rules without time, and the matching of plan and problem.

use super::build::{Build, words};
use crate::diag::{Code, Severity};
use crate::model::{BufferId, ByteRange, Capacity, Partition, Plan, RelationKind};
use crate::verify::verify;

/// Two buffers that never meet in time.
fn apart() -> Build {
    let mut b = Build::new(128, 32);
    b.live("a", 64, &[(0, 1)]);
    b.live("b", 64, &[(1, 2)]);
    b
}

#[test]
fn all_violations_are_found() {
    let mut b = apart();
    let a = crate::model::BufferId(0);
    b.at(a).pin = Some(vec![0]);
    let found = b.errors(&[("a", &[65]), ("b", &[96]), ("c", &[0]), ("b", &[0])]);
    let all = [
        "unknown_buffer c",
        "duplicate_placement b",
        "misaligned a",
        "pin_moved a",
        "over_capacity a",
        "over_capacity b",
    ];
    assert_eq!(found, all);
}

#[test]
fn offsets_at_the_end_of_numbers_do_not_wrap() {
    let mut b = apart();
    for capacity in [Capacity::Bytes(128), Capacity::Unbounded] {
        b.problem.scopes.iter_mut().next().unwrap().capacity = capacity;
        let found = b.errors(&[("a", &[u64::MAX - 31]), ("b", &[0])]);
        assert_eq!(found, ["over_capacity a"]);
    }
}

#[test]
fn an_unknown_capacity_is_said() {
    let mut b = apart();
    b.problem.scopes.iter_mut().next().unwrap().capacity = Capacity::Unknown;
    assert_eq!(b.warnings(&[("a", &[0]), ("b", &[1 << 40])]), ["over_capacity"]);
}

#[test]
fn fingerprints() {
    let b = apart();
    let mut plan = b.plan(&[("a", &[0]), ("b", &[0])]);
    assert!(verify(&b.problem(), &plan).is_empty());
    plan.functions[0].fingerprint = None;
    let found = verify(&b.problem(), &plan);
    assert_eq!(words(&found, Severity::Warning), ["no_fingerprint"]);
    plan.functions[0].fingerprint = Some("stale".to_owned());
    assert_eq!(words(&verify(&b.problem(), &plan), Severity::Error), ["plan_mismatch"]);
}

#[test]
fn a_plan_for_another_problem_says_what_differs() {
    let b = apart();
    let say = |placements: &[(&str, &[u64])]| {
        let mut plan = b.plan(placements);
        plan.functions[0].fingerprint = Some("stale".to_owned());
        let found = verify(&b.problem(), &plan);
        let found = found.into_iter().find(|f| f.code == Code::VerifyPlanMismatch);
        found.map(|f| f.message).unwrap_or_default()
    };
    let same = say(&[("a", &[0]), ("b", &[0])]);
    assert!(same.contains("the same by name, so sizes, slots, times"), "{same}");
    let renamed = say(&[("a", &[0]), ("c", &[0])]);
    assert!(renamed.contains("`c` is not in this one, and `b` has no place in it"), "{renamed}");
    let several = say(&[("c", &[0]), ("d", &[0]), ("e", &[0]), ("f", &[0])]);
    assert!(several.contains("each of `c`, `d`, `e` and 1 more is not in this one"), "{several}");
}

#[test]
fn the_distance_of_colocated_buffers_is_told_in_words() {
    let say = |delta| {
        let mut b = apart();
        b.relation(RelationKind::Colocate { delta }, BufferId(0), BufferId(1));
        let found = verify(&b.problem(), &b.plan(&[("a", &[0]), ("b", &[96])]));
        let found = found.into_iter().find(|f| f.code == Code::VerifyColocateSplit);
        found.map(|f| f.message).unwrap_or_default()
    };
    assert!(say(0).ends_with("they must start at the same byte"), "{}", say(0));
    assert!(say(32).ends_with("the second must start 32 bytes after the first"), "{}", say(32));
}

#[test]
fn functions_are_matched_by_name() {
    let b = apart();
    let mut plan = b.plan(&[("a", &[0]), ("b", &[0])]);
    let problem = b.problem();
    assert_eq!(words(&verify(&problem, &Plan::default()), Severity::Error), ["unplaced"]);
    plan.functions[0].name = String::new();
    assert!(verify(&problem, &plan).is_empty());
    plan.functions[0].name = "g".to_owned();
    let found = verify(&problem, &plan);
    assert_eq!(words(&found, Severity::Error), ["unplaced"]);
    assert_eq!(words(&found, Severity::Warning), ["plan_mismatch"]);
}

#[test]
fn repeated_names_need_ids() {
    let mut b = Build::new(128, 32);
    b.live("a", 64, &[(0, 1)]);
    b.live("a", 64, &[(0, 1)]);
    let mut plan = b.plan(&[("a", &[0]), ("a", &[64])]);
    let found = words(&verify(&b.problem(), &plan), Severity::Error);
    assert_eq!(found, ["unknown_buffer a", "unknown_buffer a", "unplaced a", "unplaced a"]);
    for (id, placement) in plan.functions[0].placements.iter_mut().enumerate() {
        placement.id = Some(id as u32);
    }
    assert!(verify(&b.problem(), &plan).is_empty());
    plan.functions[0].placements[1].offsets = vec![32];
    let found = verify(&b.problem(), &plan);
    assert!(found[0].message.contains("(id 1)"), "{}", found[0].message);
    plan.functions[0].placements[1].id = Some(7);
    assert_eq!(verify(&b.problem(), &plan)[0].code, Code::VerifyUnknownBuffer);
}

#[test]
fn scope_and_number_of_offsets_must_be_right() {
    let mut b = apart();
    assert_eq!(b.errors(&[("a", &[]), ("b", &[0, 64])]), ["wrong_slots a", "wrong_slots b"]);
    b.at(crate::model::BufferId(0)).slots = 2;
    assert_eq!(b.errors(&[("a", &[0]), ("b", &[0])]), ["wrong_slots a"]);
    let mut plan = b.plan(&[("a", &[0, 64]), ("b", &[0])]);
    plan.functions[0].placements[0].scope = Some("l1".to_owned());
    assert_eq!(words(&verify(&b.problem(), &plan), Severity::Error), ["wrong_scope a"]);
}

#[test]
fn slots_are_copies() {
    let mut b = apart();
    b.at(crate::model::BufferId(0)).slots = 2;
    assert_eq!(b.errors(&[("a", &[0, 32]), ("b", &[0])]), ["overlap a"]);
    assert!(b.errors(&[("a", &[0, 64]), ("b", &[0])]).is_empty());
}

#[test]
fn unique_separate_colocate() {
    let mut b = apart();
    let (x, y) = (crate::model::BufferId(0), crate::model::BufferId(1));
    b.at(y).unique = true;
    assert_eq!(b.errors(&[("a", &[0]), ("b", &[32])]), ["unique b a"]);
    assert!(b.errors(&[("a", &[0]), ("b", &[64])]).is_empty());
    b.at(y).unique = false;
    b.relation(RelationKind::Separate, x, y);
    assert_eq!(b.errors(&[("a", &[0]), ("b", &[32])]), ["separate a b"]);
    b.f.relations.clear();
    b.relation(RelationKind::Colocate { delta: 32 }, x, y);
    assert!(b.errors(&[("a", &[0]), ("b", &[32])]).is_empty());
    assert_eq!(b.errors(&[("a", &[0]), ("b", &[64])]), ["colocate_split a b"]);
    b.at(y).unique = true;
    assert!(b.errors(&[("a", &[0]), ("b", &[32])]).is_empty());
}

#[test]
fn partitions_keep_others_out_and_owners_in() {
    let mut b = apart();
    let part = |owner: &str, start, end| Partition {
        owner: owner.to_owned(),
        range: ByteRange::new(start, end),
        loc: None,
    };
    let scope = b.problem.scopes.iter_mut().next().unwrap();
    scope.partitions = vec![part("left", 0, 64), part("right", 64, 96)];
    b.at(crate::model::BufferId(0)).owner = Some("left".to_owned());
    assert_eq!(b.errors(&[("a", &[0]), ("b", &[64])]), ["partition b"]);
    assert_eq!(
        b.errors(&[("a", &[32]), ("b", &[96])]),
        ["partition a", "partition a", "over_capacity b"]
    );
    b.at(crate::model::BufferId(1)).size.0 = 32;
    assert!(b.errors(&[("a", &[0]), ("b", &[96])]).is_empty());
}
