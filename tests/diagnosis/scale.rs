//! Scopes of thousands of buffers are diagnosed within the budget.

use std::fmt::Write;

use memplan::model::CoreIs;

use super::{explained, read};

/// A spec of `count` buffers, of which so many are alive at once that they need about twice `capacity`.
pub(super) fn large(count: usize, pipes: bool) -> String {
    let mut out =
        "version = 1\n[[scope]]\nname = \"ub\"\ncapacity = 20000\nalignment = 8\n".to_owned();
    let mut seed = 7u64;
    let mut next = |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    for at in 0..count as u64 {
        let (size, start) = (8 * (1 + next(100)), at * 2);
        let end = start + 1 + next(200);
        let slots = 1 + u64::from(next(10) == 0);
        let _ = write!(
            out,
            "[[buffer]]\nname = \"b{at}\"\nsize = {size}\nslots = {slots}\nlive = [[{start}, {end}]]\n"
        );
        if pipes {
            let pipe = ["MTE2:w", "V:w", "MTE3:r"][next(3) as usize];
            let _ = writeln!(out, "pipes = [\"{pipe}\", \"V:r\"]");
        }
    }
    out
}

#[test]
fn two_thousand_buffers_are_diagnosed_with_a_core_or_a_witness() {
    let read = read(&large(2_000, false));
    let answer = explained(&read.problem, None);
    let scope = &answer.functions[0].scopes[0];
    let overflow = scope.overflow.as_ref().expect("it does not fit");
    assert_ne!(overflow.core_is, CoreIs::Unknown);
    assert!(!overflow.core.is_empty());
    assert!(scope.diagnosis.as_ref().is_some_and(|d| d.tries <= 240));
    assert!(scope.advice().len() <= 8 + 5);
}
