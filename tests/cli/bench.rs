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
            fields.retain(|key, _| !key.ends_with("seconds") && key != "speed");
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
        "capacity",
        "optimum",
        "buffers",
        "max_load",
        "lower_bound",
        "strategy",
        "peak",
        "excess",
        "reuse_cost",
        "reuse_cost_bound",
        "verdict",
        "nodes",
        "seconds",
        "level",
        "stalls",
        "fits",
        "refuted",
        "read_seconds",
        "replay_seconds",
        "startup_seconds",
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
fn a_strategy_has_its_mean_and_worst_excess_and_its_speed() {
    let args = ["bench", ".", "--format", "json", "--strategies", "optimal,first-fit,hivm"];
    let output = run(&here(), &args);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let [optimal, first_fit, hivm] = [0, 1, 2].map(|at| &report["strategies"][at]);
    assert_eq!((&optimal["mean_excess"], &optimal["worst_excess"]), (&0.0.into(), &0.0.into()));
    assert_eq!(optimal["speed"], 1.0);
    let number = |key: &str| first_fit[key].as_f64().expect("a number");
    assert!(number("mean_excess") > 0.0 && number("worst_excess") >= number("mean_excess"));
    assert!(number("speed") > 0.0);
    // The one kernel that the pass reads.
    assert_eq!((&hivm["scopes"], &hivm["skipped"]), (&1.into(), &3.into()));
}

#[test]
fn instances_made_to_measure_are_inputs_with_a_known_capacity() {
    let rows = |args: &[&str]| {
        let args = [&["--generate", "perfect,40,3", "--strategies", "auto"], args].concat();
        report(&args)["rows"].as_array().expect("rows").clone()
    };
    let made = rows(&["--generate", "near,40,3", "small.csv", "--from", "csv"]);
    let cell = |at: usize, key: &str| made[at][key].clone();
    let names: Vec<Value> = (0..3).map(|at| cell(at, "input")).collect();
    assert_eq!(names, ["small.csv", "perfect-40-3.csv", "near5-40-3.csv"]);
    assert_eq!([0, 1, 2].map(|at| cell(at, "buffers")), [3, 40, 38]);
    assert_eq!([1, 2].map(|at| cell(at, "capacity")), [1_048_576, 1_048_576]);
    assert_eq!((cell(1, "optimum"), cell(2, "optimum")), (1_048_576.into(), Value::Null));
    assert_eq!((cell(1, "peak"), cell(1, "verdict")), (1_048_576.into(), "optimal".into()));
    let small = rows(&["--capacity", "1MiB", "--capacity", "arena=1048575"]);
    assert_eq!(
        (&small[0]["capacity"], &small[0]["verdict"]),
        (&1_048_575.into(), &"infeasible".into())
    );
}

#[test]
fn instances_that_were_written_are_the_same_inputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let kinds =
        ["perfect,30,1", "loops,30,1", "chain,30,1", "aligned,30,1", "equal,30,1", "mixed,30,1"];
    let orders: Vec<&str> = kinds.iter().flat_map(|kind| ["--generate", kind]).collect();
    let made = run(folder.path(), &[&["bench", "-o", "made/here"], &orders[..]].concat());
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let both = ["bench", "made", "--strategies", "greedy-size", "--format", "json"];
    let output = run(folder.path(), &[&both[..], &orders, &["--capacity", "1GiB"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 12);
    for row in &rows[6..] {
        let name = row["input"].as_str().expect("a name");
        let same = rows.iter().find(|r| r["input"] == format!("made/here/{name}"));
        let peak = |r: &Value| (r["peak"].clone(), r["max_load"].clone());
        assert_eq!(same.map(peak), Some(peak(row)), "{name}");
    }
}

#[test]
fn csv_has_a_line_for_each_row() {
    let output = run(&here(), &["bench", "small.csv", "--format", "csv"]);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 5);
    assert!(
        lines[0].starts_with("input,function,scope,capacity,optimum,buffers,max_load,"),
        "{text}"
    );
    assert!(
        lines[1].starts_with("small.csv,small,arena,,,3,96,96,auto,96,0,0,0,optimal,"),
        "{text}"
    );
    let other = run(&here(), &["solve", "small.csv", "--format", "csv"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("has no `--format csv`"), "{}", stderr(&other));
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
