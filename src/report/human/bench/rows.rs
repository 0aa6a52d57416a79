//! Every row, for `-v`.

use super::super::table::{Side, Table};
use super::ratio;
use crate::format::json_bench::{Bench, Row};
use crate::report::words;

/// One line for each row; what is the same as in the line above is left out.
pub(super) fn table(bench: &Bench, out: &mut String) {
    let mut table = Table::new(&[
        ("input", Side::Left),
        ("function", Side::Left),
        ("scope", Side::Left),
        ("buffers", Side::Right),
        ("bound", Side::Right),
        ("strategy", Side::Left),
        ("verdict", Side::Left),
        ("level", Side::Left),
        ("peak", Side::Right),
        ("excess", Side::Right),
        ("stalls", Side::Right),
        ("nodes", Side::Right),
        ("planner", Side::Right),
    ]);
    let mut above: Option<&Row> = None;
    for row in &bench.rows {
        let place = |r: &Row| (r.input.clone(), r.function.clone(), r.scope.clone());
        let new = above.is_none_or(|above| place(above) != place(row));
        above = Some(row);
        let only = |text: String| if new { text } else { String::new() };
        let number = |n: Option<u64>| n.map(words::number).unwrap_or_default();
        table.row(vec![
            only(words::name(&row.input)),
            only(words::name(&row.function)),
            only(words::name(&row.scope)),
            only(row.buffers.to_string()),
            number(row.lower_bound),
            row.strategy.clone(),
            verdict(row).to_owned(),
            level(row).to_owned(),
            number(row.peak),
            number(row.excess),
            number(row.stalls.map(|n| n as u64)),
            number(row.nodes),
            ratio::milliseconds(row.seconds.as_ref()),
        ]);
    }
    table.print(0, out);
}

fn verdict(row: &Row) -> &'static str {
    match row.verdict {
        Some(_) if row.refuted => "refuted",
        Some(verdict) => verdict,
        None => "skipped",
    }
}

fn level(row: &Row) -> &'static str {
    match row.mode {
        Some("sequential") => "sequential",
        _ => row.level.unwrap_or_default(),
    }
}
