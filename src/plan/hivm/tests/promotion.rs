//! Levels 1 and 2 (4.9, 4.10), by hand.

use super::case::{Case, DMA, PLAIN};

/// ```text
/// root A 20 @0 | c0 B 50 L3 @20 | c1 C 60: 50 left; L2: A is of its loop, B is not: @20
/// ```
/// C lies over B and the free bytes behind it; level 0 would have put it at 0.
#[test]
fn buffers_of_different_loops_share_before_those_of_one_loop() {
    let case = Case::new("cbuf", 120)
        .unaligned()
        .entry(20, (5, 6), DMA.anchor(2))
        .entry(50, (1, 3), DMA.anchor(1))
        .entry(60, (9, 11), DMA.anchor(2));
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![20], vec![20]]));
}

/// Two buffers outside all loops count as of one loop: as above, with no loop in place of loop 2.
/// An entry whose buffers are of two loops has none either.
#[test]
fn no_loop_is_one_loop() {
    let case = |c: Case| c.entry(50, (1, 3), DMA.anchor(1)).entry(60, (9, 11), DMA);
    let none = Case::new("cbuf", 120).unaligned().entry(20, (5, 6), DMA);
    assert_eq!(case(none).bytes(), Ok(vec![vec![0], vec![20], vec![20]]));
    let two =
        Case::new("cbuf", 120).unaligned().entry(20, (5, 6), DMA.anchor(3)).with(DMA.anchor(4));
    assert_eq!(case(two).bytes(), Ok(vec![vec![0], vec![0], vec![20], vec![20]]));
}

/// ```text
/// D first: root B#0 40 @0 | c0 B#1 L3 @40 | c1 A 10 vector L3 @80 (10 left)
/// c2 C 30 vector of B's loop: L3 no (DMA under it; 90: 10 left), L2 no (B's loop; A: 20 left)
///    L1 @0: one bound, its last entry is B#0, B's other slot is at 40, nobody there lives with C
/// ```
#[test]
fn a_single_buffer_takes_all_slots_of_a_multi_buffer() {
    let case = Case::new("ub", 100)
        .unaligned()
        .entry(10, (5, 7), PLAIN.anchor(2))
        .entry(40, (6, 8), DMA.anchor(1).slots(2))
        .entry(30, (1, 3), PLAIN.anchor(1));
    assert_eq!(case.bytes(), Ok(vec![vec![80], vec![0, 40], vec![0, 40]]));
    assert_eq!(case.place().map(|p| p.levels), Ok(vec![Some(3), Some(3), Some(1)]));
}

/// ```text
/// root A 50 L3 @0 | c0 B#0 50 L3 @50 | c1 B#1: 20 left; L2 @0 (loops differ)
/// c2 C 30 of B's loop: L3, L2 no | L1: @0 lies B#1, which has no slots of its own; @50 lies B#0,
///    but its other slot is at 0 and does not count | L0 @0
/// ```
#[test]
fn a_slot_at_address_0_is_no_slot_to_share() {
    let case = Case::new("ub", 120)
        .unaligned()
        .entry(50, (0, 2), DMA.anchor(1))
        .entry(50, (8, 8), DMA.anchor(2).slots(2))
        .entry(30, (4, 7), DMA.anchor(2));
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![50, 0], vec![0]]));
}

/// cbuf keeps list order, so A's second slot comes last, after C.
///
/// ```text
/// level 3 alone: A#0 @0 | B 60 @60 | C 20 @120 | A#1 @140, 200 in all
/// root A#0 60 @0 | c0 B L3 @60 | c1 C of A's loop: L3, L2 no | L1 @0: A's other slot is not placed
///    yet, but was at 140: C gets 0 and 140, where no bound starts | c2 A#1 L0 @60
/// ```
/// The pass promises a byte range behind the end of the memory here (10.2, hazard 7).
#[test]
fn a_slot_not_placed_yet_counts_where_the_plan_before_had_it() {
    let case = Case::new("cbuf", 120)
        .unaligned()
        .entry(60, (9, 9), DMA.anchor(1).slots(2))
        .entry(60, (7, 8), DMA.anchor(1))
        .entry(20, (5, 6), DMA.anchor(1));
    assert_eq!(case.bytes(), Ok(vec![vec![0, 60], vec![60], vec![0, 140]]));
    assert_eq!(case.place().map(|p| p.scopes[0].peak), Ok(160 * 8));
}

/// As `a_single_buffer_takes_all_slots_of_a_multi_buffer`, but somebody at the second slot lives
/// with C: A 10 [2,2] shares 40..50 with B#1 at level 2 only if B#1 lets it; here it is put
/// there by its life.
///
/// ```text
/// root B#0 40 @0 | c0 B#1 @40 | c1 A 30 (vector, loop 2) L3 no: 20 left; L2 @0 (loops differ)
/// c2 C 30 [2,3] lives with A: @0 no; 30 is the tail of B#0: 10, then B#1: two bounds, no L1;
///    @40 lies B#1, another slot: no L1 | L0 @30
/// ```
#[test]
fn a_slot_is_shared_only_where_it_lies_in_one_bound() {
    let case = Case::new("ub", 100)
        .unaligned()
        .entry(30, (1, 3), PLAIN.anchor(2))
        .entry(40, (6, 8), DMA.anchor(1).slots(2))
        .entry(30, (2, 3), PLAIN.anchor(1));
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![0, 40], vec![30]]));
}

/// An entry with two slots takes the first slot of the bound and one other; what is left of the
/// other slots it gets as further slots (4.10). With more slots than that it is refused.
///
/// ```text
/// root B#0..#2 30 @0 30 60 | C 20 of B's loop: 10 left, so L1 @0
///   two slots: [0, 30] and promoted 60; three: [0, 30, 60]; four: 2 others < 3, so slot by slot
///   at level 0, each at the first bound that the slots before it leave free
/// ```
#[test]
fn a_multi_buffer_takes_the_slots_of_one_with_as_many() {
    let with = |slots| {
        let case = Case::new("ub", 100).unaligned();
        case.entry(30, (6, 8), DMA.anchor(1).slots(3)).entry(20, (1, 3), DMA.anchor(1).slots(slots))
    };
    assert_eq!(with(2).bytes(), Ok(vec![vec![0, 30, 60], vec![0, 30, 60]]));
    assert_eq!(with(3).bytes(), Ok(vec![vec![0, 30, 60], vec![0, 30, 60]]));
    assert_eq!(with(4).bytes(), Ok(vec![vec![0, 30, 60], vec![0, 20, 40, 60]]));
}
