//! What changed since a baseline, and what is over its budget.

use super::style::{self, BAD, BOLD, DIM, GOOD, paint};
use super::table::{Side, Table};
use super::view::View;
use crate::diag::{Code, Severity};
use crate::model::{Comparison, Effect, LoadShift, Measure, Remark, grouped};
use crate::report::words;

/// The verdict and the counts; then each kernel that changed, with its reason and what that did; then what
/// is to be said of budgets, the worst first. Kernels that are as they were take a line with `-v` alone. What
/// is as bad as `least` is refused.
pub fn gate(view: View, comparisons: &[Comparison], remarks: &[Remark], least: Severity) -> String {
    let painted = |style, text: &str| paint(style, text);
    let verdict = format!("gate: {}: ", verdict(remarks, least, painted));
    told(view, verdict, comparisons, remarks)
}

/// The same where nobody is refused: two sides are compared.
pub fn changes(view: View, comparisons: &[Comparison], remarks: &[Remark]) -> String {
    told(view, String::new(), comparisons, remarks)
}

fn told(view: View, head: String, comparisons: &[Comparison], remarks: &[Remark]) -> String {
    let mut out = format!("{head}{}\n", counts(comparisons, remarks));
    if view.quiet {
        return out;
    }
    let loud: Vec<&Comparison> = comparisons.iter().filter(|c| !c.is_silent()).collect();
    let shown = view.rows(loud.len());
    for comparison in &loud[..shown] {
        out.push('\n');
        kernel(view, comparison, remarks, &mut out);
    }
    super::buffers::more(loud.len() - shown, "kernel", &mut out);
    if view.verbose {
        for comparison in comparisons.iter().filter(|c| c.is_silent()) {
            let rest = paint(DIM, unknown(comparison).unwrap_or_default());
            out.push_str(&format!("\n{}: as it was{rest}\n", title(comparison)));
        }
    }
    others(view, remarks, &mut out);
    out
}

/// The same as Markdown, for the summary of a job: a line, a table of all effects, a list of the rest.
pub fn gate_markdown(comparisons: &[Comparison], remarks: &[Remark]) -> String {
    let verdict = verdict(remarks, Severity::Error, |_, text| format!("**{text}**"));
    let mut out = format!("gate: {verdict}: {}\n", counts(comparisons, remarks));
    let rows: Vec<Vec<String>> = comparisons.iter().flat_map(gate_rows).collect();
    if !rows.is_empty() {
        let mut table = Table::new(&[
            ("kernel", Side::Left),
            ("scope", Side::Left),
            ("measure", Side::Left),
            ("was", Side::Right),
            ("is", Side::Right),
            ("change", Side::Right),
        ]);
        rows.into_iter().for_each(|row| table.row(row));
        out.push('\n');
        table.markdown(&mut out);
    }
    let said: Vec<&Remark> = remarks.iter().filter(|r| r.severity > Severity::Note).collect();
    let changed = comparisons.iter().filter(|c| !c.is_silent());
    let mut lines: Vec<String> = said
        .iter()
        .map(|r| {
            let word = words::severity(r.severity);
            format!("- **{word}** {}: {} (`{}`)", of(r), words::name(&r.message), r.code.name())
        })
        .collect();
    let quiet = changed.filter(|c| !said.iter().any(|r| is_of(r, c)));
    lines.extend(quiet.map(|c| format!("- {}: {}", place(c), words::name(&c.text))));
    if !lines.is_empty() {
        out.push_str(&format!("\n{}\n", lines.join("\n")));
    }
    out
}

/// A row for each effect of a comparison: kernel, scope, measure, then, now, difference.
pub fn gate_rows(comparison: &Comparison) -> Vec<Vec<String>> {
    let row = |effect: &Effect| {
        let mut row = vec![words::name(&comparison.function)];
        row.extend(cells(effect));
        row
    };
    comparison.effects.iter().map(row).collect()
}

