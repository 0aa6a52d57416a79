//! The reader and its place in the tokens.

use std::collections::HashMap;

use super::aliases::Aliases;
use super::build::Build;
use super::errors::{Error, Errors, Read, syntax};
use super::token::{Kind, NONE, Token};
use crate::diag::{Code, Diagnostic, FileId, Loc};
use crate::ir::mlir::Type;

/// How deep regions and brackets may nest: deeper text is refused instead of using up the stack.
pub(super) const DEPTH: u32 = 256;

/// Reads the tokens of one chunk.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) file: FileId,
    pub(super) tokens: Vec<Token>,
    /// The next token.
    pub(super) at: usize,
    /// One past the last token that may be read: the end of a statement or of the chunk.
    pub(super) end: usize,
    pub(super) aliases: Aliases<'t>,
    /// Types by their text: a kernel repeats a handful.
    pub(super) types: HashMap<&'t str, Type>,
    pub(super) errors: Errors,
    /// Regions, modules and attributes around the next token.
    pub(super) depth: u32,
    /// Where a region ended without its `}`, once that was said.
    pub(super) unclosed: Option<usize>,
    /// The function that is being read.
    pub(super) f: Build<'t>,
}

impl<'t> Reader<'t> {
    /// The kind of the next token.
    pub(super) fn peek(&self) -> Kind {
        self.kind(self.at)
    }

    /// The kind of a token; nothing is seen past the end.
    pub(super) fn kind(&self, at: usize) -> Kind {
        if at >= self.end {
            return Kind::End;
        }
        self.tokens.get(at).map_or(Kind::End, |token| token.kind)
    }

    /// A token; an empty one past the end.
    pub(super) fn token(&self, at: usize) -> Token {
        let end = self.text.len() as u32;
        let none = Token { start: end, end, link: NONE, kind: Kind::End, first: true };
        self.tokens.get(at).copied().unwrap_or(none)
    }

    /// The text of a token.
    pub(super) fn word(&self, at: usize) -> &'t str {
        self.slice(at, at + 1)
    }

    /// The text of the tokens `[from, to)`.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        if to <= from {
            return "";
        }
        let (start, end) = (self.token(from).start as usize, self.token(to - 1).end as usize);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The place of the tokens `[from, to)`.
    pub(super) fn loc(&self, from: usize, to: usize) -> Loc {
        let start = self.token(from).start;
        let end = if to > from { self.token(to - 1).end } else { start };
        Loc { file: self.file, start, end: end.max(start) }
    }

    /// The place of a token.
    pub(super) fn loc_of(&self, at: usize) -> Loc {
        self.loc(at, at + 1)
    }

    /// True when the next token is this word.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.peek() == Kind::Word && self.word(self.at) == word
    }

    /// Skips a token of that kind, if it is next.
    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.peek() == kind;
        self.at += usize::from(found);
        found
    }

    /// Skips that word, if it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.at += usize::from(found);
        found
    }

    /// Skips a token of that kind and gives its index, or says what was expected.
    pub(super) fn expect(&mut self, kind: Kind) -> Read<usize> {
        if self.eat(kind) { Ok(self.at - 1) } else { Err(self.unexpected(kind.name())) }
    }

    /// Skips that word, or says that it was expected.
    pub(super) fn expect_word(&mut self, word: &str) -> Read<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// The error of a next token that is not what it should be.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let found = match self.peek() {
            Kind::End => Kind::End.name().to_owned(),
            Kind::Bad if self.word(self.at).starts_with('"') => "a string without its end".into(),
            _ => format!("`{}`", short(self.word(self.at))),
        };
        // At the end of a statement the place is behind its last token.
        let loc = match self.peek() {
            Kind::End if self.at > 0 => {
                let end = self.token(self.at - 1).end;
                Loc { file: self.file, start: end, end }
            }
            _ => self.loc_of(self.at),
        };
        syntax(loc, format!("expected {expected}, found {found}"), format!("expected {expected}"))
    }

    /// The token that closes the bracket at `at`, or says that there is none.
    pub(super) fn close(&self, at: usize) -> Read<usize> {
        let found = self.token(at).close().filter(|close| *close < self.end);
        found.ok_or_else(|| {
            let open = short(self.word(at));
            let error = syntax(self.loc_of(at), format!("`{open}` is never closed"), "opened here");
            Box::new(error.help("add the bracket that closes it before the statement ends"))
        })
    }

    /// One past what opens at `at`: the closing bracket's successor, or the next token.
    pub(super) fn past(&self, at: usize) -> usize {
        self.token(at).close().map_or(at, |close| close) + 1
    }

    /// Goes one level down, if that is not too deep.
    pub(super) fn deeper(&mut self) -> Read<()> {
        if self.depth >= DEPTH {
            let message = format!("nested more than {DEPTH} deep");
            let error = Diagnostic::error(Code::HivmNestingTooDeep, message);
            return Err(Box::new(error.at(self.loc_of(self.at), "too deep")));
        }
        self.depth += 1;
        Ok(())
    }

    /// True when `<` follows its word without a blank: parameters of a type or an attribute.
    pub(super) fn glued(&self, at: usize) -> bool {
        self.kind(at) == Kind::Less && at > 0 && self.token(at - 1).end == self.token(at).start
    }
}

/// The start of a long text.
pub(super) fn short(text: &str) -> &str {
    text.char_indices().nth(40).map_or(text, |(at, _)| &text[..at])
}
