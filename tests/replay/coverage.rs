//! What the files cover: classes, faults, quirks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use libtest_mimic::Failed;
use memplan::diag::{ALL, Code};
use memplan::format::trace::FAULTS;
use memplan::model::trace::Trace;
use memplan::runtime::quirks::Quirk;

use crate::cases::{all, name, read};

/// Classes that no trace shows: of the expectation itself, of defects of memplan, and of plans with
/// their problems, where outputs and elements are known.
pub(crate) const ELSEWHERE: [Code; 3] =
    [Code::ReplayExpectation, Code::ReplayCoherence, Code::ReplayAccounting];

/// Quirks that both modes show alike and that no call of a trace reaches, or whose effect a trace
/// cannot see.
const UNSEEN: [Quirk; 4] = [Quirk::Vmm4, Quirk::Uvm1, Quirk::Uvm2, Quirk::Uvm18];

/// The classes of a replay: not those of its files.
pub(crate) fn classes() -> impl Iterator<Item = Code> {
    let of_files = ["trace_", "machine_"];
    let of_replay = move |code: &Code| {
        code.name()
            .strip_prefix("memplan::replay::")
            .is_some_and(|last| !of_files.iter().any(|start| last.starts_with(start)))
    };
    ALL.iter().copied().filter(of_replay)
}

fn traces() -> Result<Vec<(String, Trace)>, Failed> {
    let mut traces = Vec::new();
    for path in all() {
        traces.push((name(&path), read(&fs::read_to_string(&path)?)?.0));
    }
    Ok(traces)
}

fn missing(words: &str, missing: &[String]) -> Result<(), Failed> {
    if missing.is_empty() { Ok(()) } else { Err(format!("{words}: {}", missing.join(", ")).into()) }
}

/// The counts that files expect, by class.
fn expected() -> Result<BTreeMap<String, BTreeSet<u64>>, Failed> {
    let mut expected: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for (_, trace) in traces()? {
        let counts = trace.expect_findings.unwrap_or_default();
        let clean = counts.iter().all(|(_, count)| *count == 0);
        for (class, count) in counts {
            if count > 0 || clean {
                expected.entry(class).or_default().insert(count);
            }
        }
    }
    Ok(expected)
}

fn of_files() -> impl Iterator<Item = &'static str> {
    let named = classes().filter(|code| !ELSEWHERE.contains(code));
    named.map(|code| code.name().rsplit("::").next().unwrap_or_default())
}

pub(crate) fn every_class() -> Result<(), Failed> {
    let expected = expected()?;
    let has =
        |class: &&str| expected.get(*class).is_some_and(|counts| counts.iter().any(|n| *n > 0));
    let without: Vec<String> = of_files().filter(|c| !has(c)).map(str::to_owned).collect();
    missing("no file expects", &without)
}

/// A file without errors is a twin for all classes of errors; for the others it says 0.
pub(crate) fn every_twin() -> Result<(), Failed> {
    let expected = expected()?;
    let has = |class: &&str| expected.get(*class).is_some_and(|counts| counts.contains(&0));
    let without: Vec<String> = of_files().filter(|c| !has(c)).map(str::to_owned).collect();
    missing("no file says that there is none of", &without)
}

pub(crate) fn every_fault() -> Result<(), Failed> {
    let names: Vec<String> = all().iter().map(|path| name(path)).collect();
    let has = |fault: &str| names.iter().any(|n| n.starts_with(&format!("faults/{fault}")));
    let without = FAULTS.iter().map(|row| row.name.to_owned()).filter(|fault| !has(fault));
    missing("no file for", &without.collect::<Vec<_>>())
}

pub(crate) fn every_quirk() -> Result<(), Failed> {
    let names: Vec<String> = all().iter().map(|path| name(path)).collect();
    let seen = Quirk::ALL.iter().filter(|quirk| !UNSEEN.contains(quirk));
    let without = seen.map(|quirk| quirk.id().to_lowercase().replace('-', "_")).filter(|id| {
        let start = format!("quirks/{id}_s");
        !names.iter().any(|n| n.starts_with(&start))
    });
    missing("no file for", &without.collect::<Vec<_>>())
}
