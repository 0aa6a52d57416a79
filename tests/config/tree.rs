//! Folders with kernels and configs.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::tool::{memplan, stderr, stdout};

/// A packing problem whose buffers need 96 bytes of its scope `arena`.
pub(crate) const CSV: &str = "id,lower,upper,size\na,0,3,64\nb,2,5,32\n";

/// A folder that is a repository of its own, so that no file above it counts.
pub(crate) fn tree(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join(".git")).expect("a folder");
    for (name, text) in files {
        write(root.path(), name, text);
    }
    root
}

/// Writes a file, and the folders above it.
pub(crate) fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("written");
}

/// Runs the command with variables.
pub(crate) fn run(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = memplan(folder, args);
    command.envs(variables.iter().copied()).output().expect("memplan runs")
}

/// The capacity of every scope that `solve` reports, by input.
pub(crate) fn capacities(
    folder: &Path,
    args: &[&str],
    variables: &[(&str, &str)],
) -> Vec<(String, Option<u64>)> {
    let args = [&["solve", "--format", "json"], args].concat();
    let output = run(folder, &args, variables);
    let report: Value = serde_json::from_str(&stdout(&output))
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(&output), stderr(&output)));
    let functions = report["functions"].as_array().expect("functions");
    let rows = functions.iter().map(|function| {
        let name = function["input"].as_str().expect("a name").to_owned();
        (name, function["scopes"][0]["capacity"].as_u64())
    });
    rows.collect()
}

/// The same without the names.
pub(crate) fn capacity(
    folder: &Path,
    args: &[&str],
    variables: &[(&str, &str)],
) -> Vec<Option<u64>> {
    capacities(folder, args, variables).into_iter().map(|(_, capacity)| capacity).collect()
}
