//! Types, from tokens: where they end, and those read before.

use super::cursor::Reader;
use super::errors::{Error, Read};
use super::token::Kind;
use super::types;
use crate::diag::{Code, Diagnostic};
use crate::ir::mlir::Type;

impl<'t> Reader<'t> {
    /// One past the type that starts at a token; none where no type can start.
    pub(super) fn type_end(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            match self.kind(at) {
                Kind::Word | Kind::Bang if self.glued(at + 1) => {
                    let close = self.token(at + 1).close().filter(|close| *close < self.end);
                    return close.map(|close| close + 1);
                }
                // A word with a dot is an op.
                Kind::Word if self.word(at).contains('.') => return None,
                Kind::Word | Kind::Bang => return Some(at + 1),
                // `(types) -> type` or `(types) -> (types)`, again and again.
                Kind::LParen => {
                    let close = self.token(at).close().filter(|close| *close < self.end)?;
                    if self.kind(close + 1) != Kind::Arrow {
                        // The results of a function type; alone it is no type.
                        return (at > start).then_some(close + 1);
                    }
                    at = close + 2;
                }
                _ => return None,
            }
        }
    }

    /// Reads a type.
    pub(super) fn ty(&mut self) -> Read<Type> {
        let Some(end) = self.type_end(self.at) else {
            let open = self.at + usize::from(matches!(self.peek(), Kind::Word | Kind::Bang));
            if matches!(self.kind(open), Kind::Less | Kind::LParen) {
                self.close(open)?;
            }
            return Err(self.unexpected("a type"));
        };
        let start = std::mem::replace(&mut self.at, end);
        let text = self.slice(start, end);
        if let Some(ty) = self.types.get(text) {
            return Ok(ty.clone());
        }
        let read = types::read(text, &|name| self.alias_text(name));
        let ty = read.map_err(|why| self.bad_type(start, end, &why))?;
        self.types.insert(text, ty.clone());
        Ok(ty)
    }

    fn bad_type(&self, start: usize, end: usize, why: &str) -> Error {
        let error = Diagnostic::error(Code::HivmBadType, why.to_owned());
        let help = "such as `memref<16x?xf32, strided<[32, 1], offset: 8>, \
                    #hivm.address_space<ub>>`";
        Box::new(error.at(self.loc(start, end), "this type").help(help))
    }

    /// What an alias stands for, as text; aliases of aliases are followed.
    pub(super) fn alias_text(&self, name: &str) -> Option<&'t str> {
        let mut found = None;
        for _ in 0..64 {
            let key = found.unwrap_or(name);
            if !key.starts_with(['#', '!']) {
                break;
            }
            let Some(alias) = self.aliases.table.get(key) else { break };
            let text = self.slice(alias.from, alias.to);
            if !self.aliases.spend(text.len()) {
                break;
            }
            found = Some(text);
        }
        found
    }

    /// `type`, or `(type, ..)`: what follows `->`. Attributes of results are skipped here.
    pub(super) fn result_types(&mut self) -> Read<Vec<Type>> {
        // `-> (i32) -> i32` is one function type, `-> (i32)` a list.
        if self.peek() != Kind::LParen || self.type_end(self.at).is_some() {
            let mut list = vec![self.ty()?];
            while self.peek() == Kind::Comma && self.type_end(self.at + 1).is_some() {
                self.at += 1;
                list.push(self.ty()?);
            }
            return Ok(list);
        }
        self.paren_types()
    }

    /// `(type, ..)`.
    pub(super) fn paren_types(&mut self) -> Read<Vec<Type>> {
        let open = self.expect(Kind::LParen)?;
        let close = self.close(open)?;
        let mut list = Vec::new();
        while self.at < close {
            list.push(self.ty()?);
            if self.peek() == Kind::LBrace {
                self.at = self.close(self.at)? + 1;
            }
            if self.at < close {
                self.expect(Kind::Comma)?;
            }
        }
        self.at = close + 1;
        Ok(list)
    }
}
