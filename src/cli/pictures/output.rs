//! Where pictures go, and as what.

use std::path::{Path, PathBuf};

use super::drawn::Subject;
use crate::cli::args::ReportArgs;
use crate::cli::input::Item;
use crate::cli::{defect, output};
use crate::diag::{Code, Diagnostic};
use crate::format::picture::Written;
use crate::report::chrome;
use crate::report::picture::{Picture, html, svg};
use crate::report::words;

/// What is to be written.
#[derive(Debug)]
pub(super) struct Output {
    picture: Option<(PathBuf, Kind)>,
    trace: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A page.
    Html,
    /// The maps alone.
    Svg,
}

impl Output {
    /// What the command line asks for.
    ///
    /// # Errors
    /// A file of another kind.
    pub(super) fn of(args: &ReportArgs) -> Result<Self, Diagnostic> {
        let picture = match &args.output {
            Some(path) => Some((path.clone(), kind(path)?)),
            None => None,
        };
        Ok(Self { picture, trace: args.place.run.export_trace.clone() })
    }

    /// Checks the outputs against the inputs.
    ///
    /// # Errors
    /// An output that is an input or the other output, or one plan for several inputs.
    pub(super) fn fits(&self, items: &[Item], args: &ReportArgs) -> Result<(), Diagnostic> {
        let bad = |message: String, help: &str| {
            Err(Diagnostic::error(Code::ConfigBadOption, message).help(help))
        };
        if args.plan.is_some() && items.len() > 1 {
            let message = format!("{} inputs, but one plan", items.len());
            return bad(message, "draw one input at a time, or leave `--plan` out");
        }
        let read = || items.iter().map(|item| Path::new(&item.name)).chain(args.plan.as_deref());
        for path in self.picture.iter().map(|(path, _)| path).chain(&self.trace) {
            output::spares(path, read())?;
        }
        match (&self.picture, &self.trace) {
            (Some((picture, _)), Some(trace)) if output::same(picture, trace) => {
                let message = format!("`{}` is the picture and the trace", trace.display());
                bad(message, "write the trace under another name")
            }
            _ => Ok(()),
        }
    }

    /// Draws everything and writes it; nothing where there is nothing to draw.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn write(&self, subjects: &[Subject]) -> Result<Written, Diagnostic> {
        let pictures: Vec<Picture<'_>> = subjects.iter().filter_map(Subject::picture).collect();
        if pictures.is_empty() {
            return Ok(Written::default());
        }
        let bug = |error: serde_json::Error| defect::bug(&error.to_string());
        let mut written = Written {
            functions: pictures.iter().map(|p| p.functions.len()).sum(),
            buffers: pictures.iter().map(Picture::buffers).sum(),
            ..Written::default()
        };
        if let Some((path, kind)) = &self.picture {
            let text = match kind {
                Kind::Html => html::page(&pictures).map_err(bug)?,
                Kind::Svg => svg::drawing(&pictures),
            };
            output::write(path, &text)?;
            written.picture = Some(path.display().to_string());
            written.bytes = text.len() as u64;
        }
        if let Some(path) = &self.trace {
            output::write(path, &chrome::memory(&pictures).map_err(bug)?)?;
            written.trace = Some(path.display().to_string());
        }
        Ok(written)
    }
}

/// The kind of a file by its name.
fn kind(path: &Path) -> Result<Kind, Diagnostic> {
    let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("html" | "htm") => Ok(Kind::Html),
        Some("svg") => Ok(Kind::Svg),
        _ => {
            let message = format!("`{}` is neither a page nor a drawing", path.display());
            Err(Diagnostic::error(Code::ConfigBadOption, message)
                .help("end its name in `.html` for the page, in `.svg` for the map alone"))
        }
    }
}

/// `x.html: optimal: 2 functions, 14 buffers, 66,306 B`.
pub(super) fn lines(written: &Written, verdict: Option<&str>) -> String {
    let mut out = String::new();
    let verdict = verdict.map_or_else(String::new, |verdict| format!("{verdict}: "));
    let what = format!(
        "{verdict}{}, {}",
        words::count(written.functions, "function"),
        words::count(written.buffers, "buffer")
    );
    if let Some(path) = &written.picture {
        out.push_str(&format!("{path}: {what}, {}\n", words::bytes(written.bytes)));
    }
    if let Some(path) = &written.trace {
        let what = if written.picture.is_some() { "the same as a trace" } else { what.as_str() };
        out.push_str(&format!("{path}: {what}\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_decides_what_is_drawn() {
        assert_eq!(kind(Path::new("a/x.html")), Ok(Kind::Html));
        assert_eq!(kind(Path::new("X.SVG")), Ok(Kind::Svg));
        for other in ["x.png", "x", "html", "-"] {
            assert_eq!(kind(Path::new(other)).map_err(|e| e.code), Err(Code::ConfigBadOption));
        }
    }

    #[test]
    fn the_answer_says_what_was_written() {
        let mut written = Written {
            picture: Some("x.html".to_owned()),
            bytes: 66_306,
            trace: Some("t.json".to_owned()),
            functions: 2,
            buffers: 1,
        };
        let text =
            "x.html: optimal: 2 functions, 1 buffer, 66,306 B\nt.json: the same as a trace\n";
        assert_eq!(lines(&written, Some("optimal")), text);
        written.picture = None;
        assert_eq!(lines(&written, None), "t.json: 2 functions, 1 buffer\n");
    }
}
