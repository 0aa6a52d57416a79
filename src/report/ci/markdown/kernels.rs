//! What the kernels take: a row for each scope.

use super::{ROWS, code, more, table};
use crate::model::KernelScope;
use crate::report::ci::{Case, Outcome, Run, summary};
use crate::report::words;

/// The table of kernels, those that were refused first; nothing where no case has a kernel.
pub(super) fn kernels(run: &Run, out: &mut String) {
    let mut cases: Vec<&Case> = run.cases.iter().collect();
    cases.sort_by_key(|c| std::cmp::Reverse(c.outcome));
    let all = || {
        cases.iter().flat_map(|case| {
            let scopes = case.kernel.iter().flat_map(|k| &k.scopes);
            scopes.map(move |scope| (*case, scope))
        })
    };
    let count = all().count();
    if count == 0 {
        return;
    }
    let rows: Vec<Vec<String>> =
        all().take(ROWS).map(|(case, scope)| row(case, scope, run.command)).collect();
    let headers = [
        "",
        "input",
        "function",
        "scope",
        "peak of usable:",
        "used:",
        "verdict",
        "level",
        "stalls:",
        "owed:",
    ];
    out.push('\n');
    out.push_str(&table(&headers, &rows));
    more(count - rows.len(), "scope", out);
}

fn row(case: &Case, scope: &KernelScope, command: &str) -> Vec<String> {
    let number = |n: Option<u64>| n.map_or_else(String::new, words::number);
    let used = match (scope.peak, scope.usable) {
        (Some(peak), Some(usable)) => words::percent(peak, usable),
        _ => String::new(),
    };
    vec![
        sign(case.outcome).to_owned(),
        code(&case.input),
        code(case.name(command)),
        code(&scope.name),
        summary::peak(scope),
        used,
        scope.verdict.map_or_else(String::new, |v| v.name().to_owned()),
        scope.level.map_or_else(String::new, |l| l.name().to_owned()),
        number(scope.stalls),
        number(scope.owed),
    ]
}

fn sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted => "✅",
        Outcome::Undecided => "❔",
        Outcome::Rejected | Outcome::Broken => "❌",
    }
}