/// `gate: reject: 5 kernels compared: 1 takes more, 1 changed, 3 as they were; 2 over budget`.
fn verdict(
    remarks: &[Remark],
    least: Severity,
    paint: impl Fn(anstyle::Style, &str) -> String,
) -> String {
    let rejected = remarks.iter().any(|r| r.severity >= least);
    if rejected { paint(BAD, "reject") } else { paint(GOOD, "accept") }
}

fn counts(comparisons: &[Comparison], remarks: &[Remark]) -> String {
    let mut parts = Vec::new();
    if !comparisons.is_empty() {
        let worse =
            |c: &Comparison| remarks.iter().any(|r| is_of(r, c) && r.code == Code::GateRegression);
        let worse = comparisons.iter().filter(|c| worse(c)).count();
        let silent = comparisons.iter().filter(|c| c.is_silent()).count();
        let changed = comparisons.len() - worse - silent;
        let counts = [
            (worse, if worse == 1 { "takes more" } else { "take more" }),
            (changed, "changed"),
            (silent, if silent == 1 { "as it was" } else { "as they were" }),
        ];
        let counts = counts.iter().filter(|(n, _)| *n > 0);
        let counts: Vec<String> =
            counts.map(|(n, what)| format!("{} {what}", words::number(*n as u64))).collect();
        let kernels = words::count(comparisons.len(), "kernel");
        parts.push(format!("{kernels} compared: {}", counts.join(", ")));
    }
    let number = |code| remarks.iter().filter(|r| r.code == code).count();
    let counts = [
        (Code::GateOverBudget, "over budget"),
        (Code::GateNoBudget, "without a budget"),
        (Code::GateBudgetUnused, "budget not used"),
        (Code::GateNoBaseline, "not in the baseline"),
        (Code::GateGone, "gone"),
    ];
    let counts = counts.iter().map(|(code, what)| (number(*code), what));
    let counts = counts.filter(|(n, _)| *n > 0);
    parts.extend(counts.map(|(n, what)| format!("{} {what}", words::number(n as u64))));
    if parts.is_empty() {
        parts.push("within budget".to_owned());
    }
    parts.join("; ")
}

fn kernel(view: View, comparison: &Comparison, remarks: &[Remark], out: &mut String) {
    let ours = remarks.iter().filter(|r| is_of(r, comparison) && of_baseline(r.code));
    let worst = ours.max_by_key(|r| r.severity);
    let severity = worst.map_or(Severity::Note, |r| r.severity);
    let code = worst.map_or(Code::GateChanged, |r| r.code);
    let word = paint(style::severity(severity), words::severity(severity));
    out.push_str(&format!("{word}[{}]: {}\n", code.name(), title(comparison)));
    out.push_str(&format!("  {}\n", words::name(&comparison.text)));
    if let Some(rest) = unknown(comparison) {
        out.push_str(&format!(
            "  {}\n",
            paint(DIM, rest.trim_start_matches(['(', ' ']).trim_end_matches(')'))
        ));
    }
    if !comparison.effects.is_empty() {
        let mut table = Table::new(&[
            ("scope", Side::Left),
            ("measure", Side::Left),
            ("was", Side::Right),
            ("is", Side::Right),
            ("change", Side::Right),
        ]);
        comparison.effects.iter().for_each(|effect| table.row(cells(effect).into()));
        table.print(4, out);
    }
    comparison.shifts.iter().for_each(|s| shift(view, s, out));
    if let Some(help) = worst.and_then(|r| r.help.as_ref()) {
        out.push_str(&format!("  help: {}\n", words::name(help)));
    }
}

