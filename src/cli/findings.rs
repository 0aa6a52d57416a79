//! Formats for CI: which of the reports is meant.

use super::args::Format;
use crate::report::ci::Kind;

/// The report of a format; none for people, JSON and tables.
pub(super) fn kind(format: Format) -> Option<Kind> {
    match format {
        Format::Human | Format::Json | Format::Csv => None,
        Format::Markdown => Some(Kind::Markdown),
        Format::Sarif => Some(Kind::Sarif),
        Format::Junit => Some(Kind::Junit),
        Format::Github => Some(Kind::Github),
    }
}
