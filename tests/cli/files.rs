//! What is written, and where.

use std::fs;
use std::path::Path;

use crate::tool::{run, stderr, stdout};

const SPEC: &str = include_str!("solve.in/rows.toml");
const CSV: &str = include_str!("solve.in/small.csv");
const OVERFLOW: &str = include_str!("solve.in/overflow.toml");

fn folder() -> tempfile::TempDir {
    let here = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(here.path().join("in/deep")).expect("made");
    fs::write(here.path().join("in/rows.toml"), SPEC).expect("written");
    fs::write(here.path().join("in/deep/small.csv"), CSV).expect("written");
    here
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("entries");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_plan_is_written_whole_and_read_back() {
    let here = folder();
    let output = run(here.path(), &["solve", "in/rows.toml", "-o", "rows.plan.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(names(here.path()), ["in", "rows.plan.toml"]);
    let args = ["verify", "in/rows.toml", "--plan", "rows.plan.toml", "--deny", "warnings"];
    let output = run(here.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

#[test]
fn a_csv_goes_round() {
    let here = folder();
    let output = run(here.path(), &["solve", "in/deep/small.csv", "-o", "out.csv", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = fs::read_to_string(here.path().join("out.csv")).expect("rows");
    assert!(text.starts_with("id,lower,upper,size,offset\n"), "{text}");
    for args in [&["verify", "out.csv"][..], &["verify", "in/deep/small.csv", "--plan", "out.csv"]]
    {
        let output = run(here.path(), args);
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    }
}

#[test]
fn a_folder_of_plans_keeps_its_shape() {
    let here = folder();
    let output = run(here.path(), &["solve", "in", "-o", "plans/"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(names(&here.path().join("plans")), ["deep", "rows.plan.toml"]);
    assert_eq!(names(&here.path().join("plans/deep")), ["small.plan.toml"]);
    let output = run(here.path(), &["verify", "in", "--plan", "plans"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    // Solving a folder that holds its own plans does not take them for specs.
    let output = run(here.path(), &["solve", ".", "-q"]);
    assert!(stdout(&output).contains("2 inputs: "), "{}", stdout(&output));
}

#[test]
fn no_plan_is_written_when_there_is_none() {
    let here = folder();
    fs::write(here.path().join("big.toml"), OVERFLOW).expect("written");
    let output = run(here.path(), &["solve", "big.toml", "-o", "big.plan.toml"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(names(here.path()), ["big.toml", "in"]);
}

#[test]
fn a_plan_for_another_spec_is_refused() {
    let here = folder();
    run(here.path(), &["solve", "in/rows.toml", "-o", "rows.plan.toml"]);
    let other = SPEC.replace("60 KiB", "61 KiB");
    fs::write(here.path().join("in/rows.toml"), other).expect("written");
    let output = run(here.path(), &["verify", "in/rows.toml", "--plan", "rows.plan.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("memplan::verify::plan_mismatch"), "{}", stdout(&output));
}
