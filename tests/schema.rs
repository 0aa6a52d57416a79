//! The committed schemas are those that the binary prints, and every example names its schema.

use std::path::Path;
use std::process::Command;

fn printed(kind: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_memplan"))
        .args(["schema", kind])
        .output()
        .expect("memplan runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_committed_schemas_are_fresh() {
    for kind in ["spec", "plan", "trace", "machine", "config", "budget", "report"] {
        let path = Path::new("specs/schema").join(format!("{kind}.schema.json"));
        let fresh = printed(kind);
        if std::env::var_os("MEMPLAN_BLESS").is_some() {
            std::fs::write(&path, &fresh).expect("the schema is written");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == fresh,
            "{} is stale: run `MEMPLAN_BLESS=1 cargo test --test schema`",
            path.display()
        );
    }
}

#[test]
fn every_example_starts_with_its_schema() {
    for entry in std::fs::read_dir("specs/examples").expect("examples") {
        let path = entry.expect("an entry").path();
        // Packing problems of other compilers have a format of their own.
        if path.extension().is_some_and(|e| e == "json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        // Traces say their version, and what they show.
        if text.contains("\ntrace = 1\n") {
            continue;
        }
        let first = text.lines().next().unwrap_or_default();
        assert_eq!(first, "#:schema ../schema/spec.schema.json", "{}", path.display());
    }
}
