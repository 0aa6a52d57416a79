//! Printed locations: `loc(..)`.

use super::cursor::{DEPTH, Reader};
use super::token::Kind;

impl Reader<'_> {
    /// `loc(..)`, if it is next: the first file location in it.
    pub(super) fn optional_loc(&mut self) -> Option<String> {
        if !self.at_word("loc") || self.kind(self.at + 1) != Kind::LParen {
            return None;
        }
        let close = self.token(self.at + 1).close().filter(|close| *close < self.end)?;
        let from = self.at + 2;
        self.at = close + 1;
        self.place(from, close)
    }

    /// The first `"file":line:column` among tokens `[from, to)`, through aliases.
    pub(super) fn place(&mut self, from: usize, to: usize) -> Option<String> {
        let mut at = from;
        while at < to {
            match self.tokens[at].kind {
                Kind::Str if self.is_place(at, to) => {
                    return Some(self.slice(at, at + 5).to_owned());
                }
                Kind::Hash => {
                    let place = self.place_of_alias(self.word(at));
                    if place.is_some() {
                        return place;
                    }
                    at += 1;
                }
                // `fused<"why">[..]`: what is in `<>` is no place.
                Kind::Less => at = self.past(at),
                _ => at += 1,
            }
        }
        None
    }

    fn is_place(&self, at: usize, to: usize) -> bool {
        use Kind::{Colon, Int};
        let kinds = self.tokens.get(at + 1..(at + 5).min(to)).unwrap_or_default();
        kinds.iter().map(|token| token.kind).eq([Colon, Int, Colon, Int])
    }

    fn place_of_alias(&mut self, name: &str) -> Option<String> {
        let depth = self.depth;
        let alias = self.aliases.table.get_mut(name)?;
        if alias.busy || depth >= DEPTH {
            return None;
        }
        if let Some(known) = &alias.place {
            return known.clone();
        }
        alias.busy = true;
        let (from, to) = (alias.from, alias.to);
        self.depth += 1;
        let place = self.place(from, to);
        self.depth -= 1;
        if let Some(alias) = self.aliases.table.get_mut(name) {
            alias.busy = false;
            alias.place = Some(place.clone());
        }
        place
    }
}
