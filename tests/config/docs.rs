//! docs/CI.md and the schema know the same keys as the command.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::tool::{stderr, stdout};
use crate::tree::{CSV, run, tree};

const DOCS: &str = include_str!("../../docs/CI.md");

#[test]
fn every_key_stands_in_the_table() {
    let here = tree(&[]);
    let schema: Value =
        serde_json::from_str(&stdout(&run(here.path(), &["schema", "config"], &[]))).expect("JSON");
    let keys = schema["properties"].as_object().expect("properties");
    let keys: BTreeSet<&str> = keys.keys().map(String::as_str).collect();
    let rows = DOCS.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let told: BTreeSet<&str> =
        rows.flat_map(|row| row.split(", ")).map(|k| k.trim_matches('`')).collect();
    assert_eq!(told, keys);
}

#[test]
fn the_examples_are_files_that_can_be_read() {
    let blocks: Vec<&str> =
        DOCS.split("```toml\n").skip(1).filter_map(|b| b.split("```").next()).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let here = tree(&[("a.csv", CSV), ("memplan.toml", block)]);
        let output = run(here.path(), &["solve", "a.csv"], &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

#[test]
fn the_page_of_bad_files_shows_one() {
    let page = include_str!("../../src/diag/pages/config_bad_file.md");
    let example = page.split("```toml\n").nth(1).and_then(|b| b.split("```").next());
    let here = tree(&[("kernel.csv", CSV), ("memplan.toml", example.expect("an example"))]);
    let output = run(here.path(), &["solve", "kernel.csv"], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("memplan::config::bad_file"), "{}", stderr(&output));
}
