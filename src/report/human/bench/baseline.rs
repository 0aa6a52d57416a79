//! What changed since an earlier run.

use super::super::buffers::more;
use super::super::style::{BAD, GOOD, WARN, paint};
use super::super::view::View;
use super::place;
use crate::format::json_bench::{Baseline, Bench, Change, Standing, WRONG};
use crate::report::words;

/// A line for each strategy, then one for each row that changed.
pub(super) fn changes(view: View, bench: &Bench, compared: &Baseline, out: &mut String) {
    let (file, both) = (words::name(&compared.file), words::count(compared.rows, "row"));
    out.push_str(&format!("since {file}: {both} in both\n"));
    if !compared.differ.is_empty() {
        let names: Vec<String> = compared.differ.iter().map(|o| format!("`{o}`")).collect();
        out.push_str(&format!("  {} differ: nothing counts as worse\n", words::and(&names)));
    }
    for s in &bench.strategies {
        let mine: Vec<&Change> =
            compared.changes.iter().filter(|c| c.strategy == s.strategy).collect();
        out.push_str(&format!("  {}: {}\n", s.strategy, sums(&mine)));
        let shown = if view.quiet { 0 } else { view.rows(mine.len()) };
        for change in &mine[..shown] {
            let at = place(&change.input, &change.function, &change.scope);
            let (before, after) = (standing(&change.before), standing(&change.after));
            out.push_str(&format!("    {} {at}: {before} -> {after}\n", mark(change)));
        }
        if !view.quiet {
            more(mine.len() - shown, "row", out);
        }
    }
}

/// `1 peak up, 2 peaks down, 1 verdict worse`.
fn sums(changes: &[&Change]) -> String {
    let count = |of: &dyn Fn(&Change) -> bool| changes.iter().filter(|c| of(c)).count();
    let all = [
        (count(&|c| c.peak == "up"), "peak", "up"),
        (count(&|c| c.peak == "down"), "peak", "down"),
        (count(&|c| c.cost == "up"), "cost", "up"),
        (count(&|c| c.cost == "down"), "cost", "down"),
        (count(&|c| c.verdict == "worse"), "verdict", "worse"),
        (count(&|c| c.verdict == "better"), "verdict", "better"),
    ];
    let some = all.iter().filter(|(n, ..)| *n > 0);
    let words: Vec<String> =
        some.map(|(n, what, how)| format!("{} {how}", words::count(*n, what))).collect();
    if words.is_empty() { "as before".to_owned() } else { words.join(", ") }
}

/// `feasible 1,024 B`, and ` cost 384` where sharing costs anything.
fn standing(s: &Standing) -> String {
    let verdict = match (s.refuted, s.verdict) {
        // A wrong plan from outside says so itself.
        (true, Some(WRONG)) => WRONG,
        (true, _) => "refuted",
        (false, verdict) => verdict.unwrap_or("skipped"),
    };
    let peak = s.peak.map_or(String::new(), |peak| format!(" {}", words::bytes(peak)));
    let cost = s.reuse_cost.filter(|cost| *cost > 0);
    let cost = cost.map_or(String::new(), |cost| format!(" cost {}", words::number(cost)));
    format!("{verdict}{peak}{cost}")
}

/// `worse` in red, `better` in green; `other` where bytes were traded for stalls.
fn mark(change: &Change) -> String {
    let higher = change.peak == "up" || change.cost == "up";
    match (change.worse, higher) {
        (true, _) => paint(BAD, "worse"),
        (false, true) => paint(WARN, "other"),
        (false, false) => paint(GOOD, "better"),
    }
}
