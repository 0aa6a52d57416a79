//! Where the fields of a row stand in the text.
//!
//! The csv crate gives the values of fields and where a row starts, but not where its fields
//! start. They are found here, only for rows that somebody points at.

use std::ops::Range;

use crate::diag::{FileId, Loc};

/// The text of one row.
pub(crate) struct RawRow<'a> {
    file: FileId,
    text: &'a str,
    /// Where `text` starts in the file.
    start: usize,
}

/// One field: where its value stands (without quotes and blanks around it).
struct Field {
    value: Range<usize>,
    /// A quote that is never closed, or text after a closing quote; with its place.
    fault: Option<(Range<usize>, &'static str)>,
}

impl<'a> RawRow<'a> {
    /// The row that was read from the bytes `span` of the file: those may begin with the end of
    /// the line before, blank lines and a byte order mark.
    pub(crate) fn new(file: FileId, text: &'a str, span: Range<usize>) -> Self {
        let end = span.end.min(text.len());
        let read = text.get(span.start..end).unwrap_or_default();
        // Only the first bytes of a file are a byte order mark; later it is a character.
        let mark = if span.start == 0 { "\u{feff}" } else { "" };
        let row = read.strip_prefix(mark).unwrap_or(read).trim_start_matches(['\r', '\n']);
        let row_start = end - row.len();
        Self { file, text: row.trim_end_matches(['\r', '\n']), start: row_start }
    }

    /// The whole row.
    pub(crate) fn loc(&self) -> Loc {
        self.place(0..self.text.len())
    }

    /// The field with that index; the whole row if there is none or nothing is in it.
    pub(crate) fn field(&self, index: usize) -> Loc {
        match self.fields().nth(index) {
            Some(field) if !field.value.is_empty() => self.place(field.value),
            _ => self.loc(),
        }
    }

    /// The first thing about its quotes that is not CSV.
    pub(crate) fn fault(&self) -> Option<(Loc, &'static str)> {
        if !self.text.contains('"') {
            return None;
        }
        let (span, message) = self.fields().find_map(|field| field.fault)?;
        Some((self.place(span), message))
    }

    fn place(&self, span: Range<usize>) -> Loc {
        // The size of a file is limited well below 4 GiB.
        let byte = |at: usize| u32::try_from(self.start + at).unwrap_or(u32::MAX);
        Loc { file: self.file, start: byte(span.start), end: byte(span.end) }
    }

    fn fields(&self) -> impl Iterator<Item = Field> {
        let text = self.text;
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let start = next?;
            let rest = text.get(start..)?;
            let (field, len) = match rest.strip_prefix('"') {
                Some(quoted) => quoted_field(start, quoted),
                None => plain_field(start, rest),
            };
            // Past the comma; the last field has none.
            next = (start + len < text.len()).then_some(start + len + 1);
            Some(field)
        })
    }
}

fn plain_field(start: usize, rest: &str) -> (Field, usize) {
    let raw = rest.split(',').next().unwrap_or_default();
    let value = start + (raw.len() - raw.trim_start().len());
    let value = value..value + raw.trim().len();
    (Field { value, fault: None }, raw.len())
}

/// `quoted` follows the opening quote at `start`; a quote inside is written twice.
fn quoted_field(start: usize, quoted: &str) -> (Field, usize) {
    let bytes = quoted.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at) {
            None => {
                let fault = Some((start..start + 1, "a quote that is never closed"));
                return (Field { value: start..start + 1 + at, fault }, 1 + at);
            }
            Some(b'"') if bytes.get(at + 1) == Some(&b'"') => at += 2,
            Some(b'"') => break,
            Some(_) => at += 1,
        }
    }
    let value = start + 1..start + 1 + at;
    let after = quoted.get(at + 1..).unwrap_or_default();
    let tail = after.split(',').next().unwrap_or_default();
    let tail_start = start + 1 + at + 1;
    let fault = (!tail.is_empty())
        .then(|| (tail_start..tail_start + tail.len(), "text after a closing quote"));
    (Field { value, fault }, 1 + at + 1 + tail.len())
}
