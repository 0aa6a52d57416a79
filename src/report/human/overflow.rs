//! Why a scope does not fit, and what would fit.

use super::buffers::more;
use super::diagnosis;
use super::style::{DIM, paint};
use super::table::{Side, Table};
use super::view::View;
use crate::diag::Code;
use crate::model::{
    BufferId, Bytes, CoreIs, Function, LimitedBy, Overflow, Scope, ScopeAnswer, Verdict,
};
use crate::report::context::Input;
use crate::report::words;

/// Bytes that the buffers at fault may use: of the scope, or of their owner's partition.
fn available(scope: &Scope, answer: &ScopeAnswer) -> Option<u64> {
    answer.overflow.as_ref().map(|o| o.available).or(scope.usable())
}

/// The headline of a scope without a plan.
pub(super) fn reason(scope: &Scope, answer: &ScopeAnswer) -> String {
    let load = &answer.max_load;
    let usable = available(scope, answer);
    let words = match answer.verdict {
        Verdict::Infeasible if usable.is_some_and(|u| load.bytes > u) => format!(
            "impossible, {} alive at {}, {} usable",
            words::bytes(load.bytes),
            words::moment(load),
            usable.map_or_else(String::new, words::bytes)
        ),
        Verdict::Infeasible if usable.is_none() => {
            "impossible, pins or relations contradict each other".to_owned()
        }
        Verdict::Infeasible => "impossible, no plan exists at the levels allowed".to_owned(),
        Verdict::NotFound if usable.is_some_and(|u| load.bytes > u) => {
            let name = words::name(&answer.strategy);
            format!("{name} found no plan, and none exists: more is alive at once than fits")
        }
        Verdict::NotFound => {
            format!("{} found no plan; others may", words::name(&answer.strategy))
        }
        Verdict::Undecided => {
            let what = match answer.limited_by {
                Some(LimitedBy::Time) => "the time ran out",
                Some(LimitedBy::Interrupt) => "interrupted",
                Some(LimitedBy::Nodes) | None => "the budget ran out",
            };
            format!("{what} before a plan or a proof was found")
        }
        Verdict::Optimal | Verdict::Feasible => "no placement".to_owned(),
    };
    format!("{words} [{}]", code(answer.verdict).name())
}

/// The code of a verdict without a plan.
fn code(verdict: Verdict) -> Code {
    match verdict {
        Verdict::NotFound => Code::PlanNotFound,
        Verdict::Undecided => Code::PlanUndecided,
        Verdict::Infeasible | Verdict::Optimal | Verdict::Feasible => Code::PlanOverflow,
    }
}

/// Prints what is required, who is alive, what works, what to change.
pub(super) fn print(
    view: View,
    input: Input<'_>,
    function: &Function,
    scope: &Scope,
    answer: &ScopeAnswer,
    out: &mut String,
) {
    if scope.usable().is_some() {
        numbers(scope, answer, out);
        alive(view, input, function, answer, out);
    }
    if let Some(overflow) = &answer.overflow {
        core(function, answer, overflow, out);
        if let Some(bytes) = overflow.works_at {
            let bytes = words::bytes(bytes);
            out.push_str(&format!("  smallest capacity that did work: {bytes}\n"));
        }
        // The method that was asked for is not asked what else it would do.
        if answer.verdict != Verdict::NotFound || !overflow.advice.is_empty() {
            diagnosis::only_if(function, scope, answer, out);
        }
    } else if !answer.advice().is_empty() {
        diagnosis::only_if(function, scope, answer, out);
    }
}

