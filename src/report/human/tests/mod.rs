//! How answers look. `cargo insta` is not needed: set `INSTA_UPDATE=always` to bless.

use anstream::adapter::strip_str;

use super::{View, judged, replay, solve, summary, verify};
use crate::diag::{Code, Severity};
use crate::model::{ByteRange, Finding, Verdict};
use crate::report::{fixture, replayed};

fn plain(text: &str) -> String {
    strip_str(text).to_string()
}

#[test]
fn a_plan() {
    let case = fixture::planned();
    insta::assert_snapshot!(plain(&solve(View::default(), case.input(), &case.answer)));
}

#[test]
fn a_plan_with_attempts() {
    let case = fixture::planned();
    let view = View { verbose: true, width: 60, ..View::default() };
    insta::assert_snapshot!(plain(&solve(view, case.input(), &case.answer)));
}

#[test]
fn an_overflow() {
    let case = fixture::overflown();
    insta::assert_snapshot!(plain(&solve(View::default(), case.input(), &case.answer)));
}

#[test]
fn an_open_question() {
    let case = fixture::undecided();
    insta::assert_snapshot!(plain(&solve(View::default(), case.input(), &case.answer)));
}

#[test]
fn several_functions() {
    let case = fixture::several();
    insta::assert_snapshot!(plain(&solve(View::default(), case.input(), &case.answer)));
}

#[test]
fn quiet_is_the_verdict_and_a_line_for_each_scope() {
    let case = fixture::several();
    let view = View { quiet: true, ..View::default() };
    insta::assert_snapshot!(plain(&solve(view, case.input(), &case.answer)));
}

#[test]
fn findings_are_grouped_worst_first() {
    let case = fixture::planned();
    let finding = |code, severity, message: &str| Finding {
        code,
        severity,
        message: message.to_owned(),
        function: "matmul".to_owned(),
        scope: Some("ub".to_owned()),
        buffers: vec!["tile".to_owned()],
        op: None,
        loc: case.problem.functions[0].buffers.iter().next().and_then(|b| b.loc),
        bytes: Some(ByteRange::new(0, 64)),
        witness: None,
        evidence: None,
    };
    let mut seen = finding(
        Code::VerifyClobbered,
        Severity::Error,
        "op `mul` reads `tile`, of which `out` has overwritten [0, 64)",
    );
    seen.witness = Some("trip 2 of loop `rows`".to_owned());
    let findings = [
        finding(Code::VerifyNoFingerprint, Severity::Warning, "the plan has no fingerprint"),
        finding(Code::VerifyOverlap, Severity::Error, "`tile` and `out` share [0, 64)"),
        finding(Code::VerifyOverlap, Severity::Error, "`tile` and `acc` share [64, 96)"),
        seen,
    ];
    let text = verify(View::default(), case.input(), &findings, false);
    insta::assert_snapshot!(plain(&text));
    let text = verify(View::default(), case.input(), &[], true);
    assert_eq!(plain(&text), "kernel.toml: accept: nothing found\n");
}

#[test]
fn runs_over_several_inputs_end_in_a_count() {
    let verdicts =
        [Some(Verdict::Optimal), Some(Verdict::Infeasible), Some(Verdict::Optimal), None];
    let text = plain(&summary(&verdicts, 1));
    assert_eq!(text, "5 inputs: 2 optimal, 1 infeasible, 1 empty, 1 broken\n");
    assert_eq!(plain(&judged(2, 1, 0)), "3 inputs: 2 accept, 1 reject\n");
}

#[test]
fn a_replay_shows_both_witnesses_and_what_is_missing() {
    let case = replayed::case();
    let text = replay(View::default(), case.input(), &case.replay(), false);
    insta::assert_snapshot!(plain(&text));
}

#[test]
fn a_replay_in_full_says_what_was_counted_and_answered() {
    let case = replayed::case();
    let view = View { verbose: true, ..View::default() };
    let text = plain(&replay(view, case.input(), &case.replay(), false));
    assert!(text.contains("  kernels 1,200: kernels run\n"), "{text}");
    assert!(text.contains("  3 answers device 0\n"), "{text}");
    let view = View { quiet: true, ..View::default() };
    let text = plain(&replay(view, case.input(), &case.replay(), false));
    assert_eq!(text, "run.toml: reject: 1 error, 1 warning found\n");
}
