//! How answers look. `cargo insta` is not needed: set `INSTA_UPDATE=always` to bless.

use anstream::adapter::strip_str;

use super::{View, judged, replay, solve, summary, taken, verify};
use crate::diag::{Code, Severity};
use crate::model::{ByteRange, Evidence, Finding, Kernel, KernelScope, Mode, REFUTED, Verdict};
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

#[test]
fn what_is_above_the_bound_is_a_share_of_the_bound_as_in_bench() {
    let mut case = fixture::planned();
    let scope = &mut case.answer.functions[0].scopes[0];
    (scope.verdict, scope.peak, scope.lower_bound) = (Verdict::Feasible, Some(150_000), 100_000);
    let text = plain(&solve(View::default(), case.input(), &case.answer));
    assert!(text.contains("at most 50,000 B (50.0 %) above the smallest peak possible"), "{text}");
}

#[test]
fn nobody_claims_bytes_of_its_own_for_everything_where_pairs_share() {
    let mut case = fixture::planned();
    let scope = &mut case.answer.functions[0].scopes[0];
    (scope.verdict, scope.mode, scope.lower_bound) = (Verdict::Feasible, Mode::Sequential, 81_920);
    let text = plain(&solve(View::default(), case.input(), &case.answer));
    let line = "only merged buffers share bytes; more could save 81,920 B (50.0 %) at most";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_plan_that_the_judge_refutes_is_called_so_in_every_line_of_verdict() {
    let mut case = fixture::planned();
    let scope = &mut case.answer.functions[0].scopes[0];
    scope.warnings = vec![format!("{REFUTED}op `mul` reads what is gone")];
    scope.lower_bound = 180_000;
    let text = plain(&solve(View::default(), case.input(), &case.answer));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("kernel.toml: refuted: the judge refutes the plan of `matmul`"));
    let line = "refuted: the plan breaks the program, and is 16,160 B below the proven bound";
    assert!(lines.next().is_some_and(|l| l.ends_with(line)), "{text}");
}

#[test]
fn quiet_tells_the_level() {
    let case = fixture::planned();
    let view = View { quiet: true, ..View::default() };
    let text = plain(&solve(view, case.input(), &case.answer));
    assert!(text.contains("level slot, optimal: "), "{text}");
}

#[test]
fn a_race_says_what_is_missing_whoever_found_it() {
    let case = fixture::planned();
    let missing = Some("a flag from MTE2 to V".to_owned());
    let race = Finding {
        code: Code::ReplayRaceRaw,
        severity: Severity::Error,
        message: "`mul` may start before `load` is done".to_owned(),
        function: "matmul".to_owned(),
        scope: None,
        buffers: Vec::new(),
        op: None,
        loc: None,
        bytes: None,
        witness: None,
        evidence: Some(Box::new(Evidence { missing, ..Evidence::default() })),
    };
    let text = plain(&verify(View::default(), case.input(), &[race], false));
    assert!(text.contains("    missing: a flag from MTE2 to V\n"), "{text}");
}

#[test]
fn a_plan_that_is_right_says_what_it_takes() {
    let scope = |name: &str, usable, peak, lower_bound| KernelScope {
        name: name.to_owned(),
        usable,
        peak,
        lower_bound,
        ..KernelScope::default()
    };
    let scopes = vec![
        scope("ub", Some(196_608), Some(182_272), Some(180_224)),
        scope("l1", Some(1_024), Some(512), Some(512)),
        scope("gm", None, Some(64), None),
        scope("l0", None, None, None),
    ];
    let one = Kernel { name: "softmax".to_owned(), scopes, ..Kernel::default() };
    let text = taken(View::default(), std::slice::from_ref(&one));
    let lines = [
        "  ub: 182,272 of 196,608 B (92.7 %), at least 180,224 B needed",
        "  l1: 512 of 1,024 B (50.0 %), the least possible",
        "  gm: 64 B",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    let two = taken(View::default(), &[one.clone(), one]);
    assert!(two.starts_with("  softmax\n    ub: "), "{two}");
}
