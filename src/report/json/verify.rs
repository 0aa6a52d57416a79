//! Findings.

use crate::format::json_verify::{
    Evidence as JsonEvidence, Finding as Json, Witness as JsonWitness,
};
use crate::model::{Evidence, Finding, Witness};
use crate::report::context::Input;
use crate::report::words;

/// The findings of one input.
pub fn findings(input: Input<'_>, findings: &[Finding]) -> Vec<Json> {
    findings
        .iter()
        .map(|f| Json {
            code: f.code.name(),
            severity: words::severity(f.severity),
            message: f.message.clone(),
            input: input.name.to_owned(),
            function: f.function.clone(),
            scope: f.scope.clone(),
            buffers: f.buffers.clone(),
            op: f.op.clone(),
            loc: input.place(f.loc),
            bytes: f.bytes.map(|b| [b.start, b.end]),
            witness: f.witness.clone(),
            evidence: f.evidence.as_deref().map(|e| evidence(input, e)),
        })
        .collect()
}

fn evidence(input: Input<'_>, evidence: &Evidence) -> JsonEvidence {
    let witness = |w: &Witness| JsonWitness {
        op: w.op.clone(),
        index: w.index,
        actor: w.actor.clone(),
        what: w.what.clone(),
        loc: input.place(w.loc),
    };
    JsonEvidence {
        earlier: evidence.earlier.as_ref().map(witness),
        later: evidence.later.as_ref().map(witness),
        logical: evidence.logical.clone(),
        physical: evidence.physical.clone(),
        missing: evidence.missing.clone(),
        schedule: evidence.schedule.clone(),
    }
}
