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
