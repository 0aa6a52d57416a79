//! One line for each strategy, and for each of `--levels`.

use super::super::style::{DIM, paint};
use super::super::table::{Side, Table};
use super::super::view::View;
use super::ratio;
use crate::format::json_bench::{Bench, Levels, Row, Strategy};
use crate::report::words;

/// What the second table is.
pub(super) const LEVELS: &str = "share that fits with each --level alone";

/// A line for each strategy over all inputs.
pub(super) fn strategies(view: View, bench: &Bench) -> Table {
    let mut columns = vec![
        ("strategy", Side::Left),
        ("scopes", Side::Right),
        ("fits", Side::Right),
        ("share", Side::Right),
        ("refuted", Side::Right),
        ("optimal", Side::Right),
        ("excess", Side::Right),
        ("worst", Side::Right),
    ];
    // Where nothing has pipes they would be zeros.
    let has_levels = shown(bench).any(|s| s.levels != Levels::default() || s.stalls > 0);
    if has_levels {
        columns.extend([("seq/pipe/loop/slot/life", Side::Right), ("stalls", Side::Right)]);
    }
    columns.push(("speed", Side::Right));
    if view.verbose {
        columns.push(("planner", Side::Right));
    }
    let mut table = Table::new(&columns);
    for s in shown(bench) {
        let l = s.levels;
        let levels = [l.sequential, l.pipe, l.in_loop, l.slot, l.lifetime].map(|n| n.to_string());
        let mut cells = vec![
            s.strategy.clone(),
            words::number(s.scopes as u64),
            words::number(s.fits as u64),
            share(s),
            words::number(s.refuted as u64),
            words::number(s.optimal as u64),
            ratio::excess(s.mean_excess.as_ref()),
            ratio::excess(s.worst_excess.as_ref()),
        ];
        if has_levels {
            let stalls = words::number(s.stalls as u64);
            // What a planner from outside has placed is not looked at for stalls.
            let stalls = if outside(bench, &s.strategy) { "-".to_owned() } else { stalls };
            cells.extend([levels.join("/"), stalls]);
        }
        cells.push(ratio::speed(s.speed.as_ref()));
        if view.verbose {
            cells.push(ratio::milliseconds(Some(&s.seconds)));
        }
        table.row(cells);
    }
    table
}

/// Those that have no table of their own.
fn shown(bench: &Bench) -> impl Iterator<Item = &Strategy> {
    bench.strategies.iter().filter(|s| s.level.is_none())
}

/// What there is to know about the table; `rows` says that there are rows to be asked for.
pub(super) fn notes(bench: &Bench, rows: bool, out: &mut String) {
    let Some(first) = shown(bench).next() else { return };
    skipped(bench, &shown(bench).filter(|s| s.skipped > 0).collect::<Vec<_>>(), out);
    for s in shown(bench).filter(|s| s.refuted > 0) {
        let (count, wrong) = (words::count(s.refuted, "plan"), refuted(bench, s));
        out.push_str(&format!(
            "  `{}`: {count} rejected by the judge, such as {wrong}\n",
            s.strategy
        ));
    }
    for (name, why, count) in failures(bench) {
        let scopes = words::count(count, "scope");
        out.push_str(&format!("  `{name}` has no plan of {scopes}: {why}\n"));
    }
    let mut notes = vec![
        "excess: geometric mean of peak over lower bound, worst: the largest".to_owned(),
        format!("speed: of the planner, geometric mean, relative to `{}`", first.strategy),
    ];
    if !bench.settings.external.is_empty() {
        notes.push("times of planners from outside are of whole processes".to_owned());
    }
    if rows {
        notes.push("-v shows all rows".to_owned());
    }
    for note in notes {
        out.push_str(&format!("{}\n", paint(DIM, format!("  {note}"))));
    }
}

/// True for a planner from outside.
fn outside(bench: &Bench, name: &str) -> bool {
    let mut names = bench.settings.external.iter().filter_map(|e| e.split_once('='));
    names.any(|(n, _)| n == name)
}

/// For each planner from outside why it has no plan, and how often.
fn failures(bench: &Bench) -> Vec<(&str, &str, usize)> {
    let failed =
        |r: &&Row| r.verdict.is_some() && !r.fits && !r.refuted && outside(bench, &r.strategy);
    let mut found: Vec<(&str, &str, usize)> = Vec::new();
    for row in bench.rows.iter().filter(failed) {
        let key = (row.strategy.as_str(), row.note.as_deref().unwrap_or("no reason given"));
        match found.iter_mut().find(|(name, why, _)| (*name, *why) == key) {
            Some((.., count)) => *count += 1,
            None => found.push((key.0, key.1, 1)),
        }
    }
    found.sort_by_key(|(name, ..)| bench.strategies.iter().position(|s| s.strategy == *name));
    found
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

/// Where the first refuted plan of a strategy is, and what is wrong with it.
fn refuted(bench: &Bench, s: &Strategy) -> String {
    let row = bench.rows.iter().find(|r| r.strategy == s.strategy && r.refuted);
    row.map_or(String::new(), |r| {
        let place = super::place(&r.input, &r.function, &r.scope);
        match (&r.note, r.fits) {
            // A plan from outside, which nobody else can be asked about.
            (Some(why), false) => format!("{place}: wrong: {why}"),
            _ => place,
        }
    })
}

/// What fits with each of `--levels`.
pub(super) fn levels(bench: &Bench) -> Option<Table> {
    let alone = || bench.strategies.iter().filter_map(|s| Some((s, s.level?)));
    alone().next()?;
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
    Some(table)
}
