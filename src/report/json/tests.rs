//! How JSON looks, without a solver.

use super::{envelope, functions, text};
use crate::format::json_solve::Solve;
use crate::report::fixture::{self, Case};

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
