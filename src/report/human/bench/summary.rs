//! One line for each strategy, and for each of `--levels`.

use super::super::style::{DIM, paint};
use super::super::table::{Side, Table};
use super::super::view::View;
use super::ratio;
use crate::format::json_bench::{Bench, Strategy};
use crate::report::words;

/// A line for each strategy over all inputs.
pub(super) fn strategies(view: View, bench: &Bench, out: &mut String) {
    let mut columns = vec![
        ("strategy", Side::Left),
        ("scopes", Side::Right),
        ("fits", Side::Right),
        ("share", Side::Right),
        ("refuted", Side::Right),
        ("optimal", Side::Right),
        ("excess", Side::Right),
        ("seq/pipe/loop/slot/life", Side::Right),
        ("stalls", Side::Right),
        ("time", Side::Right),
    ];
    if view.verbose {
        columns.push(("planner", Side::Right));
    }
    let mut table = Table::new(&columns);
    let shown = || bench.strategies.iter().filter(|s| s.level.is_none());
    let Some(first) = shown().next() else { return };
    for s in shown() {
        let l = s.levels;
        let levels = [l.sequential, l.pipe, l.in_loop, l.slot, l.lifetime].map(|n| n.to_string());
        let mut cells = vec![
            s.strategy.clone(),
            words::number(s.scopes as u64),
            words::number(s.fits as u64),
            share(s),
            words::number(s.refuted as u64),
            words::number(s.optimal as u64),
            ratio::excess(bench, &s.strategy),
            levels.join("/"),
            words::number(s.stalls as u64),
            ratio::pace(bench, &s.strategy, &first.strategy),
        ];
        if view.verbose {
            cells.push(ratio::milliseconds(Some(&s.seconds)));
        }
        table.row(cells);
    }
    table.print(2, out);
    if view.quiet {
        return;
    }
    skipped(bench, &shown().filter(|s| s.skipped > 0).collect::<Vec<_>>(), out);
    for s in shown().filter(|s| s.refuted > 0) {
        let (count, wrong) = (words::count(s.refuted, "plan"), refuted(bench, s));
        out.push_str(&format!(
            "  `{}`: {count} rejected by the judge, such as {wrong}\n",
            s.strategy
        ));
    }
    let notes = format!(
        "  excess: geometric mean of peak over lower bound; time: planner, relative to `{}`",
        first.strategy
    );
    out.push_str(&format!("{}\n", paint(DIM, notes)));
}

/// A line for each reason, with all strategies that it holds for.
fn skipped(bench: &Bench, some: &[&Strategy], out: &mut String) {
    let key = |s: &Strategy| (s.skipped, why(bench, s));
    for (at, s) in some.iter().enumerate() {
        if some[..at].iter().any(|t| key(t) == key(s)) {
            continue;
        }
        let same = some.iter().filter(|t| key(t) == key(s));
        let names: Vec<String> = same.map(|s| format!("`{}`", s.strategy)).collect();
        let scopes = words::count(s.skipped, "scope");
        let skip = if names.len() > 1 { "skip" } else { "skips" };
        out.push_str(&format!("  {} {skip} {scopes}: {}\n", words::and(&names), why(bench, s)));
    }
}

fn share(s: &Strategy) -> String {
    words::percent(s.fits as u64, s.scopes as u64)
}

/// The first reason for which a strategy skips a scope.
fn why<'a>(bench: &'a Bench, s: &Strategy) -> &'a str {
    let skipped = bench.rows.iter().find(|r| r.strategy == s.strategy && r.verdict.is_none());
    skipped.and_then(|r| r.note.as_deref()).unwrap_or("no reason given")
}

/// Where the first refuted plan of a strategy is.
fn refuted(bench: &Bench, s: &Strategy) -> String {
    let row = bench.rows.iter().find(|r| r.strategy == s.strategy && r.refuted);
    row.map_or(String::new(), |r| super::place(&r.input, &r.function, &r.scope))
}

/// What fits with each of `--levels`.
pub(super) fn levels(bench: &Bench, out: &mut String) {
    let alone = || bench.strategies.iter().filter_map(|s| Some((s, s.level?)));
    if alone().next().is_none() {
        return;
    }
    out.push_str("share that fits with each --level alone\n");
    let mut table = Table::new(&[
        ("level", Side::Left),
        ("scopes", Side::Right),
        ("fits", Side::Right),
        ("share", Side::Right),
        ("stalls", Side::Right),
    ]);
    for (s, level) in alone() {
        table.row(vec![
            level.to_owned(),
            words::number(s.scopes as u64),
            words::number(s.fits as u64),
            share(s),
            words::number(s.stalls as u64),
        ]);
    }
    table.print(2, out);
}
