//! What the parts of a reader share: errors, and forms that several parts of a document have.

use std::collections::BTreeSet;

use super::json::{Object, Value};
use crate::diag::{Code, Diagnostic, Loc};
use crate::front::errors::{Errors, shown};

/// Warnings of a document, at most.
const MAX_WARNINGS: usize = 20;

/// A document being read.
#[derive(Default)]
pub(super) struct Document {
    pub(super) errors: Errors,
    /// Unknown keys that were told already.
    told: BTreeSet<(&'static str, String)>,
}

impl Document {
    /// Warns about keys that the format does not have: they may be rules that are not kept.
    pub(super) fn unknown(&mut self, what: &'static str, object: &Object<'_>, known: &[&str]) {
        for (key, loc, _) in object.others(known) {
            if self.told.len() < MAX_WARNINGS && self.told.insert((what, key.to_owned())) {
                let message = format!("`{}` of {what} is not known and does not count", shown(key));
                self.warn(Code::DsaUnknownKey, message, Some(loc));
            }
        }
    }

    /// Warns, unless there are many warnings already.
    pub(super) fn warn(&mut self, code: Code, message: String, loc: Option<Loc>) {
        if self.errors.warnings.len() < MAX_WARNINGS {
            self.errors.warnings.push(Diagnostic::warning(code, message).maybe_at(loc, ""));
        }
    }

    /// A half-open range with a start below its end.
    pub(super) fn range(
        &mut self,
        value: Value<'_>,
        what: &'static str,
        start: &str,
        end: &str,
    ) -> Option<(u64, u64)> {
        let object = value.object(what, &mut self.errors)?;
        self.unknown(what, &object, &[start, end]);
        let low = object.need(start, what, &mut self.errors)?;
        let high = object.need(end, what, &mut self.errors)?;
        let (from, to) = (low.loc(), high.loc());
        let at = Loc { start: from.start.min(to.start), end: from.end.max(to.end), ..from };
        let low = low.number(&format!("`{start}`"), &mut self.errors)?;
        let high = high.number(&format!("`{end}`"), &mut self.errors)?;
        if low < high {
            return Some((low, high));
        }
        let how = if low == high { "empty" } else { "reversed" };
        let message = format!("{what} [{low}, {high}) is {how}");
        self.errors.push(Diagnostic::error(Code::DsaBadInterval, message).at(at, ""));
        None
    }
}
