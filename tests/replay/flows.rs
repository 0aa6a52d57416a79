//! The five flows of the document, and each without one of its lines.
//!
//! Comments `#- line: class` of `specs/examples/flow-*.toml` say what is found when the line is left
//! out: a class, `none`, or a counter that is another one then.

use std::collections::BTreeSet;
use std::fs;

use libtest_mimic::Failed;
use memplan::diag::{Severity, Sources};
use memplan::front::trace;

use crate::cases::{class, errors, run};

const FLOWS: [&str; 5] = ["flow-alloc-copy", "flow-share", "flow-vmm", "flow-uvm", "flow-soma"];

fn text(flow: &str) -> Result<String, Failed> {
    Ok(fs::read_to_string(format!("{}/specs/examples/{flow}.toml", env!("CARGO_MANIFEST_DIR")))?)
}

/// Nothing is found in a flow, not even a note.
pub(crate) fn right() -> Result<(), Failed> {
    for flow in FLOWS {
        let replayed = run(&text(flow)?)?;
        let found: Vec<&str> = replayed.findings.iter().map(class).collect();
        assert_eq!(found, [""; 0], "{flow}");
    }
    Ok(())
}

pub(crate) fn every_step() -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for flow in FLOWS {
        let text = text(flow)?;
        let mut parts = text.split("\n[[op]]\n");
        let head = parts.next().unwrap_or_default().to_owned();
        let ops: Vec<&str> = parts.collect();
        let labels: Vec<Option<&str>> = ops
            .iter()
            .map(|op| op.lines().find_map(|l| l.strip_prefix("i = \"")?.strip_suffix('"')))
            .collect();
        let mut told = BTreeSet::new();
        for line in text.lines().filter_map(|line| line.strip_prefix("#- ")) {
            let (label, wanted) = line.split_once(": ").ok_or("`#-` is `#- line: class`")?;
            told.insert(label);
            let nth = labels.iter().position(|l| *l == Some(label));
            let nth = nth.ok_or_else(|| format!("{flow} has no line {label}"))?;
            let mut less = head.clone();
            for op in ops.iter().enumerate().filter(|(at, _)| *at != nth).map(|(_, op)| op) {
                less.push_str("\n[[op]]\n");
                less.push_str(op);
            }
            if let Err(seen) = results(&less, wanted) {
                wrong.push(format!("{flow} without {label}: {seen}, not {wanted}"));
            }
        }
        let silent = labels.iter().flatten().filter(|label| !told.contains(*label));
        wrong.extend(silent.map(|label| format!("{flow} does not say what {label} is for")));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// What a text leads to is what is wanted, or else it is told.
fn results(text: &str, wanted: &str) -> Result<(), String> {
    let mut sources = Sources::default();
    let file = sources.add("flow.toml", text);
    if let Err(found) = trace::read(&sources, file) {
        let names: Vec<&str> =
            found.iter().map(|e| e.code.name().rsplit("::").next().unwrap_or_default()).collect();
        return if names.contains(&wanted) { Ok(()) } else { Err(names.join(", ")) };
    }
    let replayed = run(text).map_err(|e| e.message().unwrap_or_default().to_owned())?;
    if let Some((counter, value)) = wanted.split_once(" = ") {
        let rows = replayed.counters.rows();
        let seen = rows.iter().find(|row| row.0 == counter).map(|row| row.1);
        let errors: Vec<&str> =
            errors(&replayed).into_iter().filter(|c| *c != "expectation").collect();
        let same = seen.is_some_and(|seen| seen.to_string() == value) && errors.is_empty();
        return if same {
            Ok(())
        } else {
            Err(format!("{counter} = {seen:?}, {}", errors.join(", ")))
        };
    }
    let found: BTreeSet<&str> = replayed
        .findings
        .iter()
        .filter(|f| !["expectation", "portability"].contains(&class(f)))
        .filter(|f| f.severity != Severity::Note || class(f) == wanted)
        .map(class)
        .collect();
    let right = if wanted == "none" { found.is_empty() } else { found.contains(wanted) };
    if right { Ok(()) } else { Err(found.into_iter().collect::<Vec<_>>().join(", ")) }
}
