//! What a person sees of a gate.

use anstream::adapter::strip_str;

use super::*;
use crate::model::{Amount, Cause, CauseKind, Verdict};

fn grown() -> Comparison {
    let bytes = |measure| Effect {
        scope: Some("ub".to_owned()),
        measure,
        old: Amount::Number(182_272),
        new: Amount::Number(196_608),
    };
    let verdict = Effect {
        old: Amount::Verdict(Verdict::Optimal),
        new: Amount::Verdict(Verdict::Feasible),
        ..bytes(Measure::Verdict)
    };
    Comparison {
        input: "kernels/softmax.toml".to_owned(),
        function: "softmax".to_owned(),
        causes: vec![Cause {
            kind: CauseKind::Sizes,
            buffers: vec!["acc".to_owned()],
            more: 0,
            text: "`acc` grew 32,768 -> 47,104".to_owned(),
        }],
        effects: vec![verdict, bytes(Measure::Peak), bytes(Measure::MaxLoad)],
        shifts: vec![LoadShift {
            scope: "ub".to_owned(),
            old: 182_272,
            new: 196_608,
            at: "`mul`".to_owned(),
            shares: vec![("acc".to_owned(), 14_336)],
        }],
        unknown: vec!["the baseline has no fingerprint".to_owned()],
        text: "`ub` peak 182,272 -> 196,608 B (+14,336): `acc` grew 32,768 -> 47,104".to_owned(),
        ..Comparison::default()
    }
}

fn remark(code: Code, severity: Severity, of: &Comparison) -> Remark {
    Remark {
        code,
        severity,
        message: of.text.clone(),
        help: Some("if it is meant, make the baseline anew".to_owned()),
        input: of.input.clone(),
        function: Some(of.function.clone()),
        scope: None,
        buffers: Vec::new(),
        place: None,
        related: Vec::new(),
        witness: None,
    }
}

#[test]
fn a_regression_shows_its_reason_its_numbers_and_who_did_it() {
    let same = Comparison { function: "relu".to_owned(), ..Comparison::default() };
    let all = [grown(), same];
    let over = Remark {
        message: "`ub` peak 196,608 B is over its budget of 182,272 B (+14,336)".to_owned(),
        ..remark(Code::GateOverBudget, Severity::Warning, &all[0])
    };
    let remarks = [remark(Code::GateRegression, Severity::Error, &all[0]), over];
    let text = strip_str(&gate(View::default(), &all, &remarks, Severity::Error)).to_string();
    let expected = "\
gate: reject: 2 kernels compared: 1 takes more, 1 as it was; 1 over budget

error[memplan::gate::regression]: kernels/softmax.toml `softmax`
  `ub` peak 182,272 -> 196,608 B (+14,336): `acc` grew 32,768 -> 47,104
  not compared: the baseline has no fingerprint
    scope  measure       was        is   change
    ub     verdict   optimal  feasible
    ub     peak      182,272   196,608  +14,336
    ub     max load  182,272   196,608  +14,336
  load of `ub` at `mul`, +14,336 B: `acc` +14,336
  help: if it is meant, make the baseline anew

warning[memplan::gate::over_budget]: A kernel takes more than its budget.
  `ub` peak 196,608 B is over its budget of 182,272 B (+14,336) (kernels/softmax.toml `softmax`)
  help: if it is meant, make the baseline anew
";
    assert_eq!(text, expected);
    let quiet = View { quiet: true, ..View::default() };
    assert_eq!(
        strip_str(&gate(quiet, &all, &remarks, Severity::Error)).to_string().lines().count(),
        1
    );
    let verbose = View { verbose: true, ..View::default() };
    assert!(
        strip_str(&gate(verbose, &all, &remarks, Severity::Error))
            .to_string()
            .contains(" `relu`: as it was\n")
    );
}

#[test]
fn warnings_that_are_denied_are_refused() {
    let all = [grown()];
    let remarks = [remark(Code::GateOverBudget, Severity::Warning, &all[0])];
    let text = |least| strip_str(&gate(View::default(), &all, &remarks, least)).to_string();
    assert!(text(Severity::Error).starts_with("gate: accept: "));
    assert!(text(Severity::Warning).starts_with("gate: reject: "));
}

#[test]
fn a_summary_is_a_line_a_table_and_a_list() {
    let all = [grown()];
    let remarks = [remark(Code::GateChanged, Severity::Note, &all[0])];
    let expected = "\
gate: **accept**: 1 kernel compared: 1 changed

| kernel | scope | measure | was | is | change |
| --- | --- | --- | ---: | ---: | ---: |
| softmax | ub | verdict | optimal | feasible |  |
| softmax | ub | peak | 182,272 | 196,608 | +14,336 |
| softmax | ub | max load | 182,272 | 196,608 | +14,336 |

- kernels/softmax.toml `softmax`: `ub` peak 182,272 -> 196,608 B (+14,336): `acc` grew 32,768 -> 47,104
";
    assert_eq!(gate_markdown(&all, &remarks), expected);
    assert!(gate(View::default(), &[], &[], Severity::Error).contains("within budget"));
}
