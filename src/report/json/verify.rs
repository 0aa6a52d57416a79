//! Findings.

use crate::format::json_verify::Finding as Json;
use crate::model::Finding;
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
        })
        .collect()
}
