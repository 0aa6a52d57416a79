//! The reader of the public packing benchmarks: `id,lower,upper,size[,alignment][,offset]...`.
//!
//! The first line names the columns, in any order. One row is one buffer. Blank lines are skipped.

pub mod fuzz;
mod header;
mod number;
mod row;
mod spans;

use std::collections::HashMap;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord};

use self::header::{Column, Header};
use self::row::Row;
use self::spans::RawRow;
use super::Read;
use super::errors::{self, Errors};
use crate::diag::{Code, Diagnostic, FileId, Sources};
use crate::model::{Buffer, Capacity, Function, IdVec, Problem, Scope, ScopeId, Value, ValueKind};

/// The largest text read, in bytes: places are 32 bits, and so are ids.
pub const MAX_BYTES: usize = 256 << 20;

/// Reads a CSV: one function named after the file, one scope `arena` without capacity.
///
/// A `function` column spreads the rows over several functions.
///
/// # Errors
/// All errors of the file at once (at most 20).
pub fn read(sources: &Sources, file: FileId) -> Result<Read, Vec<Diagnostic>> {
    let Some(source) = sources.get(file) else {
        return Err(vec![Diagnostic::error(Code::CsvSyntax, "there is no text to read")]);
    };
    read_text(&source.text, file, stem(&source.name), MAX_BYTES)
}

fn read_text(text: &str, file: FileId, stem: &str, limit: usize) -> Result<Read, Vec<Diagnostic>> {
    if text.len() > limit {
        let message = format!("{} bytes, more than the limit of {limit}", text.len());
        return Err(vec![Diagnostic::error(Code::CsvTooLarge, message)]);
    }
    let mut reader = Reader::new(file, stem);
    reader.rows(text);
    reader.duplicates();
    reader.finish()
}

/// `runs/case.1048576.csv` is the function `case.1048576`.
fn stem(name: &str) -> &str {
    let stem = Path::new(name).file_stem().and_then(|s| s.to_str()).unwrap_or(name);
    match stem.trim_matches(['<', '>']) {
        "" | "-" => "stdin",
        stem => stem,
    }
}

struct Reader<'a> {
    file: FileId,
    stem: &'a str,
    errors: Errors,
    functions: Vec<Function>,
    /// Names to functions; looked up, never walked.
    by_name: HashMap<String, usize>,
    /// Room that the buffers of each function need at most.
    room: Vec<u64>,
    /// The first gap of a file with an `end` column, and the first hint: said once.
    gap_of_end: bool,
    hint: bool,
}

impl<'a> Reader<'a> {
    fn new(file: FileId, stem: &'a str) -> Self {
        Self {
            file,
            stem,
            errors: Errors::default(),
            functions: Vec::new(),
            by_name: HashMap::new(),
            room: Vec::new(),
            gap_of_end: false,
            hint: false,
        }
    }

