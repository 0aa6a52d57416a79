//! Variants of an input, side by side.

use super::style::{BAD, BOLD, GOOD, WARN, paint};
use super::table::{Side, Table};
use super::view::View;
use crate::format::json_whatif::{MinCapacity, Variant, WhatIf};
use crate::model::{Mode, Verdict};
use crate::report::words;

/// Where a table goes.
#[derive(Clone, Copy)]
enum Style {
    Terminal(View),
    Markdown,
}

/// Variants and smallest capacities, for a person.
pub fn what_if(view: View, body: &WhatIf) -> String {
    text(Style::Terminal(view), body)
}

/// The same as Markdown.
pub fn what_if_markdown(body: &WhatIf) -> String {
    text(Style::Markdown, body)
}

fn text(style: Style, body: &WhatIf) -> String {
    let mut out = String::new();
    let function = |v: &Variant| (v.input.clone(), v.function.clone());
    for rows in body.variants.chunk_by(|a, b| function(a) == function(b)) {
        apart(&mut out);
        variants(style, rows, &mut out);
    }
    let function = |m: &MinCapacity| (m.input.clone(), m.function.clone());
    for rows in body.min_capacity.chunk_by(|a, b| function(a) == function(b)) {
        apart(&mut out);
        capacities(style, rows, &mut out);
    }
    out
}

fn apart(out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
}

fn quiet(style: Style) -> bool {
    matches!(style, Style::Terminal(view) if view.quiet)
}

/// One function: how many variants fit, what each scope takes, all rows, what cannot be planned.
fn variants(style: Style, rows: &[Variant], out: &mut String) {
    let Some(first) = rows.first() else { return };
    let by_name: Vec<&[Variant]> = rows.chunk_by(|a, b| a.variant == b.variant).collect();
    let fits = |rows: &[Variant]| rows.iter().all(has_plan);
    let fit = by_name.iter().filter(|rows| fits(rows)).count();
    let (input, all) = (words::name(&first.input), words::count(by_name.len(), "variant"));
    let good = match fit {
        0 => BAD,
        n if n == by_name.len() => GOOD,
        _ => WARN,
    };
    let head = match &first.function {
        Some(function) => format!("{fit} of {all} of `{}` fit", words::name(function)),
        None => format!("{fit} of {all} fit"),
    };
    match style {
        Style::Terminal(_) => {
            out.push_str(&format!("{}: {}\n", paint(BOLD, input), paint(good, head)));
        }
        Style::Markdown => out.push_str(&format!("**{input}**: {head}\n\n")),
    }
    if quiet(style) {
        return;
    }
    if let Style::Terminal(_) = style {
        for row in by_name.first().copied().unwrap_or_default() {
            out.push_str(&least(row, rows));
        }
    }
    let (right, alone) = (Side::Right, words::mode(Mode::Sequential));
    let mut table = Table::new(&[
        ("variant", Side::Left),
        ("scope", Side::Left),
        ("verdict", Side::Left),
        ("peak", right),
        ("change", right),
        ("level", Side::Left),
        ("stalls", right),
        ("cost", right),
        ("bound", right),
    ]);
    for row in rows.iter().filter(|row| row.reason.is_none()) {
        let number = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), words::number);
        let bytes = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), words::bytes);
        table.row(vec![
            words::name(&row.variant),
            row.scope.as_deref().map(words::name).unwrap_or_default(),
            row.verdict.unwrap_or("-").to_owned(),
            match (row.peak, row.requires) {
                (None, Some(requires)) => format!("needs {}", words::bytes(requires)),
                (peak, _) => bytes(peak),
            },
            row.delta.map_or_else(|| "-".to_owned(), change),
            row.level.or(row.mode.filter(|mode| *mode == alone)).unwrap_or("-").to_owned(),
            number(row.stalls),
            number(row.reuse_cost),
            bytes(row.lower_bound),
        ]);
    }
    print(style, table, out);
    let refused = rows.iter().filter_map(|row| Some((row, row.reason.as_ref()?)));
    let refused: Vec<(&Variant, &String)> = refused.collect();
    if !refused.is_empty() && matches!(style, Style::Markdown) {
        out.push('\n');
    }
    for (row, why) in refused {
        let line = format!("{}: not planned: {}", words::name(&row.variant), words::name(why));
        match style {
            Style::Terminal(_) => out.push_str(&format!("  {line}\n")),
            Style::Markdown => out.push_str(&format!("- {line}\n")),
        }
    }
}

