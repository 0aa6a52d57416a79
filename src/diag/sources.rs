//! The texts that were read, and where their lines start.

use std::sync::Arc;

use super::{FileId, Loc, Place};

/// One text.
#[derive(Debug)]
pub struct Source {
    /// Its name: the path as given, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    lines: Vec<u32>,
}

/// All texts of a run; a [`Loc`] points into one of them.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Source {
    /// Line and column of a byte, both from 1; the column counts characters.
    pub fn line_column(&self, byte: u32) -> (usize, usize) {
        let line = self.lines.partition_point(|&start| start <= byte).max(1);
        let start = self.lines.get(line - 1).map_or(0, |&s| s as usize);
        let end = (byte as usize).min(self.text.len());
        let column = self.text.as_bytes().get(start..end).unwrap_or_default();
        // Continuation bytes of UTF-8 do not start a character.
        let column = column.iter().filter(|&&b| b & 0xC0 != 0x80).count();
        (line, column + 1)
    }

    /// A line's text, counted from 1, without its end.
    pub fn line(&self, line: usize) -> &str {
        let start = self.lines.get(line.saturating_sub(1)).map_or(0, |&s| s as usize);
        let end = self.lines.get(line).map_or(self.text.len(), |&s| s as usize);
        self.text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }
}

impl Sources {
    /// Adds a text. Readers have limited its size, so its bytes fit a `u32`.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let text: Arc<str> = text.into();
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        let lines = starts.map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect();
        self.files.push(Source { name: name.into(), text, lines });
        FileId(u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX))
    }

    /// The text of an id.
    pub fn get(&self, id: FileId) -> Option<&Source> {
        self.files.get(id.0 as usize)
    }

    /// `file:line:column` of a place.
    pub fn place(&self, loc: Loc) -> String {
        match self.get(loc.file) {
            Some(source) => {
                let (line, column) = source.line_column(loc.start);
                format!("{}:{line}:{column}", source.name)
            }
            None => "?".to_owned(),
        }
    }

    /// The same with its end, for reports that outlive the text.
    pub fn span(&self, loc: Loc) -> Option<Place> {
        let source = self.get(loc.file)?;
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (line, column) = source.line_column(loc.start);
        let (end_line, end_column) = source.line_column(loc.end.max(loc.start));
        Some(Place {
            file: source.name.clone(),
            line: number(line),
            column: number(column),
            end_line: number(end_line),
            end_column: number(end_column),
        })
    }
}
