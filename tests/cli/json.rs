//! The JSON contract.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::tool::{run, stderr};

fn here(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli").join(name)
}

fn json(output: &Output) -> Value {
    assert!(output.stderr.is_empty(), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn solve_has_the_keys_of_the_contract() {
    let output = run(&here("solve.in"), &["solve", "rows.toml", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let report = json(&output);
    assert_eq!(report["format_version"], "1.3");
    assert_eq!(report["tool"]["name"], "memplan");
    assert_eq!(report["command"], "solve");
    let function = &report["functions"][0];
    for key in ["name", "input", "fingerprint", "verdict", "message", "scopes"] {
        assert!(keys(function).contains(&key), "{key}");
    }
    let scope = &function["scopes"][0];
    let contract = [
        "name",
        "capacity",
        "usable",
        "peak",
        "max_load",
        "lower_bound",
        "verdict",
        "reuse_cost",
        "reuse_cost_bound",
        "mode",
        "level",
        "strategy",
        "message",
        "warnings",
        "nodes",
        "limited_by",
        "buffers",
        "reuse",
        "attempts",
    ];
    for key in contract {
        assert!(keys(scope).contains(&key), "{key}");
    }
    let buffer = &scope["buffers"][0];
    for key in ["id", "name", "size", "slots", "offsets", "live", "loc"] {
        assert!(keys(buffer).contains(&key), "{key}");
    }
    assert_eq!(buffer["loc"], "rows.toml:10:8");
    for key in ["first", "second", "level", "stall", "pipes"] {
        assert!(keys(&scope["reuse"][0]).contains(&key), "{key}");
    }
}

#[test]
fn an_overflow_says_what_and_who() {
    let output = run(&here("solve.in"), &["solve", "overflow.toml", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    assert_eq!(report["verdict"], "infeasible");
    assert_eq!(report["diagnostics"][0]["code"], "memplan::plan::overflow");
    let scope = &report["functions"][0]["scopes"][0];
    assert_eq!(scope["peak"], Value::Null);
    let overflow = &scope["overflow"];
    assert_eq!(overflow["impossible"], true);
    assert_eq!(overflow["requires"], 384_032);
    assert_eq!(overflow["bits"], 384_032 * 8);
    assert_eq!(overflow["live"][0]["name"], "tile");
    assert_eq!(overflow["live"][0]["bytes"], 384_000);
}

#[test]
fn unbounded_is_null_and_levels_do_not_apply_to_rows() {
    let output = run(&here("solve.in"), &["solve", "small.csv", "--format", "json"]);
    let report = json(&output);
    let scope = &report["functions"][0]["scopes"][0];
    assert_eq!(scope["name"], "arena");
    assert_eq!(scope["capacity"], Value::Null);
    assert_eq!(scope["usable"], Value::Null);
    assert_eq!(scope["level"], Value::Null);
    assert_eq!(scope["peak"], 96);
}

#[test]
fn errors_of_inputs_are_diagnostics() {
    let output = run(&here("errors.in"), &["solve", "typo.toml", "nowhere.toml", "--format=json"]);
    assert_eq!(output.status.code(), Some(2));
    let report = json(&output);
    assert_eq!(report["verdict"], Value::Null);
    let diagnostics = report["diagnostics"].as_array().expect("a list");
    let code = |code: &str| diagnostics.iter().find(|d| d["code"] == code);
    let typo = code("memplan::spec::unknown_key").expect("unknown key");
    assert_eq!(keys(typo), ["code", "help", "labels", "message", "severity"]);
    assert_eq!(typo["labels"][0]["loc"], "typo.toml:6:1");
    assert!(code("memplan::config::unreadable").is_some());
}

#[test]
fn findings_of_verify() {
    let output = run(&here("verify.in"), &["verify", "bad.csv", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    assert_eq!(report["verdict"], "reject");
    let finding = &report["findings"][0];
    assert_eq!(finding["code"], "memplan::verify::overlap");
    for key in
        ["code", "severity", "message", "function", "scope", "buffers", "op", "loc", "witness"]
    {
        assert!(keys(finding).contains(&key), "{key}");
    }
}

#[test]
fn answers_do_not_depend_on_threads() {
    let answer = |jobs: &str| {
        let args = ["solve", "solve.in", "several.in", "--format", "json", "--jobs", jobs];
        run(&here("."), &args).stdout
    };
    let one = answer("1");
    assert!(!one.is_empty());
    assert_eq!(one, answer("4"));
    assert_eq!(one, answer("7"));
}

#[test]
fn reports_keep_to_their_schema() {
    let output = run(&here("."), &["schema", "report"]);
    let schema: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let scope = &schema["$defs"]["Scope"]["properties"];
    assert!(keys(scope).contains(&"lower_bound"), "{}", schema["$defs"]);
    for of in ["spec", "plan"] {
        let output = run(&here("."), &["schema", of]);
        let schema: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(schema["additionalProperties"], false, "{of}");
    }
}
