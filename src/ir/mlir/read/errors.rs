//! The errors of a text: a bounded number of them.

use crate::diag::{Code, Diagnostic, Loc};

/// How many errors are kept; those after the first few seldom help.
pub(super) const KEPT: usize = 20;

/// Why a statement could not be read.
pub(super) type Error = Box<Diagnostic>;

/// What a part of the reader gives.
pub(super) type Read<T> = Result<T, Error>;

/// The first errors, one per place.
#[derive(Default)]
pub(super) struct Errors {
    pub(super) list: Vec<Diagnostic>,
}

impl Errors {
    /// Keeps an error while there is room.
    pub(super) fn push(&mut self, error: Error) {
        let place = |d: &Diagnostic| d.labels.first().map(|l| l.loc.start);
        let again = self.list.last().is_some_and(|last| place(last) == place(&error));
        if !self.full() && !again {
            self.list.push(*error);
        }
    }

    /// True when no more are kept.
    pub(super) fn full(&self) -> bool {
        self.list.len() >= KEPT
    }
}

/// A syntax error at a place.
pub(super) fn syntax(loc: Loc, message: impl Into<String>, label: impl Into<String>) -> Error {
    Box::new(Diagnostic::error(Code::HivmSyntax, message).at(loc, label))
}
