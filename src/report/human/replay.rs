//! What a replay found: the verdict, how it was run, and each finding with its witnesses.

use super::owed::{makespan, owed};
use super::style::{self, BAD, BOLD, DIM, GOOD, paint};
use super::verify::groups;
use super::view::View;
use crate::diag::Severity;
use crate::model::{Evidence, Finding, Witness};
use crate::report::context::{Input, Replay};
use crate::report::diagnostics::tally;
use crate::report::words;

/// The judgement of one trace.
pub fn replay(view: View, input: Input<'_>, replay: &Replay<'_>, accepted: bool) -> String {
    let name = paint(BOLD, words::name(input.name));
    let verdict = if accepted { paint(GOOD, "accept") } else { paint(BAD, "reject") };
    let of = |severity| replay.findings.iter().filter(|f| f.severity == severity).count();
    let counts = tally(of(Severity::Error), of(Severity::Warning), of(Severity::Note));
    let mut out = format!("{name}: {verdict}: {counts} found\n");
    if view.quiet {
        return out;
    }
    out.push_str(&run(replay));
    counters(view, replay, &mut out);
    for (code, group) in groups(replay.findings) {
        let severity = group.iter().map(|f| f.severity).max().unwrap_or(Severity::Note);
        let word = paint(style::severity(severity), words::severity(severity));
        let count = if group.len() > 1 { format!(" ({})", group.len()) } else { String::new() };
        out.push_str(&format!("\n{word}[{}]{count}: {}\n", code.name(), code.title()));
        let shown = view.rows(group.len());
        for finding in group.iter().take(shown) {
            print(input, finding, &mut out);
        }
        super::buffers::more(group.len() - shown, "finding", &mut out);
    }
    out.push_str(&owed(view, replay.owed, replay.timeline, false));
    if view.verbose {
        for (op, value) in replay.answers {
            out.push_str(&format!("  {} answers {}\n", words::name(op), words::name(value)));
        }
    }
    out
}

/// On which machine, in which orders, how long.
fn run(replay: &Replay<'_>) -> String {
    let runs = words::count(usize::try_from(replay.runs).unwrap_or(usize::MAX), "run");
    let complete = if replay.complete { ", all orders that matter" } else { "" };
    let order = words::name(replay.schedule);
    let time = makespan(replay.timeline);
    format!("  on {}, order {order}: {runs}{complete}; {time}\n", words::name(replay.machine))
}

/// Counters that are not 0: by name on as few lines as fit, or each with what it counts.
fn counters(view: View, replay: &Replay<'_>, out: &mut String) {
    let counted = replay.counters.iter().filter(|(_, count, _)| *count > 0);
    if view.verbose {
        for (name, count, what) in counted {
            out.push_str(&format!("  {name} {}: {what}\n", words::number(*count)));
        }
        return;
    }
    let mut line = String::new();
    for (name, count, _) in counted {
        let word = format!("{name} {}", words::number(*count));
        if !line.is_empty() && line.len() + word.len() + 4 > view.width {
            out.push_str(&format!("  {line},\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&word);
    }
    if !line.is_empty() {
        out.push_str(&format!("  {line}\n"));
    }
}

fn print(input: Input<'_>, finding: &Finding, out: &mut String) {
    let place = input.place(finding.loc).map_or(String::new(), |loc| format!(" ({loc})"));
    out.push_str(&format!("  {}{}\n", words::name(&finding.message), paint(DIM, place)));
    if let Some(evidence) = &finding.evidence {
        witnesses(input, evidence, out);
    }
    // Both witnesses with their places say more than the sentence about them.
    if let Some(witness) = finding.witness.as_ref().filter(|_| finding.evidence.is_none()) {
        out.push_str(&format!("    see it:  {}\n", words::name(witness)));
    }
}

fn witnesses(input: Input<'_>, evidence: &Evidence, out: &mut String) {
    let mut row = |head: &str, text: String| out.push_str(&format!("    {head:<8} {text}\n"));
    for (head, witness) in [("earlier:", &evidence.earlier), ("later:", &evidence.later)] {
        if let Some(witness) = witness {
            row(head, told(input, witness));
        }
    }
    let bytes = match (&evidence.logical, &evidence.physical) {
        (Some(logical), Some(physical)) => {
            Some(format!("{} at {}", words::name(logical), words::name(physical)))
        }
        (Some(one), None) | (None, Some(one)) => Some(words::name(one)),
        (None, None) => None,
    };
    if let Some(bytes) = bytes {
        row("bytes:", bytes);
    }
    if let Some(missing) = &evidence.missing {
        row("missing:", words::name(missing));
    }
    if let Some(schedule) = &evidence.schedule {
        let input = words::name(input.name);
        row("see it:", format!("memplan replay {input} --schedule '{}'", words::name(schedule)));
    }
}

/// `op 6 (stream B): reads a@1[0, 4096) (plan.toml:33:1)`.
fn told(input: Input<'_>, witness: &Witness) -> String {
    let place = input.place(witness.loc).map_or(String::new(), |loc| format!(" ({loc})"));
    let (op, actor) = (words::name(&witness.op), words::name(&witness.actor));
    format!("op {op} ({actor}): {}{}", words::name(&witness.what), paint(DIM, place))
}
