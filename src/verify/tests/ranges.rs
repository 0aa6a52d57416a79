//! Given live ranges.

use std::time::Instant;

use super::build::Build;
use crate::diag::Code;
use crate::model::{Placement, RelationKind};

#[test]
fn touching_in_time_is_no_overlap() {
    let mut b = Build::new(64, 1);
    b.live("a", 64, &[(0, 3), (5, 6)]);
    b.live("b", 64, &[(3, 5), (6, 7)]);
    assert!(b.verify(&[("a", &[0]), ("b", &[0])]).is_empty());
}

#[test]
fn a_pair_at_fault_twice_is_found_once() {
    let mut b = Build::new(64, 1);
    b.live("a", 8, &[(0, 3), (5, 8)]);
    b.live("b", 8, &[(2, 6)]);
    assert_eq!(b.errors(&[("a", &[0]), ("b", &[4])]), ["overlap a b"]);
}

#[test]
fn in_place_is_legal_at_the_first_step_only() {
    let mut b = Build::new(64, 1);
    let a = b.live("a", 8, &[(0, 4)]);
    let c = b.live("c", 8, &[(2, 6)]);
    b.relation(RelationKind::Inplace, a, c);
    assert_eq!(b.errors(&[("a", &[0]), ("c", &[0])]), ["overlap a c"]);
    assert_eq!(b.errors(&[("a", &[0]), ("c", &[4])]), ["overlap a c"]);
    b.at(a).live = Some(vec![crate::model::Live::new(0, 3)]);
    assert!(b.verify(&[("a", &[0]), ("c", &[0])]).is_empty());
    assert_eq!(b.errors(&[("a", &[0]), ("c", &[4])]), ["inplace_shifted a c"]);
    b.at(c).size.0 = 9;
    assert_eq!(b.errors(&[("a", &[0]), ("c", &[0])]), ["overlap a c"]);
}

#[test]
fn the_other_direction_of_an_in_place_pair_is_no_excuse() {
    let mut b = Build::new(64, 1);
    let a = b.live("a", 8, &[(0, 3)]);
    let c = b.live("c", 8, &[(2, 6)]);
    b.relation(RelationKind::Inplace, c, a);
    assert_eq!(b.errors(&[("a", &[0]), ("c", &[0])]), ["overlap a c"]);
}

#[test]
fn zero_sized_buffers_conflict_with_nobody() {
    let mut b = Build::new(64, 1);
    b.live("a", 64, &[(0, 9)]);
    b.live("z", 0, &[(0, 9)]);
    assert!(b.verify(&[("a", &[0]), ("z", &[32])]).is_empty());
    assert!(b.verify(&[("a", &[0])]).is_empty());
}

#[test]
fn sizes_are_rounded_where_the_scope_says_so() {
    let mut b = Build::new(96, 32);
    b.problem.scopes.iter_mut().next().unwrap().round_up = true;
    let a = b.live("a", 33, &[(0, 9)]);
    let c = b.live("c", 8, &[(0, 9)]);
    b.at(c).alignment = 1;
    assert_eq!(b.errors(&[("a", &[0]), ("c", &[63])]), ["overlap a c"]);
    assert!(b.verify(&[("a", &[0]), ("c", &[64])]).is_empty());
    b.at(a).size.0 = u64::MAX - 3;
    let found = b.errors(&[("a", &[0]), ("c", &[64])]);
    assert_eq!(found, ["over_capacity a", "overlap a c"]);
}

/// 200,000 buffers, 1,000 alive at any time, all in place.
#[test]
fn two_hundred_thousand_buffers_take_seconds() {
    let (columns, rows) = (1_000u64, 200u64);
    let mut b = Build::new(columns * 64, 64);
    let mut places = Vec::new();
    for at in 0..columns * rows {
        let (column, row) = (at % columns, at / columns);
        b.live(&format!("b{at}"), 1 + at % 64, &[(row * 2, row * 2 + 2)]);
        places.push((column, row));
    }
    let mut plan = b.plan(&[]);
    for (at, (column, _)) in places.iter().enumerate() {
        plan.functions[0].placements.push(Placement {
            name: format!("b{at}"),
            id: None,
            scope: None,
            offsets: vec![column * 64],
            loc: None,
        });
    }
    let problem = b.problem();
    let start = Instant::now();
    assert!(crate::verify::verify(&problem, &plan).is_empty());
    let right = start.elapsed();
    // All on one place: every pair of a row is at fault, and the sweep stops counting.
    for placement in &mut plan.functions[0].placements {
        placement.offsets = vec![0];
    }
    let found = crate::verify::verify(&problem, &plan);
    assert_eq!(found.len(), 1_001);
    assert!(found.iter().all(|f| f.code == Code::VerifyOverlap));
    println!("right {right:?}, both {:?}", start.elapsed());
    assert!(start.elapsed().as_secs() < 60);
}
