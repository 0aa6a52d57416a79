//! A place in the text, and the smallest things to read there.

use super::draft::Name;
use super::errors::{Error, Read, error};
use crate::diag::{Code, FileId, Loc};

/// The reader: where it is in the text.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    /// Byte; always at a character's start when something is said about it.
    pub(super) at: usize,
    pub(super) file: FileId,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, file: FileId) -> Self {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Self { text, bytes: text.as_bytes(), at, file }
    }

    /// The byte here; 0 at the end.
    pub(super) fn peek(&self) -> u8 {
        self.ahead(0)
    }

    /// The byte `by` further on; 0 behind the end.
    pub(super) fn ahead(&self, by: usize) -> u8 {
        self.bytes.get(self.at + by).copied().unwrap_or(0)
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub(super) fn loc(&self, from: usize, to: usize) -> Loc {
        let byte = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Loc { file: self.file, start: byte(from), end: byte(to) }
    }

    /// Skips blanks and comments.
    pub(super) fn skip(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if matches!(self.ahead(1), b'*' | b'/') => self.comment(),
                _ => return,
            }
        }
    }

    /// Skips the comment that starts here.
    pub(super) fn comment(&mut self) {
        let rest = self.bytes.get(self.at + 2..).unwrap_or_default();
        let length = if self.ahead(1) == b'*' {
            rest.windows(2).position(|pair| pair == b"*/").map(|at| at + 2)
        } else {
            rest.iter().position(|&b| b == b'\n')
        };
        self.at += 2 + length.unwrap_or(rest.len());
    }

    /// Takes a byte, if it is next after blanks.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        self.skip();
        let here = !self.at_end() && self.peek() == byte;
        self.at += usize::from(here);
        here
    }

    /// Takes a byte that must be next after blanks.
    pub(super) fn expect(&mut self, byte: u8) -> Read<()> {
        if self.eat(byte) { Ok(()) } else { Err(self.unexpected(&format!("`{}`", byte as char))) }
    }

    /// What is here is not what was expected.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = match rest.bytes().position(|b| !is_name(b)) {
            Some(0) | None => rest.chars().next().map_or(0, char::len_utf8),
            Some(word) => word.min(40),
        };
        let found = match rest.get(..length).unwrap_or_default() {
            "" => "the end of the text".to_owned(),
            found => format!("`{}`", found.escape_debug()),
        };
        let loc = self.loc(self.at, self.at + length);
        error(Code::HloSyntax, format!("expected {expected}, found {found}"), loc, "here")
    }

    /// The word here without taking it: `[A-Za-z_][A-Za-z0-9_.-]*`, possibly none.
    pub(super) fn peek_word(&self) -> &'t str {
        if self.peek().is_ascii_alphabetic() || self.peek() == b'_' { self.run() } else { "" }
    }

    /// The letters, digits, dots and dashes here. An arrow is no part of a name.
    fn run(&self) -> &'t str {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let part = |at: usize, b: u8| is_name(b) && !(b == b'-' && rest.get(at + 1) == Some(&b'>'));
        let end = rest.iter().enumerate().position(|(at, &b)| !part(at, b)).unwrap_or(rest.len());
        self.slice(self.at, self.at + end)
    }

    /// Takes a word that must be next after blanks.
    pub(super) fn word(&mut self, expected: &str) -> Read<&'t str> {
        self.skip();
        let word = self.peek_word();
        if word.is_empty() {
            return Err(self.unexpected(expected));
        }
        self.at += word.len();
        Ok(word)
    }

    /// Takes a name, with or without `%`.
    pub(super) fn name(&mut self, expected: &str) -> Read<Name<'t>> {
        self.skip();
        let start = self.at;
        let percent = self.peek() == b'%';
        self.at += usize::from(percent);
        let text = if percent { self.run() } else { self.peek_word() };
        if text.is_empty() {
            self.at = start;
            return Err(self.unexpected(expected));
        }
        self.at += text.len();
        Ok(Name { text: text.into(), loc: self.loc(start, self.at) })
    }

    /// Takes a number of 64 bits.
    pub(super) fn number(&mut self, expected: &str) -> Read<u64> {
        self.skip();
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        let digits = self.slice(start, self.at);
        if digits.is_empty() {
            return Err(self.unexpected(expected));
        }
        digits.parse().map_err(|_| {
            let loc = self.loc(start, self.at);
            error(Code::HloSizeOverflow, "a number does not fit 64 bits", loc, "this number")
        })
    }

    /// Takes a number of 32 bits.
    pub(super) fn small(&mut self, expected: &str) -> Read<u32> {
        self.skip();
        let start = self.at;
        let number = self.number(expected)?;
        u32::try_from(number).map_err(|_| {
            let message = format!("{expected} cannot be {number}");
            error(Code::HloSyntax, message, self.loc(start, self.at), "does not fit 32 bits")
        })
    }
}

/// True for a byte that may stand in a name.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}
