//! Every row.

use super::super::table::{Side, Table};
use super::ratio;
use crate::format::json_bench::{Bench, Row};
use crate::report::words;

/// One line for each row; where they are `grouped`, what is the same as in the line above is left out.
pub(super) fn table(bench: &Bench, grouped: bool) -> Table {
    let optimum = bench.rows.iter().any(|r| r.optimum.is_some());
    let mut columns = vec![
        ("input", Side::Left),
        ("function", Side::Left),
        ("scope", Side::Left),
        ("capacity", Side::Right),
        ("buffers", Side::Right),
        ("load", Side::Right),
        ("bound", Side::Right),
    ];
    if optimum {
        columns.push(("optimum", Side::Right));
    }
    columns.extend([
        ("strategy", Side::Left),
        ("verdict", Side::Left),
        ("level", Side::Left),
        ("peak", Side::Right),
        ("excess", Side::Right),
        ("cost", Side::Right),
        ("stalls", Side::Right),
        ("nodes", Side::Right),
        ("planner", Side::Right),
    ]);
    let mut table = Table::new(&columns);
    let mut above: Option<&Row> = None;
    for row in &bench.rows {
        let place = |r: &Row| (r.input.clone(), r.function.clone(), r.scope.clone());
        let new = !grouped || above.is_none_or(|above| place(above) != place(row));
        // A strategy that cannot be asked knows no load.
        let load = above.filter(|_| !new).and_then(|r| r.max_load) != row.max_load;
        above = Some(row);
        let only = |text: String| if new { text } else { String::new() };
        let number = |n: Option<u64>| n.map(words::number).unwrap_or_default();
        let mut cells = vec![
            only(words::name(&row.input)),
            only(words::name(&row.function)),
            only(words::name(&row.scope)),
            only(row.capacity.map_or("none".to_owned(), words::number)),
            only(row.buffers.to_string()),
            if load { number(row.max_load) } else { String::new() },
            number(row.lower_bound),
        ];
        if optimum {
            cells.push(only(number(row.optimum)));
        }
        cells.extend([
            row.strategy.clone(),
            verdict(row).to_owned(),
            level(row).to_owned(),
            number(row.peak),
            number(row.excess),
            cost(row),
            number(row.stalls.map(|n| n as u64)),
            number(row.nodes),
            ratio::milliseconds(row.seconds.as_ref()),
        ]);
        table.row(cells);
    }
    table
}

fn verdict(row: &Row) -> &'static str {
    match row.verdict {
        Some(_) if row.fits && row.refuted => "refuted",
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

/// `384`, or `384 (192)` where the bound is lower.
fn cost(row: &Row) -> String {
    match (row.reuse_cost, row.reuse_cost_bound) {
        (None, _) => String::new(),
        (Some(cost), Some(bound)) if bound < cost => {
            format!("{} ({})", words::number(cost), words::number(bound))
        }
        (Some(cost), _) => words::number(cost),
    }
}
