//! The law of the house: who may see whom, and what is absent where.
//!
//! The floors are those of the ground plan (`src/ARCHITECTURE.md`). The test reads the source as
//! tokens, without comments, strings and `#[cfg(test)]` items. It has been seen red: `planted`
//! runs the same scanner over wrong source.

#[path = "architecture/paths.rs"]
mod paths;
#[path = "architecture/planted.rs"]
mod planted;
#[path = "architecture/tokens.rs"]
mod tokens;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tokens::Token;

/// A folder of `src` and what it may import besides itself.
struct Floor {
    name: &'static str,
    sees: &'static [&'static str],
    /// Why it needs them, or why it must not see more.
    #[expect(dead_code, reason = "for the reader of the table")]
    why: &'static str,
}

const fn floor(name: &'static str, sees: &'static [&'static str], why: &'static str) -> Floor {
    Floor { name, sees, why }
}

/// From the ground up. A new module is a row here.
const FLOORS: &[Floor] = &[
    floor("diag", &[], "the ground: codes and places know nothing of what they are about"),
    floor("model", &["diag"], "the ground: every named thing keeps its Loc"),
    floor("ir", &["model", "diag"], "syntax trees stand beside the ground"),
    floor("format", &["model", "diag"], "serde types stand beside the ground"),
    floor("front", &["model", "diag", "ir", "format"], "text in, Problem out; no planning"),
    floor("analyze", &["model", "diag", "ir"], "Problem in, Facts out; no text"),
    floor("transform", &["model", "diag", "ir", "analyze"], "rewrites programs by their facts"),
    floor("schedule", &["model", "diag", "ir", "analyze"], "orders programs by their facts"),
    floor(
        "plan",
        &[
            "model",
            "diag",
            "ir",
            "analyze",
            "schedule",
            "memplan_packing",
            "memplan_heuristic",
            "memplan_exact",
            "memplan_milp",
        ],
        "Facts in, offsets out; the only one that knows solvers",
    ),
    floor("runtime", &["model", "diag"], "the machine does things and forbids nothing"),
    floor("verify", &["model", "diag", "runtime"], "the judge does not know the accused"),
    floor("diagnose", &["model", "diag", "plan", "verify"], "asks plan again, believes verify"),
    floor("gate", &["model", "diag", "format", "plan", "verify"], "budgets are files of `format`"),
    floor(
        "bench",
        &["model", "diag", "plan", "verify", "memplan_packing"],
        "replays what it compares; what others pack, the checker of packings judges",
    ),
    floor("report", &["model", "diag", "format"], "prints an Answer and decides nothing"),
    floor("emit", &["model", "diag", "ir", "format"], "a Plan and a syntax tree, edited"),
    floor(
        "cli",
        &[
            "model",
            "diag",
            "ir",
            "format",
            "front",
            "analyze",
            "transform",
            "schedule",
            "plan",
            "runtime",
            "verify",
            "diagnose",
            "gate",
            "bench",
            "report",
            "emit",
        ],
        "the only stair that touches every floor; solvers only through plan",
    ),
    floor("main", &["cli"], "an entry, not a room"),
];

/// Something that must not stand in some files.
struct Absence {
    what: &'static str,
    found: fn(&Token) -> bool,
    /// Files by their path in the repository.
    holds_in: fn(&str) -> bool,
}

const ABSENCES: &[Absence] = &[
    Absence {
        what: "floating point: proofs are integers",
        found: Token::is_float,
        holds_in: |path| !path.starts_with("solvers/milp/") && !path.starts_with("src/report/"),
    },
    Absence {
        what: "a file handle: no I/O below cli",
        found: |token| token.is("File"),
        holds_in: below_cli,
    },
    Absence {
        what: "a hash map: its order would reach the output",
        found: |token| token.is("HashMap") || token.is("HashSet"),
        holds_in: |path| path.starts_with("src/report/") || path.starts_with("src/emit/"),
    },
    Absence {
        what: "a wall clock: the answer must repeat",
        found: |token| token.is("Instant") || token.is("SystemTime"),
        holds_in: |path| {
            ["src/analyze/", "src/verify/", "src/runtime/", "src/plan/hivm/", "src/plan/xla/"]
                .iter()
                .any(|floor| path.starts_with(floor))
        },
    },
];

fn below_cli(path: &str) -> bool {
    path.starts_with("src/") && !path.starts_with("src/cli/") && path != "src/main.rs"
}

/// The folder of `src` that a file belongs to; `None` for `lib.rs`, which lists the floors.
fn floor_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    let first = inside.split('/').next()?;
    Some(first.strip_suffix(".rs").unwrap_or(first)).filter(|name| *name != "lib")
}

