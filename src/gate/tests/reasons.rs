//! The words of the gate.

use super::{buffer, kernel};
use crate::gate::{Limits, against_baseline, compare};
use crate::model::{KernelBuffer, ReuseLevel, Verdict};

fn text(old: Vec<KernelBuffer>, new: Vec<KernelBuffer>) -> String {
    compare(&kernel("k", old), &kernel("k", new)).text
}

#[test]
fn the_reason_names_the_number_and_who_did_it() {
    let old = vec![buffer("x", 149_504, [0, 4], 0), buffer("acc", 32_768, [1, 3], 149_504)];
    let new = vec![buffer("x", 149_504, [0, 4], 0), buffer("acc", 47_104, [1, 3], 149_504)];
    assert_eq!(
        text(old, new),
        "`ub` peak 182,272 -> 196,608 B (+14,336): `acc` grew 32,768 -> 47,104"
    );
}

#[test]
fn a_moved_buffer_is_only_the_placement() {
    let old = vec![buffer("x", 64, [0, 4], 0), buffer("y", 32, [1, 3], 64)];
    let new = vec![buffer("x", 64, [0, 4], 0), buffer("y", 32, [1, 3], 1024)];
    assert_eq!(
        text(old, new),
        "`ub` peak 96 -> 1,056 B (+960), excess 0 -> 960 B (+960): only the placement: `y` at 64 -> 1,024"
            .replace(", excess 0 -> 960 B (+960)", "")
    );
}

#[test]
fn a_renamed_buffer_takes_what_it_took() {
    let old = vec![buffer("x", 64, [0, 4], 0)];
    let new = vec![buffer("tile", 64, [0, 4], 0)];
    assert_eq!(text(old, new), "takes what it took: `x` is now `tile`");
}

#[test]
fn who_makes_the_load_adds_up() {
    let old =
        vec![buffer("x", 64, [0, 4], 0), buffer("y", 32, [1, 3], 64), buffer("z", 16, [5, 6], 0)];
    let new =
        vec![buffer("x", 64, [0, 6], 0), buffer("y", 32, [1, 3], 64), buffer("z", 100, [5, 6], 64)];
    let comparison = compare(&kernel("k", old), &kernel("k", new));
    let [shift] = &comparison.shifts[..] else { panic!("{comparison:?}") };
    assert_eq!((shift.old, shift.new, shift.at.as_str()), (96, 164, "step 5"));
    assert_eq!(shift.shares, [("z".to_owned(), 100), ("y".to_owned(), -32)]);
    // Not the plain sum of sizes: nothing is claimed.
    let mut old = kernel("k", vec![buffer("x", 64, [0, 4], 0)]);
    let new = kernel("k", vec![buffer("x", 96, [0, 4], 0)]);
    old.scopes[0].max_load = Some(60);
    assert_eq!(compare(&old, &new).shifts, []);
}

#[test]
fn what_is_not_known_is_said_and_not_guessed() {
    let new = kernel("k", vec![buffer("x", 64, [0, 4], 0)]);
    let mut plan = new.clone();
    for buffer in &mut plan.scopes[0].buffers {
        (buffer.size, buffer.slots, buffer.live) = (None, None, None);
    }
    let scope = &mut plan.scopes[0];
    (scope.usable, scope.peak, scope.max_load, scope.lower_bound) = (None, None, None, None);
    (scope.stalls, scope.owed, scope.reuse_cost, scope.verdict) = (None, None, None, None);
    let comparison = compare(&plan, &new);
    assert!(comparison.is_silent(), "{comparison:?}");
    assert_eq!(
        comparison.unknown,
        ["the baseline does not tell sizes or slots", "the baseline does not tell live ranges"]
    );
    // One fingerprint: all of that is the same.
    let (mut plan, mut new) = (plan, new);
    plan.fingerprint = Some("f".to_owned());
    new.fingerprint = plan.fingerprint.clone();
    assert_eq!(compare(&plan, &new).unknown, Vec::<String>::new());
    // Another one: something changed, and the plan does not say what.
    new.fingerprint = Some("g".to_owned());
    let text = compare(&plan, &new).text;
    assert!(text.contains("the problem is another one"), "{text}");
}

#[test]
fn a_lost_plan_is_one_regression_and_a_lower_level_another() {
    let old = kernel("k", vec![buffer("x", 64, [0, 4], 0)]);
    let mut new = old.clone();
    new.scopes[0].peak = None;
    new.scopes[0].verdict = Some(Verdict::Infeasible);
    new.verdict = Some(Verdict::Infeasible);
    new.scopes[0].buffers[0].offsets.clear();
    let (_, remarks) =
        against_baseline(std::slice::from_ref(&old), &[new], &Limits::default(), true);
    let said: Vec<&str> = remarks.iter().map(|r| r.message.as_str()).collect();
    assert_eq!(said, ["`ub` feasible -> infeasible: the same problem, answered otherwise"]);

    let mut new = old.clone();
    new.scopes[0].level = Some(ReuseLevel::Slot);
    let (_, remarks) = against_baseline(&[old], &[new], &Limits::default(), true);
    let said: Vec<&str> = remarks.iter().map(|r| r.message.as_str()).collect();
    assert_eq!(said, ["`ub` level nothing shared -> slot: the same problem, answered otherwise"]);
}
