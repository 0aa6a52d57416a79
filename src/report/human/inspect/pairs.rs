//! Who must lie together, who may share in place by which rule, and who just misses it.

use super::super::buffers::{list, more};
use super::super::view::View;
use super::names::{Names, line};
use crate::format::json_inspect::{Function, NearMiss};
use crate::report::words;

/// Groups of buffers that must lie on the same bytes.
pub(super) fn together(view: View, function: &Function, names: &Names<'_>, out: &mut String) {
    let wanted = |ids: &[u32]| ids.iter().any(|id| names.wanted(*id));
    let all: Vec<_> = function.together.iter().filter(|t| wanted(&t.buffers)).collect();
    if all.is_empty() {
        return;
    }
    out.push_str("  must lie on the same bytes\n");
    let shown = view.rows(all.len());
    for group in &all[..shown] {
        let ids = list(&group.buffers, |id| format!("`{}`", names.of(*id)));
        let why = match (&group.why, group.rule) {
            (Some(why), _) => format!(": {}", words::name(why)),
            (None, "handover") => ": each takes over from the one before".to_owned(),
            (None, _) => String::new(),
        };
        out.push_str(&format!("    {ids}{why}\n"));
    }
    more(all.len() - shown, "group", out);
}

/// Pairs that may share in place, and who allowed it.
pub(super) fn inplace(view: View, function: &Function, names: &Names<'_>, out: &mut String) {
    let wanted = |from, into| names.wanted(from) || names.wanted(into);
    let all: Vec<_> = function.inplace.iter().filter(|p| wanted(p.from, p.into)).collect();
    if all.is_empty() {
        return;
    }
    out.push_str("  may share in place\n");
    let shown = view.rows(all.len());
    for pair in &all[..shown] {
        let place = line(function, pair.loc.as_ref());
        let place = if place.is_empty() { place } else { format!(" (line {place})") };
        let at = match &pair.op {
            Some(op) => format!("at op `{}`{place}: ", words::name(op)),
            None => "given: ".to_owned(),
        };
        let level = match pair.level {
            "pipe" => String::new(),
            level => format!(", from level `{level}` down"),
        };
        out.push_str(&format!(
            "    `{}` on `{}`, {at}{}{level}\n",
            names.of(pair.into),
            names.of(pair.from),
            words::name(&pair.message)
        ));
    }
    more(all.len() - shown, "pair", out);
}

/// Operands and results that are no pair, and why.
pub(super) fn near_misses(view: View, function: &Function, names: &Names<'_>, out: &mut String) {
    let wanted = |m: &&NearMiss| names.wanted(m.from) || names.wanted(m.into);
    let all: Vec<_> = function.near_misses.iter().filter(wanted).collect();
    if all.is_empty() {
        return;
    }
    // What moves data from one memory to another was never going to share.
    let asked = view.verbose || !function.selected.is_empty();
    let (moved, all): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|m| !asked && m.rules.contains(&"scope"));
    out.push_str(
        "  near misses: a result is born where the operand is read, but may not take its bytes\n",
    );
    let shown = view.rows(all.len());
    for miss in &all[..shown] {
        let place = line(function, miss.loc.as_ref());
        let place = if place.is_empty() { place } else { format!(" (line {place})") };
        out.push_str(&format!(
            "    `{}` on `{}`, at op `{}`{place}: {}\n",
            names.of(miss.into),
            names.of(miss.from),
            words::name(&miss.op),
            words::name(&miss.message)
        ));
    }
    more(all.len() - shown, "pair", out);
    if !moved.is_empty() {
        let moved = words::count(moved.len(), "pair");
        out.push_str(&format!("    .. and {moved} in different scopes (-v shows them)\n"));
    }
    let left = usize::try_from(function.left_out.near_misses).unwrap_or(usize::MAX);
    if left > 0 {
        out.push_str(&format!("  and {} that are not listed\n", words::count(left, "pair")));
    }
}
