//! All texts of the shared corpus.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::read;

/// The texts by path; none, said loudly, where the corpus is not there.
pub(super) fn texts() -> Vec<(PathBuf, String)> {
    let root = env::var_os("MEMPLAN_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
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
