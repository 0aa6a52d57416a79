//! The worked traces of 4.15 and the rows of section 9 whose entries follow from the text.

use super::case::{Case, DMA, PLAIN};
use crate::plan::hivm::How;

const UB: u64 = 196_608;

/// `mb_other_rollback_level0_retry`; the trace is in 4.15.
#[test]
fn the_rollback_of_other_slots_ends_where_the_pass_ends() {
    let case = Case::new("ub", UB)
        .entry(55_456, (3, 7), DMA.slots(2))
        .with(PLAIN)
        .entry(52_000, (7, 11), PLAIN)
        .entry(57_600, (11, 12), DMA.slots(2));
    let plan = case.place().expect("a plan");
    assert_eq!(
        case.bytes(),
        Ok(vec![vec![0, 55_456], vec![0, 55_456], vec![115_200], vec![0, 57_600]])
    );
    assert_eq!(plan.scopes[0].how, How::Levels(0));
    let warning = "warning: [hivm-plan-memory] There reused some dma buffers in ub address space, \
                   which may stall pipe. Not reusing dma buffer needs 2224896 bits while 1572864 \
                   bits available!";
    assert_eq!(plan.scopes[0].warning.as_deref(), Some(warning));
}

/// `test_mem_specalloc_max`: order alloc, alloc_3 with alloc_0, alloc_2 (all DMA), alloc_1 (0 B);
/// L3 @0, L3 @131072, then L0 @0, then 0.
#[test]
fn a_dma_buffer_shares_at_level_0_before_it_overflows() {
    let case = Case::new("ub", UB)
        .entry(131_072, (1, 3), DMA)
        .entry(65_536, (2, 6), DMA)
        .with(PLAIN)
        .entry(0, (3, 3), PLAIN)
        .entry(131_072, (5, 7), DMA);
    let places = vec![vec![0], vec![131_072], vec![131_072], vec![0], vec![0]];
    assert_eq!(case.bytes(), Ok(places));
    assert_eq!(case.place().map(|p| p.scopes[0].how), Ok(How::Levels(0)));
}
