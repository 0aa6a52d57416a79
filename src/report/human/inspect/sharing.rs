//! Who keeps whom from sharing bytes, and by which rule.

use super::super::buffers::more;
use super::super::table::{Side, Table};
use super::super::view::View;
use super::names::Names;
use crate::format::json_inspect::{Function, Rule, With};
use crate::report::words;

/// Buffers named in a cell where not everything is asked for.
const NAMED: usize = 3;

/// One row for each buffer and rule.
pub(super) fn table(view: View, function: &Function, names: &Names<'_>, out: &mut String) {
    let all: Vec<_> = function.sharing.iter().filter(|s| !s.rules.is_empty()).collect();
    if all.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ("buffer", Side::Left),
        ("may share", Side::Left),
        ("rule", Side::Left),
        ("with", Side::Right),
        ("such as", Side::Left),
    ]);
    let shown = view.rows(all.len());
    for sharing in &all[..shown] {
        // That buffers of other scopes are elsewhere is no news.
        let news = |r: &&Rule| view.verbose || !function.selected.is_empty() || r.rule != "scope";
        for (at, rule) in sharing.rules.iter().filter(news).enumerate() {
            table.row(vec![
                if at == 0 { names.of(sharing.id) } else { String::new() },
                level(rule),
                word(rule.rule).to_owned(),
                words::number(rule.count),
                such_as(view, names, rule),
            ]);
        }
    }
    let which = if function.selected.is_empty() && !view.verbose { ", at the peaks" } else { "" };
    out.push_str(&format!("  who may share with whom{which}\n"));
    table.print(4, out);
    let untold = usize::try_from(function.left_out.sharing).unwrap_or(usize::MAX);
    more((all.len() - shown).saturating_add(untold), "buffer", out);
    if function.selected.is_empty() && !view.verbose {
        out.push_str("    for others: --buffer NAME, or -v for all\n");
    }
}

/// From which level on.
fn level(rule: &Rule) -> String {
    match rule.level {
        None if rule.rule == "colocate" || rule.rule == "handover" => "must".to_owned(),
        None => "never".to_owned(),
        Some("pipe") => "at any level".to_owned(),
        Some(level) => format!("at `{level}`"),
    }
}

/// The rule in a word or two.
fn word(rule: &str) -> &'static str {
    match rule {
        "scope" => "other scope",
        "partition" => "other owner",
        "unique" => "unique",
        "colocate" => "colocate",
        "handover" => "handover",
        "separate" => "separate",
        "alive" => "alive together",
        "through" => "alive, through another",
        "pins" => "pins",
        "inplace" => "in place only",
        "loop" => "pipes, in one loop",
        "slot" => "pipes, but all slots",
        "pipes" => "pipes",
        _ => "nothing forbids it",
    }
}

fn such_as(view: View, names: &Names<'_>, rule: &Rule) -> String {
    let named = if view.verbose { rule.with.len() } else { NAMED };
    let one = |with: &With| match with.note.as_str() {
        "" => names.of(with.id),
        note => format!("{} ({})", names.of(with.id), words::name(note)),
    };
    let mut all: Vec<String> = rule.with.iter().take(named).map(one).collect();
    if rule.count > all.len() as u64 {
        all.push("..".to_owned());
    }
    all.join(", ")
}