fn shift(view: View, shift: &LoadShift, out: &mut String) {
    const FEW: usize = 5;
    let few = if view.verbose { shift.shares.len() } else { FEW.min(shift.shares.len()) };
    let shares = shift.shares[..few].iter();
    let shares: Vec<String> =
        shares.map(|(name, bytes)| format!("`{}` {}", words::name(name), signed(*bytes))).collect();
    let more = match shift.shares.len() - few {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let delta = signed(i128::from(shift.new) - i128::from(shift.old));
    let (scope, at) = (words::name(&shift.scope), words::name(&shift.at));
    let text = format!("load of `{scope}` at {at}, {delta} B: {}{more}", shares.join(", "));
    out.push_str(&format!("  {text}\n"));
}

/// What is said of budgets and of kernels that one side alone has, by code.
fn others(view: View, remarks: &[Remark], out: &mut String) {
    let mut groups: Vec<(Code, Vec<&Remark>)> = Vec::new();
    for remark in remarks.iter().filter(|r| !of_baseline(r.code)) {
        match groups.iter_mut().find(|(code, _)| *code == remark.code) {
            Some((_, group)) => group.push(remark),
            None => groups.push((remark.code, vec![remark])),
        }
    }
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.iter().map(|r| r.severity).max()));
    for (code, group) in groups {
        let severity = group.iter().map(|r| r.severity).max().unwrap_or(Severity::Note);
        let word = paint(style::severity(severity), words::severity(severity));
        let count = if group.len() > 1 { format!(" ({})", group.len()) } else { String::new() };
        out.push_str(&format!("\n{word}[{}]{count}: {}\n", code.name(), code.title()));
        let shown = view.rows(group.len());
        for remark in &group[..shown] {
            let place = match &remark.place {
                Some(place) => words::name(&place.to_string()),
                None => of(remark),
            };
            let place = paint(DIM, format!("({place})"));
            out.push_str(&format!("  {} {place}\n", words::name(&remark.message)));
        }
        super::buffers::more(group.len() - shown, "finding", out);
        if let Some(help) = group.iter().find_map(|r| r.help.as_ref()) {
            out.push_str(&format!("  help: {}\n", words::name(help)));
        }
    }
}

/// True for codes whose remarks are told with their comparison.
fn of_baseline(code: Code) -> bool {
    matches!(code, Code::GateRegression | Code::GateChanged)
}

fn is_of(remark: &Remark, comparison: &Comparison) -> bool {
    remark.input == comparison.input && remark.function.as_deref() == Some(&comparison.function)
}

fn of(remark: &Remark) -> String {
    match &remark.function {
        Some(function) => format!("{} `{}`", words::name(&remark.input), words::name(function)),
        None => words::name(&remark.input),
    }
}

fn place(comparison: &Comparison) -> String {
    format!("{} `{}`", words::name(&comparison.input), words::name(&comparison.function))
}

fn title(comparison: &Comparison) -> String {
    let was = match &comparison.was {
        Some((input, function)) if *function != comparison.function => {
            format!(" (was `{}` of {})", words::name(function), words::name(input))
        }
        Some((input, _)) => format!(" (was {})", words::name(input)),
        None => String::new(),
    };
    let name = paint(BOLD, words::name(&comparison.input));
    format!("{name} `{}`{was}", words::name(&comparison.function))
}

/// ` (not compared: the baseline does not tell live ranges)`.
fn unknown(comparison: &Comparison) -> Option<String> {
    let all = comparison.unknown.join(", ");
    (!all.is_empty()).then(|| format!(" (not compared: {})", words::name(&all)))
}

/// Scope, measure, then, now, difference.
fn cells(effect: &Effect) -> [String; 5] {
    let name = match effect.measure {
        Measure::ReuseCost => "reuse cost",
        Measure::MaxLoad => "max load",
        Measure::LowerBound => "lower bound",
        other => other.name(),
    };
    let change = match effect.delta() {
        Some(delta) => signed(delta),
        None if effect.is_worse() => "worse".to_owned(),
        None => String::new(),
    };
    let scope = effect.scope.as_deref().map(words::name).unwrap_or_default();
    [scope, name.to_owned(), effect.old.word(), effect.new.word(), change]
}

/// `+14,336`, `-32`.
fn signed(n: i128) -> String {
    let sign = if n < 0 { '-' } else { '+' };
    format!("{sign}{}", grouped(n.unsigned_abs()))
}

#[cfg(test)]
mod tests;
