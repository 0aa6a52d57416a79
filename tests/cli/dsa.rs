//! JSON packing problems through the command.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::tool::{run, run_with, stderr, stdout};

fn here() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/dsa.in")
}

#[test]
fn costs_and_bounds_are_in_the_report_and_levels_are_null() {
    let output = run(&here(), &["solve", "conv.json", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let scopes = report["functions"][0]["scopes"].as_array().expect("scopes");
    assert_eq!(scopes.len(), 2);
    for scope in scopes {
        assert_eq!(scope["level"], Value::Null);
        let listed = scope["reuse"].as_array().expect("a list").iter();
        let paid: u64 = listed.clone().filter_map(|r| r["cost"].as_u64()).sum();
        assert_eq!(scope["reuse_cost"], paid);
        assert!(scope["reuse_cost_bound"].as_u64() <= Some(paid));
        for reuse in listed {
            assert_eq!(reuse["level"], Value::Null);
            assert_eq!(reuse["stall"], reuse["cost"] != 0);
            assert_eq!(reuse["reason"].is_string(), reuse["cost"] != 0);
        }
    }
    // Either of `row` and `row_next`, or `row` and `scaled` with one more, has to share.
    assert_eq!(scopes[0]["reuse_cost"], 4);
    assert_eq!(scopes[1]["reuse_cost"], 2);
}

#[test]
fn a_plan_is_written_and_verified_and_belongs_to_its_document() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["conv.json", "one.json"] {
        fs::copy(here().join(name), folder.path().join(name)).expect("copied");
    }
    let solve = run(folder.path(), &["solve", "conv.json", "-o", "p.plan.toml", "-q"]);
    assert_eq!(solve.status.code(), Some(0), "{}", stderr(&solve));
    let verify = run(folder.path(), &["verify", "conv.json", "--plan", "p.plan.toml"]);
    assert_eq!(verify.status.code(), Some(0), "{}", stdout(&verify));
    assert!(stdout(&verify).contains("reuse cost of 4 in Vec"), "{}", stdout(&verify));
    // Other prices are another problem.
    let text = fs::read_to_string(folder.path().join("conv.json")).expect("text");
    let dear = text.replacen("\"cost\": 3", "\"cost\": 30", 1);
    fs::write(folder.path().join("dear.json"), dear).expect("written");
    let verify = run(folder.path(), &["verify", "dear.json", "--plan", "p.plan.toml"]);
    assert_eq!(verify.status.code(), Some(1));
    assert!(stdout(&verify).contains("verify::plan_mismatch"), "{}", stdout(&verify));
    let all = run(folder.path(), &["solve", ".", "-o", "plans/", "-q"]);
    assert_eq!(all.status.code(), Some(0), "{}", stderr(&all));
    let all = run(folder.path(), &["verify", ".", "--plan", "plans/", "-q"]);
    assert_eq!(all.status.code(), Some(0), "{}", stdout(&all));
}

#[test]
fn a_document_is_known_by_its_content() {
    let text = fs::read(here().join("one.json")).expect("text");
    for args in [&["solve", "-"][..], &["solve", "-", "--from", "dsa"]] {
        let output = run_with(&here(), args, &text);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let output = run_with(&here(), &["solve", "-", "--from", "dsa"], b"{\"problem\": }");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("memplan::dsa::syntax"), "{}", stderr(&output));
    assert!(stderr(&output).contains("<stdin>:1:13"), "{}", stderr(&output));
}

#[test]
fn strategies_are_compared_by_cost() {
    let args = ["bench", "conv.json", "--strategies", "auto,first-fit,optimal", "--format", "json"];
    let output = run(&here(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = report["rows"].as_array().expect("rows");
    let cost = |strategy: &str, scope: &str| {
        let mine = |r: &&Value| r["strategy"] == strategy && r["scope"] == scope;
        let row = rows.iter().find(mine).expect("a row");
        (row["reuse_cost"].as_u64(), row["peak"].as_u64())
    };
    assert_eq!(cost("auto", "Vec").0, Some(4));
    // `optimal` asks for the smallest peak, whatever it costs.
    assert!(cost("optimal", "Vec").1 <= cost("auto", "Vec").1);
    assert!(cost("optimal", "Vec").0 >= cost("auto", "Vec").0);
}

#[test]
fn bytes_that_are_no_text_and_texts_that_are_too_large_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("x.json"), b"{\"schema_version\": 1, \"problem\": \"\xff\"}")
        .expect("written");
    let output = run(folder.path(), &["solve", "x.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("memplan::dsa::invalid_utf8"), "{}", stderr(&output));
    fs::copy(here().join("one.json"), folder.path().join("one.json")).expect("copied");
    let output = crate::tool::memplan(folder.path(), &["solve", "one.json"])
        .env("MEMPLAN_MAX_INPUT", "100")
        .output()
        .expect("memplan runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("memplan::dsa::too_large"), "{}", stderr(&output));
}
