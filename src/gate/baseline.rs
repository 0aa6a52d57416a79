//! Kernels against what they were.

use super::budget::remark;
use super::compare::{compare, effects_text, why};
use super::limits::Limits;
use super::matching::match_kernels;
use super::words;
use crate::diag::{Code, Place, Severity};
use crate::format::budget::Rules;
use crate::model::{
    Amount, Cause, CauseKind, Comparison, Effect, Kernel, Measure, Remark, Verdict,
};

/// Kernels against what they were: comparisons of those that both sides have, in the order of `new`
/// (silent ones, too), and what is to be said of them. `whole` is false when `new` is only a part of what
/// the baseline is of: then kernels that are gone are not told.
pub fn against_baseline(
    old: &[Kernel],
    new: &[Kernel],
    limits: &Limits,
    whole: bool,
) -> (Vec<Comparison>, Vec<Remark>) {
    let found = match_kernels(old, new);
    let (mut comparisons, mut remarks) = (Vec::new(), Vec::new());
    let mut gone = vec![true; old.len()];
    for (kernel, before) in new.iter().zip(found) {
        let Some(before) = before else {
            if let Some(severity) = limits.budget.baseline.new.severity() {
                remarks.push(Remark {
                    message: format!("the baseline does not have `{}`", kernel.name),
                    ..remark(Code::GateNoBaseline, severity, kernel)
                });
            }
            continue;
        };
        gone[before] = false;
        let comparison = compare(&old[before], kernel);
        let rules = limits.of(kernel, true, None).rules;
        remarks.extend(judge(&comparison, kernel, &rules));
        comparisons.push(comparison);
    }
    let lost = old.iter().zip(&gone).filter(|(_, gone)| whole && **gone);
    for (kernel, _) in lost {
        let Some(severity) = limits.budget.baseline.gone.severity() else { continue };
        remarks.push(Remark {
            message: format!("`{}` of `{}` is not there any more", kernel.name, kernel.input),
            place: None,
            ..remark(Code::GateGone, severity, kernel)
        });
    }
    (comparisons, remarks)
}

/// What is to be said of one comparison: a regression for each measure that grew too much, else a note
/// that something changed, else nothing.
fn judge(comparison: &Comparison, kernel: &Kernel, rules: &Rules) -> Vec<Remark> {
    if comparison.is_silent() {
        return Vec::new();
    }
    let worse: Vec<(&Effect, Severity)> = comparison
        .effects
        .iter()
        .filter(|e| e.is_worse() && grew_too_much(e, rules) && !follows_from_verdict(e, comparison))
        .filter_map(|e| Some((e, rules.grade(e.measure).severity()?)))
        .collect();
    if worse.is_empty() {
        let allowed = comparison.effects.iter().any(|e| e.is_worse() && is_held(e, rules));
        let ending = if allowed { " (allowed)" } else { "" };
        let (buffers, place) = named(comparison, kernel, None);
        return vec![Remark {
            message: format!("{}{ending}", comparison.text),
            buffers,
            place,
            ..remark(Code::GateChanged, Severity::Note, kernel)
        }];
    }
    let why = why(comparison);
    let why = if why.is_empty() { "the same problem, answered otherwise" } else { &why };
    // One remark for what got worse in one scope and is equally bad.
    let mut groups: Vec<(Option<&str>, Severity, Vec<&Effect>)> = Vec::new();
    for (effect, severity) in worse {
        let scope = effect.scope.as_deref();
        match groups.iter_mut().find(|(s, grade, _)| *s == scope && *grade == severity) {
            Some((_, _, effects)) => effects.push(effect),
            None => groups.push((scope, severity, vec![effect])),
        }
    }
    let regressions = groups.into_iter().map(|(scope, severity, effects)| {
        let (buffers, place) = named(comparison, kernel, scope);
        Remark {
            message: format!("{}: {why}", effects_text(&effects)),
            help: effects.first().map(|effect| help(effect)),
            scope: scope.map(str::to_owned),
            buffers,
            place,
            witness: effects.iter().find_map(|effect| witness(effect, comparison)),
            ..remark(Code::GateRegression, severity, kernel)
        }
    });
    regressions.collect()
}

