//! What every part of the reader shares: places, and the list of errors.

use std::ops::Range;

use toml::Spanned;

use super::size::{self, BadSize};
use crate::diag::{Code, Diagnostic, FileId, Loc};
use crate::format::read::nearest;
use crate::format::values::{Number, Ranges, Size};
use crate::model::ByteRange;

/// Errors and warnings of one spec.
pub(crate) struct Context {
    file: FileId,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// `1 slot`, `2 slots`.
pub(crate) fn count(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

impl Context {
    pub(crate) fn new(file: FileId) -> Self {
        Self { file, errors: Vec::new(), warnings: Vec::new() }
    }

    pub(crate) fn loc(&self, span: Range<usize>) -> Loc {
        // The size of an input is limited well below 4 GiB.
        let at = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Loc { file: self.file, start: at(span.start), end: at(span.end) }
    }

    pub(crate) fn place<T>(&self, value: &Spanned<T>) -> Loc {
        self.loc(value.span())
    }

    pub(crate) fn error(&mut self, diagnostic: Diagnostic) {
        self.errors.push(diagnostic);
    }

    /// An unknown name, with the nearest known one.
    pub(crate) fn unknown<'a>(
        &mut self,
        what: &str,
        name: &Spanned<String>,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        let mut d = Diagnostic::error(
            Code::SpecUnknownName,
            format!("no {what} is named `{}`", name.get_ref()),
        );
        d = d.at(self.place(name), "");
        if let Some(near) = nearest(name.get_ref(), known) {
            d = d.help(format!("did you mean `{near}`?"));
        }
        self.error(d);
    }

    /// A name that is taken.
    pub(crate) fn duplicate(&mut self, what: &str, name: &Spanned<String>, first: Option<Loc>) {
        let d = Diagnostic::error(
            Code::SpecDuplicateName,
            format!("{what} `{}` is defined twice", name.get_ref()),
        );
        let d = d.at(self.place(name), "again here").maybe_at(first, "first here");
        self.error(match what {
            "loop" | "branch" => d.help("names of loops and of branch sides share one space"),
            _ => d.help("names of buffers, aliases, carries and results share one space"),
        });
    }

    fn bad_size(&mut self, what: &str, loc: Loc, bad: BadSize) {
        let d = match bad {
            BadSize::Negative => {
                Diagnostic::error(Code::SpecInvalidValue, format!("{what} is negative"))
            }
            BadSize::TooLarge => {
                Diagnostic::error(Code::SpecSizeOverflow, format!("{what} does not fit 64 bits"))
            }
            BadSize::Malformed(why) => {
                Diagnostic::error(Code::SpecInvalidValue, format!("{what}: {why}"))
            }
        };
        self.error(d.at(loc, ""));
    }

    /// Bytes, or an error.
    pub(crate) fn size(&mut self, what: &str, value: &Spanned<Size>) -> Option<u64> {
        let loc = self.place(value);
        self.size_at(what, value.get_ref(), loc)
    }

    pub(crate) fn size_at(&mut self, what: &str, value: &Size, loc: Loc) -> Option<u64> {
        size::size(value).map_err(|bad| self.bad_size(what, loc, bad)).ok()
    }

    /// A count, or an error.
    pub(crate) fn number(&mut self, what: &str, value: &Spanned<Number>) -> Option<u64> {
        let loc = self.place(value);
        self.number_at(what, *value.get_ref(), loc)
    }

    pub(crate) fn number_at(&mut self, what: &str, value: Number, loc: Loc) -> Option<u64> {
        size::number(value).map_err(|bad| self.bad_size(what, loc, bad)).ok()
    }

    /// A number of at least 1, or an error.
    pub(crate) fn positive(&mut self, what: &str, value: &Spanned<Size>) -> Option<u64> {
        let n = self.size(what, value)?;
        if n == 0 {
            let d = Diagnostic::error(Code::SpecInvalidValue, format!("{what} is 0"));
            let d = d.at(self.place(value), "").help("write a positive number of bytes");
            self.error(d);
            return None;
        }
        Some(n)
    }

    /// Non-empty ranges in the order written, or an error.
    pub(crate) fn ranges(&mut self, what: &str, value: &Spanned<Ranges>) -> Option<Vec<ByteRange>> {
        let loc = self.place(value);
        self.ranges_at(what, value.get_ref(), loc)
    }

    pub(crate) fn ranges_at(
        &mut self,
        what: &str,
        ranges: &Ranges,
        loc: Loc,
    ) -> Option<Vec<ByteRange>> {
        let mut out = Vec::with_capacity(ranges.0.len());
        for (lo, hi) in &ranges.0 {
            let bound = format!("a bound of {what}");
            let lo = self.size_at(&bound, lo, loc)?;
            let hi = self.size_at(&bound, hi, loc)?;
            if lo >= hi {
                let how = if lo == hi { "empty" } else { "reversed" };
                let d = Diagnostic::error(
                    Code::SpecBadInterval,
                    format!("{what} [{lo}, {hi}) is {how}"),
                );
                let d = d.at(loc, "");
                self.error(d.help("ranges are half-open: [3, 5) holds 3 and 4"));
                return None;
            }
            out.push(ByteRange::new(lo, hi));
        }
        if out.is_empty() {
            let d = Diagnostic::error(Code::SpecBadInterval, format!("{what} has no range"));
            self.error(d.at(loc, ""));
            return None;
        }
        Some(out)
    }

    /// One non-empty range, or an error.
    pub(crate) fn range(&mut self, what: &str, value: &Spanned<Ranges>) -> Option<ByteRange> {
        let ranges = self.ranges(what, value)?;
        if let [one] = ranges[..] {
            return Some(one);
        }
        let d = Diagnostic::error(Code::SpecInvalidValue, format!("{what} is one range"));
        let d = d.at(self.place(value), "");
        self.error(d);
        None
    }
}
