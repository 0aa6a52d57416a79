//! JSON Lines and TOML say the same.

use memplan::format::trace::{CALLS, EVERY_CALL, EVERY_LINE, INSTRUCTIONS, Key, Row};
use memplan::model::trace::{CoreLine, Instruction, Trace};
use quickcheck::quickcheck;
use serde_json::{Map, Value, json};

use super::good;
use super::rows::{PRELUDE, sample};

/// A line of a row with the keys that bits choose.
fn line(row: &Row, every: &[Key], bits: u32) -> Value {
    let mut line = Map::new();
    line.insert("op".to_owned(), json!(row.name));
    // `reserve` has an `at` of its own.
    let every = every.iter().filter(|k| row.key(k.name).is_none());
    for (at, key) in row.keys.iter().chain(every).enumerate() {
        let wanted = key.need || bits >> (at % 32) & 1 == 1;
        // Lines of one program stand together, whatever lies between.
        if wanted && !["op", "program"].contains(&key.name) {
            line.entry(key.name.to_owned()).or_insert_with(|| sample(key));
        }
    }
    if ["host_read", "host_write"].contains(&row.name) {
        line.insert("p".to_owned(), json!("a"));
    }
    Value::Object(line)
}

/// A trace without places, with names in place of their numbers.
fn bare(mut trace: Trace) -> String {
    fn lines(all: &mut [CoreLine]) {
        for line in all {
            line.loc = None;
            match &mut line.instruction {
                Instruction::Loop { body, .. } => lines(body),
                Instruction::If { then, otherwise, .. } => {
                    lines(then);
                    lines(otherwise);
                }
                _ => {}
            }
        }
    }
    trace.ops.iter_mut().for_each(|op| op.loc = None);
    trace.settings.iter_mut().for_each(|setting| setting.loc = None);
    trace.injections.iter_mut().for_each(|injection| injection.loc = None);
    trace.programs.iter_mut().for_each(|program| lines(&mut program.lines));
    let names = std::mem::take(&mut trace.names);
    let text = format!("{trace:#?}").replace(",\n", "\n");
    let mut out = String::new();
    let mut rest = text.lines();
    while let Some(line) = rest.next() {
        match line.trim_end().strip_suffix("Sym(") {
            Some(start) => {
                let number = rest.next().and_then(|n| n.trim().parse().ok()).unwrap_or(u32::MAX);
                let name = names.text(memplan::model::trace::Sym(number));
                out.push_str(&format!("{start}{name}\n"));
                rest.next();
            }
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

/// The lines of JSON as one TOML document.
fn toml(lines: &str) -> String {
    let mut lines = lines.lines().filter(|l| !l.is_empty()).map(|line| {
        let value: Value = serde_json::from_str(line).expect("JSON");
        toml::Value::try_from(value).expect("TOML")
    });
    let mut top = lines.next().expect("a header");
    let table = top.as_table_mut().expect("a table");
    table.insert("op".to_owned(), toml::Value::Array(lines.collect()));
    toml::to_string(&top).expect("text")
}

quickcheck! {
    fn the_two_forms_read_equal(picks: Vec<(u8, u32)>) -> bool {
        let mut text = PRELUDE.replace(
            r#"{"trace": 1}"#,
            r#"{"trace": 1, "mode": "source", "oversub": {"batch": 3}, "expect_findings": {"LEAK": 1}}"#,
        );
        for (pick, bits) in picks {
            let pick = usize::from(pick) % (CALLS.len() + INSTRUCTIONS.len());
            let line = match CALLS.get(pick) {
                // What may be made once is made once.
                Some(row) if row.name.ends_with("_create") || row.name == "fork" => continue,
                Some(row) if row.name == "join" => continue,
                Some(row) => line(row, EVERY_CALL, bits),
                None => line(&INSTRUCTIONS[pick - CALLS.len()], EVERY_LINE, bits),
            };
            text.push_str(&format!("{line}\n"));
        }
        let (lines, document) = (bare(good(&text)), bare(good(&toml(&text))));
        assert_eq!(lines, document, "{text}");
        let printed = memplan::emit::trace(&good(&text));
        assert_eq!(bare(good(&printed)), lines, "{text}\n{printed}");
        true
    }
}

#[test]
fn the_form_is_told_by_the_text() {
    use memplan::front::trace::is_trace;

    assert!(is_trace("{\"trace\": 1}\n"));
    assert!(is_trace("# a trace\n\ntrace = 1\n[[op]]\n"));
    assert!(is_trace("mode = \"spec\"\ntrace = 1\n"));
    assert!(!is_trace("version = 1\n[[op]]\nname = 'trace = 1'\n"));
    assert!(!is_trace("{\"schema_version\": 1}"));
    assert!(!is_trace(""));
}

#[test]
fn a_long_trace_is_read_in_linear_time() {
    let line =
        "{\"op\": \"host_write\", \"p\": \"a\", \"off\": 64, \"len\": 64, \"val\": \"x@1\"}\n";
    let text = format!("{PRELUDE}{}", line.repeat(100_000));
    let began = std::time::Instant::now();
    assert_eq!(good(&text).ops.len(), 100_007);
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}

#[test]
fn the_examples_are_traces() {
    for entry in std::fs::read_dir("specs/traces").expect("examples") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("text");
        assert!(memplan::front::trace::is_trace(&text));
        good(&text);
    }
}