/// What is wrong with one file, given its path in the repository.
fn complaints(path: &str, source: &str) -> Vec<String> {
    let (tokens, _) = tokens::without_tests(tokens::tokens(source));
    let mut found = Vec::new();
    for absence in ABSENCES.iter().filter(|a| (a.holds_in)(path)) {
        for token in tokens.iter().filter(|t| (absence.found)(t)) {
            found.push(format!("{path}:{}: `{}`: {}", token.line, token.text, absence.what));
        }
    }
    for import in paths::paths(&paths::module_of(path), &tokens) {
        let line = import.line;
        if import.path.starts_with(&["std".to_owned(), "fs".to_owned()]) && below_cli(path) {
            found.push(format!("{path}:{line}: `std::fs`: no I/O below cli"));
        }
        let Some(name) = floor_of(path) else { continue };
        let Some(target) = import.floor() else { continue };
        let known = FLOORS.iter().find(|floor| floor.name == name);
        let Some(known) = known else {
            found.push(format!("{path}: no floor `{name}`: add a row, with its reason"));
            continue;
        };
        if target != name && !known.sees.contains(&target) {
            found.push(format!("{path}:{line}: `{name}` must not see `{target}`"));
        }
    }
    found
}

/// The files of a folder that Rust compiles, with their text, sorted by path; test modules are
/// left out, they may see more.
fn files(root: &Path, folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![root.join(folder)];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap_or_default();
                let parts = path.strip_prefix(root).into_iter().flat_map(Path::components);
                let parts: Vec<_> = parts.map(|c| c.as_os_str().to_string_lossy()).collect();
                found.push((parts.join("/"), text));
            }
        }
    }
    found.sort();
    let mut tests = BTreeSet::new();
    for (path, text) in &found {
        let (_, modules) = tokens::without_tests(tokens::tokens(text));
        let module = paths::module_of(path);
        tests.extend(modules.into_iter().map(|name| [&module[..], &[name]].concat()));
    }
    found.retain(|(path, _)| {
        let module = paths::module_of(path);
        !(1..=module.len()).any(|len| tests.contains(&module[..len]))
    });
    found
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn solvers() -> Vec<String> {
    let dirs = fs::read_dir(root().join("solvers")).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        dirs.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn arrows_only_go_down() {
    let mut all = files(&root(), "src");
    assert!(all.iter().any(|(path, _)| path == "src/lib.rs"), "nothing was read");
    for solver in solvers() {
        all.extend(files(&root(), &format!("solvers/{solver}/src")));
    }
    let found: Vec<String> = all.iter().flat_map(|(path, text)| complaints(path, text)).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn every_module_is_a_floor() {
    for (path, _) in files(&root(), "src") {
        let Some(name) = floor_of(&path) else { continue };
        assert!(FLOORS.iter().any(|f| f.name == name), "{path}: add a row, with its reason");
    }
    // A row sees only rows, and only those above it in the table: arrows go down.
    for (at, floor) in FLOORS.iter().enumerate() {
        for seen in floor.sees.iter().filter(|s| !s.starts_with("memplan_")) {
            let below = FLOORS[..at].iter().any(|f| f.name == *seen);
            assert!(below, "`{}` sees `{seen}`, which does not stand below it", floor.name);
        }
    }
}

/// Solvers see the vocabulary; the oracle is for tests.
#[test]
fn solvers_see_packing_only() {
    let mut manifests = vec![(String::new(), "Cargo.toml".to_owned())];
    manifests.extend(solvers().into_iter().map(|s| (s.clone(), format!("solvers/{s}/Cargo.toml"))));
    assert!(manifests.len() > 5, "{manifests:?}");
    let mut found = Vec::new();
    for (solver, path) in manifests {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        found.extend(manifest_complaints(&solver, &path, &text));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// What is wrong with a manifest; `solver` is empty for the root.
fn manifest_complaints(solver: &str, path: &str, text: &str) -> Vec<String> {
    let manifest: toml::Table = match toml::from_str(text) {
        Ok(manifest) => manifest,
        Err(error) => return vec![format!("{path}: {error}")],
    };
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(toml::Table::values).filter_map(|t| t.as_table());
    let mut found = Vec::new();
    for (section, table) in manifest.iter().chain(targets.flatten()) {
        let allowed: &[&str] = match (section.as_str(), solver) {
            ("dependencies" | "build-dependencies", "packing") => &[],
            ("dependencies" | "build-dependencies", "") => {
                &["memplan-packing", "memplan-heuristic", "memplan-exact", "memplan-milp"]
            }
            ("dependencies" | "build-dependencies", _) => &["memplan-packing"],
            ("dev-dependencies", _) => &["memplan-packing", "memplan-oracle"],
            _ => continue,
        };
        for (key, value) in table.as_table().into_iter().flatten() {
            let name = value.get("package").and_then(toml::Value::as_str).unwrap_or(key);
            if name.starts_with("memplan") && !allowed.contains(&name) {
                found.push(format!("{path}: [{section}] must not name `{name}`"));
            }
        }
    }
    found
}
