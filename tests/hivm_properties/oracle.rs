//! The judge against executions.

use memplan::model::Plan;

use super::interpret::{self, Event};
use super::print;
use super::property::{Any, Straight, Tally, check};
use super::solve::{COMPAT, faults, fits, offsets, plan_of, read, solve};
use super::tree::Program;

static TALLY: Tally = Tally::new();

/// Ways through a program that are tried.
const WAYS: u64 = 24;

/// True when an alloc needs the bytes of two of its buffers at once, on some way.
fn needs_two(program: &Program) -> bool {
    let ways = if program.is_straight() { 0 } else { WAYS };
    (0..ways).any(|seed| interpret::run(program, None, seed).older.is_some())
}

/// What is seen otherwise with a plan, on some way through the program.
pub(crate) fn wrong(program: &Program, plan: &Plan) -> Option<Event> {
    let offsets = offsets(program, plan);
    let ways = if program.is_straight() { 1 } else { WAYS };
    (0..ways).find_map(|seed| {
        let apart = interpret::run(program, None, seed);
        interpret::differ(&apart, &interpret::run(program, Some(&offsets), seed))
    })
}

fn compared(program: &Program, strategy: memplan::plan::Strategy) -> Result<(), String> {
    if needs_two(program) {
        TALLY.count("needs two buffers of one alloc");
    }
    let text = print::custom(program);
    let read = read(&text);
    let answer = solve(&read, strategy);
    if !fits(&answer) {
        TALLY.count(format!("{} has no plan", strategy.name()));
        return Ok(());
    }
    let plan = plan_of(&answer);
    let faults = faults(&read.read.problem, &plan);
    let wrong = wrong(program, &plan);
    let name = strategy.name();
    TALLY.count(match (faults.is_empty(), wrong) {
        (true, _) => format!("{name} accepted"),
        (false, None) => format!("{name} refuted ({:?}), nothing seen", faults[0].code),
        (false, Some(_)) => format!("{name} refuted, seen"),
    });
    let at = offsets(program, &plan);
    match (faults.is_empty(), wrong) {
        (true, Some(event)) => Err(format!("the judge accepts what shows at {event:?}: {at:?}")),
        (false, _) if strategy != COMPAT => Err(format!("auto is refuted: {faults:?}\n{at:?}")),
        _ => Ok(()),
    }
}

#[test]
fn plans_that_the_judge_accepts_change_nothing_that_anybody_sees() {
    check(120, 30, |Any(program)| compared(&program, COMPAT));
    TALLY.print();
}

#[test]
fn plans_of_auto_change_nothing_that_anybody_sees() {
    check(40, 24, |Any(program)| compared(&program, memplan::plan::Strategy::Auto));
    TALLY.print();
}

#[test]
fn straight_plans_change_nothing_that_anybody_sees() {
    check(100, 14, |Straight(program)| compared(&program, COMPAT));
    TALLY.print();
}
