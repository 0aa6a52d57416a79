//! All texts of the shared corpus.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::{module, read};
use crate::ir::hlo::print;

/// The texts by path; none, said loudly, where the corpus is not there.
pub(super) fn texts() -> Vec<(PathBuf, String)> {
    let root = env::var_os("MEMPLAN_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let mut todo = vec![root.join("corpus/hlo")];
    let mut texts = Vec::new();
    while let Some(path) = todo.pop() {
        if let Ok(entries) = fs::read_dir(&path) {
            todo.extend(entries.flatten().map(|entry| entry.path()));
        } else if path.to_string_lossy().ends_with(".hlo.txt") {
            texts.push((path.clone(), fs::read_to_string(path).expect("a text")));
        }
    }
    texts.sort();
    if texts.is_empty() {
        eprintln!("SKIPPED: no corpus in {}", root.display());
    }
    texts
}

#[test]
fn every_text_of_the_corpus_is_read() {
    for (path, text) in texts() {
        if let Err(errors) = read(&text) {
            panic!("{}: {errors:?}", path.display());
        }
    }
}

#[test]
fn every_text_of_the_corpus_is_printed_as_xla_prints_it() {
    for (path, text) in texts() {
        let module = module(&text);
        let printed = print(&module);
        for (at, (written, printed)) in text.lines().zip(printed.lines()).enumerate() {
            // Values that are kept as written lose their comments.
            let same = written == printed || without_indices(written) == without_indices(printed);
            assert!(same, "{}:{}\n{written}\n{printed}", path.display(), at + 1);
        }
        assert_eq!(text.lines().count(), printed.lines().count(), "{}", path.display());
        let again = super::module(&printed);
        assert!(again.same_as(&module), "{}", path.display());
        assert_eq!(print(&again), printed, "{}", path.display());
    }
}

/// A line without `/*index=5*/`.
fn without_indices(line: &str) -> String {
    let mut parts = line.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| line + part.split_once("*/").map_or("", |(_, rest)| rest))
}
