//! The answer for one input.

use super::allocations;
use super::scope;
use super::style::{self, BOLD, DIM, paint};
use super::view::View;
use crate::model::{Answer, FunctionAnswer, Verdict};
use crate::report::context::Input;
use crate::report::words;

/// The answer for one input: its verdict, then its functions.
pub fn solve(view: View, input: Input<'_>, answer: &Answer) -> String {
    let mut out = headline(input, answer);
    let alone = answer.functions.len() == 1;
    for f in &answer.functions {
        let Some(function) = input.problem.functions.get(f.index) else { continue };
        if !alone {
            let name = paint(BOLD, format_args!("function `{}`", words::name(&f.name)));
            let verdict = match f.refuted() {
                true => paint(style::BAD, "refuted"),
                false => paint(style::verdict(f.verdict), f.verdict.name()),
            };
            out.push_str(&format!("\n{name}: {verdict}\n"));
        }
        if let Some(message) = &f.message {
            for line in message.lines() {
                out.push_str(&format!("{}\n", words::name(line)));
            }
            // What keeps the whole function from being planned says nothing of its scopes.
            continue;
        }
        for (at, scope) in f.scopes.iter().enumerate() {
            if at > 0 && !view.quiet {
                out.push('\n');
            }
            scope::print(view, input, function, f, scope, &mut out);
        }
        if !view.quiet {
            if !f.allocations.is_empty() && !f.scopes.is_empty() {
                let line = "steps: logical times of XLA's schedule; `inspect` counts instructions";
                out.push_str(&format!("{}\n", paint(DIM, line)));
            }
            allocations::print(view, &f.allocations, &mut out);
        }
    }
    out
}

fn headline(input: Input<'_>, answer: &Answer) -> String {
    let name = paint(BOLD, words::name(input.name));
    let Some(verdict) = answer.verdict() else {
        return format!("{name}: nothing to plan\n");
    };
    // A plan that overwrites data is no plan, whatever the one who made it says.
    let refuted = answer.functions.iter().filter(|f| f.refuted()).count();
    let word = match refuted > 0 && verdict.has_plan() {
        true => paint(style::BAD, "refuted"),
        false => paint(style::verdict(verdict), verdict.name()),
    };
    let total = answer.functions.len();
    let failed = answer.functions.iter().filter(|f| !f.verdict.has_plan()).count();
    let what = match answer.functions.as_slice() {
        [one] => single(one),
        _ if refuted > 0 && failed == 0 => {
            format!("{refuted} of {total} functions with a plan that the judge refutes")
        }
        _ if failed == 0 => format!("all {total} functions planned"),
        _ => format!("{failed} of {total} functions without a plan"),
    };
    format!("{name}: {word}: {what}\n")
}

fn single(f: &FunctionAnswer) -> String {
    let name = words::name(&f.name);
    match f.verdict {
        _ if f.refuted() => format!("the judge refutes the plan of `{name}`"),
        Verdict::Optimal | Verdict::Feasible => format!("`{name}` planned"),
        Verdict::Undecided => format!("no plan for `{name}` within the budget, and no proof"),
        Verdict::NotFound => format!("no plan found for `{name}`"),
        Verdict::Infeasible => format!("`{name}` does not fit"),
    }
}

/// The last line of a run over several inputs: `3 inputs: 2 optimal, 1 infeasible, 1 broken`.
pub fn summary(verdicts: &[Option<Verdict>], broken: usize) -> String {
    let all = [
        Verdict::Optimal,
        Verdict::Feasible,
        Verdict::Undecided,
        Verdict::NotFound,
        Verdict::Infeasible,
    ];
    let mut parts: Vec<String> = Vec::new();
    for verdict in all {
        let n = verdicts.iter().filter(|v| **v == Some(verdict)).count();
        if n > 0 {
            parts.push(format!("{n} {}", paint(style::verdict(verdict), verdict.name())));
        }
    }
    let empty = verdicts.iter().filter(|v| v.is_none()).count();
    if empty > 0 {
        parts.push(format!("{empty} empty"));
    }
    if broken > 0 {
        parts.push(format!("{broken} {}", paint(style::BAD, "broken")));
    }
    let inputs = words::count(verdicts.len() + broken, "input");
    format!("{inputs}: {}\n", parts.join(", "))
}
