//! `#name = ..` and `!name = ..` of a chunk, wherever they stand.

use std::cell::Cell;
use std::collections::HashMap;

use super::token::{Kind, Token};

/// What is known of one alias.
#[derive(Clone, Debug)]
pub(super) struct Alias {
    /// Its tokens `[from, to)`.
    pub(super) from: usize,
    /// One past its last token.
    pub(super) to: usize,
    /// It is being resolved: an alias in terms of itself stays as written.
    pub(super) busy: bool,
    /// The first file location in it, once somebody asked.
    pub(super) place: Option<Option<String>>,
}

/// The aliases of a chunk, and how much text their replacement may still add.
#[derive(Default)]
pub(super) struct Aliases<'t> {
    pub(super) table: HashMap<&'t str, Alias>,
    /// Bytes: aliases of aliases would otherwise grow a small text without bound.
    budget: Cell<usize>,
}

impl<'t> Aliases<'t> {
    /// Finds the aliases among the tokens of a chunk.
    pub(super) fn of(text: &'t str, tokens: &[Token]) -> Self {
        let mut table = HashMap::new();
        for (at, token) in tokens.iter().enumerate() {
            if defines(tokens, at) {
                let name = text.get(token.start as usize..token.end as usize).unwrap_or_default();
                let alias = Alias { from: at + 2, to: end(tokens, at), busy: false, place: None };
                table.entry(name).or_insert(alias);
            }
        }
        Self { table, budget: Cell::new((16 << 20) + 8 * text.len()) }
    }

    /// Takes bytes off the budget, if they are left.
    pub(super) fn spend(&self, bytes: usize) -> bool {
        let left = self.budget.get().checked_sub(bytes);
        self.budget.set(left.unwrap_or(self.budget.get()));
        left.is_some()
    }
}

/// True when the definition of an alias starts at a token.
pub(super) fn defines(tokens: &[Token], at: usize) -> bool {
    let Some([name, equal]) = tokens.get(at..at + 2) else { return false };
    name.first && matches!(name.kind, Kind::Hash | Kind::Bang) && equal.kind == Kind::Equal
}

/// One past the last token of the definition that starts at `at`: its line's end, or more lines
/// while brackets are open.
pub(super) fn end(tokens: &[Token], at: usize) -> usize {
    let mut to = at + 2;
    while let Some(token) = tokens.get(to) {
        if token.first && to > at + 2 {
            break;
        }
        to = token.close().unwrap_or(to) + 1;
    }
    to.min(tokens.len())
}
