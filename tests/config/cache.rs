//! The cache of `verify`: faster, and never another answer.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::tool::{stderr, stdout};
use crate::tree::{run, tree, write};

fn kernel(size: u64) -> String {
    format!(
        "version = 1\n[[scope]]\nname = 'ub'\ncapacity = 4096\n\
         [[buffer]]\nname = 'x'\nsize = {size}\nlive = [0, 3]\n\
         [[buffer]]\nname = 'y'\nsize = 64\nlive = [2, 5]\n"
    )
}

fn repository() -> TempDir {
    let here = tree(&[
        ("k/a.toml", &kernel(64)),
        ("k/b.toml", &kernel(128)),
        ("memplan.toml", "budget = 'memplan-budget.toml'\ncache = '.memplan-cache'\n"),
    ]);
    let output = run(here.path(), &["verify", "k", "--update-budget"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // What was looked at on the way is not what is tested.
    let _ = fs::remove_dir_all(here.path().join(".memplan-cache"));
    here
}

/// Exit code, and what is said about the cache.
fn verify(here: &Path) -> (Option<i32>, String) {
    let output = run(here, &["verify", "k"], &[("MEMPLAN_LOG", "info")]);
    let told = stderr(&output);
    let line = told.lines().find(|line| line.starts_with("memplan: cache"));
    let found = line.and_then(|line| line.split_once(": cache `.memplan-cache`: "));
    (output.status.code(), found.unwrap_or_else(|| panic!("{told}")).1.to_owned())
}

fn entries(here: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(here.join(".memplan-cache")).expect("entries").flatten();
    all.map(|e| e.path()).filter(|p| p.file_name().is_some_and(|n| n.len() == 64)).collect()
}

#[test]
fn what_has_not_changed_is_not_looked_at_again() {
    let here = repository();
    assert_eq!(verify(here.path()), (Some(0), "0 of 2 found".to_owned()));
    assert_eq!(verify(here.path()), (Some(0), "2 of 2 found".to_owned()));
    write(here.path(), "k/a.toml", &kernel(32));
    assert_eq!(verify(here.path()), (Some(0), "1 of 2 found".to_owned()));
}

#[test]
fn what_is_over_budget_is_told_every_time() {
    let here = repository();
    verify(here.path());
    write(here.path(), "k/a.toml", &kernel(256));
    for _ in 0..2 {
        assert_eq!(verify(here.path()).0, Some(1));
    }
    // The budget is no part of an entry: another one is asked as if nothing were known.
    let output = run(here.path(), &["verify", "k", "--update-budget"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(verify(here.path()).0, Some(0));
    write(here.path(), "k/a.toml", &kernel(64));
    assert_eq!(verify(here.path()).0, Some(0));
}

#[test]
fn another_option_or_target_is_another_question() {
    let here = repository();
    verify(here.path());
    for (text, found) in
        [("seed = 7\n", "0 of 2 found"), ("capacity = ['ub=2048']\n", "0 of 2 found")]
    {
        let config = "budget = 'memplan-budget.toml'\ncache = '.memplan-cache'\n";
        write(here.path(), "memplan.toml", &format!("{config}{text}"));
        assert_eq!(verify(here.path()).1, found, "{text}");
        assert_eq!(verify(here.path()).1, "2 of 2 found", "{text}");
    }
}

#[test]
fn a_cache_that_is_broken_or_gone_is_made_again() {
    let here = repository();
    verify(here.path());
    for path in entries(here.path()) {
        let text = fs::read(&path).expect("an entry");
        fs::write(&path, &text[..text.len() / 2]).expect("written");
    }
    assert_eq!(verify(here.path()), (Some(0), "0 of 2 found".to_owned()));
    assert_eq!(verify(here.path()), (Some(0), "2 of 2 found".to_owned()));
    fs::remove_dir_all(here.path().join(".memplan-cache")).expect("deleted");
    assert_eq!(verify(here.path()), (Some(0), "0 of 2 found".to_owned()));
}

#[test]
fn a_folder_of_something_else_stays_as_it_is() {
    let here = repository();
    let before = fs::read_dir(here.path().join("k")).expect("entries").count();
    let log = [("MEMPLAN_LOG", "info")];
    let output = run(here.path(), &["verify", "k", "--cache", "k"], &log);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stderr(&output).contains("memplan: no cache: `k` holds files"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(here.path().join("k")).expect("entries").count(), before);
}