fn has_plan(row: &Variant) -> bool {
    row.verdict.and_then(Verdict::find).is_some_and(Verdict::has_plan)
}

/// What a scope takes as it is, and the variant in which it takes least.
fn least(base: &Variant, rows: &[Variant]) -> String {
    let Some(scope) = &base.scope else { return String::new() };
    let of = match base.usable {
        Some(usable) => format!(" of {}", words::bytes(usable)),
        None => String::new(),
    };
    let now = match base.peak {
        Some(peak) => format!("{}{of} as it is", words::bytes(peak)),
        None => format!("{}{of} as it is", base.verdict.unwrap_or("not planned")),
    };
    let mine = rows.iter().filter(|row| row.scope.as_ref() == Some(scope));
    let lower =
        |row: &&Variant| row.peak.is_some() && base.peak.is_none_or(|now| row.peak < Some(now));
    let best = mine.filter(lower).min_by_key(|row| row.peak);
    let least = match best {
        Some(row) => format!(
            "; least {} with {}",
            words::bytes(row.peak.unwrap_or_default()),
            words::name(&row.variant)
        ),
        None => "; no variant takes less".to_owned(),
    };
    format!("{}: {now}{least}\n", words::name(scope))
}

/// `+1,024 B`, `-512 B`, `0 B`.
fn change(delta: i64) -> String {
    let sign = match delta {
        0 => "",
        d if d > 0 => "+",
        _ => "-",
    };
    format!("{sign}{}", words::bytes(delta.unsigned_abs()))
}

/// The smallest capacities of one function.
fn capacities(style: Style, rows: &[MinCapacity], out: &mut String) {
    let Some(first) = rows.first() else { return };
    let proven = rows.iter().filter(|row| row.proven).count();
    let (input, function) = (words::name(&first.input), words::name(&first.function));
    let level = match first.level {
        Some(level) => format!(" at level `{level}`"),
        None => String::new(),
    };
    let all = words::count(rows.len(), "scope");
    let head = format!("smallest capacities of `{function}`{level}: {proven} of {all} proven");
    match style {
        Style::Terminal(_) => {
            let good = if proven == rows.len() { GOOD } else { WARN };
            out.push_str(&format!("{}: {}\n", paint(BOLD, input), paint(good, head)));
        }
        Style::Markdown => out.push_str(&format!("**{input}**: {head}\n\n")),
    }
    if quiet(style) {
        return;
    }
    let mut table = Table::new(&[
        ("scope", Side::Left),
        ("capacity", Side::Right),
        ("smallest", Side::Right),
        ("spare", Side::Right),
        ("", Side::Left),
    ]);
    for row in rows {
        let bytes = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), words::bytes);
        let spare = row.capacity.zip(row.found).and_then(|(now, found)| {
            let now = i128::from(now) - i128::from(found);
            i64::try_from(now).ok()
        });
        let spare = spare.map_or_else(
            || "-".to_owned(),
            |n| if n < 0 { change(n) } else { words::bytes(n.unsigned_abs()) },
        );
        let says = match (&row.reason, row.found, row.lower_bound) {
            (Some(reason), ..) => words::name(reason),
            (None, Some(_), _) if row.proven => "proven: one byte less does not do".to_owned(),
            (None, Some(found), Some(bound)) => format!(
                "open: the smallest is in [{}, {}]",
                words::number(bound),
                words::number(found)
            ),
            (None, _, bound) => format!("no plan known; at least {}", bytes(bound)),
        };
        table.row(vec![
            words::name(&row.scope),
            bytes(row.capacity),
            bytes(row.found),
            spare,
            says,
        ]);
    }
    print(style, table, out);
}

fn print(style: Style, table: Table, out: &mut String) {
    match style {
        Style::Terminal(_) => table.print(2, out),
        Style::Markdown => table.markdown(out),
    }
}
