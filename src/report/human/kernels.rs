//! What kernels take, a line for each.

use super::style::{self, BAD, DIM, GOOD, paint};
use super::table::{Side, Table};
use super::view::View;
use crate::diag::Severity;
use crate::model::{Kernel, KernelScope, Remark};
use crate::report::words;

/// Above so many kernels only those are listed about which something is said.
const ALL: usize = 20;

/// A table of kernels and scopes: peak, what is usable, level, stalls and owed edges.
pub fn kernels(view: View, kernels: &[Kernel], remarks: &[Remark]) -> String {
    if view.quiet {
        return String::new();
    }
    let worst = |k: &Kernel| {
        let of = |r: &&Remark| r.input == k.input && r.function.as_deref() == Some(&k.name);
        remarks.iter().filter(of).map(|r| r.severity).max()
    };
    let failed = |k: &Kernel| k.verdict.is_some_and(|v| !v.has_plan());
    let listed = |k: &&Kernel| {
        view.verbose
            || kernels.len() <= ALL
            || failed(k)
            || worst(k).is_some_and(|s| s >= Severity::Warning)
    };
    let shown: Vec<&Kernel> = kernels.iter().filter(listed).collect();
    let mut out = String::new();
    if !shown.is_empty() {
        let mut table = Table::new(&[
            ("kernel", Side::Left),
            ("scope", Side::Left),
            ("peak", Side::Right),
            ("of", Side::Right),
            ("level", Side::Left),
            ("stalls", Side::Right),
            ("owed", Side::Right),
            ("", Side::Left),
        ]);
        let rows = view.rows(shown.len());
        for kernel in &shown[..rows] {
            let mark = match worst(kernel) {
                _ if failed(kernel) => paint(BAD, "no plan"),
                Some(Severity::Error) => paint(BAD, "over"),
                Some(Severity::Warning) => paint(style::severity(Severity::Warning), "warning"),
                Some(Severity::Note) | None => paint(GOOD, "ok"),
            };
            for (at, scope) in kernel.scopes.iter().enumerate() {
                let name = if at == 0 { title(kernel) } else { String::new() };
                let mark = if at == 0 { mark.clone() } else { String::new() };
                table.row(row(name, scope, mark));
            }
        }
        table.print(0, &mut out);
        super::buffers::more(shown.len() - rows, "kernel", &mut out);
    }
    let rest = kernels.len() - shown.len();
    if rest > 0 {
        let rest = format!("{} more as they should be\n", words::count(rest, "kernel"));
        out.push_str(&paint(DIM, rest));
    }
    out
}

/// Cells of a table are not painted, but for the last: codes would count as columns.
fn title(kernel: &Kernel) -> String {
    format!("{} {}", words::name(&kernel.input), words::name(&kernel.name))
}

fn row(name: String, scope: &KernelScope, mark: String) -> Vec<String> {
    let number = |n: Option<u64>| n.map_or("-".to_owned(), words::number);
    // Where bytes are shared, levels do not apply.
    let level = match scope.level {
        Some(level) => level.name(),
        None if scope.peak.is_some() && scope.shares() == Some(false) => "nothing shared",
        None => "-",
    };
    vec![
        name,
        words::name(&scope.name),
        number(scope.peak),
        scope.usable.map_or("no limit".to_owned(), words::bytes),
        level.to_owned(),
        number(scope.stalls),
        number(scope.owed),
        mark,
    ]
}
