//! The errors of a text: a bounded number of them.

use crate::diag::{Code, Diagnostic, Loc};

/// How many errors are kept; those after the first few seldom help.
pub(crate) const KEPT: usize = 20;

/// Why something could not be read.
pub(crate) type Error = Box<Diagnostic>;

/// What a part of the reader gives.
pub(crate) type Read<T> = Result<T, Error>;

/// An error at a place.
pub(crate) fn error(
    code: Code,
    message: impl Into<String>,
    loc: Loc,
    label: impl Into<String>,
) -> Error {
    Box::new(Diagnostic::error(code, message).at(loc, label))
}

/// The first errors.
#[derive(Default)]
pub(crate) struct Errors {
    /// In the order found.
    pub(crate) list: Vec<Diagnostic>,
}

impl Errors {
    /// Keeps an error while there is room.
    #[expect(clippy::boxed_local, reason = "errors travel in boxes")]
    pub(crate) fn push(&mut self, error: Error) {
        if !self.full() {
            self.list.push(*error);
        }
    }

    /// Keeps the error of a check that failed.
    pub(crate) fn check(&mut self, result: Read<()>) {
        if let Err(error) = result {
            self.push(error);
        }
    }

    /// True when no more are kept.
    pub(crate) fn full(&self) -> bool {
        self.list.len() >= KEPT
    }

    /// What was read, if nothing is wrong with it.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Vec<Diagnostic>> {
        if self.list.is_empty() { Ok(value) } else { Err(self.list) }
    }
}
