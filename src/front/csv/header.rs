//! The first line: which column is what.

use csv::StringRecord;

use super::spans::RawRow;
use crate::diag::{Code, Diagnostic, Loc};
use crate::front::errors::{Errors, shown};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// The name of the buffer.
    Id,
    /// First step.
    Lower,
    /// One past the last step.
    Upper,
    /// The last step.
    End,
    /// Bytes.
    Size,
    /// Default 1.
    Alignment,
    /// Ignored.
    Hint,
    /// Steps at which it is not alive.
    Gaps,
    /// A pin.
    Offset,
    /// The function; the file's by default.
    Function,
}

/// The names of each column; the first is the usual one.
const NAMES: &[(Column, &[&str])] = &[
    (Column::Id, &["id", "buffer", "buffer_id"]),
    (Column::Lower, &["lower", "begin", "start"]),
    (Column::Upper, &["upper"]),
    (Column::End, &["end"]),
    (Column::Size, &["size"]),
    (Column::Alignment, &["alignment"]),
    (Column::Hint, &["hint"]),
    (Column::Gaps, &["gaps"]),
    (Column::Offset, &["offset"]),
    (Column::Function, &["function"]),
];

/// The columns of a file.
pub(crate) struct Header {
    /// How many fields a row has.
    pub(crate) width: usize,
    /// Where each column stands, in the order of [`NAMES`].
    at: [Option<usize>; NAMES.len()],
}

impl Header {
    /// Reads the first line; all its errors at once.
    pub(crate) fn read(
        record: &StringRecord,
        raw: &RawRow<'_>,
        errors: &mut Errors,
    ) -> Option<Self> {
        let mut header = Self { width: record.len(), at: [None; NAMES.len()] };
        let mut unknown = Vec::new();
        let mut good = true;
        for (index, field) in record.iter().enumerate() {
            let name = field.trim().to_ascii_lowercase();
            let Some(column) = find(&name) else {
                unknown.push((index, name));
                continue;
            };
            let first = match column {
                Column::Upper => header.index(Column::End),
                Column::End => header.index(Column::Upper),
                _ => None,
            };
            if let Some(first) = first.or(header.index(column)) {
                let message = format!("`{name}` says again what another column says");
                let error = Diagnostic::error(Code::CsvSyntax, message);
                let error = error.at(raw.field(index), "").at(raw.field(first), "the other");
                errors.push(error);
                good = false;
            } else {
                header.at[column as usize] = Some(index);
            }
        }
        let mut misspelt = Vec::new();
        for (index, name) in unknown {
            let near = header.near(&name);
            let quoted = shown(&name);
            match near {
                Some((column, near)) => {
                    let message = format!("unknown column `{quoted}`");
                    let error = Diagnostic::error(Code::CsvUnknownColumn, message);
                    let error = error.at(raw.field(index), "");
                    errors.push(error.help(format!("did you mean `{near}`?")));
                    misspelt.push(column);
                    good = false;
                }
                None => {
                    let message = format!("the column `{quoted}` is ignored");
                    let warning = Diagnostic::warning(Code::CsvUnknownColumn, message);
                    errors.warnings.push(warning.at(raw.field(index), ""));
                }
            }
        }
        header.missing(&misspelt, raw, errors);
        (good && errors.is_empty()).then_some(header)
    }

    /// The field index of a column.
    pub(crate) fn index(&self, column: Column) -> Option<usize> {
        self.at[column as usize]
    }

    /// True when the file has the column.
    pub(crate) fn has(&self, column: Column) -> bool {
        self.index(column).is_some()
    }

    /// The place of a row's field.
    pub(crate) fn loc(&self, column: Column, raw: &RawRow<'_>) -> Loc {
        self.index(column).map_or_else(|| raw.loc(), |index| raw.field(index))
    }

    fn missing(&self, misspelt: &[Column], raw: &RawRow<'_>, errors: &mut Errors) {
        let absent = |column| !self.has(column) && !misspelt.contains(&column);
        let mut missing = Vec::new();
        for (column, name) in
            [(Column::Id, "`id`"), (Column::Lower, "`lower`"), (Column::Size, "`size`")]
        {
            if absent(column) {
                missing.push(name);
            }
        }
        if absent(Column::Upper) && absent(Column::End) {
            missing.push("`upper` or `end`");
        }
        if missing.is_empty() {
            return;
        }
        let message = format!("no column {}", missing.join(", no column "));
        let error = Diagnostic::error(Code::CsvMissingColumn, message).at(raw.loc(), "");
        errors.push(error.help("the first line names the columns, such as `id,lower,upper,size`"));
    }

    /// The column that a word was probably meant for: near in spelling, and not there yet.
    fn near(&self, word: &str) -> Option<(Column, &'static str)> {
        let ends = self.has(Column::Upper) || self.has(Column::End);
        let absent = NAMES.iter().filter(|(column, _)| match column {
            Column::Upper | Column::End => !ends,
            // Nothing is lost with a hint.
            Column::Hint => false,
            column => !self.has(*column),
        });
        let names = absent.flat_map(|(column, names)| names.iter().map(|name| (*column, *name)));
        let scored = names.map(|(c, name)| (strsim::damerau_levenshtein(word, name), c, name));
        let (distance, column, name) = scored.min_by_key(|(distance, _, _)| *distance)?;
        let limit = if name.len() <= 4 { 1 } else { 2 };
        (distance <= limit).then_some((column, name))
    }
}

fn find(name: &str) -> Option<Column> {
    NAMES.iter().find(|(_, names)| names.contains(&name)).map(|(column, _)| *column)
}
