//! Strategies side by side.

mod baseline;
mod ratio;
mod rows;
mod summary;
#[cfg(test)]
mod tests;
mod written;

use anstream::adapter::strip_str;

use super::style::{BAD, BOLD, paint};
use super::table::Table;
use super::view::View;
use crate::format::json_bench::{Bench, Loss};
use crate::report::words;

/// Rows that are shown without being asked for, at most.
const FEW: usize = 24;

/// The rows where they are few, or with `-v`; a line for each strategy; then what follows from comparing
/// them.
pub fn bench(view: View, bench: &Bench, inputs: usize, broken: usize) -> String {
    let mut out = String::new();
    if !bench.written.is_empty() {
        written::table(bench).print(0, &mut out);
        return out;
    }
    let all = view.verbose || (bench.rows.len() <= FEW && !view.quiet);
    if all {
        rows::table(bench, true).print(0, &mut out);
        out.push('\n');
    }
    out.push_str(&format!("{}\n", head(inputs, broken)));
    summary::strategies(view, bench).print(2, &mut out);
    if !view.quiet {
        summary::notes(bench, !all, &mut out);
    }
    if let Some(levels) = summary::levels(bench) {
        out.push_str(&format!("{}\n", summary::LEVELS));
        levels.print(2, &mut out);
    }
    rest(view, bench, &mut out);
    out
}

/// The same as Markdown, with every row unless `-q` is given.
pub fn bench_markdown(view: View, bench: &Bench, inputs: usize, broken: usize) -> String {
    let mut out = String::new();
    if !bench.written.is_empty() {
        written::table(bench).markdown(&mut out);
        return out;
    }
    let mut part = |title: String, table: Table| {
        out.push_str(&format!("{}:\n\n", strip_str(&title)));
        table.markdown(&mut out);
        out.push('\n');
    };
    part(head(inputs, broken), summary::strategies(view, bench));
    if let Some(levels) = summary::levels(bench) {
        part(summary::LEVELS.to_owned(), levels);
    }
    if !view.quiet {
        part(words::count(bench.rows.len(), "row"), rows::table(bench, false));
    }
    let mut text = String::new();
    if !view.quiet {
        summary::notes(bench, false, &mut text);
    }
    rest(view, bench, &mut text);
    for line in strip_str(&text).to_string().lines() {
        let words = line.trim_start();
        out.push_str(&format!("{}* {words}\n", &line[..line.len() - words.len()]));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// `3 inputs, 1 broken`.
fn head(inputs: usize, broken: usize) -> String {
    let mut what = words::count(inputs, "input");
    if broken > 0 {
        what.push_str(&format!(", {}", paint(BAD, format!("{broken} broken"))));
    }
    paint(BOLD, what)
}

/// Who lost, and what changed.
fn rest(view: View, bench: &Bench, out: &mut String) {
    lost(view, &bench.lost, out);
    if let Some(compared) = &bench.baseline {
        baseline::changes(view, bench, compared, out);
    }
}

/// The place that a row is about: ``a.toml `softmax` ub``.
fn place(input: &str, function: &str, scope: &str) -> String {
    let names = [input, function, scope].map(words::name);
    format!("{} `{}` {}", names[0], names[1], names[2])
}

fn lost(view: View, losses: &[Loss], out: &mut String) {
    for loss in &losses[..view.rows(losses.len())] {
        let how = match loss.peak {
            None => "has no plan".to_owned(),
            Some(peak) => format!("needs {}", words::bytes(peak)),
        };
        out.push_str(&format!(
            "{} `{}` {how} where `{}` needs {}: {}\n",
            paint(BAD, "lost"),
            loss.strategy,
            loss.to,
            words::bytes(loss.their_peak),
            place(&loss.input, &loss.function, &loss.scope)
        ));
    }
    super::buffers::more(losses.len() - view.rows(losses.len()), "lost scope", out);
}
