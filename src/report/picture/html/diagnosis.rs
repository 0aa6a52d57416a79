//! Why a plan is not, or is not smaller.

use maud::{Markup, html};

use crate::model::{Function, Overflow, Scope, ScopeAnswer};
use crate::report::context::Input;
use crate::report::picture::{Drawn, Note};
use crate::report::words;

/// What is said of the whole function.
pub(super) fn of_function(drawn: &Drawn<'_>) -> Markup {
    html! { @for note in drawn.extra.notes.iter().filter(|n| n.scope.is_none()) { (part(note)) } }
}

/// What is said of a scope.
pub(super) fn of_scope(input: Input<'_>, drawn: &Drawn<'_>, answer: &ScopeAnswer) -> Markup {
    let notes: Vec<&Note> =
        drawn.extra.notes.iter().filter(|n| n.scope == Some(answer.scope)).collect();
    let scope = &input.problem.scopes[answer.scope];
    html! {
        @for warning in &answer.warnings { p.message { (words::name(warning)) } }
        @if let Some(message) = &answer.message { p.message { (words::name(message)) } }
        @if !notes.is_empty() {
            div.diagnosis { @for note in notes { (part(note)) } }
        } @else if let Some(overflow) = &answer.overflow {
            div.diagnosis {
                (why(input, drawn.function, answer, overflow))
                (instead(drawn.function, scope, overflow))
            }
        } @else if let Some(tight) = tight(drawn.function, scope, answer) {
            div.diagnosis { (part(&tight)) }
        }
    }
}

/// What a plan costs that fits, and what it would be better with.
fn tight(function: &Function, scope: &Scope, answer: &ScopeAnswer) -> Option<Note> {
    let diagnosis = answer.diagnosis.as_ref()?;
    if diagnosis.tight.is_empty() {
        return None;
    }
    let reasons: Vec<String> = diagnosis.tight.iter().map(words::tight).collect();
    let better = |(at, advice)| {
        let text = words::advice(function, &scope.name, advice);
        format!("{} {text}", if at == 0 { "better only if, cheapest first:" } else { "or" })
    };
    let lines = answer.advice().iter().enumerate().map(better).collect();
    Some(Note { scope: None, head: format!("Possible, but tight: {}", reasons.join("; ")), lines })
}

fn part(note: &Note) -> Markup {
    html! {
        div.part {
            h4 { (plain(&note.head)) }
            @match note.lines.as_slice() {
                [] => {}
                [one] => p { (plain(one)) }
                all => ul { @for line in all { li { (plain(line)) } } }
            }
        }
    }
}

/// Words without the marks of code, which a page does not show.
fn plain(text: &str) -> String {
    words::name(text).replace('`', "")
}

/// What makes it impossible, or what is known.
fn why(input: Input<'_>, function: &Function, answer: &ScopeAnswer, overflow: &Overflow) -> Markup {
    const SHOWN: usize = 12;
    let load = &answer.max_load;
    let over = load.bytes > overflow.available;
    html! {
        div.part {
            h4 { @if overflow.impossible { "Impossible" } @else { "Not known to fit" } }
            p {
                @if over {
                    (words::bytes(load.bytes)) " are alive at " (words::moment(load).replace('`', "")) ", "
                    (words::bytes(overflow.available)) " may be used: "
                    strong { (words::bytes(load.bytes - overflow.available)) " too many" } "."
                } @else {
                    "Requires " (words::bytes(overflow.requires)) " (" (overflow.requires_is) "), "
                    (words::bytes(overflow.available)) " may be used."
                }
            }
            @if over {
                ul.alive { @for (id, bytes) in load.buffers.iter().take(SHOWN) {
                    li {
                        (buffer(function, answer, id.0)) " " (words::bytes(*bytes))
                        @let line = input.line(function.buffers.get(*id).and_then(|b| b.loc));
                        @if !line.is_empty() { span.file { " line " (line) } }
                    }
                } }
                @if load.buffers.len() > SHOWN { p.note { (load.buffers.len() - SHOWN) " more" } }
            } @else if !overflow.core.is_empty() && overflow.impossible {
                p {
                    "These cannot all be placed; no smaller set shows it: "
                    @for (at, id) in overflow.core.iter().take(SHOWN).enumerate() {
                        @if at > 0 { ", " } (buffer(function, answer, id.0))
                    }
                    @if overflow.core.len() > SHOWN { ", and " (overflow.core.len() - SHOWN) " more" }
                    "."
                }
            }
        }
    }
}

/// What would fit.
fn instead(function: &Function, scope: &Scope, overflow: &Overflow) -> Markup {
    html! {
        @if !overflow.advice.is_empty() {
            div.part {
                h4 { "Possible with" }
                ol { @for one in &overflow.advice {
                    li { (words::advice(function, &scope.name, one).replace('`', "")) }
                } }
            }
        } @else if let Some(works) = overflow.works_at {
            div.part {
                h4 { "Possible with" }
                p { "a capacity of " (words::bytes(works)) "." }
            }
        }
    }
}

/// The name of a buffer; the script makes it a way to the map.
fn buffer(function: &Function, answer: &ScopeAnswer, id: u32) -> Markup {
    let known = |(b, _): &(crate::model::BufferId, _)| b.0 == id;
    let at = answer.buffers.iter().position(known);
    html! {
        span.name data-b=[at] { bdi { (words::buffer(function, crate::model::BufferId(id))) } }
    }
}
