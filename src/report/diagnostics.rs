//! Diagnostics as a person reads them: the source line underlined.

use miette::{GraphicalReportHandler, GraphicalTheme};

use crate::diag::{Diagnostic, Severity, Sources};
use crate::report::words;

/// Lines longer than this are not shown: the place is enough.
const LONGEST_LINE: usize = 1000;

/// One diagnostic, with colour (streams strip it).
pub fn render(diagnostic: &Diagnostic, sources: &Sources, width: usize) -> String {
    let mut shown = diagnostic.clone();
    if let Some(label) = shown.labels.iter().find(|l| too_long(sources, l.loc)) {
        let place = sources.place(label.loc);
        shown.message = format!("{} (at {place})", shown.message);
        shown.labels.clear();
    }
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode())
        .with_links(false)
        .with_width(width)
        // One asks for the lines of the labels (`diag`), none for the labels alone.
        .with_context_lines(1);
    let mut out = String::new();
    if handler.render_report(&mut out, &shown.rendered(sources)).is_err() {
        // miette refuses places outside the text; the words must come through all the same.
        out = format!("{}: {}\n", shown.code.name(), shown.message);
    }
    out
}

fn too_long(sources: &Sources, loc: crate::diag::Loc) -> bool {
    let Some(source) = sources.get(loc.file) else { return false };
    let (line, _) = source.line_column(loc.start);
    source.line(line).len() > LONGEST_LINE
}

/// `2 errors, 1 warning`; nothing for a single diagnostic or none.
pub fn count<'a>(all: impl IntoIterator<Item = &'a Diagnostic>) -> Option<String> {
    let (mut errors, mut warnings, mut notes) = (0, 0, 0);
    for diagnostic in all {
        match diagnostic.severity {
            Severity::Error => errors += 1,
            Severity::Warning => warnings += 1,
            Severity::Note => notes += 1,
        }
    }
    (errors + warnings + notes > 1).then(|| tally(errors, warnings, notes))
}

/// `2 errors, 1 warning, 3 notes`, without what there is none of.
pub fn tally(errors: usize, warnings: usize, notes: usize) -> String {
    let parts = [(errors, "error"), (warnings, "warning"), (notes, "note")];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| words::count(*n, word));
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}
