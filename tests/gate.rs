//! Pairs of kernels, then and now: what the gate says of each, through the binary.
//!
//! ```text
//! tests/gate/pairs/NN_name/
//!     old.toml           the baseline: any file or folder named `old`; without it there is none
//!     new.toml           what is judged
//!     budget.toml        the budget, where there is one
//!     expect.toml        what must be said (below)
//! ```
//!
//! ```toml
//! about = "why this pair is here"
//! args = ["--plan", "new.plan.toml"]        # more of the command line
//! exit = 1
//! findings = ["error memplan::gate::regression"]           # those of the gate, sorted
//!
//! [[change]]                                # all kernels that changed, in order
//! function = "k"
//! causes = [["sizes", "acc"]]               # all of them: kind, then buffers
//! effects = ["ub peak 1024 -> 2048"]        # some of them
//! text = "`acc` grew"                       # part of the reason
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use serde_json::Value;

const PAIRS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gate/pairs");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    #[expect(dead_code, reason = "for the reader of the pair")]
    about: String,
    #[serde(default)]
    args: Vec<String>,
    exit: i32,
    #[serde(default)]
    findings: Vec<String>,
    #[serde(default)]
    change: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    function: String,
    causes: Vec<Vec<String>>,
    #[serde(default)]
    effects: Vec<String>,
    #[serde(default)]
    text: String,
}

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut trials: Vec<Trial> = pairs()
        .into_iter()
        .map(|folder| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Trial::test(name, move || pair(&folder))
        })
        .collect();
    trials.push(Trial::test("there_are_thirty_pairs_and_more", || match pairs().len() {
        0..30 => Err("fewer than 30 pairs".into()),
        _ => Ok(()),
    }));
    trials.push(Trial::test("a_budget_that_is_written_is_kept", written));
    libtest_mimic::run(&args, trials).exit_code()
}

fn pairs() -> Vec<PathBuf> {
    let entries = fs::read_dir(PAIRS).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|e| e.path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}

/// The file or folder of a pair that is called `old` or `new`, whatever it ends in; no plan.
fn named(folder: &Path, stem: &str) -> Option<String> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter(|n| n.split('.').next() == Some(stem) && (stem == "old" || !n.contains(".plan.")))
        .collect();
    names.sort();
    names.into_iter().next()
}

fn memplan(folder: &Path, args: &[&str]) -> Result<(i32, String), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memplan"));
    command.args(args).current_dir(folder);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("MEMPLAN") {
            command.env_remove(name);
        }
    }
    let output = command.output().map_err(|e| e.to_string())?;
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let Some(code) = output.status.code() else { return Err("killed by a signal".into()) };
    if code == 2 {
        return Err(format!("{args:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok((code, out))
}

fn pair(folder: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(folder.join("expect.toml")).map_err(|e| e.to_string())?;
    let expect: Expect = toml::from_str(&text).map_err(|e| e.to_string())?;
    let new = named(folder, "new").ok_or("nothing is called `new`")?;
    let old = named(folder, "old");
    let mut args = vec!["verify", &new, "--format", "json"];
    args.extend(expect.args.iter().map(String::as_str));
    if let Some(old) = &old {
        args.extend(["--baseline", old]);
    }
    if folder.join("budget.toml").exists() {
        args.extend(["--budget", "budget.toml"]);
    }
    let (code, out) = memplan(folder, &args)?;
    let report: Value = serde_json::from_str(&out).map_err(|e| format!("{e}: {out}"))?;
    let wrong = differences(&expect, code, &report);
    if wrong.is_empty() {
        return Ok(());
    }
    let said = serde_json::to_string_pretty(&report["changes"]).unwrap_or_default();
    Err(format!("{}\nmemplan {}\nchanges: {said}", wrong.join("\n"), args.join(" ")).into())
}

fn differences(expect: &Expect, code: i32, report: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut same = |what: &str, expected: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
        let (expected, found) = (format!("{expected:?}"), format!("{found:?}"));
        if expected != found {
            wrong.push(format!("{what}: expected {expected}, found {found}"));
        }
    };
    same("exit code", &expect.exit, &code);
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut found: Vec<String> = list(&report["findings"])
        .iter()
        .filter(|f| word(&f["code"]).starts_with("memplan::gate::"))
        .map(|f| format!("{} {}", word(&f["severity"]), word(&f["code"])))
        .collect();
    found.sort();
    same("findings", &expect.findings, &found);
    let changes = list(&report["changes"]);
    let functions: Vec<String> = changes.iter().map(|c| word(&c["function"])).collect();
    let expected: Vec<&String> = expect.change.iter().map(|c| &c.function).collect();
    same("functions that changed", &expected, &functions);
    for (change, found) in expect.change.iter().zip(&changes) {
        let cause = |c: &Value| -> Vec<String> {
            let kind = std::iter::once(word(&c["kind"]));
            kind.chain(list(&c["buffers"]).iter().map(word)).collect()
        };
        let causes: Vec<Vec<String>> = list(&found["causes"]).iter().map(cause).collect();
        same("causes", &change.causes, &causes);
        let value = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
        let effect = |e: &Value| {
            let scope = e["scope"].as_str().map(|s| format!("{s} ")).unwrap_or_default();
            format!("{scope}{} {} -> {}", word(&e["measure"]), value(&e["old"]), value(&e["new"]))
        };
        let effects: Vec<String> = list(&found["effects"]).iter().map(effect).collect();
        for wanted in change.effects.iter().filter(|e| !effects.contains(e)) {
            same("effects", wanted, &effects);
        }
        let text = word(&found["text"]);
        if !text.contains(&change.text) {
            same("text", &change.text, &text);
        }
    }
    wrong
}

/// `--update-budget` writes a file that the same kernels keep to, and writes the same again.
fn written() -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let from = Path::new(PAIRS).join("01_size_up/new.toml");
    fs::copy(from, folder.path().join("k.toml")).map_err(|e| e.to_string())?;
    let args = ["verify", "k.toml", "--budget", "memplan-budget.toml"];
    let update = [&args[..], &["--update-budget"]].concat();
    let read = || fs::read_to_string(folder.path().join("memplan-budget.toml"));
    let (code, _) = memplan(folder.path(), &update)?;
    let first = read().map_err(|e| e.to_string())?;
    if code != 0 || !first.contains("input = \"k.toml\"") {
        return Err(format!("exit {code}: {first}").into());
    }
    let (code, out) = memplan(folder.path(), &args)?;
    if code != 0 {
        return Err(format!("its own budget is not kept: {out}").into());
    }
    memplan(folder.path(), &update)?;
    match read() {
        Ok(second) if second == first => Ok(()),
        other => Err(format!("written twice:\n{first}\n{other:?}").into()),
    }
}
