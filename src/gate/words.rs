//! Fragments of sentences.

use crate::model::{Effect, Measure, grouped};

/// `196,608`.
pub(super) fn number(n: u64) -> String {
    grouped(n.into())
}

/// `+14,336`, `-32`.
pub(super) fn signed(n: i128) -> String {
    let sign = if n < 0 { '-' } else { '+' };
    format!("{sign}{}", grouped(n.unsigned_abs()))
}

/// The first few of a list: `a, b and 3 more`.
pub(super) fn few(words: &[String], limit: usize) -> String {
    let shown = words.len().min(limit);
    let mut text = words[..shown].join(", ");
    if words.len() > shown {
        text.push_str(&format!(" and {} more", words.len() - shown));
    }
    text
}

/// The name of a measure in a sentence.
pub(super) fn measure(measure: Measure) -> &'static str {
    match measure {
        Measure::ReuseCost => "reuse cost",
        Measure::Owed => "owed edges",
        Measure::MaxLoad => "load",
        Measure::LowerBound => "lower bound",
        other => other.name(),
    }
}

/// `peak 182,272 -> 196,608 B (+14,336)`, `level pipe -> slot`, `feasible -> infeasible`.
pub(super) fn effect(effect: &Effect) -> String {
    let (old, new) = (effect.old.word(), effect.new.word());
    let unit = if effect.measure.is_bytes() { " B" } else { "" };
    match (effect.measure, effect.delta()) {
        (Measure::Verdict, _) => format!("{old} -> {new}"),
        (m, Some(delta)) if m.is_bytes() || m == Measure::Makespan => {
            format!("{} {old} -> {new}{unit} ({})", measure(m), signed(delta))
        }
        (m, _) => format!("{} {old} -> {new}", measure(m)),
    }
}

/// The same with its scope in front.
pub(super) fn effect_in_scope(effect: &Effect) -> String {
    let text = self::effect(effect);
    match &effect.scope {
        Some(scope) => format!("`{scope}` {text}"),
        None => text,
    }
}