/// Capacity, usable, load, bound, and the line of the compilers in bits.
fn numbers(scope: &Scope, answer: &ScopeAnswer, out: &mut String) {
    let (Some(capacity), Some(usable)) = (scope.bytes(), available(scope, answer)) else { return };
    let bound = answer.lower_bound;
    let reserved = capacity - usable.min(capacity);
    let mut text = format!("  capacity {}", words::bytes(capacity));
    if reserved > 0 {
        let held =
            format!(", {} reserved, {} usable", words::bytes(reserved), words::bytes(usable));
        text.push_str(&held);
    }
    text.push_str(&format!("; load {}", words::bytes(answer.max_load.bytes)));
    if bound > answer.max_load.bytes {
        text.push_str(&format!("; proven bound {}", words::bytes(bound)));
    }
    // A bound is where a plan must end: what others hold below it is not of ours to count.
    let load = answer.max_load.bytes;
    let over = if load > usable { load - usable } else { bound.saturating_sub(capacity) };
    if over > 0 {
        text.push_str(&format!("; {} too many", words::bytes(over)));
    }
    out.push_str(&text);
    out.push('\n');
    // The planner's own message says it already.
    if answer.message.as_ref().is_some_and(|m| m.contains("bits")) {
        return;
    }
    let (requires, is) = match &answer.overflow {
        Some(o) => (o.requires, o.requires_is),
        None => (bound, "lower_bound"),
    };
    // Without separators, so that it can be found in a compiler's log.
    let line = format!(
        "requires {} bits while {} bits available ({} against {}; {is})",
        Bytes(requires).bits(),
        Bytes(usable).bits(),
        words::bytes(requires),
        words::bytes(usable)
    );
    out.push_str(&format!("  {}\n", paint(DIM, line)));
}

fn alive(
    view: View,
    input: Input<'_>,
    function: &Function,
    answer: &ScopeAnswer,
    out: &mut String,
) {
    let load = &answer.max_load;
    if load.buffers.is_empty() {
        return;
    }
    out.push_str(&format!("  alive at {}, largest first:\n", words::moment(load)));
    let mut table = Table::new(&[
        ("buffer", Side::Left),
        ("size", Side::Right),
        ("slots", Side::Right),
        ("in all", Side::Right),
        ("line", Side::Right),
    ]);
    let shown = view.rows(load.buffers.len());
    for (id, bytes) in &load.buffers[..shown] {
        let buffer = &function.buffers[*id];
        table.row(vec![
            words::name(&buffer.name),
            words::bytes(buffer.size.0),
            buffer.slots.to_string(),
            words::bytes(*bytes),
            input.line(buffer.loc),
        ]);
    }
    diagnosis::hidden(answer, &mut table);
    table.print(4, out);
    more(load.buffers.len() - shown, "buffer", out);
    let op = load.op.and_then(|op| function.ops.get(op));
    if let Some(op) = op.filter(|op| op.loc.is_some()) {
        let line = input.line(op.loc);
        out.push_str(&format!("    (op `{}` stands at line {line})\n", words::name(&op.name)));
    }
}

/// The buffers of the proof, where they are not just those alive at the largest load.
fn core(function: &Function, answer: &ScopeAnswer, overflow: &Overflow, out: &mut String) {
    const LISTED: usize = 12;
    let mut core = overflow.core.clone();
    let mut alive: Vec<BufferId> = answer.max_load.buffers.iter().map(|(id, _)| *id).collect();
    core.sort_unstable();
    alive.sort_unstable();
    let told = core == alive && overflow.core_is != CoreIs::Proven;
    if core.is_empty() || told {
        return;
    }
    let names = overflow.core.iter().take(LISTED);
    let mut names: Vec<String> =
        names.map(|id| format!("`{}`", words::buffer(function, *id))).collect();
    if overflow.core.len() > LISTED {
        names.push(format!(".. ({} in all)", overflow.core.len()));
    }
    let whole = if core == alive { "all of these".to_owned() } else { names.join(", ") };
    let known = match overflow.core_is {
        CoreIs::Proven => "drop any one and the rest fits",
        CoreIs::Witness | CoreIs::Unknown => "a smaller set may show it, too",
    };
    let proof = match overflow.core.len() {
        1 => format!("{} alone cannot be placed", names.join(", ")),
        _ => format!("{whole} cannot be placed together; {known}"),
    };
    out.push_str(&format!("  proof: {proof}\n"));
}
