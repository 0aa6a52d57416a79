//! Strategies side by side.

mod baseline;
mod ratio;
mod rows;
mod summary;
#[cfg(test)]
mod tests;

use super::style::{BAD, BOLD, GOOD, paint};
use super::view::View;
use crate::format::json_bench::{Bench, Loss};
use crate::report::words;

/// A line for each strategy, then what follows from comparing them; with `-v` every row.
///
/// Absolute times are for `-v` alone: they do not repeat, and say more about the machine.
pub fn bench(view: View, bench: &Bench, inputs: usize, broken: usize) -> String {
    let mut out = String::new();
    if view.verbose {
        rows::table(bench, &mut out);
        out.push('\n');
    }
    let mut what = words::count(inputs, "input");
    if broken > 0 {
        what.push_str(&format!(", {}", paint(BAD, format!("{broken} broken"))));
    }
    out.push_str(&format!("{}\n", paint(BOLD, what)));
    summary::strategies(view, bench, &mut out);
    summary::levels(bench, &mut out);
    lost(view, &bench.lost, &mut out);
    if let Some(compared) = &bench.baseline {
        baseline::changes(view, bench, compared, &mut out);
    }
    out
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

/// `worse` in red, `better` in green.
fn mark(worse: bool) -> String {
    if worse { paint(BAD, "worse") } else { paint(GOOD, "better") }
}
