//! What a check found.

use super::style::{self, BAD, BOLD, DIM, GOOD, paint};
use super::view::View;
use crate::diag::{Code, Severity};
use crate::model::{Finding, Kernel, KernelScope};
use crate::report::context::Input;
use crate::report::diagnostics::tally;
use crate::report::words;

/// The judgement of one input: the verdict, then the findings by code, the worst first.
pub fn verify(view: View, input: Input<'_>, findings: &[Finding], accepted: bool) -> String {
    let name = paint(BOLD, words::name(input.name));
    let verdict = if accepted { paint(GOOD, "accept") } else { paint(BAD, "reject") };
    let of = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let counts = tally(of(Severity::Error), of(Severity::Warning), of(Severity::Note));
    let mut out = format!("{name}: {verdict}: {counts} found\n");
    if view.quiet {
        return out;
    }
    for (code, group) in groups(findings) {
        let severity = group.iter().map(|f| f.severity).max().unwrap_or(Severity::Note);
        let word = paint(style::severity(severity), words::severity(severity));
        let count = if group.len() > 1 { format!(" ({})", group.len()) } else { String::new() };
        out.push_str(&format!("\n{word}[{}]{count}: {}\n", code.name(), code.title()));
        let shown = view.rows(group.len());
        for finding in &group[..shown] {
            print(input, finding, &mut out);
        }
        super::buffers::more(group.len() - shown, "finding", &mut out);
    }
    out
}

/// Findings by code: the worst codes first, then in the order found.
pub(super) fn groups(findings: &[Finding]) -> Vec<(Code, Vec<&Finding>)> {
    let mut groups: Vec<(Code, Vec<&Finding>)> = Vec::new();
    for finding in findings {
        match groups.iter_mut().find(|(code, _)| *code == finding.code) {
            Some((_, group)) => group.push(finding),
            None => groups.push((finding.code, vec![finding])),
        }
    }
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.iter().map(|f| f.severity).max()));
    groups
}

fn print(input: Input<'_>, finding: &Finding, out: &mut String) {
    let mut place = format!("`{}`", words::name(&finding.function));
    if let Some(scope) = &finding.scope {
        place.push_str(&format!(", {}", words::name(scope)));
    }
    if let Some(loc) = input.place(finding.loc) {
        place = format!("{loc}, {place}");
    }
    out.push_str(&format!(
        "  {} {}\n",
        words::name(&finding.message),
        paint(DIM, format!("({place})"))
    ));
    if let Some(missing) = finding.evidence.as_ref().and_then(|e| e.missing.as_ref()) {
        out.push_str(&format!("    missing: {}\n", words::name(missing)));
    }
    if let Some(witness) = &finding.witness {
        out.push_str(&format!("    see it: {}\n", words::name(witness)));
    }
}

/// What the kernels of one input take: `ub: 182,272 of 196,608 B (92.7 %), at least 180,224 B needed`, a line for
/// each scope with a plan; under the names of the functions where there are several.
pub fn taken(view: View, kernels: &[Kernel]) -> String {
    let mut out = String::new();
    if view.quiet {
        return out;
    }
    for kernel in kernels {
        let placed = kernel.scopes.iter().filter_map(|scope| Some((scope, scope.peak?)));
        let mut lines = placed.map(|(scope, peak)| line(scope, peak)).peekable();
        if lines.peek().is_some() && kernels.len() > 1 {
            out.push_str(&format!("  {}\n", words::name(&kernel.name)));
        }
        let indent = if kernels.len() > 1 { "    " } else { "  " };
        lines.for_each(|line| out.push_str(&format!("{indent}{line}\n")));
    }
    out
}

fn line(scope: &KernelScope, peak: u64) -> String {
    let name = words::name(&scope.name);
    let mut line = match scope.usable {
        Some(usable) => format!(
            "{name}: {} of {} ({})",
            words::number(peak),
            words::bytes(usable),
            words::percent(peak, usable)
        ),
        None => format!("{name}: {}", words::bytes(peak)),
    };
    match scope.lower_bound {
        Some(bound) if peak > bound => {
            line.push_str(&format!(", at least {} needed", words::bytes(bound)));
        }
        // A plan that is wrong may take less than any right one.
        Some(bound) if peak == bound => line.push_str(", the least possible"),
        _ => {}
    }
    line
}

/// The last line of a run over several inputs: `3 inputs: 2 accept, 1 reject`.
pub fn judged(accepted: usize, rejected: usize, broken: usize) -> String {
    let parts = [(accepted, "accept", GOOD), (rejected, "reject", BAD), (broken, "broken", BAD)];
    let parts = parts.iter().filter(|(n, ..)| *n > 0);
    let parts: Vec<String> =
        parts.map(|(n, word, style)| format!("{n} {}", paint(*style, word))).collect();
    let inputs = words::count(accepted + rejected + broken, "input");
    format!("{inputs}: {}\n", parts.join(", "))
}
