//! Which file holds for which input.

use std::fs;

use crate::tool::{run_with, stderr, stdout};
use crate::tree::{CSV, capacities, capacity, run, tree, write};

#[test]
fn each_input_has_the_nearest_file() {
    let here = tree(&[
        ("k/a.csv", CSV),
        ("k/deep/er/b.csv", CSV),
        ("k/other/c.csv", CSV),
        ("memplan.toml", "capacity = ['100']\n"),
        ("k/other/memplan.toml", "seed = 1\n"),
        ("k/deep/memplan.toml", "capacity = ['300']\n"),
    ]);
    let row = |name: &str, capacity| (name.to_owned(), capacity);
    let expected =
        [row("k/a.csv", Some(100)), row("k/deep/er/b.csv", Some(300)), row("k/other/c.csv", None)];
    assert_eq!(capacities(here.path(), &["k"], &[]), expected);
    assert_eq!(capacities(&here.path().join("k/deep"), &["er"], &[]), [row("er/b.csv", Some(300))]);
    // The order of the arguments is that of the answer, and nothing else.
    let args = ["k/other/c.csv", "k/deep/er/b.csv", "k/a.csv"];
    let [a, b, c] = expected;
    assert_eq!(capacities(here.path(), &args, &[]), [c, b, a]);
}

#[test]
fn a_repository_is_the_end_of_the_search() {
    let here = tree(&[("memplan.toml", "capacity = ['100']\n"), ("sub/a.csv", CSV)]);
    assert_eq!(capacity(here.path(), &["sub/a.csv"], &[]), [Some(100)]);
    fs::create_dir(here.path().join("sub/.git")).expect("a folder");
    assert_eq!(capacity(here.path(), &["sub/a.csv"], &[]), [None]);
    assert_eq!(capacity(here.path(), &["sub"], &[]), [None]);
    assert_eq!(capacity(here.path(), &["."], &[]), [None]);
}

#[test]
fn standard_input_is_in_the_working_folder() {
    let here = tree(&[("memplan.toml", "capacity = ['50']\n")]);
    let output = run_with(here.path(), &["solve", "-"], CSV.as_bytes());
    assert_eq!(output.status.code(), Some(1), "96 bytes do not fit 50: {}", stderr(&output));
}

#[test]
fn paths_are_relative_to_the_file() {
    let target = "version = 1\nname = 'mine'\n\n[[scope]]\nname = 'ub'\ncapacity = 4096\n\
                  alignment = 32\nsource = 'here'\n";
    let spec = "version = 1\n[[buffer]]\nname = 'x'\nscope = 'ub'\nsize = 64\nlive = [0, 1]\n";
    let here = tree(&[
        ("team/chips/mine.toml", target),
        ("team/memplan.toml", "target = 'chips/mine.toml'\n"),
        ("team/k/a.toml", spec),
    ]);
    assert_eq!(capacity(here.path(), &["team/k/a.toml"], &[]), [Some(4096)]);
    assert_eq!(capacity(&here.path().join("team/k"), &["a.toml"], &[]), [Some(4096)]);
}

#[test]
fn a_config_is_no_input() {
    let here = tree(&[("k/a.csv", CSV), ("k/memplan.toml", "version = 1\n")]);
    let names: Vec<String> =
        capacities(here.path(), &["k"], &[]).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["k/a.csv"]);
}

#[test]
fn a_file_that_is_named_is_the_only_one() {
    let here = tree(&[
        ("k/a.csv", CSV),
        ("k/memplan.toml", "capacity = ['100']\n"),
        ("ci/memplan.toml", "capacity = ['300']\n"),
    ]);
    let args = ["k", "--config", "ci/memplan.toml"];
    assert_eq!(capacity(here.path(), &args, &[]), [Some(300)]);
    let output = run(here.path(), &["solve", "k", "--config", "none.toml"], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("memplan::config::unreadable"), "{}", stderr(&output));
}

#[test]
fn all_mistakes_of_all_files_are_told_at_once() {
    let here = tree(&[
        ("k/a.csv", CSV),
        ("k/memplan.toml", "levle = 'slot'\nnodes = 'many'\n"),
        ("k/b/b.csv", CSV),
        ("k/b/memplan.toml", "strategy = 'hivn'\n"),
    ]);
    for format in ["human", "json"] {
        let output = run(here.path(), &["solve", "k", "--format", format], &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stdout(&output).is_empty(), "{}", stdout(&output));
        let told = stderr(&output);
        assert_eq!(told.matches("memplan::config::bad_file").count(), 3, "{told}");
        for words in ["did you mean `level`?", "k/memplan.toml:2:9", "did you mean `hivm`?"] {
            assert!(told.contains(words), "{words}: {told}");
        }
    }
}

#[test]
fn files_of_one_run_agree_on_what_a_run_has_one_of() {
    let here = tree(&[
        ("a/a.csv", CSV),
        ("a/memplan.toml", "seed = 1\ncapacity = ['100']\n"),
        ("b/b.csv", CSV),
        ("b/memplan.toml", "capacity = ['200']\nseed = 2\n"),
    ]);
    for args in [["a", "b"], ["b", "a"]] {
        let output = run(here.path(), &[&["solve"], &args[..]].concat(), &[]);
        assert_eq!(output.status.code(), Some(2));
        let told = stderr(&output);
        assert!(told.contains("memplan::config::bad_file"), "{told}");
        assert!(
            told.contains("a/memplan.toml:1:8") && told.contains("b/memplan.toml:2:8"),
            "{told}"
        );
    }
    // Said louder, once.
    let args = ["a", "b", "--seed", "3"];
    assert_eq!(capacity(here.path(), &args, &[]), [Some(100), Some(200)]);
    // A file that says nothing has no objection.
    write(here.path(), "b/memplan.toml", "capacity = ['200']\n");
    assert_eq!(capacity(here.path(), &["b", "a"], &[]), [Some(200), Some(100)]);
}

#[test]
fn each_input_keeps_its_own_level() {
    let kernel = include_str!("../../specs/kernels/fragmentation_default.mlir");
    let here = tree(&[
        ("k/free/a.mlir", kernel),
        ("k/strict/b.mlir", kernel),
        ("k/strict/memplan.toml", "level = 'pipe'\n"),
    ]);
    let of = |args: &[&str]| run(here.path(), args, &[]).status.code();
    assert_eq!(of(&["solve", "k/free"]), Some(0));
    assert_eq!(of(&["solve", "k/strict"]), Some(1));
    let output = run(here.path(), &["solve", "k", "--format", "json"], &[]);
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let verdicts: Vec<_> = report["functions"].as_array().expect("functions").iter().collect();
    assert_eq!(verdicts[0]["verdict"], "optimal");
    assert_eq!(verdicts[1]["verdict"], "infeasible");
    assert_eq!(of(&["solve", "k", "--level", "loop"]), Some(0), "a flag holds for all");
}
