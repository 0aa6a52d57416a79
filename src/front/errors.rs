//! The errors of a file: all at once, but not thousands.

use crate::diag::{Diagnostic, Loc};

/// Errors reported for one file; reading stops there.
pub(crate) const MAX_ERRORS: usize = 20;

#[derive(Default)]
pub(crate) struct Errors {
    errors: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
}

impl Errors {
    pub(crate) fn push(&mut self, error: Diagnostic) {
        if !self.full() {
            self.errors.push(error);
        }
    }

    pub(crate) fn full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The warnings of a file without errors, else its errors in the order of the text.
    pub(crate) fn finish(self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if self.is_empty() {
            return Ok(self.warnings);
        }
        let full = self.full();
        let mut errors = self.errors;
        errors.sort_by_key(|e| e.labels.first().map(|l: &crate::diag::Label| place(l.loc)));
        if let (true, Some(last)) = (full, errors.last_mut()) {
            let more = format!("reading stopped after {MAX_ERRORS} errors; there may be more");
            last.help = Some(match last.help.take() {
                Some(help) => format!("{help}; {more}"),
                None => more,
            });
        }
        Err(errors)
    }
}

fn place(loc: Loc) -> (u32, u32) {
    (loc.start, loc.end)
}

/// A field of the file as a message shows it: one short line.
pub(crate) fn shown(field: &str) -> String {
    const LONGEST: usize = 40;
    let mut out: String = field.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if field.chars().nth(LONGEST).is_some() {
        out.push_str("...");
    }
    out
}
