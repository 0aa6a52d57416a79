//! The project's own instances are those that the command in their README makes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

const FOLDER: &str = "specs/bench";

/// The CSV files of a folder by name.
fn instances(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path());
    let csv = entries.filter(|path| path.extension().is_some_and(|e| e == "csv"));
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    csv.map(|path| (name(&path), fs::read_to_string(&path).expect("text"))).collect()
}

#[test]
fn the_committed_instances_are_those_of_the_command_beside_them() {
    let readme = fs::read_to_string(Path::new(FOLDER).join("README.md")).expect("the README");
    let from = readme.find("memplan bench ").expect("a command");
    let command = readme[from..].split("```").next().expect("a block").replace("\\\n", " ");
    let mut words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let at = words.iter().position(|w| *w == FOLDER).expect("where to");
    let fresh = tempfile::tempdir().expect("a folder");
    let to = fresh.path().to_str().expect("UTF-8");
    let bless = std::env::var_os("MEMPLAN_BLESS").is_some();
    words[at] = if bless { FOLDER } else { to };
    let output = Command::new(env!("CARGO_BIN_EXE_memplan")).args(&words).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    if bless {
        return;
    }
    let (committed, fresh) = (instances(Path::new(FOLDER)), instances(fresh.path()));
    assert!(committed == fresh, "stale: run `MEMPLAN_BLESS=1 cargo test --test instances`");
    assert!(committed.len() >= 20, "{}", committed.len());
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(readme.contains(&*table), "the README should have the table\n{table}");
}