    fn rows(&mut self, text: &str) {
        let mut csv =
            ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut record = StringRecord::new();
        let mut header: Option<Header> = None;
        let mut rows = 0u64;
        while !self.errors.full() {
            let start = offset(csv.position());
            match csv.read_record(&mut record) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    // Text in memory is UTF-8 and rows may differ in length: nothing is left to
                    // fail, but a change of the crate must not be silent.
                    self.errors.push(Diagnostic::error(Code::CsvSyntax, error.to_string()));
                    return;
                }
            }
            let raw = RawRow::new(self.file, text, start..offset(csv.position()));
            if record.len() <= 1 && record.iter().all(|field| field.trim().is_empty()) {
                continue;
            }
            if let Some((loc, message)) = raw.fault() {
                self.errors.push(Diagnostic::error(Code::CsvSyntax, message).at(loc, ""));
                if header.is_none() {
                    return;
                }
                rows += 1;
                continue;
            }
            match &header {
                None => match Header::read(&record, &raw, &mut self.errors) {
                    Some(read) => header = Some(read),
                    None => return,
                },
                Some(header) => {
                    rows += 1;
                    self.row(header, &record, &raw);
                }
            }
        }
        if rows == 0 && self.errors.is_empty() {
            let message = if header.is_some() { "no row follows the header" } else { "no header" };
            let error = Diagnostic::error(Code::CsvSyntax, message);
            self.errors.push(
                error.help("a file starts with `id,lower,upper,size`; then a row for each buffer"),
            );
        }
    }

    fn row(&mut self, header: &Header, record: &StringRecord, raw: &RawRow<'_>) {
        let Some(row) = Row::read(header, record, raw, &mut self.errors) else { return };
        let function = self.function(row.function, raw, header);
        let room =
            row.size.0.checked_add(row.alignment).and_then(|r| self.room[function].checked_add(r));
        let Some(room) = room else {
            let message = "with this row the sizes of the function add up to more than 64 bits";
            let loc = header.loc(Column::Size, raw);
            self.errors.push(Diagnostic::error(Code::CsvSizeOverflow, message).at(loc, ""));
            return;
        };
        self.room[function] = room;
        self.say_once(&row, header, raw);
        let loc = Some(header.loc(Column::Id, raw));
        let function = &mut self.functions[function];
        let given = Buffer::given(row.id.to_owned(), ScopeId(0), row.size, row.alignment, row.live);
        let pin = row.pin.map(|at| vec![at]);
        let id = function.buffers.push(Buffer { loc, pin, ..given });
        let kind = ValueKind::Buffer(id);
        let value = function.values.push(Value { name: row.id.to_owned(), loc, kind });
        function.buffers[id].value = value;
    }

    /// Things that are not what they may seem, once a file.
    fn say_once(&mut self, row: &Row<'_>, header: &Header, raw: &RawRow<'_>) {
        if row.hinted && !self.hint {
            self.hint = true;
            let note = Diagnostic::warning(Code::CsvUnknownColumn, "hints are ignored");
            let note = Diagnostic { severity: crate::diag::Severity::Note, ..note };
            let note = note.at(header.loc(Column::Hint, raw), "the first of them");
            self.errors.warnings.push(note.help("`offset` fixes a buffer's place"));
        }
        if row.gapped && header.has(Column::End) && !self.gap_of_end {
            self.gap_of_end = true;
            let message = "gaps are read as `[lo, hi)` although the column `end` is inclusive";
            let warning = Diagnostic::warning(Code::CsvBadInterval, message);
            let loc = header.loc(Column::Gaps, raw);
            self.errors.warnings.push(warning.at(loc, "the first of them"));
        }
    }

    fn function(&mut self, name: Option<&str>, raw: &RawRow<'_>, header: &Header) -> usize {
        // Most files have one function, and the rows of a function stand together.
        let wanted = name.unwrap_or(self.stem);
        if let Some(last) = self.functions.last()
            && last.name == wanted
        {
            return self.functions.len() - 1;
        }
        if let Some(&known) = self.by_name.get(wanted) {
            return known;
        }
        let loc = name.map(|_| header.loc(Column::Function, raw));
        self.functions.push(Function { name: wanted.to_owned(), loc, ..Function::default() });
        self.room.push(0);
        self.by_name.insert(wanted.to_owned(), self.functions.len() - 1);
        self.functions.len() - 1
    }

    fn duplicates(&mut self) {
        for function in &self.functions {
            let mut first = HashMap::with_capacity(function.buffers.len());
            for buffer in function.buffers.iter() {
                let Some(before) = first.insert(buffer.name.as_str(), buffer.loc) else { continue };
                let message = format!("a second row for `{}`", errors::shown(&buffer.name));
                let error = Diagnostic::error(Code::CsvDuplicateName, message);
                let error = error.maybe_at(buffer.loc, "").maybe_at(before, "one before it");
                self.errors.push(error);
                if self.errors.full() {
                    return;
                }
            }
        }
    }

    fn finish(self) -> Result<Read, Vec<Diagnostic>> {
        let warnings = self.errors.finish()?;
        let arena = Scope {
            name: "arena".to_owned(),
            capacity: Capacity::Unbounded,
            alignment: 1,
            round_up: false,
            reserved: Vec::new(),
            partitions: Vec::new(),
            source: None,
            loc: None,
        };
        let problem = Problem {
            name: self.stem.to_owned(),
            scopes: IdVec::from(vec![arena]),
            functions: self.functions,
            ..Problem::default()
        };
        Ok(Read { problem, warnings })
    }
}

fn offset(position: &csv::Position) -> usize {
    usize::try_from(position.byte()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
