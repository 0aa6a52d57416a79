//! Two states of a kernel, side by side.

use super::schedule::{Schedule, steps};
use super::{causes, effects, load, pairs, words};
use crate::model::{Amount, CauseKind, Comparison, Effect, Kernel, Measure};

/// Says what changed from `old` to `new`, what that did, and who did it. What one of them does not tell is
/// said, not guessed. Silent (see [`Comparison::is_silent`]) when both are the same.
pub fn compare(old: &Kernel, new: &Kernel) -> Comparison {
    let schedule = match (steps(old), steps(new)) {
        (Some(then), Some(now)) => Some(Schedule::new(&then, &now)),
        _ => None,
    };
    let pairs = pairs::match_buffers(old, new, schedule.as_ref());
    let names = |k: &Kernel| (k.input.clone(), k.name.clone());
    let mut comparison = Comparison {
        input: new.input.clone(),
        function: new.name.clone(),
        was: (names(old) != names(new)).then(|| names(old)),
        place: new.place.clone(),
        causes: causes::causes(old, new, &pairs, schedule.as_ref()),
        effects: effects::effects(old, new),
        shifts: load::shifts(old, new, &pairs),
        unknown: Vec::new(),
        text: String::new(),
    };
    comparison.unknown = unknown(old, new);
    comparison.text = text(&comparison);
    comparison
}

/// What cannot be compared. Where the fingerprints are one, nothing of the problem differs and nothing
/// needs to be compared.
fn unknown(old: &Kernel, new: &Kernel) -> Vec<String> {
    let same = old.fingerprint.is_some() && old.fingerprint == new.fingerprint;
    if same {
        return Vec::new();
    }
    let mut unknown = Vec::new();
    for (kernel, other, side) in [(old, new, "the baseline"), (new, old, "the input")] {
        let buffers = || kernel.scopes.iter().flat_map(|s| &s.buffers);
        if buffers().any(|b| b.size.is_none() || b.slots.is_none()) {
            unknown.push(format!("{side} does not tell sizes or slots"));
        }
        if buffers().any(|b| b.live.is_none()) {
            unknown.push(format!("{side} does not tell live ranges"));
        } else if kernel.steps.is_none() && other.steps.is_some() {
            unknown.push(format!("{side} does not tell the order of ops"));
        }
        if kernel.fingerprint.is_none() && other.fingerprint.is_some() {
            unknown.push(format!("{side} has no fingerprint"));
        }
    }
    unknown
}

/// The reason in one line.
fn text(comparison: &Comparison) -> String {
    if comparison.is_silent() {
        return String::new();
    }
    let causes = why(comparison);
    let told = principal(&comparison.effects);
    match (told.is_empty(), causes.is_empty()) {
        (true, _) => format!("takes what it took: {causes}"),
        (false, true) => format!("{}: the same problem, answered otherwise", effects_text(&told)),
        (false, false) => format!("{}: {causes}", effects_text(&told)),
    }
}

/// The causes in a few words.
pub(super) fn why(comparison: &Comparison) -> String {
    const CAUSES: usize = 3;
    let told = comparison.causes.iter().map(|cause| match cause.kind {
        CauseKind::Placement if comparison.causes.len() == 1 => {
            format!("only the placement: {}", cause.text)
        }
        _ => cause.text.clone(),
    });
    let told: Vec<String> = told.collect();
    let mut text = told[..told.len().min(CAUSES)].join("; ");
    if told.len() > CAUSES {
        text.push_str("; ..");
    }
    text
}

/// The effects that a line tells, worst first: at most three, and numbers that are neither good nor bad
/// only where there is nothing else.
fn principal(effects: &[Effect]) -> Vec<&Effect> {
    const EFFECTS: usize = 3;
    let grade = |effect: &&Effect| match effect.measure {
        Measure::ReuseCost | Measure::Makespan => 2,
        _ if effect.is_worse() => 0,
        Measure::Verdict | Measure::Peak | Measure::Level | Measure::Stalls | Measure::Owed => 1,
        _ => 3,
    };
    // That there is no peak is what the verdict says.
    let peaks = |e: &&Effect| e.old != Amount::None && e.new != Amount::None;
    let mut told: Vec<&Effect> = effects.iter().filter(peaks).collect();
    told.sort_by_key(|e| {
        (grade(e), e.measure, e.delta().map(|d| std::cmp::Reverse(d.unsigned_abs())))
    });
    if told.first().is_some_and(|e| grade(e) < 3) {
        told.retain(|e| grade(e) < 3);
    }
    told.truncate(EFFECTS);
    told
}

/// Effects of one scope with its name once.
pub(super) fn effects_text(effects: &[&Effect]) -> String {
    let mut text = String::new();
    let mut scope = None;
    for effect in effects {
        if !text.is_empty() {
            text.push_str(", ");
        }
        if scope == Some(&effect.scope) {
            text.push_str(&words::effect(effect));
        } else {
            text.push_str(&words::effect_in_scope(effect));
        }
        scope = Some(&effect.scope);
    }
    text
}
