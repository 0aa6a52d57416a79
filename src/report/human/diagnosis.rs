//! The three parts of a verdict: hidden memory, what is tight, what it would be possible with.

use super::style::{BOLD, DIM, WARN, paint};
use super::table::Table;
use crate::model::{
    Fragmentation, Function, Holder, HolderKind, Ruling, Scope, ScopeAnswer, Tight,
};
use crate::report::words;

/// Adds rows for memory that nobody has written down: temporaries, the parts of other owners, reserved
/// bytes, workspaces. Their names cannot be mistaken for those of buffers, which stand above.
pub(super) fn hidden(answer: &ScopeAnswer, table: &mut Table) {
    let Some(diagnosis) = &answer.diagnosis else { return };
    for holder in &diagnosis.holders {
        let what = match &holder.kind {
            // These are the rows above.
            HolderKind::Buffers => continue,
            HolderKind::Temporaries => "temporaries of these".to_owned(),
            HolderKind::Owner(owner) => format!("owner {}", words::name(owner)),
            HolderKind::Reserved(Some(why)) => format!("reserved: {}", words::name(why)),
            HolderKind::Reserved(None) => "reserved".to_owned(),
            HolderKind::Workspace(name) => format!("beside it {}", words::name(name)),
        };
        table.row(vec![what, buffers(holder), String::new(), words::bytes(holder.bytes)]);
    }
}

fn buffers(holder: &Holder) -> String {
    match holder.buffers {
        0 => String::new(),
        n => words::count(n, "buffer"),
    }
}

/// What makes a plan tight, in one line.
pub(super) fn tight(answer: &ScopeAnswer, out: &mut String) {
    let Some(diagnosis) = &answer.diagnosis else { return };
    let parts: Vec<String> = diagnosis.tight.iter().map(words::tight).collect();
    if !parts.is_empty() {
        out.push_str(&format!("  {}: {}\n", paint(WARN, "tight"), parts.join("; ")));
    }
}

/// What it would be possible with, or better with.
pub(super) fn only_if(function: &Function, scope: &Scope, answer: &ScopeAnswer, out: &mut String) {
    let advice = answer.advice();
    let diagnosis = answer.diagnosis.as_ref();
    let complete = diagnosis.is_none_or(|d| d.complete);
    if answer.verdict.has_plan() {
        let tight = diagnosis.map_or(&[][..], |d| &d.tight);
        let better = match tight.first() {
            Some(Tight::Stalls { .. }) => "without stalls only if",
            Some(Tight::Level { .. }) => "at a stricter level only if",
            Some(Tight::Slack { .. }) | None => return,
        };
        if advice.is_empty() {
            return;
        }
        heading(better, complete, out);
    } else {
        if advice.is_empty() {
            out.push_str("  no single change was found that makes it fit\n");
            return;
        }
        heading("possible only if", complete, out);
    }
    for (at, advice) in advice.iter().enumerate() {
        let text = words::advice(function, &scope.name, advice);
        out.push_str(&format!("    {}. {text}\n", at + 1));
    }
}

fn heading(what: &str, complete: bool, out: &mut String) {
    let what = paint(BOLD, format_args!("{what}, cheapest first:"));
    let rest = if complete { String::new() } else { paint(DIM, " (not all changes were tried)") };
    out.push_str(&format!("  {what}{rest}\n"));
}

/// One line about holes, where a move would help.
pub(super) fn holes(function: &Function, answer: &ScopeAnswer, out: &mut String) {
    let Some(diagnosis) = &answer.diagnosis else { return };
    let possible = matches!(diagnosis.ruling, Ruling::Possible { .. });
    if let Some(found) = diagnosis.fragmentation.as_ref().filter(|_| possible)
        && found.moved.is_some()
    {
        out.push_str(&format!("  {}\n", fragmentation(function, found)));
    }
}

/// ``4,096 B free at step 7, the largest hole is 2,048 B: moving `a` from 8,192 to 0 ..``.
pub fn fragmentation(function: &Function, found: &Fragmentation) -> String {
    let mut text = format!(
        "{} free at step {}, the largest hole is {}",
        words::bytes(found.free),
        found.at.0,
        words::bytes(found.hole)
    );
    if let Some(wants) = found.wants {
        text.push_str(&format!("; `{}` has no place", words::buffer(function, wants)));
    }
    let name = |id| words::buffer(function, id);
    match (found.moved, found.blocking) {
        (Some(moved), _) => {
            let (from, to) = (words::number(moved.from), words::number(moved.to));
            let then = match moved.place {
                Some(at) => format!("makes room at {}", words::number(at)),
                None => format!("lowers the peak to {}", words::bytes(moved.new_peak)),
            };
            let buffer = name(moved.buffer);
            text.push_str(&format!(": moving `{buffer}` from {from} to {to} {then}"));
        }
        (None, Some(blocking)) => {
            text.push_str(&format!("; `{}` is most in the way", name(blocking)));
        }
        (None, None) => {}
    }
    text
}
