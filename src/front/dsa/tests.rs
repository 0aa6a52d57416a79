//! What the reader says, where it says it.

use super::json;
use super::*;
use crate::diag::Loc;
use crate::model::{Live, Objective};

fn read(text: &str) -> Result<Read, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let file = sources.add("runs/case.json", text);
    super::read(&sources, file)
}

fn at(text: &str, loc: Loc) -> &str {
    &text[loc.start as usize..loc.end as usize]
}

/// The codes of all errors, each with the text it points at.
fn errors(text: &str) -> Vec<(Code, String)> {
    let errors = read(text).expect_err("errors");
    errors.iter().map(|e| (e.code, at(text, e.labels[0].loc).to_owned())).collect()
}

const ONE: &str = r#"{"schema_version": 1, "problem": {"pools": [{"id": 7, "name": "Vec", "capacity": null}],
  "buffers": [{"id": 3, "name": "a", "size": 64, "alignment": 32, "allowed_pools": [7],
               "live_intervals": [{"lower": 6, "upper": 9}, {"lower": 0, "upper": 2}, {"lower": 2, "upper": 4}]}]}}"#;

#[test]
fn a_document_without_an_instance_is_named_after_its_file() {
    let problem = read(ONE).expect("a problem").problem;
    assert_eq!(problem.functions[0].name, "case");
    assert_eq!(problem.objective, Objective::Peak);
    let buffer = problem.functions[0].buffers.iter().next().expect("a buffer");
    // In any order; what touches is one range.
    assert_eq!(buffer.live.as_deref(), Some(&[Live::new(0, 4), Live::new(6, 9)][..]));
}

#[test]
fn an_error_points_at_the_value_at_fault() {
    for (from, to, code, shown) in [
        ("64", "-4", Code::DsaInvalidValue, "-4"),
        ("64", "1e3", Code::DsaInvalidValue, "1e3"),
        ("64", "99999999999999999999", Code::DsaSizeOverflow, "99999999999999999999"),
        ("64", "null", Code::DsaWrongType, "null"),
        ("[7]", "[8]", Code::DsaUnknownId, "8"),
        ("\"a\"", "{}", Code::DsaWrongType, "{"),
        ("\"a\"", "\"\\ud800\"", Code::DsaSyntax, "\""),
        ("\"size\": 64,", "", Code::DsaMissingKey, "\"a\""),
        ("\"upper\": 9", "\"upper\": 6", Code::DsaBadInterval, "6, \"upper\": 6"),
        ("\"name\": \"a\"", "\"size\": 1", Code::DsaSyntax, "size"),
        ("schema_version\": 1", "schema_version\": 2", Code::DsaVersion, "2"),
    ] {
        assert!(ONE.contains(from), "{from}");
        let text = ONE.replacen(from, to, 1);
        let found = errors(&text);
        assert_eq!(found[0], (code, shown.to_owned()), "{to}");
    }
}

#[test]
fn a_text_that_is_cut_off_is_shown_where_it_ends() {
    for end in 0..ONE.len() {
        let text = &ONE[..end];
        let errors = read(text).expect_err("cut off");
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].code, Code::DsaSyntax);
        assert!(!errors[0].message.contains("line"), "{}", errors[0].message);
    }
}

#[test]
fn what_is_not_read_may_be_nested_as_deep_as_it_likes() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let text = ONE.replacen("\"problem\"", &format!("\"metadata\": {deep}, \"problem\""), 1);
    assert!(read(&text).is_ok());
}

#[test]
fn a_huge_object_of_no_interest_takes_no_time() {
    let keys: Vec<String> = (0..200_000).map(|n| format!("\"k{n}\": 0")).collect();
    let text = ONE.replacen("\"pools\"", &format!("{}, \"pools\"", keys.join(", ")), 1);
    let read = read(&text).expect("a problem");
    // Warned about, but not two hundred thousand times.
    assert!((1..=20).contains(&read.warnings.len()));
}

#[test]
fn the_limit_on_the_size_of_a_text_is_told() {
    let mut sources = Sources::default();
    let file = sources.add("x", ONE);
    let errors = read_text(ONE, file, "x", 10).expect_err("too large");
    assert_eq!(errors[0].code, Code::DsaTooLarge);
}

#[test]
fn a_key_with_escapes_is_the_key_it_spells() {
    let text = ONE.replacen("\"size\"", "\"si\\u007ae\"", 1);
    assert!(read(&text).is_ok());
}

#[test]
fn places_of_values_are_those_of_the_text() {
    let mut sources = Sources::default();
    let file = sources.add("x", ONE);
    let mut errors = crate::front::errors::Errors::default();
    let value = json::parse(ONE, file).expect("JSON");
    let object = value.object("it", &mut errors).expect("an object");
    let version = object.get("schema_version").expect("a version");
    assert_eq!(at(ONE, version.loc()), "1");
    assert!(errors.is_empty());
}
