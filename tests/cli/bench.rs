//! Strategies side by side: the contract, the baseline, the exit codes.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::tool::{run, stderr, stdout};

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/bench.in")
}

/// The report of a run in the folder of inputs, without its times.
fn report(args: &[&str]) -> Value {
    let args = [&["bench", "--format", "json"], args].concat();
    let output = run(&here(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut report = serde_json::from_slice(&output.stdout).expect("JSON");
    timeless(&mut report);
    report
}

fn timeless(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, _| !key.ends_with("seconds"));
            fields.values_mut().for_each(timeless);
        }
        Value::Array(items) => items.iter_mut().for_each(timeless),
        _ => {}
    }
}

/// What is on stdout, with every `old` made `new`.
fn edited(args: &[&str], old: &str, new: &str) -> String {
    let output = run(&here(), &[&["bench", "--format", "json"], args].concat());
    let text = stdout(&output);
    assert!(text.contains(old), "{text}");
    text.replace(old, new)
}

#[test]
fn rows_have_the_keys_of_the_contract() {
    let output = run(&here(), &["bench", ".", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["command"], "bench");
    let contract = [
        "input",
        "function",
        "scope",
        "buffers",
        "max_load",
        "lower_bound",
        "strategy",
        "peak",
        "excess",
        "reuse_cost",
        "verdict",
        "nodes",
        "seconds",
        "level",
        "stalls",
        "fits",
        "refuted",
        "read_seconds",
        "replay_seconds",
    ];
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4 * 5);
    for row in rows {
        for key in contract {
            assert!(row.get(key).is_some(), "{key} in {row}");
        }
        let skipped = row["strategy"] == "hivm" && row["input"] != "./kernel.mlir";
        assert_eq!(row["verdict"].is_null(), skipped, "{row}");
        assert_eq!(row["seconds"].is_number(), !skipped, "{row}");
        assert!(row["note"].is_string() || !skipped, "{row}");
    }
}

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    let levels = [".", "--levels", "pipe,loop,slot,lifetime", "--jobs"];
    let one = report(&[&levels[..], &["1"]].concat());
    let two = report(&[&levels[..], &["2"]].concat());
    assert_eq!(one, two);
    assert_eq!(one["rows"].as_array().map(Vec::len), Some(4 * 9));
}

#[test]
fn csv_has_a_line_for_each_row() {
    let output = run(&here(), &["bench", "small.csv", "--format", "csv"]);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 5);
    assert!(lines[0].starts_with("input,function,scope,capacity,buffers,max_load,"), "{text}");
    assert!(lines[1].starts_with("small.csv,small,arena,,3,96,96,auto,96,0,0,optimal,"), "{text}");
    let other = run(&here(), &["solve", "small.csv", "--format", "csv"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("is for `bench` alone"), "{}", stderr(&other));
}

#[test]
fn a_higher_peak_than_in_the_baseline_is_a_regression() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("old.json");
    let path = file.to_str().expect("UTF-8");
    let args = ["small.csv", "--strategies", "auto,first-fit"];
    let bench = |more: &[&str]| {
        let args = [&["bench", "--baseline", path], &args[..], more].concat();
        run(&here(), &args)
    };
    // As it was.
    fs::write(&file, edited(&args, "", "")).expect("written");
    let output = bench(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("auto: as before"), "{}", stdout(&output));
    // It was smaller.
    fs::write(&file, edited(&args, "\"peak\": 96", "\"peak\": 95")).expect("written");
    let output = bench(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("2 rows in both"), "{text}");
    assert!(text.contains("worse small.csv `small` arena: optimal 95 B -> optimal 96 B"), "{text}");
    // With another budget that is no regression.
    let output = bench(&["--nodes", "7"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("`--nodes` differ: nothing counts as worse"), "{text}");
    // It was larger.
    fs::write(&file, edited(&args, "\"peak\": 96", "\"peak\": 97")).expect("written");
    let output = bench(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("auto: 1 peak down"), "{}", stdout(&output));
}

#[test]
fn a_baseline_that_is_none_breaks_the_question() {
    let folder = tempfile::tempdir().expect("a folder");
    let solved = run(&here(), &["solve", "small.csv", "--format", "json"]);
    let texts = [String::new(), "{}".to_owned(), "[1]".to_owned(), stdout(&solved)];
    for text in texts {
        let file = folder.path().join("old.json");
        fs::write(&file, &text).expect("written");
        let path = file.to_str().expect("UTF-8");
        let output = run(&here(), &["bench", "small.csv", "--baseline", path]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(stderr(&output).contains("is no report of `memplan bench`"), "{}", stderr(&output));
    }
    let output = run(&here(), &["bench", "small.csv", "--baseline", "nowhere.json"]);
    assert_eq!(output.status.code(), Some(2));
}
