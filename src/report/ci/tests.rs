//! The same three runs in every format, and what every report of a format keeps to.

use std::collections::BTreeSet;

use quickcheck::quickcheck;
use serde_json::Value;

use super::{Case, Kind, Outcome, Run, fixture, of_diagnostic, render};
use crate::diag::{Code, Diagnostic, Loc, Severity, Sources};

fn shown(kind: Kind) -> String {
    let parts = fixture::all().map(|(name, run)| format!("== {name}\n{}", render(kind, &run)));
    parts.join("\n")
}

#[test]
fn annotations_of_github() {
    insta::assert_snapshot!("github", shown(Kind::Github));
}

#[test]
fn a_test_report() {
    insta::assert_snapshot!("junit", shown(Kind::Junit));
}

#[test]
fn a_summary_of_a_job() {
    insta::assert_snapshot!("markdown", shown(Kind::Markdown));
}

/// The pages are long and have tests of their own.
fn without_pages(mut log: Value) -> Value {
    let rules = log.pointer_mut("/runs/0/tool/driver/rules").and_then(Value::as_array_mut);
    for rule in rules.into_iter().flatten() {
        for key in ["help", "fullDescription"] {
            rule[key] = Value::from("...");
        }
    }
    log["runs"][0]["tool"]["driver"]["semanticVersion"] = Value::from("...");
    log
}

fn log(run: &Run) -> Value {
    serde_json::from_str(&render(Kind::Sarif, run)).expect("JSON")
}

#[test]
fn a_log_for_code_scanning() {
    let parts = fixture::all().map(|(name, run)| {
        let log = serde_json::to_string_pretty(&without_pages(log(&run))).expect("JSON");
        format!("== {name}\n{log}\n")
    });
    insta::assert_snapshot!("sarif", parts.join("\n"));
}

#[test]
fn every_code_of_a_log_has_help() {
    for (_, run) in fixture::all() {
        let log = log(&run);
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules").clone();
        for rule in &rules {
            for text in ["/help/text", "/help/markdown", "/shortDescription/text"] {
                let text = rule.pointer(text).and_then(Value::as_str).expect("a text");
                assert!(text.len() > 10, "{rule}");
            }
        }
        for result in log["runs"][0]["results"].as_array().expect("results") {
            let at =
                usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
            assert_eq!(rules[at]["id"], result["ruleId"]);
        }
    }
}

fn fingerprints(run: &Run) -> Vec<String> {
    let log = log(run);
    let results = log["runs"][0]["results"].as_array().expect("results").clone();
    let one = |r: &Value| r["partialFingerprints"]["memplan/v1"].as_str().map(str::to_owned);
    results.iter().map(|r| one(r).expect("a fingerprint")).collect()
}

#[test]
fn fingerprints_stay_when_lines_and_numbers_move() {
    let before = fixture::refused();
    let mut after = before.clone();
    for remark in after.cases.iter_mut().flat_map(|c| &mut c.remarks) {
        remark.message.push_str(" (7 B more)");
        if let Some(place) = &mut remark.place {
            place.line += 5;
            place.end_line += 5;
        }
    }
    assert_eq!(fingerprints(&before), fingerprints(&after));
    let distinct: BTreeSet<String> = fingerprints(&before).into_iter().collect();
    assert_eq!(distinct.len(), 4, "each result is one alert");
}

#[test]
fn labels_and_help_of_a_diagnostic_are_kept() {
    let mut sources = Sources::default();
    let file = sources.add("a.toml", "x = 1\né = 2\n");
    let at = |start, end| Loc { file, start, end };
    let error = Diagnostic::error(Code::SpecDuplicateName, "`x` twice")
        .at(at(6, 8), "here")
        .at(at(0, 1), "first")
        .help("take one away");
    let remark = of_diagnostic("a.toml", &error, &sources);
    assert_eq!(remark.message, "`x` twice (here)");
    assert_eq!(remark.place, Some(fixture::place("a.toml", (2, 1), (2, 2))));
    assert_eq!(remark.related, [(fixture::place("a.toml", (1, 1), (1, 2)), "first".to_owned())]);
    assert_eq!(remark.help.as_deref(), Some("take one away"));
}

/// A run about one case with these words.
fn run(words: &[String]) -> Run {
    let word = |at: usize| words.get(at).cloned().unwrap_or_default();
    let mut remark = fixture::remark(Code::PlanOverflow, Severity::Error, &word(0), &word(1));
    remark.help = Some(word(2));
    remark.related = vec![(fixture::place(&word(0), (1, 1), (1, 1)), word(3))];
    let case = Case {
        input: word(0),
        function: Some(word(4)),
        outcome: Outcome::Rejected,
        remarks: vec![remark],
        summary: Some(word(5)),
        ..Case::default()
    };
    Run { command: "solve", exit: 1, cases: vec![case], general: Vec::new() }
}

/// True for what XML 1.0 may hold, apart from surrogates, which Rust does not have.
fn xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

quickcheck! {
    fn xml_is_well_formed_whatever_is_said(words: Vec<String>) -> bool {
        let text = render(Kind::Junit, &run(&words));
        let mut reader = quick_xml::Reader::from_str(&text);
        let mut failures = 0;
        loop {
            match reader.read_event() {
                Ok(quick_xml::events::Event::Eof) => break,
                Ok(quick_xml::events::Event::Start(start)) => {
                    failures += usize::from(format!("{:?}", start.name()).contains("failure"));
                }
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        failures == 1 && text.chars().all(xml_char)
    }

    fn a_log_says_what_the_run_says(words: Vec<String>) -> bool {
        let log = log(&run(&words));
        let result = &log["runs"][0]["results"];
        // Without an input it is a notification.
        let of_input = words.first().is_some_and(|w| !w.is_empty());
        let uri = result.pointer("/0/locations/0/physicalLocation/artifactLocation/uri");
        let uri = uri.and_then(Value::as_str).unwrap_or_default();
        result.as_array().map(Vec::len) == Some(usize::from(of_input)) && uri.is_ascii()
    }

    fn every_log_line_of_github_is_ours(words: Vec<String>) -> bool {
        let text = render(Kind::Github, &run(&words));
        text.lines().count() == 3
            && text.lines().all(|l| l.starts_with("memplan") || l.starts_with("::error "))
    }
}
