//! A summary in GitHub's markdown: the verdict, what the kernels take, what was found.

mod details;
mod escape;
mod kernels;
mod table;

pub use escape::{code, text};
pub use table::table;

use super::{count, page};
use crate::diag::{Code, Severity};
use crate::model::Remark;
use crate::report::ci::Run;
use crate::report::words;

/// Rows of one table. A job's summary may have a mebibyte.
const ROWS: usize = 200;

/// The summary.
pub(super) fn markdown(run: &Run) -> String {
    let sign = match run.exit {
        0 => "✅",
        3 => "❔",
        _ => "❌",
    };
    let mut out = format!("### {sign} memplan {}: {}\n", run.command, count::verdict(run));
    kernels::kernels(run, &mut out);
    findings(run, &mut out);
    details::details(run, &mut out);
    out
}

fn findings(run: &Run, out: &mut String) {
    let all = run.by_severity();
    if all.is_empty() {
        return;
    }
    let rows: Vec<Vec<String>> = all.iter().take(ROWS).map(|r| row(r)).collect();
    out.push_str("\n#### Found\n\n");
    out.push_str(&table(&["severity", "code", "where", "what"], &rows));
    more(all.len() - rows.len(), "remark", out);
}

fn row(remark: &Remark) -> Vec<String> {
    vec![
        severity(remark.severity).to_owned(),
        link(remark.code),
        place(remark),
        text(&remark.message),
    ]
}

/// A word with a sign that is seen from afar.
fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "❌ error",
        Severity::Warning => "⚠️ warning",
        Severity::Note => "ℹ️ note",
    }
}

/// The code, linked to its page where the page has an address.
fn link(of: Code) -> String {
    let name = code(page::short(of));
    match page::uri(of) {
        Some(uri) => format!("[{name}]({uri})"),
        None => name,
    }
}

/// Where a remark belongs: its place or its input, and its function.
fn place(remark: &Remark) -> String {
    let mut parts = Vec::new();
    match &remark.place {
        Some(place) => parts.push(code(&place.to_string())),
        None if !remark.input.is_empty() => parts.push(code(&remark.input)),
        None => {}
    }
    parts.extend(remark.function.as_deref().map(code));
    parts.extend(remark.scope.as_deref().map(code));
    parts.join(", ")
}

/// How many are not shown.
fn more(left: usize, one: &str, out: &mut String) {
    if left > 0 {
        out.push_str(&format!("\nand {}\n", words::count(left, &format!("more {one}"))));
    }
}
