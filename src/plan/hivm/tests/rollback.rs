//! Rollback and restart (4.11), by hand: rules that the public tests do not pin (10.5, D).
//!
//! `c` is the child index; sizes in bytes; all buffers are DMA buffers unless said otherwise, so
//! level 3 lets nobody share.

use super::case::{Case, DMA, PLAIN};

/// ```text
/// root A 50 L3 @0 | c0 B 50 L3 @50 | c1 C 40 L3 no (20 left), L2 @50 (B's loop differs)
/// c2 D 30 no: A and C live with it, and so does B in C's bound
/// FAIL start 2: pop C (L2): avoid 50, level 1 | c1 no at 1, 0: A meets it, 50 is avoided
/// FAIL start max(2, 1) = 2: pop B (L3): avoid 50, level 2
/// c0 B L2 @0 | c1 C L2 @50 | c2 D still from level 2: L2 @50 (C's loop differs)
/// ```
/// With `start = 1` the success of C would raise the level, and D would go to 90 at level 3.
#[test]
fn the_level_stays_lowered_up_to_the_furthest_child_that_failed() {
    let case = Case::new("cbuf", 120)
        .unaligned()
        .entry(50, (6, 7), DMA.anchor(2))
        .entry(50, (9, 9), DMA.anchor(1))
        .entry(40, (4, 6), PLAIN.anchor(2))
        .entry(30, (7, 9), DMA.anchor(1));
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![0], vec![50], vec![50]]));
}

/// ```text
/// root A 60 L3 @0 | c0 B 10 L3 @60 | c1 C 40 L3 @70 | c2 D 60 vector: A and then C in the way
/// FAIL start 2: pop C (L3): 70 + 60 > 120, so keep popping | pop B (L3): 60 + 60 <= 120: avoid 60
/// c0 B L2 @0 (loops differ) | c1 C L2 @60 | c2 D no
/// FAIL: pop C (L2): 60 + 60 <= 120, avoid 60, level 1 | c1 C L1 no, L0 @0 | c2 D L0 @60
/// ```
/// Without the check C would have been tried first, and B would have stayed at 60.
#[test]
fn a_place_from_which_the_failing_entry_would_not_fit_is_not_worth_a_retry() {
    let mut case = Case::new("ub", 120)
        .unaligned()
        .entry(60, (2, 4), DMA.anchor(1))
        .entry(10, (7, 7), DMA)
        .entry(40, (5, 5), DMA.anchor(1))
        .entry(60, (4, 6), PLAIN);
    case.input.entries[3].lives.push(crate::plan::hivm::Life { start: 8, end: 9, buffer: 3 });
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![0], vec![0], vec![60]]));
}

/// ```text
/// root A 30 L3 @0 | c0 B#0 30 L3 @30 | c1 B#1 L3 @60 | c2 C 40: 30 left, and A and B live with it
///                                                       or lie in its loop; 0: A's bound is 30
/// FAIL start 2: pop B#1 (L3, as its first): keep popping | pop B#0 (L3): avoid 30, level 2
/// c0 B#0 L2 @0 (loops differ) | c1 B#1 L2 @30 | c2 C L2 @60
/// ```
/// Without the rule B#1 alone would move, to 0.
#[test]
fn other_slots_are_taken_back_with_their_first_slot() {
    let case = Case::new("ub", 120)
        .unaligned()
        .entry(30, (6, 7), DMA.anchor(1))
        .entry(30, (0, 3), DMA.anchor(2).slots(2))
        .entry(40, (2, 4), DMA.anchor(2));
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![0, 30], vec![60]]));
}

/// ```text
/// root A 50 [4,5] L3 @0 | c0 B 60 [7,8]: 50 left, A's loop: L0 @0 over A and 10 free bytes
///   plain: the bound [0, 60) holds both lives [4,5] and [7,8]
/// c1 C 50 [5,6]: 40 left; A is alive in [0, 60): no
/// FAIL start 1: pop B (L0), pop A (root): nothing left, restart in split mode
/// root A @0 | c0 B L0 @0: bounds [0, 50) with [4,5] and [7,8], and [50, 60) with [7,8] alone
/// c1 C L3, no: B is there | L2 @50 (C has no loop)
/// ```
#[test]
fn the_restart_keeps_the_lives_of_neighbours_apart() {
    let case = Case::new("ub", 100)
        .unaligned()
        .entry(50, (4, 5), DMA.anchor(1))
        .entry(60, (7, 8), DMA.anchor(1))
        .entry(50, (5, 6), DMA);
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![0], vec![50]]));

    // A later scope starts in split mode: the same entries in cbuf need no restart, and end the
    // same way.
    let both = case
        .clone()
        .scope("cbuf", 100)
        .unaligned()
        .entry(50, (4, 5), DMA.anchor(1))
        .entry(60, (7, 8), DMA.anchor(1))
        .entry(50, (5, 6), DMA);
    let (one, two) = (vec![vec![0], vec![0], vec![50]], vec![vec![0], vec![0], vec![50]]);
    assert_eq!(both.bytes(), Ok([one, two].concat()));
}

/// Nothing is put down so that it hangs over the end, at any level: 20 bytes are left behind A and
/// B, C needs 30 and meets both.
#[test]
fn the_last_bound_is_not_enough_if_it_is_too_small() {
    let case = Case::new("cbuf", 100)
        .unaligned()
        .entry(40, (0, 5), PLAIN)
        .entry(40, (0, 5), DMA.anchor(1))
        .entry(30, (5, 6), DMA.anchor(2));
    assert_eq!(case.bytes(), Err(110 * 8));
}
