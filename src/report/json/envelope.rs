//! The envelope and diagnostics.

use std::io::{self, Write};

use serde::Serialize;

use crate::diag::{Diagnostic, Loc, Sources};
use crate::format::json::{Diagnostic as Json, Envelope, FORMAT_VERSION, Label, Tool};
use crate::report::words;

/// Puts the envelope around a body.
pub fn envelope<B>(
    command: &'static str,
    verdict: Option<&'static str>,
    diagnostics: Vec<Json>,
    body: B,
) -> Envelope<B> {
    let tool = Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") };
    Envelope { format_version: FORMAT_VERSION, tool, command, verdict, diagnostics, body }
}

/// A diagnostic with its places resolved.
pub fn diagnostic(diagnostic: &Diagnostic, sources: &Sources) -> Json {
    let label = |loc: Loc, text: &str| Label {
        loc: sources.place(loc),
        end: sources.place(Loc { file: loc.file, start: loc.end, end: loc.end }),
        text: text.to_owned(),
    };
    Json {
        code: diagnostic.code.name(),
        severity: words::severity(diagnostic.severity),
        message: diagnostic.message.clone(),
        labels: diagnostic.labels.iter().map(|l| label(l.loc, &l.text)).collect(),
        help: diagnostic.help.clone(),
    }
}

/// A report as text, with a line end.
///
/// # Errors
/// Never for the types of `format`: their keys are strings.
pub fn text<B: Serialize>(report: &Envelope<B>) -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

/// Writes the same without making the whole text first.
///
/// # Errors
/// What the writer says.
pub fn write<B: Serialize>(report: &Envelope<B>, to: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, report)?;
    to.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Code, FileId};

    #[test]
    fn what_is_written_is_the_text() {
        let body = std::collections::BTreeMap::from([("peak", 3)]);
        let report = envelope("solve", Some("optimal"), Vec::new(), body);
        let mut written = Vec::new();
        assert!(write(&report, &mut written).is_ok());
        assert_eq!(Some(written), text(&report).ok().map(String::into_bytes));
    }

    #[test]
    fn places_count_characters() {
        let mut sources = Sources::default();
        let file = sources.add("a.toml", "x = 1\né = 2\n");
        assert_eq!(file, FileId(0));
        let error = Diagnostic::error(Code::SpecUnknownKey, "unknown key")
            .at(Loc { file, start: 8, end: 9 }, "here");
        let json = diagnostic(&error, &sources);
        assert_eq!(json.labels[0].loc, "a.toml:2:2");
        assert_eq!(json.labels[0].end, "a.toml:2:3");
    }
}
