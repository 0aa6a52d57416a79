//! Pairs whose sharing costs something.

use super::buffers::more;
use super::style::{WARN, paint};
use super::view::View;
use crate::model::{Function, Objective, Problem, Reuse, ScopeAnswer};
use crate::report::words;

/// Lists reuses that stall or tie pipes together, dearest first, and counts the others.
pub(super) fn print(
    view: View,
    problem: &Problem,
    function: &Function,
    answer: &ScopeAnswer,
    out: &mut String,
) {
    if answer.reuse.is_empty() {
        return;
    }
    let costly = |r: &&Reuse| r.stall || !r.pipes.is_empty();
    let mut listed: Vec<&Reuse> = answer.reuse.iter().filter(costly).collect();
    listed.sort_by_key(|r| (std::cmp::Reverse((r.stall, r.cost)), r.first, r.second));
    let inplace = answer.reuse.iter().filter(|r| r.inplace).count();
    let pairs = words::count(answer.reuse.len(), "pair");
    let verb = if answer.reuse.len() == 1 { "shares" } else { "share" };
    let stalls = listed.iter().filter(|r| r.stall).count();
    if problem.objective == Objective::CostThenPeak {
        let free = answer.reuse.len() - stalls;
        out.push_str(&format!("  {pairs} {verb} bytes: {free} free, {stalls} at a price"));
    } else {
        out.push_str(&format!("  {pairs} {verb} bytes: {inplace} in place, {stalls} stalling"));
        if answer.reuse_cost > 0 {
            out.push_str(&format!("; {}", cost(answer)));
        }
    }
    out.push('\n');
    let shown = view.rows(listed.len());
    for reuse in &listed[..shown] {
        out.push_str(&line(problem, function, reuse));
    }
    more(listed.len() - shown, "pair", out);
}

/// What the plan pays, and what is proven about it: `reuse cost 5, at least 3 needed`.
pub(super) fn cost(answer: &ScopeAnswer) -> String {
    let (cost, bound) = (answer.reuse_cost, answer.reuse_cost_bound);
    let cost = format!("reuse cost {}", words::number(cost));
    match (answer.reuse_cost, bound) {
        (0, _) => cost,
        (paid, bound) if paid == bound => format!("{cost}, the least possible here"),
        (_, bound) => format!("{cost}, at least {} needed", words::number(bound)),
    }
}

fn line(problem: &Problem, function: &Function, r: &Reuse) -> String {
    let first = words::buffer(function, r.first);
    let second = words::buffer(function, r.second);
    let word = match (r.stall, r.pipes.is_empty()) {
        (true, true) if r.level.is_none() => paint(WARN, "paid"),
        (true, _) => paint(WARN, "stall"),
        (false, _) => "ties".to_owned(),
    };
    let mut line = format!("    {word}: `{second}` on bytes of `{first}`");
    if let Some(level) = r.level {
        line.push_str(&format!(", level {}", level.name()));
    }
    let pipes: Vec<String> = r.pipes.iter().map(|p| words::name(&problem.pipes[*p].name)).collect();
    if !pipes.is_empty() {
        line.push_str(&format!(", between {}", words::and(&pipes)));
    }
    if r.cost > 0 {
        line.push_str(&format!(", cost {}", words::number(r.cost)));
    }
    if let Some(why) = &r.why {
        line.push_str(&format!(" ({})", words::name(why)));
    }
    line.push('\n');
    line
}
