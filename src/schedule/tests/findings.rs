//! What is said about a module, and when nothing is.

use super::{OPTIONS, module};
use crate::diag::Code;
use crate::ir::hlo::Calls;
use crate::schedule::{Budget, Order, peak_high, scalars_not_folded, schedule};

/// The first block of a page.
fn example(page: &str) -> &str {
    let (_, rest) = page.split_once("```hlo\n").expect("an example");
    rest.split_once("```").expect("its end").0
}

#[test]
fn an_order_that_loses_bytes_is_found_and_the_better_one_is_not() {
    let page = include_str!("../../diag/pages/hlo_peak_high.md");
    let module = module(example(page));
    let scheduled = schedule(&module, OPTIONS, Order::Best, Budget::default()).expect("a schedule");
    let finding = peak_high(&module, &scheduled).expect("a finding");
    assert_eq!(finding.code, Code::HloPeakHigh);
    let share = (scheduled.peak_before - scheduled.peak_after) as f64 * 100.0;
    let share = format!("{:.1} % lost", share / scheduled.peak_before as f64);
    assert!(finding.message.ends_with(&share), "{}: {share}", finding.message);
    assert!(scheduled.proven);
    let better = module.in_order(&scheduled.sequences);
    let again = schedule(&better, OPTIONS, Order::Best, Budget::default()).expect("a schedule");
    assert_eq!(peak_high(&better, &again), None);
}

#[test]
fn scalars_of_constants_are_found_and_others_are_not() {
    let page = include_str!("../../diag/pages/hlo_scalars_not_folded.md");
    let module = module(example(page));
    let calls = Calls::of(&module).expect("calls");
    let finding = scalars_not_folded(&module, &calls).expect("a finding");
    assert_eq!(finding.code, Code::HloScalarsNotFolded);
    assert_eq!(finding.message, "2 scalars of 8 bytes are computed from constants alone");
    let clean = super::module(
        "HloModule m\nENTRY e {\n p = f32[] parameter(0)\n c = f32[] constant(2)\n ROOT x = f32[] add(p, c)\n}\n",
    );
    let calls = Calls::of(&clean).expect("calls");
    assert_eq!(scalars_not_folded(&clean, &calls), None);
}
