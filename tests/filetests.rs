//! Inputs that carry their own expectations, in comments (or in a file of the same name with
//! `.expect` behind it, for formats without comments). Each input below `tests/files` is one trial.
//!
//! ```text
//! #$ memplan solve {} --format json        a command; {} is this file
//! #? 1                                     its exit code
//! #> functions[0].scopes[ub].peak = 64     what stdout says: JSON by path, other text whole
//! #! ...                                   what stderr says, whole
//! #~ the documents' Level 2                words that one of both says
//! ```
//!
//! `#@ bad: a = 0, b = [64, 128]` before a command makes a plan for `--plan {bad}`.
//! `MEMPLAN_BLESS=1 cargo test --test filetests` writes what `#?`, `#>` and `#!` should be; look at
//! it before you commit it. In JSON only the paths that are listed are looked at.

#[path = "filetests/json.rs"]
mod json;
#[path = "filetests/run.rs"]
mod run;
#[path = "filetests/script.rs"]
mod script;
#[path = "filetests/streams.rs"]
mod streams;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use script::Script;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files");

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut files = Vec::new();
    collect(Path::new(ROOT), &mut files);
    let trials = files.into_iter().map(|path| {
        let name = path.strip_prefix(ROOT).unwrap_or(&path).display().to_string();
        Trial::test(name, move || trial(&path))
    });
    let trials = trials.chain(streams::trials()).collect();
    libtest_mimic::run(&args, trials).exit_code()
}

/// Inputs in sorted order: `*.toml`, `*.csv`, `*.json` and `*.jsonl`, but no plans.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            // Traces are run by `tests/replay.rs`.
            if name.ends_with("/files/replay") {
                continue;
            }
            collect(&path, files);
        } else if [".toml", ".csv", ".json", ".jsonl"].iter().any(|ending| name.ends_with(ending))
            && !name.ends_with(".plan.toml")
            && !name.ends_with(".target.toml")
        {
            files.push(path);
        }
    }
}

fn trial(path: &Path) -> Result<(), Failed> {
    let beside = PathBuf::from(format!("{}.expect", path.display()));
    let script_path = if beside.exists() { &beside } else { path };
    let text = fs::read_to_string(script_path).map_err(|e| e.to_string())?;
    let script = Script::parse(&text)?;
    if script.commands.is_empty() {
        return Err("no `#$` line: which command is this a test of?".into());
    }
    let now = run::run(path, &script)?;
    for reader in ["spec", "dsa"] {
        if path.starts_with(format!("{ROOT}/{reader}/broken")) {
            run::broken(path, reader)?;
        }
    }
    let blessed = now.write(&text);
    if blessed == text {
        return Ok(());
    }
    if std::env::var_os("MEMPLAN_BLESS").is_some() {
        fs::write(script_path, blessed).map_err(|e| e.to_string())?;
        return Ok(());
    }
    let diff = difference(&text, &blessed);
    Err(format!("{diff}if this is right: MEMPLAN_BLESS=1 cargo test --test filetests").into())
}

/// What lies between the lines that both texts begin and end with.
fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[head..], &new[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut out = format!("line {}\n", head + 1);
    for (mark, lines) in [('-', &a[..a.len() - tail]), ('+', &b[..b.len() - tail])] {
        for line in lines {
            out.push_str(&format!("{mark} {line}\n"));
        }
    }
    out
}
