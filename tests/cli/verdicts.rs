//! Verdicts that are about somebody else's plan, and questions put to the wrong command.

use std::fs;

use serde_json::Value;

use crate::tool::{run, stderr, stdout};

const HAZARD: &str = include_str!("../../specs/kernels/hazard1_never_killed.mlir");
const SPEC: &str = include_str!("solve.in/rows.toml");
const TRACE: &str = "trace = 1\n\n[[op]]\nop = \"alloc\"\nout = \"x\"\nsize = \"2 MiB\"\n";

fn folder() -> tempfile::TempDir {
    let here = tempfile::tempdir().expect("a folder");
    for (name, text) in [("hazard.mlir", HAZARD), ("rows.toml", SPEC), ("trace.toml", TRACE)] {
        fs::write(here.path().join(name), text).expect("written");
    }
    here
}

#[test]
fn a_plan_of_the_pass_that_is_wrong_is_refuted_for_people_and_the_pass_s_for_machines() {
    let here = folder();
    let output = run(here.path(), &["solve", "hazard.mlir", "--strategy", "hivm"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("hazard.mlir: refuted: "), "{text}");
    assert!(text.lines().nth(1).is_some_and(|l| l.contains("refuted: the plan breaks")), "{text}");
    let args = ["solve", "hazard.mlir", "--strategy", "hivm", "--format", "json"];
    let json: Value = serde_json::from_str(&stdout(&run(here.path(), &args))).expect("JSON");
    assert_eq!(json["verdict"], "feasible");
    let warnings = json["functions"][0]["scopes"][0]["warnings"].as_array().expect("warnings");
    let refuted = |w: &Value| w.as_str().is_some_and(|w| w.starts_with("refuted: "));
    assert!(warnings.iter().any(refuted), "{warnings:?}");
}

#[test]
fn a_gate_lets_no_refuted_plan_pass() {
    let here = folder();
    fs::write(here.path().join("budget.toml"), "version = 1\n").expect("written");
    let args = ["verify", "hazard.mlir", "--strategy", "hivm", "--budget", "budget.toml"];
    let output = run(here.path(), &args);
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
}

/// What is said on stderr, whatever the width of lines.
fn words(output: &std::process::Output) -> String {
    stderr(output).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn traces_and_problems_name_each_other_s_command() {
    let here = folder();
    let output = run(here.path(), &["solve", "trace.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(words(&output).contains("memplan replay trace.toml"), "{}", stderr(&output));
    for name in ["rows.toml", "hazard.mlir"] {
        let output = run(here.path(), &["replay", name]);
        assert_eq!(output.status.code(), Some(2));
        let command = format!("memplan solve {name}");
        assert!(words(&output).contains(&command), "{}", stderr(&output));
    }
}

#[test]
fn a_capacity_that_nobody_knows_may_be_given_on_the_command_line() {
    let here = folder();
    let text = "version = 1\ntarget = \"ascend910b\"\n[[buffer]]\nname = \"b\"\nscope = \"bt\"\n\
                size = 512\nlive = [0, 2]\n";
    fs::write(here.path().join("bias.toml"), text).expect("written");
    let code = |more: &[&str]| {
        let args = [&["solve", "bias.toml"], more].concat();
        run(here.path(), &args).status.code()
    };
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&["--capacity", "bt=1KiB"]), Some(0));
    assert_eq!(code(&["--capacity", "1KiB"]), Some(0));
    assert_eq!(code(&["--capacity", "bt=256"]), Some(1));
}
