//! How findings are worded.

use super::case::{Case, Slot};
use crate::diag::{Code, Loc, Severity};
use crate::model::{BufferId, ByteRange, Evidence, Finding, OpId};

/// A finding being written.
pub(super) struct Say(Finding);

impl Say {
    /// A finding about a function as a whole.
    pub(super) fn about(function: &str, code: Code, severity: Severity, message: String) -> Self {
        Self(Finding {
            code,
            severity,
            message,
            function: function.to_owned(),
            scope: None,
            buffers: Vec::new(),
            op: None,
            loc: None,
            bytes: None,
            witness: None,
            evidence: None,
        })
    }

    /// An error.
    pub(super) fn error(case: &Case<'_>, code: Code, message: String) -> Self {
        Self::about(&case.function.name, code, Severity::Error, message)
    }

    /// A warning.
    pub(super) fn warning(case: &Case<'_>, code: Code, message: String) -> Self {
        Self::about(&case.function.name, code, Severity::Warning, message)
    }

    /// A note.
    pub(super) fn note(case: &Case<'_>, code: Code, message: String) -> Self {
        Self::about(&case.function.name, code, Severity::Note, message)
    }

    /// The buffers at fault; the first gives the scope, and the place where the plan or the
    /// problem names it.
    pub(super) fn buffers(mut self, case: &Case<'_>, buffers: &[BufferId]) -> Self {
        if let Some(&first) = buffers.first() {
            let placed = case.places[first].and_then(|p| p.loc);
            self.0.loc = self.0.loc.or(placed).or(case.buffer(first).loc);
            self.0.scope = Some(case.scope(first).name.clone());
        }
        self.0.buffers = buffers.iter().map(|&b| case.buffer(b).name.clone()).collect();
        self
    }

    /// A place that says more than the buffers' own.
    pub(super) fn loc(mut self, loc: Option<Loc>) -> Self {
        self.0.loc = loc.or(self.0.loc);
        self
    }

    /// Names of buffers that the problem does not have.
    pub(super) fn names(mut self, names: &[&str]) -> Self {
        self.0.buffers = names.iter().map(|&name| name.to_owned()).collect();
        self
    }

    /// The op at which it shows; its place wins over that of the buffers.
    pub(super) fn op(mut self, case: &Case<'_>, op: OpId) -> Self {
        let op = &case.function.ops[op];
        self.0.op = Some(op.name.clone());
        self.0.loc = op.loc.or(self.0.loc);
        self
    }

    /// The bytes of the scope at fault.
    pub(super) fn bytes(mut self, bytes: ByteRange) -> Self {
        self.0.bytes = Some(bytes);
        self
    }

    /// How to see it.
    pub(super) fn witness(mut self, witness: String) -> Self {
        self.0.witness = (!witness.is_empty()).then_some(witness);
        self
    }

    /// What it rests on.
    pub(super) fn evidence(mut self, evidence: Evidence) -> Self {
        self.0.evidence = Some(Box::new(evidence));
        self
    }

    /// Done.
    pub(super) fn to(self, findings: &mut Vec<Finding>) {
        findings.push(self.0);
    }
}

impl Case<'_> {
    /// What a message calls a buffer: its name, and its id where the name is not enough.
    pub(super) fn label(&self, id: BufferId) -> String {
        let name = &self.buffer(id).name;
        if self.repeated.contains(&id) {
            format!("`{name}` (id {})", id.0)
        } else {
            format!("`{name}`")
        }
    }

    /// A slot with its bytes: `slot 1 of `x` at [0, 64)`.
    pub(super) fn slot_label(&self, slot: Slot) -> String {
        let at = slot.bytes();
        if self.offsets(slot.buffer).len() > 1 {
            format!("slot {} of {} at {at}", slot.slot, self.label(slot.buffer))
        } else {
            format!("{} at {at}", self.label(slot.buffer))
        }
    }
}
