//! The words that several reports share.

pub use super::changes::{advice, tight};
use crate::diag::Severity;
use crate::model::{AttemptEnd, BufferId, Bytes, Function, LimitedBy, Load, Mode, ReuseLevel};

/// `196,608 B`.
pub fn bytes(n: u64) -> String {
    Bytes(n).to_string()
}

/// `196,608`.
pub fn number(n: u64) -> String {
    bytes(n).trim_end_matches(" B").to_owned()
}

/// A name as it may stand on one line of a terminal: control characters are escaped.
pub fn name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// The name of a buffer; with its ordinal where another buffer has the same name.
pub fn buffer(function: &Function, id: BufferId) -> String {
    let Some(buffer) = function.buffers.get(id) else { return format!("#{}", id.0) };
    let name = name(&buffer.name);
    // One pass a call: reports name few buffers outside tables.
    let repeats = function.buffers.iter().filter(|b| b.name == buffer.name).count() > 1;
    if repeats { format!("{name}#{}", id.0) } else { name }
}

/// `1 buffer`, `2 buffers`.
pub fn count(n: usize, one: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        _ => format!("{} {one}s", number(n as u64)),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn and(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// `92.7 %`, rounded half up.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let tenths = (u128::from(part) * 2000 + u128::from(whole)) / (u128::from(whole) * 2);
    let whole = u64::try_from(tenths / 10).unwrap_or(u64::MAX);
    format!("{}.{} %", number(whole), tenths % 10)
}

/// The word for how bad a thing is.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// The word for how a scope was planned.
pub fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Sequential => "sequential",
        Mode::Reuse => "reuse",
    }
}

/// The word for what ended a search.
pub fn limited_by(limit: LimitedBy) -> &'static str {
    match limit {
        LimitedBy::Nodes => "nodes",
        LimitedBy::Time => "time",
        LimitedBy::Interrupt => "interrupt",
    }
}

/// The word for how a rung ended.
pub fn attempt_end(end: &AttemptEnd) -> &'static str {
    match end {
        AttemptEnd::Found => "found",
        AttemptEnd::Refuted => "refuted",
        AttemptEnd::GaveUp => "gave-up",
        AttemptEnd::Skipped(_) => "skipped",
    }
}

/// A level with the numbers that others give it: `` `pipe` (the documents' Level 2, level 3 of the
/// open-source pass) ``.
pub fn level(level: ReuseLevel) -> String {
    let pass = match level {
        ReuseLevel::Pipe => 3,
        ReuseLevel::Loop => 2,
        ReuseLevel::Slot => 1,
        ReuseLevel::Lifetime => 0,
    };
    let name = level.name();
    match level.document_number() {
        Some(n) => {
            format!("`{name}` (the documents' Level {n}, level {pass} of the open-source pass)")
        }
        None => {
            format!("`{name}` (no level of the documents, level {pass} of the open-source pass)")
        }
    }
}

/// Where a load occurs: ``op `mul` (step 3)``, `begin of loop rows (step 1)`, `step 7`.
pub fn moment(load: &Load) -> String {
    let step = load.at.0;
    let step_name = load.step_name.as_deref().map(name);
    match (step_name, load.op) {
        (Some(name), Some(_)) => format!("op `{name}` (step {step})"),
        (Some(name), None) => format!("{name} (step {step})"),
        (None, _) => format!("step {step}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_are_rounded() {
        assert_eq!(percent(182_272, 196_608), "92.7 %");
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(2, 3), "66.7 %");
        assert_eq!(percent(0, 0), "-");
    }

    #[test]
    fn levels_carry_both_numberings() {
        assert_eq!(
            level(ReuseLevel::Pipe),
            "`pipe` (the documents' Level 2, level 3 of the open-source pass)"
        );
        assert_eq!(
            level(ReuseLevel::Loop),
            "`loop` (no level of the documents, level 2 of the open-source pass)"
        );
    }
}
