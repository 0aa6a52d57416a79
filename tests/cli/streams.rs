//! stdin, stdout, stderr, colour, limits.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use crate::tool::{memplan, run, run_with, stderr, stdout};

const CSV: &str = "id,lower,upper,size\na,0,3,64\nb,2,5,32\n";

#[test]
fn standard_input_is_read_by_content_or_name() {
    let here = tempfile::tempdir().expect("a folder");
    let output = run_with(here.path(), &["solve", "-", "-q"], CSV.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("<stdin>: optimal"), "{}", stdout(&output));
    let named = ["solve", "-", "-q", "--stdin-name", "x/case.csv"];
    let output = run_with(here.path(), &named, CSV.as_bytes());
    assert!(stdout(&output).starts_with("x/case.csv: optimal"), "{}", stdout(&output));
    let output = run_with(here.path(), &["solve", "-"], b"hello\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("memplan::config::unknown_format"));
    assert!(stdout(&output).is_empty());
}

#[test]
fn the_limit_is_enforced_while_reading() {
    let here = tempfile::tempdir().expect("a folder");
    let mut command = memplan(here.path(), &["solve", "/dev/zero", "--from", "csv"]);
    let output = command.env("MEMPLAN_MAX_INPUT", "64 KiB").output().expect("memplan runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("memplan::csv::too_large"), "{}", stderr(&output));
    let mut command = memplan(here.path(), &["solve", "x.toml"]);
    let output = command.env("MEMPLAN_MAX_INPUT", "a lot").output().expect("memplan runs");
    assert!(stderr(&output).contains("memplan::config::bad_option"), "{}", stderr(&output));
}

#[test]
fn a_broken_pipe_is_no_failure() {
    let here = tempfile::tempdir().expect("a folder");
    for args in [&["explain", "--all"][..], &["completions", "bash"], &["man"], &["schema"]] {
        let mut command = memplan(here.path(), args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("memplan runs");
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().expect("stderr").read_to_string(&mut said).expect("text");
        let status = child.wait().expect("memplan ends");
        assert_eq!((status.code(), said.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn colour_is_for_terminals_unless_asked_for() {
    let here = tempfile::tempdir().expect("a folder");
    fs::write(here.path().join("a.csv"), CSV).expect("written");
    let coloured = |args: &[&str], name: &str, value: &str| {
        let mut command = memplan(here.path(), args);
        command.env(name, value);
        stdout(&command.output().expect("memplan runs")).contains('\u{1b}')
    };
    assert!(!coloured(&["solve", "a.csv"], "X", "1"));
    assert!(coloured(&["solve", "a.csv"], "CLICOLOR_FORCE", "1"));
    assert!(coloured(&["solve", "a.csv", "--color", "always"], "NO_COLOR", "1"));
    assert!(!coloured(&["solve", "a.csv", "--color", "never"], "CLICOLOR_FORCE", "1"));
}

#[test]
fn the_format_may_come_from_the_environment() {
    let here = tempfile::tempdir().expect("a folder");
    fs::write(here.path().join("a.csv"), CSV).expect("written");
    let mut command = memplan(here.path(), &["solve", "a.csv"]);
    let output = command.env("MEMPLAN_FORMAT", "json").output().expect("memplan runs");
    assert!(stdout(&output).starts_with("{\n  \"format_version\": \"1.3\""));
}

#[test]
fn a_usage_error_is_a_broken_question() {
    let here = tempfile::tempdir().expect("a folder");
    for args in [&["solve"][..], &["solve", "x", "--time", "soon"], &["frobnicate"], &[]] {
        let output = run(here.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stdout(&output).is_empty(), "{args:?}");
    }
    let output = run(here.path(), &["--help"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("Exit codes"));
}
