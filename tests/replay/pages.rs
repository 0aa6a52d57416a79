//! The explain pages of the classes: each example raises the code that it explains.

use libtest_mimic::Failed;
use memplan::diag::{Code, Severity};

use crate::cases::run;
use crate::coverage::{ELSEWHERE, classes};

pub(crate) fn parts() -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for code in classes() {
        let page = code.page();
        let heads: Vec<&str> =
            page.lines().filter(|line| line.starts_with("# ") || line.starts_with("## ")).collect();
        let title = format!("# {}", code.name());
        let expected = [&title, "## What it means", "## Smallest example", "## What to do"];
        if heads != expected {
            wrong.push(format!("{}: {heads:?}", code.name()));
        }
        if page.lines().any(|line| line.chars().count() > 100) {
            wrong.push(format!("{}: a line is too long", code.name()));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Notes and warnings beside the code do not count; other errors do.
pub(crate) fn examples() -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for code in
        classes().filter(|code| !ELSEWHERE.contains(code) || *code == Code::ReplayExpectation)
    {
        let mut fences = code.page().split("```");
        let example = fences.nth(1).unwrap_or_default();
        let Some(text) = example.strip_prefix("toml\n") else {
            wrong.push(format!("{}: no example", code.name()));
            continue;
        };
        match run(text) {
            Ok(replayed) => {
                let findings = replayed.findings.iter();
                let mut found: Vec<Code> = findings
                    .filter(|f| f.severity == Severity::Error || f.code == code)
                    .map(|f| f.code)
                    .collect();
                found.dedup();
                if found != [code] {
                    wrong.push(format!("{}: {found:?}", code.name()));
                }
            }
            Err(failed) => {
                wrong.push(format!("{}: {}", code.name(), failed.message().unwrap_or_default()));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
