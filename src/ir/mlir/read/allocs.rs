//! `memref.alloc`, `memref_ext.alloc_workspace`, `hivm.hir.pointer_cast`. Where two groups of
//! operands could hold any number, the attribute `segments` counts them.

use super::build::Draft;
use super::cursor::Reader;
use super::errors::Read;
use super::token::Kind;
use crate::diag::Loc;
use crate::ir::mlir::Attr;

/// Sets `segments`: how many operands each group has.
pub(super) fn segments(d: &mut Draft, counts: &[usize], loc: Loc) {
    let counts = counts.iter().map(|n| Attr::Int(*n as i64)).collect();
    d.attrs.push("segments", Attr::Array(counts), loc);
}

impl Reader<'_> {
    /// `(%a, %b)` or `[%a, %b]` after each other, if there: how many operands.
    fn bracketed(&mut self, kind: Kind, d: &mut Draft) -> Read<usize> {
        if self.peek() != kind {
            return Ok(0);
        }
        let close = self.close(self.at)?;
        self.at += 1;
        let before = d.operands.len();
        self.operands(d)?;
        if self.at != close {
            return Err(self.unexpected(&format!("`,` or {}", self.kind(close).name())));
        }
        self.at += 1;
        Ok(d.operands.len() - before)
    }

    /// `{attributes} : type`.
    fn attrs_and_type(&mut self, d: &mut Draft) -> Read<()> {
        self.optional_dict(&mut d.attrs)?;
        self.expect(Kind::Colon)?;
        d.types = vec![self.ty()?];
        Ok(())
    }

    /// `(%dynamic, ..)[%symbol, ..] {attributes} : type`; segments: sizes, symbols.
    pub(super) fn alloc(&mut self, d: &mut Draft) -> Read<()> {
        let start = self.at;
        if self.peek() != Kind::LParen {
            return Err(self.unexpected("`(`"));
        }
        let sizes = self.bracketed(Kind::LParen, d)?;
        let symbols = self.bracketed(Kind::LSquare, d)?;
        if sizes + symbols > 0 {
            segments(d, &[sizes, symbols], self.loc(start, self.at));
        }
        self.attrs_and_type(d)
    }

    /// `(%addr, ..)[%dynamic, ..] : type`; segments: addresses, sizes.
    pub(super) fn pointer_cast(&mut self, d: &mut Draft) -> Read<()> {
        let start = self.at;
        if self.peek() != Kind::LParen {
            return Err(self.unexpected("`(`"));
        }
        let addresses = self.bracketed(Kind::LParen, d)?;
        let sizes = self.bracketed(Kind::LSquare, d)?;
        segments(d, &[addresses, sizes], self.loc(start, self.at));
        self.attrs_and_type(d)
    }

    /// `(%dynamic, ..) from %arg [offset = [%o, ..]] : from type to type`; segments: sizes,
    /// the argument, offsets.
    pub(super) fn workspace(&mut self, d: &mut Draft) -> Read<()> {
        let start = self.at;
        let sizes = self.bracketed(Kind::LParen, d)?;
        let mut from = 0;
        if self.eat_word("from") {
            d.operands.push(self.operand()?);
            from = 1;
        }
        self.eat(Kind::Comma);
        let mut offsets = 0;
        if self.eat_word("offset") {
            self.expect(Kind::Equal)?;
            offsets = self.bracketed(Kind::LSquare, d)?;
        }
        segments(d, &[sizes, from, offsets], self.loc(start, self.at));
        self.optional_dict(&mut d.attrs)?;
        self.expect(Kind::Colon)?;
        self.eat_word("from");
        let mut ty = self.ty()?;
        if self.eat_word("to") {
            ty = self.ty()?;
        }
        d.types = vec![ty];
        Ok(())
    }
}
