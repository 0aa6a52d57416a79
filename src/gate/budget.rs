//! Kernels against their budgets.

use super::effects::amount;
use super::limits::{Held, Limits};
use super::load;
use super::words::{self, number, signed};
use crate::diag::{Code, Severity};
use crate::format::budget::{Entry, Limit};
use crate::model::{Amount, Kernel, KernelScope, Measure, Remark, Verdict};

/// Kernels against their budgets. `whole` is false when the kernels are only a part of those that the
/// budget is for: then entries without a kernel are not told.
pub fn against_budget(kernels: &[Kernel], limits: &Limits, whole: bool) -> Vec<Remark> {
    let budget = &limits.budget;
    let mut used = vec![false; budget.entries.len()];
    let mut remarks = Vec::new();
    for (kernel, moved) in kernels.iter().zip(limits.moved(kernels, !whole)) {
        let held = limits.of(kernel, false, moved);
        held.entries.iter().for_each(|&at| used[at] = true);
        if let Some(entry) = moved.map(|at| &budget.entries[at]) {
            let was = entry.input.as_deref().unwrap_or_default();
            let name = limits.base.name(&kernel.input);
            remarks.push(Remark {
                message: format!(
                    "the budget of `{}` is kept under `{was}`, not `{name}`",
                    kernel.name
                ),
                help: Some("`--update-budget` gives it the new name".to_owned()),
                ..remark(Code::GateBudgetUnused, Severity::Note, kernel)
            });
        }
        judge(kernel, &held, limits, &mut remarks);
    }
    let idle = budget.entries.iter().zip(&used).filter(|(_, used)| whole && !**used);
    // What is there and was not asked for is no loss.
    let asked = |e: &Entry| e.input.as_ref().is_none_or(|i| !limits.elsewhere.contains(i));
    for (entry, _) in idle.filter(|(entry, _)| asked(entry)) {
        let Some(severity) = budget.unused.severity() else { continue };
        let input = entry.input.as_deref().unwrap_or("**");
        let message = match &entry.function {
            Some(function) => format!("a budget for `{function}` of `{input}`, which is not there"),
            None => format!("a budget for `{input}`, which is not there"),
        };
        remarks.push(Remark {
            message,
            help: Some("take it out of the budget file, or give the input".to_owned()),
            input: String::new(),
            function: entry.function.clone(),
            place: entry.place.clone(),
            ..remark(Code::GateBudgetUnused, severity, &Kernel::default())
        });
    }
    remarks
}

fn judge(kernel: &Kernel, held: &Held<'_>, limits: &Limits, remarks: &mut Vec<Remark>) {
    let mut without = Vec::new();
    for scope in &kernel.scopes {
        let Some(limit) = held.scopes.get(scope.name.as_str()) else {
            without.push(format!("`{}`", scope.name));
            continue;
        };
        if let Some(verdict) = no_plan(scope) {
            let message = format!("`{}` has no plan to hold to its budget: {verdict}", scope.name);
            remarks.push(Remark {
                message,
                scope: Some(scope.name.clone()),
                ..remark(Code::GateOverBudget, Severity::Error, kernel)
            });
            continue;
        }
        for measure in [Measure::Peak, Measure::Level, Measure::Stalls, Measure::Owed] {
            remarks.extend(excess(kernel, scope, measure, limit, held));
        }
    }
    if let (Some(severity), false) = (limits.budget.unlisted.severity(), without.is_empty()) {
        let which = words::few(&without, 4);
        remarks.push(Remark {
            message: format!("`{}` has no budget for {which}", kernel.name),
            help: Some("`--update-budget` writes what it takes into the budget file".to_owned()),
            ..remark(Code::GateNoBudget, severity, kernel)
        });
    }
}

/// The verdict of a scope that is proven or found to have no plan. Undecided is not known to be over.
fn no_plan(scope: &KernelScope) -> Option<&'static str> {
    let lost = |v: &Verdict| matches!(v, Verdict::Infeasible | Verdict::NotFound);
    scope.verdict.filter(lost).map(Verdict::name)
}

/// What is too much of one measure.
fn excess(
    kernel: &Kernel,
    scope: &KernelScope,
    measure: Measure,
    limit: &Limit,
    held: &Held<'_>,
) -> Option<Remark> {
    let most = match measure {
        Measure::Peak => Amount::Number(limit.peak?),
        Measure::Stalls => Amount::Number(limit.stalls?),
        Measure::Owed => Amount::Number(limit.owed?),
        _ => limit.level?.amount(),
    };
    let takes = amount(scope, measure)?;
    let name = words::measure(measure);
    let says = match (takes, most) {
        (Amount::None, _) => return None,
        (Amount::Number(takes), Amount::Number(most)) => {
            let growth = held.rules.growth(measure, most);
            if takes <= most.saturating_add(growth) {
                return None;
            }
            let unit = if measure.is_bytes() { " B" } else { "" };
            let allowed = match growth {
                0 => String::new(),
                n => format!(", {} allowed", signed(n.into())),
            };
            let more = signed(i128::from(takes) - i128::from(most));
            let (takes, most) = (number(takes), number(most));
            format!("{name} {takes}{unit} is over its budget of {most}{unit} ({more}{allowed})")
        }
        _ if takes.rank() <= most.rank() => return None,
        _ => format!("{name} {} is below its budget of {}", takes.word(), most.word()),
    };
    let severity = held.rules.grade(measure).severity()?;
    let buffers = if measure == Measure::Peak { load::largest(scope) } else { Vec::new() };
    let by = match buffers.is_empty() {
        true => String::new(),
        false => {
            let quoted: Vec<String> = buffers.iter().map(|b| format!("`{b}`")).collect();
            format!("; the largest at once are {}", quoted.join(", "))
        }
    };
    Some(Remark {
        message: format!("`{}` {says}{by}", scope.name),
        help: Some("if it is meant, `--update-budget` writes the new number".to_owned()),
        scope: Some(scope.name.clone()),
        buffers,
        ..remark(Code::GateOverBudget, severity, kernel)
    })
}

/// A remark about a kernel, without words.
pub(super) fn remark(code: Code, severity: Severity, kernel: &Kernel) -> Remark {
    Remark {
        code,
        severity,
        message: String::new(),
        help: None,
        input: kernel.input.clone(),
        function: Some(kernel.name.clone()),
        scope: None,
        buffers: Vec::new(),
        place: kernel.place.clone(),
        related: Vec::new(),
        witness: None,
    }
}
