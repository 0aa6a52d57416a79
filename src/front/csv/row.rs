//! One row: one buffer.

use csv::StringRecord;

use super::header::{Column, Header};
use super::number::{BadNumber, number, optional};
use super::spans::RawRow;
use crate::diag::{Code, Diagnostic};
use crate::front::errors::{Errors, shown};
use crate::model::{Bytes, Live};

/// A row, read.
pub(crate) struct Row<'a> {
    pub(crate) id: &'a str,
    pub(crate) function: Option<&'a str>,
    pub(crate) size: Bytes,
    pub(crate) alignment: u64,
    pub(crate) live: Vec<Live>,
    pub(crate) pin: Option<u64>,
    /// True when the row has a hint.
    pub(crate) hinted: bool,
    /// True when the row has gaps.
    pub(crate) gapped: bool,
}

struct Fields<'a, 'e> {
    header: &'a Header,
    record: &'a StringRecord,
    raw: &'a RawRow<'a>,
    errors: &'e mut Errors,
}

impl<'a> Row<'a> {
    /// Reads a row; all its errors at once.
    pub(crate) fn read(
        header: &'a Header,
        record: &'a StringRecord,
        raw: &'a RawRow<'a>,
        errors: &mut Errors,
    ) -> Option<Self> {
        if record.len() != header.width {
            let (has, wants) = (record.len(), header.width);
            let message = format!("this row has {has} fields, the header has {wants}");
            errors.push(Diagnostic::error(Code::CsvSyntax, message).at(raw.loc(), ""));
            return None;
        }
        let mut fields = Fields { header, record, raw, errors };
        let id = fields.id();
        let size = fields.number(Column::Size, "size");
        let alignment = fields.alignment();
        let span = fields.span();
        let pin = fields.pin(size, alignment);
        let hinted = fields.hinted();
        let gaps = fields.text(Column::Gaps).unwrap_or_default();
        let live = match span {
            Some(span) if gaps.is_empty() => Some(vec![span]),
            Some(span) => fields.gaps(gaps, span),
            None => None,
        };
        let function = fields.text(Column::Function).filter(|name| !name.is_empty());
        Some(Row {
            id: id?,
            function,
            size: Bytes(size?),
            alignment: alignment?,
            live: live?,
            pin: pin?,
            hinted: hinted?,
            gapped: !gaps.is_empty(),
        })
    }
}

impl<'a> Fields<'a, '_> {
    fn text(&self, column: Column) -> Option<&'a str> {
        self.header.index(column).and_then(|index| self.record.get(index)).map(str::trim)
    }

    fn error(&mut self, code: Code, message: String, column: Column) {
        let loc = self.header.loc(column, self.raw);
        self.errors.push(Diagnostic::error(code, message).at(loc, ""));
    }

    fn good<T>(&mut self, read: Result<T, BadNumber>, column: Column) -> Option<T> {
        read.map_err(|bad| self.error(bad.code, bad.message, column)).ok()
    }

    fn number(&mut self, column: Column, name: &str) -> Option<u64> {
        let text = self.text(column)?;
        self.good(number(text, name), column)
    }

    fn id(&mut self) -> Option<&'a str> {
        let id = self.text(Column::Id)?;
        if id.is_empty() {
            self.error(Code::CsvInvalidValue, "`id` is empty".to_owned(), Column::Id);
            return None;
        }
        Some(id)
    }

    /// The alignment; 1 where nothing is said.
    fn alignment(&mut self) -> Option<u64> {
        match self.text(Column::Alignment) {
            None | Some("") => Some(1),
            Some(text) => match self.good(number(text, "alignment"), Column::Alignment)? {
                0 => {
                    let message = "`alignment` is 0; it is at least 1".to_owned();
                    self.error(Code::CsvInvalidValue, message, Column::Alignment);
                    None
                }
                alignment => Some(alignment),
            },
        }
    }

    /// `[lower, upper)`, or `[lower, end + 1)`.
    fn span(&mut self) -> Option<Live> {
        let lower = self.number(Column::Lower, "lower");
        let (column, upper) = if self.header.has(Column::End) {
            let end = self.number(Column::End, "end")?;
            let Some(upper) = end.checked_add(1) else {
                let message = "`end` is inclusive, and the step after it does not fit 64 bits";
                self.error(Code::CsvSizeOverflow, message.to_owned(), Column::End);
                return None;
            };
            (Column::End, upper)
        } else {
            (Column::Upper, self.number(Column::Upper, "upper")?)
        };
        let lower = lower?;
        if lower >= upper {
            let what = if lower == upper { "empty" } else { "reversed" };
            let message = format!("the live range [{lower}, {upper}) is {what}");
            self.error(Code::CsvBadInterval, message, column);
            return None;
        }
        Some(Live::new(lower, upper))
    }

    /// `Some(None)` is a buffer without a pin.
    fn pin(&mut self, size: Option<u64>, alignment: Option<u64>) -> Option<Option<u64>> {
        let text = self.text(Column::Offset).unwrap_or_default();
        let Some(pin) = self.good(optional(text, "offset"), Column::Offset)? else {
            return Some(None);
        };
        if let Some(alignment) = alignment
            && !pin.is_multiple_of(alignment)
        {
            let message = format!("`offset` {pin} is not a multiple of `alignment` {alignment}");
            self.error(Code::CsvInvalidValue, message, Column::Offset);
            return None;
        }
        if size.is_some_and(|size| pin.checked_add(size).is_none()) {
            let message = format!("the end of the buffer at {pin} does not fit 64 bits");
            self.error(Code::CsvSizeOverflow, message, Column::Offset);
            return None;
        }
        Some(Some(pin))
    }

    fn hinted(&mut self) -> Option<bool> {
        let text = self.text(Column::Hint).unwrap_or_default();
        let hint = self.good(optional(text, "hint"), Column::Hint)?;
        Some(hint.is_some())
    }

    /// `span` without the gaps `lo-hi lo-hi ..`.
    fn gaps(&mut self, text: &str, span: Live) -> Option<Vec<Live>> {
        let mut gaps = Vec::new();
        for word in text.split_whitespace() {
            if word.contains('@') {
                let message = format!(
                    "the gap `{}` has a window; a buffer that is alive in part of its bytes is \
                     not supported",
                    shown(word)
                );
                self.error(Code::CsvInvalidValue, message, Column::Gaps);
                return None;
            }
            let Some((lo, hi)) = word.split_once('-') else {
                let message = format!("the gap `{}` is not of the form `lo-hi`", shown(word));
                self.error(Code::CsvInvalidValue, message, Column::Gaps);
                return None;
            };
            let lo = self.good(number(lo, "gaps"), Column::Gaps)?;
            let hi = self.good(number(hi, "gaps"), Column::Gaps)?;
            if lo >= hi || lo < span.start.0 || hi > span.end.0 {
                let (from, to) = (span.start.0, span.end.0);
                let message = format!("the gap [{lo}, {hi}) is not a part of [{from}, {to})");
                self.error(Code::CsvBadInterval, message, Column::Gaps);
                return None;
            }
            gaps.push((lo, hi));
        }
        gaps.sort_unstable();
        let mut live = Vec::with_capacity(gaps.len() + 1);
        let mut from = span.start.0;
        for (lo, hi) in gaps.into_iter().chain([(span.end.0, span.end.0)]) {
            if from < lo {
                live.push(Live::new(from, lo));
            }
            from = from.max(hi);
        }
        if live.is_empty() {
            let message = "the gaps leave nothing of the live range".to_owned();
            self.error(Code::CsvBadInterval, message, Column::Gaps);
            return None;
        }
        Some(live)
    }
}
