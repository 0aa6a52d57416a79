//! Files of traces: found, read, run, compared with what they say.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;
use memplan::diag::{Severity, Sources};
use memplan::front::{machine, trace};
use memplan::model::Finding;
use memplan::model::machine::Machine;
use memplan::model::trace::Trace;
use memplan::verify::trace::{Options, Replayed, trace as replay};

pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/replay");

/// All files, sorted.
pub(crate) fn all() -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::from(ROOT)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "toml") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// `uvm/uvm_roundtrip`.
pub(crate) fn name(path: &Path) -> String {
    path.strip_prefix(ROOT).unwrap_or(path).with_extension("").display().to_string()
}

/// A trace and the machine that it asks for.
pub(crate) fn read(text: &str) -> Result<(Trace, Machine), Failed> {
    let mut sources = Sources::default();
    let file = sources.add("trace.toml", text);
    let said = |errors: Vec<memplan::diag::Diagnostic>| {
        let all = errors.iter().map(|e| format!("{}: {}", e.code.name(), e.message));
        Failed::from(all.collect::<Vec<_>>().join("\n"))
    };
    let trace = trace::read(&sources, file).map_err(said)?;
    let wanted = trace.machine.map_or(machine::DEFAULT, |name| trace.text(name));
    let mut machine = machine::named(wanted, None).map_err(|e| said(vec![e]))?;
    machine::apply(&mut machine, &trace.settings).map_err(said)?;
    Ok((trace, machine))
}

/// Reads and runs.
pub(crate) fn run(text: &str) -> Result<Replayed, Failed> {
    let (trace, machine) = read(text)?;
    Ok(replay(&trace, &machine, &Options::default()))
}

/// The last part of a finding's code.
pub(crate) fn class(finding: &Finding) -> &'static str {
    finding.code.name().rsplit("::").next().unwrap_or_default()
}

/// The errors of a run, by class.
pub(crate) fn errors(replayed: &Replayed) -> Vec<&'static str> {
    let errors = replayed.findings.iter().filter(|f| f.severity == Severity::Error);
    errors.map(class).collect()
}

/// A file does what it says.
pub(crate) fn check(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    if !text.starts_with("# ") {
        return Err("the first line is no comment that says what the file shows".into());
    }
    let (trace, _) = read(&text)?;
    if trace.expect_findings.is_none() {
        return Err("there is no [expect_findings]".into());
    }
    let replayed = run(&text)?;
    let mut wrong: Vec<String> = Vec::new();
    for finding in replayed.findings.iter().filter(|f| class(f) == "expectation") {
        wrong.push(format!("{}: {}", finding.op.as_deref().unwrap_or("run"), finding.message));
    }
    let rows = replayed.counters.rows();
    for line in text.lines().filter_map(|line| line.strip_prefix("#= ")) {
        let (counter, value) = line.split_once(" = ").ok_or("`#=` is `#= counter = number`")?;
        let row = rows.iter().find(|row| row.0 == counter);
        let (_, seen, _) = row.ok_or_else(|| format!("there is no counter `{counter}`"))?;
        if seen.to_string() != value {
            wrong.push(format!("{counter} is {seen}, not {value}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
