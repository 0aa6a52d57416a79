//! stdout is the answer, stderr everything else; each decides about colour for itself.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use super::args::{Color, Global};
use crate::diag::{Diagnostic, Sources};
use crate::report::diagnostics;
use crate::report::human::View;

/// Where a run writes.
pub(super) struct Streams {
    choice: ColorChoice,
    pub(super) view: View,
    /// Diagnostics are shown; a JSON report carries them instead.
    show: bool,
    shown: Vec<Diagnostic>,
    broken_pipe: bool,
}

impl Streams {
    /// The streams of this process. `show` false: diagnostics go into the report alone.
    pub(super) fn new(global: &Global, show: bool) -> Self {
        let choice = match global.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        let view =
            View { width: width(), quiet: global.quiet, verbose: global.verbose > 0 };
        Self { choice, view, show, shown: Vec::new(), broken_pipe: false }
    }

    /// Prints a part of the answer.
    pub(super) fn answer(&mut self, text: &str) {
        let mut stream = AutoStream::new(io::stdout().lock(), self.choice);
        let result = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
        self.note(result);
    }

    /// Prints anything else.
    pub(super) fn aside(&mut self, text: &str) {
        let mut stream = AutoStream::new(io::stderr().lock(), self.choice);
        let result = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
        self.note(result);
    }

    /// Shows a diagnostic; warnings not when quiet.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &Sources) {
        let error = diagnostic.severity == crate::diag::Severity::Error;
        if !self.show || (self.view.quiet && !error) {
            return;
        }
        let text = diagnostics::render(diagnostic, sources, self.view.width);
        self.aside(&text);
        self.shown.push(diagnostic.clone());
    }

    /// After several diagnostics: how many there were.
    pub(super) fn count(&mut self) {
        let shown = std::mem::take(&mut self.shown);
        if let Some(line) = diagnostics::count(&shown) {
            self.aside(&format!("{line}\n"));
        }
    }

    /// True when whoever read our output has stopped to.
    pub(super) fn broken_pipe(&self) -> bool {
        self.broken_pipe
    }

    fn note(&mut self, result: io::Result<()>) {
        // Nobody is left to be told about another failure of stderr or stdout.
        if result.is_err_and(|e| e.kind() == io::ErrorKind::BrokenPipe) {
            self.broken_pipe = true;
        }
    }
}

/// True when progress would be seen by a person.
pub(super) fn progress_is_seen(global: &Global) -> bool {
    !global.quiet && io::stderr().is_terminal()
}

/// Columns to use.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    columns.filter(|c| (40..=400).contains(c)).unwrap_or(100)
}
