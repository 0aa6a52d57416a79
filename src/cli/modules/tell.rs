//! What every one of these commands does with its inputs and its diagnostics.

use crate::cli::args::{Format, Global, InputArgs};
use crate::cli::config::Layers;
use crate::cli::exit::Exit;
use crate::cli::input::{self, Codes, Copies, Item, Text};
use crate::cli::streams::Streams;
use crate::diag::{Diagnostic, FileId, Sources};
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::report::json;
use serde::Serialize;

/// The report being made.
pub(super) struct Report<'s> {
    pub(super) exit: Exit,
    diagnostics: Vec<JsonDiagnostic>,
    pub(super) streams: &'s mut Streams,
}

/// One module, read.
pub(super) struct Read {
    pub(super) name: String,
    pub(super) sources: Sources,
    pub(super) text: Text,
}

impl<'s> Report<'s> {
    pub(super) fn new(streams: &'s mut Streams) -> Self {
        Self { exit: Exit::Yes, diagnostics: Vec::new(), streams }
    }

    pub(super) fn tell(&mut self, all: &[Diagnostic], sources: &Sources) {
        for diagnostic in all {
            self.streams.diagnostic(diagnostic, sources);
            self.diagnostics.push(json::diagnostic(diagnostic, sources));
        }
    }

    pub(super) fn broken(&mut self, all: &[Diagnostic], sources: &Sources) {
        self.tell(all, sources);
        self.exit = self.exit.and(Exit::Broken);
    }

    /// All inputs as modules; those that are none are told.
    pub(super) fn read(&mut self, args: &InputArgs, copies: Copies) -> Vec<Read> {
        let limit = match input::limit() {
            Ok(limit) => limit,
            Err(error) => {
                self.broken(&[error], &Sources::default());
                return Vec::new();
            }
        };
        let mut out = Vec::new();
        for item in input::collect(args, limit) {
            let mut sources = Sources::default();
            let name = item.name.clone();
            let (args, _) = Layers::of(args, &item.from);
            let text = file(item, limit, &mut sources)
                .map_err(|error| vec![error])
                .and_then(|file| input::text(&sources, file, &args, copies));
            match text {
                Ok(text) => {
                    self.tell(&text.notes, &sources);
                    out.push(Read { name, sources, text });
                }
                Err(errors) => self.broken(&errors, &sources),
            }
        }
        out
    }

    /// Ends the command: the body as JSON, or the text.
    pub(super) fn end<B: Serialize>(
        self,
        command: &'static str,
        global: &Global,
        body: B,
        text: impl FnOnce(&Streams, &B) -> String,
    ) -> Exit {
        if global.format == Format::Json {
            self.streams.json(&json::envelope(command, None, self.diagnostics, body));
        } else {
            let text = text(self.streams, &body);
            self.streams.answer(&text);
            self.streams.count();
        }
        self.exit
    }
}

/// The text of an input.
fn file(item: Item, limit: u64, sources: &mut Sources) -> Result<FileId, Diagnostic> {
    input::read_item(item, limit, Codes::HLO, sources)
}
