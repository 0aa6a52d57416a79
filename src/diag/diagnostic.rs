//! A message about an input: code, words, places, help. Rendered by miette.

use std::fmt;
use std::sync::Arc;

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::{Code, Loc, Severity, Sources};

/// A place with a word about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub loc: Loc,
    /// What is there; may be empty.
    pub text: String,
}

/// One message about an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its class.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// A lower-case fragment with the names and numbers.
    pub message: String,
    /// Places; the first is the main one, and all lie in its file.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, severity: Severity::Error, message, labels: Vec::new(), help: None }
    }

    /// A warning without a place.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// Adds a place.
    #[must_use]
    pub fn at(mut self, loc: Loc, text: impl Into<String>) -> Self {
        self.labels.push(Label { loc, text: text.into() });
        self
    }

    /// Adds a place where it is known.
    #[must_use]
    pub fn maybe_at(self, loc: Option<Loc>, text: impl Into<String>) -> Self {
        match loc {
            Some(loc) => self.at(loc, text),
            None => self,
        }
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Joins the message with its text, for miette.
    pub fn rendered(&self, sources: &Sources) -> Rendered {
        let source = self.labels.first().and_then(|l| sources.get(l.loc.file));
        Rendered {
            diagnostic: self.clone(),
            source: source.map(|s| Lines { name: s.name.clone(), text: s.text.clone() }),
        }
    }
}

/// A diagnostic together with its text.
#[derive(Debug)]
pub struct Rendered {
    diagnostic: Diagnostic,
    source: Option<Lines>,
}

/// A text of which whole lines are shown: those of the labels, and no others.
#[derive(Debug)]
struct Lines {
    name: String,
    text: Arc<str>,
}

impl SourceCode for Lines {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let past = span.offset() + span.len();
        let head = self.text.get(..span.offset()).ok_or(MietteError::OutOfBounds)?;
        let inside = self.text.get(span.offset()..past).ok_or(MietteError::OutOfBounds)?;
        let first = head.rfind('\n').map_or(0, |at| at + 1);
        let line = head.matches('\n').count();
        let column = head[first..].chars().count();
        // Without context miette asks where the span starts; with context, what to show.
        let (start, column) = if before == 0 { (span.offset(), column) } else { (first, 0) };
        // A span that ends with its line does not show the next one.
        let inside = inside.strip_suffix('\n').unwrap_or(inside);
        let end = span.offset() + inside.len();
        let end = end + self.text[end..].find('\n').unwrap_or(self.text.len() - end);
        let count = self.text[start..end].matches('\n').count() + 1;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[start..end],
            (start, end - start).into(),
            line,
            column,
            count,
        )))
    }
}

impl fmt::Display for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for Rendered {}

impl miette::Diagnostic for Rendered {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.diagnostic.code.name()))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Note => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.diagnostic.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|s| s as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let first = self.diagnostic.labels.first()?;
        let here = self.diagnostic.labels.iter().filter(|l| l.loc.file == first.loc.file);
        Some(Box::new(here.map(|label| {
            let len = (label.loc.end - label.loc.start) as usize;
            let span = SourceSpan::new((label.loc.start as usize).into(), len);
            let text = (!label.text.is_empty()).then(|| label.text.clone());
            LabeledSpan::new_with_span(text, span)
        })))
    }
}