/// True for a measure that is not ignored.
fn is_held(effect: &Effect, rules: &Rules) -> bool {
    rules.grade(effect.measure).severity().is_some()
}

fn grew_too_much(effect: &Effect, rules: &Rules) -> bool {
    match (effect.old, effect.new) {
        (Amount::Number(old), Amount::Number(new)) => {
            new > old.saturating_add(rules.growth(effect.measure, old))
        }
        _ => true,
    }
}

/// No plan, so no peak: told as the verdict alone.
fn follows_from_verdict(effect: &Effect, comparison: &Comparison) -> bool {
    let told = |e: &Effect| e.measure == Measure::Verdict && e.scope == effect.scope;
    effect.measure != Measure::Verdict
        && effect.new == Amount::None
        && comparison.effects.iter().any(told)
}

fn help(effect: &Effect) -> String {
    match effect.new {
        Amount::Verdict(Verdict::Undecided) => {
            "raise `--nodes`; `solve` says what would fit".to_owned()
        }
        Amount::Verdict(_) => "`memplan solve` says what would make it fit".to_owned(),
        _ => "if it is meant, make the baseline anew, or allow the growth in the budget file"
            .to_owned(),
    }
}

/// Who makes the difference of the load, for an effect on the peak.
fn witness(effect: &Effect, comparison: &Comparison) -> Option<String> {
    const FEW: usize = 5;
    let shift = comparison.shifts.iter().find(|s| Some(&s.scope) == effect.scope.as_ref())?;
    let helps = matches!(effect.measure, Measure::Peak | Measure::Verdict);
    let shares =
        shift.shares.iter().map(|(name, bytes)| format!("`{name}` {}", words::signed(*bytes)));
    let shares: Vec<String> = shares.collect();
    let delta = words::signed(i128::from(shift.new) - i128::from(shift.old));
    let text = format!("of the load at {}, {delta} B: {}", shift.at, words::few(&shares, FEW));
    helps.then_some(text)
}

/// The buffers of a remark: those that make the load of the scope larger, else those of the causes; and the
/// place of the first that is written somewhere.
fn named(
    comparison: &Comparison,
    kernel: &Kernel,
    scope: Option<&str>,
) -> (Vec<String>, Option<Place>) {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &String| {
        if !names.contains(name) && names.len() < Cause::LIMIT {
            names.push(name.clone());
        }
    };
    let shift = comparison.shifts.iter().find(|s| scope == Some(s.scope.as_str()));
    let grew = shift.filter(|s| s.new > s.old).into_iter().flat_map(|s| &s.shares);
    let changed = |name: &String| comparison.causes.iter().any(|c| c.buffers.contains(name));
    // Those that both changed and weigh come first.
    let grew: Vec<&String> = grew.filter(|(_, bytes)| *bytes > 0).map(|(name, _)| name).collect();
    grew.iter().filter(|name| changed(name)).for_each(|name| add(name));
    let causes = comparison.causes.iter().filter(|c| c.kind != CauseKind::Renamed);
    causes.flat_map(|c| &c.buffers).for_each(&mut add);
    grew.iter().for_each(|name| add(name));
    let renamed = comparison.causes.iter().filter(|c| c.kind == CauseKind::Renamed);
    renamed.flat_map(|c| &c.buffers).for_each(&mut add);
    let place = names.iter().find_map(|name| {
        let all = kernel.scopes.iter().flat_map(|s| &s.buffers);
        all.filter(|b| b.name == *name).find_map(|b| b.place.clone())
    });
    (names, place.or_else(|| kernel.place.clone()))
}
