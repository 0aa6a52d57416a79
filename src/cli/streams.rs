//! stdout is the answer, stderr everything else; each decides about colour for itself.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;

use super::args::{Color, Global};
use super::exit::Exit;
use super::log::{self, Level};
use crate::diag::{Code, Diagnostic, Severity, Sources};
use crate::format::json::Envelope;
use crate::report::human::View;
use crate::report::{diagnostics, json};

/// Where a run writes.
pub(super) struct Streams {
    choice: ColorChoice,
    pub(super) view: View,
    /// Diagnostics are shown; a JSON report carries them instead.
    show: bool,
    shown: Vec<Diagnostic>,
    broken_pipe: bool,
    failed: Option<io::Error>,
    log: Level,
}

impl Streams {
    /// The streams of this process. `show` false: diagnostics go into the report alone.
    pub(super) fn new(global: &Global, show: bool) -> Self {
        let choice = match global.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        let view = View { width: width(), quiet: global.quiet, verbose: global.verbose > 0 };
        Self { choice, view, show, log: log::asked(global), ..Self::plain() }
    }

    /// The streams before anything is known about what the user wants.
    pub(super) fn plain() -> Self {
        Self {
            choice: ColorChoice::Auto,
            view: View { width: width(), quiet: false, verbose: false },
            show: true,
            shown: Vec::new(),
            broken_pipe: false,
            failed: None,
            log: Level::Off,
        }
    }

    /// Says on the side what was done, to whoever wants to know that much.
    pub(super) fn log(&mut self, level: Level, line: impl FnOnce() -> String) {
        if level <= self.log {
            self.aside(&format!("memplan: {}\n", line()));
        }
    }

    /// Prints a part of the answer.
    pub(super) fn answer(&mut self, text: &str) {
        let mut stream = AutoStream::new(io::stdout().lock(), self.choice);
        let result = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
        drop(stream);
        self.ended(result);
    }

    fn ended(&mut self, result: io::Result<()>) {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.broken_pipe = true,
            Err(error) => self.failed = Some(error),
            Ok(()) => {}
        }
    }

    /// Prints a JSON report.
    ///
    /// It is written as it is made: a report about a million buffers is hundreds of megabytes. JSON
    /// holds no escape sequences, so nothing has to be stripped.
    pub(super) fn json<B: Serialize>(&mut self, report: &Envelope<B>) {
        let mut stream = io::BufWriter::with_capacity(1 << 18, io::stdout().lock());
        let result = json::write(report, &mut stream).and_then(|()| stream.flush());
        self.ended(result);
    }

    /// Prints anything else.
    pub(super) fn aside(&mut self, text: &str) {
        let mut stream = AutoStream::new(io::stderr().lock(), self.choice);
        // Nobody is left to be told that stderr is gone.
        let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
    }

    /// Shows a diagnostic; warnings not when quiet.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &Sources) {
        let error = diagnostic.severity == Severity::Error;
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

    /// The exit of the process: a reader that went away is no failure, a full disk is.
    pub(super) fn end(&mut self, exit: Exit) -> Exit {
        if let Some(error) = self.failed.take() {
            let message = format!("cannot write to standard output: {error}");
            let error = Diagnostic::error(Code::ConfigUnwritable, message);
            self.aside(&diagnostics::render(&error, &Sources::default(), self.view.width));
            return Exit::Broken;
        }
        if self.broken_pipe { Exit::Yes } else { exit }
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
