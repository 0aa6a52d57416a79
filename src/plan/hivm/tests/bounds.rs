//! How much work a plan may be.

use super::case::{Case, DMA, PLAIN};
use crate::plan::hivm::How;
use crate::plan::hivm::conflict::Rules;
use crate::plan::hivm::history::Area;
use crate::plan::hivm::levels::PIPE;
use crate::plan::hivm::machine::multi_level;
use crate::plan::hivm::slots::expand;

/// A chain of 2,000 vector buffers, each alive with the next three.
#[test]
fn two_thousand_entries_are_planned_at_level_three() {
    let chain = (0..2000).fold(Case::new("ub", 196_608), |case, at| {
        case.entry(32 * (1 + (at as u64 * 37) % 400), (at, at + 3), PLAIN)
    });
    assert_eq!(chain.place().map(|p| p.scopes[0].how), Ok(How::PipeOnly));
}

/// The example of the restart needs a rollback; without the steps for one it is an overflow.
#[test]
fn a_plan_that_takes_too_many_steps_is_given_up() {
    let case = Case::new("ub", 100)
        .unaligned()
        .entry(50, (4, 5), DMA.anchor(1))
        .entry(60, (7, 8), DMA.anchor(1))
        .entry(50, (5, 6), DMA);
    let rules = Rules::new(&case.input);
    let placed = |most_steps| {
        let mut slots = expand(&case.input);
        let mut area = Area::new(&rules, &mut slots, 800, false);
        area.most_steps = most_steps;
        multi_level(&mut area, &[0, 1, 2], 800, PIPE)
    };
    assert!(placed(1000));
    assert!(!placed(1));
}
