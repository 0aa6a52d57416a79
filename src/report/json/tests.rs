//! How JSON looks, without a solver.

use super::{add_replay, envelope, functions, text};
use crate::format::json_replay::Replay;
use crate::format::json_solve::Solve;
use crate::report::fixture::{self, Case};
use crate::report::replayed;

fn report(case: &Case) -> String {
    let functions = functions(case.input(), &case.answer);
    let body = Solve { functions, ..Solve::default() };
    let verdict = case.answer.verdict().map(|v| v.name());
    text(&envelope("solve", verdict, Vec::new(), body)).expect("JSON")
}

#[test]
fn a_plan() {
    insta::assert_snapshot!(report(&fixture::planned()));
}

#[test]
fn an_overflow() {
    insta::assert_snapshot!(report(&fixture::overflown()));
}

#[test]
fn a_replay() {
    let case = replayed::case();
    let mut body = Replay::default();
    add_replay(case.input(), &case.replay(), &mut body);
    insta::assert_snapshot!(
        text(&envelope("replay", Some("reject"), Vec::new(), body)).expect("JSON")
    );
}

#[test]
fn several_replays_add_up() {
    let case = replayed::case();
    let mut body = Replay::default();
    add_replay(case.input(), &case.replay(), &mut body);
    add_replay(case.input(), &case.replay(), &mut body);
    assert_eq!((body.runs, body.complete, body.schedule), (2, true, None));
    assert_eq!(body.judged.counters["kernels"], 2_400);
    let timelines = body.judged.timelines;
    assert_eq!(timelines[1].delays, [(1, 1_000)]);
    assert_eq!(body.judged.makespan, 10_000);
}
