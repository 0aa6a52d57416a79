//! One scope of a plan.

use super::style::{self, BOLD, DIM, WARN, paint};
use super::view::View;
use super::{attempts, bar, buffers, map, overflow, reuse};
use crate::model::{Function, FunctionAnswer, Mode, Objective, Scope, ScopeAnswer, Verdict};
use crate::report::context::Input;
use crate::report::words;

/// Prints everything about a scope.
pub(super) fn print(
    view: View,
    input: Input<'_>,
    function: &Function,
    f: &FunctionAnswer,
    answer: &ScopeAnswer,
    out: &mut String,
) {
    let scope = &input.problem.scopes[answer.scope];
    out.push_str(&headline(view, input, scope, answer));
    if view.quiet {
        return;
    }
    if let Some(peak) = answer.peak.filter(|_| answer.verdict.has_plan()) {
        if let Some(bar) = bar::bar(scope, peak) {
            out.push_str(&format!("  {bar}\n"));
        }
        out.push_str(&format!("  {}\n", how(answer)));
    }
    if let Some(message) = &answer.message {
        out.push_str(&format!("  {}\n", words::name(message)));
    }
    for warning in &answer.warnings {
        out.push_str(&format!(
            "  {}: {}\n",
            paint(WARN, "warning"),
            words::name(warning.strip_prefix("warning: ").unwrap_or(warning))
        ));
    }
    if answer.verdict.has_plan() {
        reuse::print(view, input.problem, function, answer, out);
        buffers::print(view, input, function, f, answer, out);
        map::print(view, function, f, answer, out);
    } else {
        overflow::print(view, input, function, scope, answer, out);
    }
    if view.verbose {
        attempts::print(&answer.attempts, out);
    }
}

/// ``ub: 182,272 of 196,608 B (92.7 %), optimal: peak meets the load bound at op `mul` ``.
fn headline(view: View, input: Input<'_>, scope: &Scope, answer: &ScopeAnswer) -> String {
    let name = paint(BOLD, words::name(&scope.name));
    let verdict = match answer.refuted() {
        true => paint(style::BAD, "refuted"),
        false => paint(style::verdict(answer.verdict), answer.verdict.name()),
    };
    let Some(peak) = answer.peak.filter(|_| answer.verdict.has_plan()) else {
        return format!("{name}: {verdict}: {}\n", overflow::reason(scope, answer));
    };
    let numbers = match (scope.bytes(), scope.usable()) {
        (Some(capacity), Some(usable)) => {
            let mut text = format!(
                "{} of {} ({})",
                words::number(peak),
                words::bytes(capacity),
                words::percent(peak, capacity)
            );
            if usable < capacity {
                text.push_str(&format!(", {} usable", words::bytes(usable)));
            }
            text
        }
        _ => words::bytes(peak),
    };
    // Elsewhere a line of its own says how.
    let level = match answer.level.filter(|_| view.quiet) {
        Some(level) => format!("level {}, ", level.name()),
        None => String::new(),
    };
    let price = match input.problem.objective {
        Objective::CostThenPeak => format!("{}; ", reuse::cost(answer)),
        Objective::AsNeeded | Objective::Peak => String::new(),
    };
    format!("{name}: {numbers}, {level}{verdict}: {price}{}\n", reason(answer, peak))
}

/// Why the verdict of a plan is what it is.
fn reason(answer: &ScopeAnswer, peak: u64) -> String {
    let bound = answer.lower_bound;
    if answer.refuted() {
        return match bound.checked_sub(peak) {
            None | Some(0) => "the plan breaks the program".to_owned(),
            Some(below) => format!(
                "the plan breaks the program, and is {} below the proven bound",
                words::bytes(below)
            ),
        };
    }
    if answer.verdict == Verdict::Optimal {
        return if peak == answer.max_load.bytes {
            format!("peak meets the load bound at {}", words::moment(&answer.max_load))
        } else if peak == bound {
            format!(
                "peak meets the proven bound (load bound {})",
                words::bytes(answer.max_load.bytes)
            )
        } else {
            "no smaller peak exists, the search closed".to_owned()
        };
    }
    let excess = peak.saturating_sub(bound);
    if excess == 0 {
        // A plan of the pass may need less than what is proven of the program without its merging.
        return "no smaller peak is known".to_owned();
    }
    // What is above the bound is a share of the bound, what could be saved is one of the peak.
    let above =
        || format!("at most {} ({}) above", words::bytes(excess), words::percent(excess, bound));
    let saved = || format!("{} ({})", words::bytes(excess), words::percent(excess, peak));
    match answer.mode {
        Mode::Sequential if answer.reuse.is_empty() => {
            format!("everything has bytes of its own; sharing could save {} at most", saved())
        }
        Mode::Sequential => {
            format!("only merged buffers share bytes; more could save {} at most", saved())
        }
        Mode::Reuse => format!("{} the smallest peak possible", above()),
    }
}

/// Mode, level in both numberings, strategy, budget.
fn how(answer: &ScopeAnswer) -> String {
    let mut text = words::mode(answer.mode).to_owned();
    if let Some(level) = answer.level {
        text.push_str(&format!(", level {}", words::level(level)));
    }
    text.push_str(&format!(", strategy {}", answer.strategy));
    if let Some(limit) = answer.limited_by {
        let nodes = words::number(answer.nodes);
        text.push_str(&format!(", limited by {} after {nodes} nodes", words::limited_by(limit)));
    }
    paint(DIM, text)
}
