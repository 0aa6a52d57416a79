//! Whose lives forbid sharing (4.8), by hand.

use super::case::{Case, DMA, PLAIN, UNIQUE};
use crate::ir::hivm::PassKind;
use crate::plan::hivm::Life;

/// Two of 60 in 100, one after the other.
fn two(first: super::case::Traits, second: super::case::Traits) -> Case {
    Case::new("ub", 100).unaligned().entry(60, (0, 2), first).entry(60, (4, 5), second)
}

#[test]
fn a_unique_buffer_shares_with_nobody_in_either_pass() {
    for pass in [PassKind::Base, PassKind::Regbase] {
        assert_eq!(two(PLAIN, PLAIN).change(|i| i.pass = pass).bytes(), Ok(vec![vec![0], vec![0]]));
        assert_eq!(two(PLAIN, UNIQUE).change(|i| i.pass = pass).bytes(), Err(120 * 8));
        assert_eq!(two(UNIQUE, PLAIN).change(|i| i.pass = pass).bytes(), Err(120 * 8));
    }
}

/// 10.2, hazard 4: after merging, only the buffer that the first life names is asked.
#[test]
fn a_unique_buffer_behind_the_first_life_is_not_seen() {
    let case = two(PLAIN, PLAIN).change(|i| {
        i.buffers.push(crate::plan::hivm::Buffer { unique: true, ..Default::default() });
        i.entries[0].buffers.push(2);
        i.entries[0].lives.push(Life { start: 8, end: 9, buffer: 2 });
    });
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![0], vec![0]]));
}

/// Section 7, rule 4: coupled buffers of an allowed pair share by their lives, in regbase only.
#[test]
fn coupled_buffers_of_an_allowed_pair_may_share_in_regbase() {
    let coupled = |a: i64, b: i64, pair: (i64, i64)| {
        two(UNIQUE, UNIQUE).change(|i| {
            i.pass = PassKind::Regbase;
            i.buffers[0].coupled = Some(a);
            i.buffers[1].coupled = Some(b);
            i.coupled_pairs.insert(pair);
        })
    };
    let shared = Ok(vec![vec![0], vec![0]]);
    assert_eq!(coupled(7, 3, (3, 7)).bytes(), shared);
    assert_eq!(coupled(7, 3, (3, 8)).bytes(), Err(120 * 8));
    assert_eq!(coupled(3, 3, (3, 3)).bytes(), Err(120 * 8), "one id is no pair");
    assert_eq!(coupled(7, 3, (3, 7)).change(|i| i.pass = PassKind::Base).bytes(), Err(120 * 8));
    let meet = coupled(7, 3, (3, 7)).change(|i| i.entries[1].lives[0].start = 2);
    assert_eq!(meet.bytes(), Err(120 * 8), "their lives decide");
}

/// 10.2, hazard 1.
#[test]
fn a_buffer_that_is_never_killed_shares_with_everybody() {
    let case = two(DMA, DMA).change(|i| i.entries[0].lives[0].end = -1);
    let case = case.change(|i| i.entries[1].lives[0].start = 0);
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![0]]));
}

/// A load and a store that meet at one moment share if they are a stall pair, in base.
#[test]
fn a_stall_pair_shares_one_moment() {
    let meet =
        |start| two(DMA, DMA).stall(1, 0).change(move |i| i.entries[1].lives[0].start = start);
    assert_eq!(meet(2).bytes(), Ok(vec![vec![0], vec![0]]));
    assert_eq!(meet(1).bytes(), Err(120 * 8), "two moments are too many");
    assert_eq!(meet(2).change(|i| i.pass = PassKind::Regbase).bytes(), Err(120 * 8));
    let other = two(DMA, DMA).change(|i| i.entries[1].lives[0].start = 2);
    assert_eq!(other.bytes(), Err(120 * 8));
    // The pair may be of buffers merged into the two entries.
    let merged = meet(2).change(|i| {
        i.stall_pairs = [(1, 2)].into();
        i.buffers.push(i.buffers[0].clone());
        i.entries[0].buffers.push(2);
    });
    assert_eq!(merged.bytes(), Ok(vec![vec![0], vec![0], vec![0]]));
}
