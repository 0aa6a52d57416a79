//! The order: what each step reads and writes, what is born and what dies there.

use super::super::buffers::more;
use super::super::table::{Side, Table};
use super::super::view::View;
use super::names::{cell, line};
use crate::format::json_inspect::Function;
use crate::report::words;

/// The steps of a function with ops.
pub(super) fn steps(view: View, function: &Function, out: &mut String) {
    if function.steps.is_empty() {
        return;
    }
    let temporaries = function.steps.iter().any(|s| !s.temporaries.is_empty());
    let mut columns = vec![
        ("step", Side::Right),
        ("what", Side::Left),
        ("pipe", Side::Left),
        ("reads", Side::Left),
        ("writes", Side::Left),
        ("born", Side::Left),
        ("dies", Side::Left),
        ("line", Side::Right),
    ];
    if temporaries {
        columns.insert(5, ("scratch", Side::Left));
    }
    let mut table = Table::new(&columns);
    let shown = view.rows(function.steps.len());
    for step in &function.steps[..shown] {
        let indent = usize::try_from(step.depth).unwrap_or(0).min(20) * 2;
        // The report lists temporaries behind what is written.
        let written = step.writes.len().saturating_sub(step.temporaries.len());
        let mut row = vec![
            step.step.to_string(),
            format!("{:indent$}{}", "", words::name(&step.name)),
            cell(&step.pipes),
            cell(&step.reads),
            cell(&step.writes[..written]),
            cell(&step.born),
            cell(&step.dies),
            line(function, step.loc.as_ref()),
        ];
        if temporaries {
            row.insert(5, cell(&step.temporaries));
        }
        table.row(row);
    }
    out.push_str("  order\n");
    table.print(4, out);
    more(function.steps.len() - shown, "step", out);
}

/// What begins and ends, where live ranges are given.
pub(super) fn moments(view: View, function: &Function, out: &mut String) {
    if function.moments.is_empty() {
        return;
    }
    let mut table =
        Table::new(&[("step", Side::Right), ("born", Side::Left), ("dies", Side::Left)]);
    let shown = view.rows(function.moments.len());
    for moment in &function.moments[..shown] {
        table.row(vec![moment.step.to_string(), cell(&moment.born), cell(&moment.dies)]);
    }
    out.push_str("  order (live ranges are given)\n");
    table.print(4, out);
    more(function.moments.len() - shown, "step", out);
}
