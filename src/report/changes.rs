//! Changes of the input, and what makes a plan tight, in words.

use super::words::{buffer, bytes, count, name, percent};
use crate::model::{Advice, BufferId, Change, Function, Tight};

/// A change in words: ``1 slot instead of 2 for `tile`: peak 192,000 B, level pipe``.
pub fn advice(function: &Function, scope: &str, advice: &Advice) -> String {
    let mut text = change(function, scope, &advice.change);
    for with in &advice.with {
        text.push_str(&format!(", and {}", change(function, scope, with)));
    }
    text.push_str(&format!(": peak {}", bytes(advice.peak)));
    if let Some(level) = advice.level {
        text.push_str(&format!(", level {}", level.name()));
    }
    if advice.stalls > 0 {
        let pairs = count(advice.stalls, "stalling pair");
        text.push_str(&format!(", {pairs} (cost {})", advice.reuse_cost));
    }
    text
}

fn change(function: &Function, scope: &str, change: &Change) -> String {
    let name_of = |id: &BufferId| buffer(function, *id);
    match change {
        Change::Slots { buffer, from, to } => {
            let to = count(*to as usize, "slot");
            format!("{to} instead of {from} for `{}`", name_of(buffer))
        }
        Change::Size { buffer, from, to } => format!(
            "{} instead of {} a slot for `{}`, the largest that fits{}",
            bytes(*to),
            bytes(*from),
            name_of(buffer),
            elements(function, *buffer, *to)
        ),
        Change::Capacity { to, proven } => {
            let known =
                if *proven { "the smallest that works" } else { "the smallest known to work" };
            format!("a capacity of {} for `{}`, {known}", bytes(*to), name(scope))
        }
        Change::Unpin { buffer } => format!("`{}` not pinned", name_of(buffer)),
        Change::Share { buffer } => format!("`{}` allowed to share bytes", name_of(buffer)),
        Change::Relax { kind, first, second } => {
            format!("no `{}` between `{}` and `{}`", kind.name(), name_of(first), name_of(second))
        }
        Change::Align { buffer, from, to } => {
            format!("alignment {to} instead of {from} for `{}`", name_of(buffer))
        }
        Change::Reserved { range, why } => {
            let why = why.as_deref().map_or(String::new(), |why| format!(" ({})", name(why)));
            format!("the reserved bytes {range}{why} given back, {}", bytes(range.len()))
        }
        Change::Partition { owner, bytes: part } => {
            format!("the part of `{}` given back, {}", name(owner), bytes(*part))
        }
        Change::Level { to } => format!("level `{}` allowed", to.name()),
        Change::Order { to } => format!("another order, `--order {}`", name(to)),
        Change::Planner { to } => format!("another planner, `--strategy {to}`"),
        Change::Move { buffer, name: to, .. } => {
            format!("`{}` in `{}`, if its ops can use it there", name_of(buffer), name(to))
        }
    }
}

/// A size in elements, for a buffer whose size comes from unpadded elements.
fn elements(function: &Function, buffer: BufferId, size: u64) -> String {
    let shape = function.buffers.get(buffer).and_then(|b| b.shape.as_ref());
    match shape.filter(|s| s.strides.is_none()) {
        Some(shape) if shape.bits > 0 => {
            let count = u128::from(size) * 8 / u128::from(shape.bits);
            format!(" ({} {} elements)", crate::model::grouped(count), shape.dtype)
        }
        _ => String::new(),
    }
}

/// What makes a plan tight: `2 stalling pairs (cost 17)`.
pub fn tight(tight: &Tight) -> String {
    match tight {
        Tight::Stalls { pairs, cost } => {
            format!("{} (cost {cost})", count(*pairs, "stalling pair"))
        }
        Tight::Level { level } => format!("level {}", level.name()),
        Tight::Slack { free, usable } => {
            format!("{} free ({})", bytes(*free), percent(*free, *usable))
        }
    }
}
