//! What changed since a baseline.

use crate::format::json_gate::{Cause, Change, Effect, LoadShift, Share, Value};
use crate::format::json_verify::Finding;
use crate::model::{Amount, Comparison, Remark};
use crate::report::words;

/// Comparisons that say something, in their order.
pub fn changes(comparisons: &[Comparison]) -> Vec<Change> {
    let loud = comparisons.iter().filter(|c| !c.is_silent());
    loud.map(|c| Change {
        input: c.input.clone(),
        function: c.function.clone(),
        was_input: c.was.as_ref().map(|(input, _)| input.clone()),
        was_function: c.was.as_ref().map(|(_, function)| function.clone()),
        causes: c
            .causes
            .iter()
            .map(|cause| Cause {
                kind: cause.kind.name(),
                buffers: cause.buffers.clone(),
                more: cause.more,
                text: cause.text.clone(),
            })
            .collect(),
        effects: c
            .effects
            .iter()
            .map(|e| Effect {
                scope: e.scope.clone(),
                measure: e.measure.name(),
                old: value(e.old),
                new: value(e.new),
                worse: e.is_worse(),
            })
            .collect(),
        loads: c.shifts.iter().map(shift).collect(),
        unknown: c.unknown.clone(),
        text: c.text.clone(),
    })
    .collect()
}

fn shift(shift: &crate::model::LoadShift) -> LoadShift {
    let share = |(name, bytes): &(String, i128)| {
        let most = if *bytes < 0 { i64::MIN } else { i64::MAX };
        Share { buffer: name.clone(), bytes: i64::try_from(*bytes).unwrap_or(most) }
    };
    LoadShift {
        scope: shift.scope.clone(),
        old: shift.old,
        new: shift.new,
        at: shift.at.clone(),
        shares: shift.shares.iter().map(share).collect(),
    }
}

fn value(amount: Amount) -> Value {
    match amount {
        Amount::Number(n) => Value::Number(n),
        Amount::Level(level) => Value::Word(level.name()),
        Amount::Verdict(verdict) => Value::Word(verdict.name()),
        Amount::None | Amount::NothingShared => Value::Null,
    }
}

/// Remarks of the gate as findings of `verify`.
pub fn gate_findings(remarks: &[Remark]) -> Vec<Finding> {
    let finding = |r: &Remark| Finding {
        code: r.code.name(),
        severity: words::severity(r.severity),
        message: r.message.clone(),
        input: r.input.clone(),
        function: r.function.clone().unwrap_or_default(),
        scope: r.scope.clone(),
        buffers: r.buffers.clone(),
        op: None,
        loc: r.place.as_ref().map(ToString::to_string),
        bytes: None,
        witness: r.witness.clone(),
        evidence: None,
    };
    remarks.iter().map(finding).collect()
}
