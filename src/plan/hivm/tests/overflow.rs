//! Scopes that do not fit: the number and the words (4.12, 4.14, 10.1).

use super::case::{Case, DMA, PLAIN};
use crate::ir::hivm::PassKind;

const KIB: u64 = 1024;

/// 10.1, the smallest example: 192 KiB would do (A at 96, B and C at 0 and 96), the pass asks for 240.
#[test]
fn first_fit_overflows_where_a_plan_exists_and_says_what_it_would_take() {
    let case = Case::new("ub", 192 * KIB)
        .entry(48 * KIB, (0, 2), PLAIN)
        .entry(96 * KIB, (1, 5), PLAIN)
        .entry(96 * KIB, (3, 4), PLAIN);
    let failure = case.place().expect_err("no plan");
    let message = "ub overflow, requires 1966080 bits while 1572864 bits available! (possible \
                   reason: tiling basic block is too large or block number is more than what user \
                   expect due to multi-buffer feature is enabled and some ops need extra local \
                   buffer.)";
    assert_eq!(failure.message, message);
    assert_eq!((failure.need, failure.capacity), (1_966_080, 1_572_864));

    let failure = case.change(|i| i.pass = PassKind::Regbase).place().expect_err("no plan");
    assert_eq!(failure.message, &message[..message.find(" (possible").unwrap_or(0)]);
}

/// 10.1, the second example: an optimum of 184 KiB, and both strategies fail.
#[test]
fn an_example_that_neither_order_solves() {
    let case = Case::new("ub", 192 * KIB)
        .entry(64 * KIB, (0, 9), PLAIN)
        .entry(48 * KIB, (1, 4), PLAIN)
        .entry(8 * KIB, (2, 7), PLAIN)
        .entry(64 * KIB, (3, 5), PLAIN)
        .entry(96 * KIB, (6, 8), PLAIN);
    assert!(case.place().is_err());
    assert!(case.change(|i| i.largest_first = true).place().is_err());
}

/// 4.12: the only entry of a scope is asked for by its aligned size.
#[test]
fn one_entry_that_is_too_large_asks_for_its_own_size() {
    let case = Case::new("ub", 196_608).entry(320_000, (0, 9), DMA);
    assert_eq!(case.bytes(), Err(2_560_000));
}

/// The first failing scope is reported, with the warnings of those before it.
#[test]
fn warnings_of_scopes_that_were_planned_are_kept() {
    let case = Case::new("ub", 96).entry(64, (0, 1), DMA).entry(64, (2, 3), DMA);
    let case = case.scope("cbuf", 32).entry(64, (0, 1), DMA);
    let failure = case.place().expect_err("no plan");
    assert_eq!((failure.scope, failure.need, failure.warnings.len()), (1, 512, 1));
    assert!(
        failure.message.starts_with("cbuf overflow, requires 512 bits while 256 bits available!")
    );
}

#[test]
fn sizes_near_the_largest_number_do_not_wrap() {
    let mut case = Case::new("ub", 96);
    for life in [(0, 1), (1, 2), (2, 3)] {
        case = case.entry(8, life, DMA);
    }
    let huge = |bits: u64, capacity: u64| {
        let case = case.clone().change(|i| {
            i.scopes[0].capacity = Some(capacity);
            i.entries.iter_mut().for_each(|e| e.bits = bits);
        });
        case.place().map(|p| p.scopes[0].peak).map_err(|f| f.need)
    };
    assert_eq!(huge(u64::MAX, 768), Err(u64::MAX));
    assert_eq!(huge(u64::MAX - 255, u64::MAX), Err(u64::MAX));
    assert_eq!(huge(u64::MAX / 4, u64::MAX), Ok(3 << 62));
    let many = case.clone().change(|i| i.entries[0].slots = u32::MAX);
    assert_eq!(many.place().map_err(|f| f.need), Err(u64::from(u32::MAX) * 256));
}
