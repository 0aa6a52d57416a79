//! Pairs whose sharing costs something.

use super::buffers::more;
use super::style::{WARN, paint};
use super::view::View;
use crate::model::{Function, Problem, Reuse, ScopeAnswer};
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
    let stalls = listed.iter().filter(|r| r.stall).count();
    let pairs = words::count(answer.reuse.len(), "pair");
    let verb = if answer.reuse.len() == 1 { "shares" } else { "share" };
    out.push_str(&format!("  {pairs} {verb} bytes: {inplace} in place, {stalls} stalling"));
    if answer.reuse_cost > 0 {
        let (cost, bound) = (answer.reuse_cost, answer.reuse_cost_bound);
        let proof = if bound == cost {
            "the least possible here".to_owned()
        } else {
            format!("at least {} needed", words::number(bound))
        };
        out.push_str(&format!("; reuse cost {}, {proof}", words::number(cost)));
    }
    out.push('\n');
    let shown = view.rows(listed.len());
    for reuse in &listed[..shown] {
        out.push_str(&line(problem, function, reuse));
    }
    more(listed.len() - shown, "pair", out);
}

fn line(problem: &Problem, function: &Function, r: &Reuse) -> String {
    let first = words::buffer(function, r.first);
    let second = words::buffer(function, r.second);
    let word = if r.stall { paint(WARN, "stall") } else { "ties".to_owned() };
    let mut line =
        format!("    {word}: `{second}` on bytes of `{first}`, level {}", r.level.name());
    let pipes: Vec<String> = r.pipes.iter().map(|p| words::name(&problem.pipes[*p].name)).collect();
    if !pipes.is_empty() {
        line.push_str(&format!(", between {}", words::and(&pipes)));
    }
    if r.cost > 0 {
        line.push_str(&format!(", cost {}", words::number(r.cost)));
    }
    line.push('\n');
    line
}
