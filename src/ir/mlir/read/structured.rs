//! `scf.for`, `scf.if`, `scf.while`, `scope.scope`.

use super::build::Draft;
use super::cursor::Reader;
use super::errors::{Read, syntax};
use super::region::Arguments;
use super::token::Kind;
use crate::ir::mlir::{OpId, Scalar, Type};

impl Reader<'_> {
    /// `%i = %a to %b step %c [iter_args(%x = %init) -> (types)] [: type] {..}`.
    pub(super) fn scf_for(&mut self, op: OpId, d: &mut Draft) -> Read<()> {
        self.eat_word("unsigned");
        let induction = self.expect(Kind::Value)?;
        self.expect(Kind::Equal)?;
        d.operands.push(self.operand()?);
        self.expect_word("to")?;
        d.operands.push(self.operand()?);
        self.expect_word("step")?;
        d.operands.push(self.operand()?);
        let mut arguments: Arguments = Vec::new();
        if self.eat_word("iter_args") {
            let names = self.inits(d)?;
            self.expect(Kind::Arrow)?;
            d.types = self.result_types()?;
            arguments = self.typed(&names, &d.types)?;
        }
        let index = Type::Scalar(Scalar::Index);
        let ty = if self.eat(Kind::Colon) { self.ty()? } else { index };
        arguments.insert(0, (induction, ty));
        self.region_of(op, d, &arguments)?;
        self.optional_dict(&mut d.attrs)
    }

    /// `%c [-> types] {..} [else {..}]`.
    pub(super) fn scf_if(&mut self, op: OpId, d: &mut Draft) -> Read<()> {
        d.operands.push(self.operand()?);
        if self.eat(Kind::Arrow) {
            d.types = self.result_types()?;
        }
        self.region_of(op, d, &Vec::new())?;
        if self.eat_word("else") {
            self.region_of(op, d, &Vec::new())?;
        }
        self.optional_dict(&mut d.attrs)
    }

    /// `[(%a = %init, ..)] : (types) -> types {..} do {..}`.
    pub(super) fn scf_while(&mut self, op: OpId, d: &mut Draft) -> Read<()> {
        let names = if self.peek() == Kind::LParen { self.inits(d)? } else { Vec::new() };
        self.expect(Kind::Colon)?;
        let inputs = self.paren_types()?;
        self.expect(Kind::Arrow)?;
        d.types = self.result_types()?;
        let arguments = self.typed(&names, &inputs)?;
        self.region_of(op, d, &arguments)?;
        self.expect_word("do")?;
        self.region_of(op, d, &Vec::new())?;
        if self.eat_word("attributes") {
            self.dict(&mut d.attrs)?;
        }
        self.optional_dict(&mut d.attrs)
    }

    /// `[: () -> types] {..} {attributes}`.
    pub(super) fn scope(&mut self, op: OpId, d: &mut Draft) -> Read<()> {
        if self.eat(Kind::Colon) {
            self.paren_types()?;
            self.expect(Kind::Arrow)?;
            d.types = self.result_types()?;
        }
        self.region_of(op, d, &Vec::new())?;
        self.optional_dict(&mut d.attrs)
    }

    /// `(%a = %init, ..)`: the inits are operands; gives the tokens of the names.
    pub(super) fn inits(&mut self, d: &mut Draft) -> Read<Vec<usize>> {
        let open = self.expect(Kind::LParen)?;
        let close = self.close(open)?;
        let mut names = Vec::new();
        while self.at < close {
            names.push(self.expect(Kind::Value)?);
            self.expect(Kind::Equal)?;
            d.operands.push(self.operand()?);
            if self.at < close {
                self.expect(Kind::Comma)?;
            }
        }
        self.at = close + 1;
        Ok(names)
    }

    /// Names and their types.
    pub(super) fn typed(&self, names: &[usize], types: &[Type]) -> Read<Arguments> {
        if names.len() != types.len() {
            let message = format!("{} values are passed, with {} types", names.len(), types.len());
            let error = syntax(self.loc_of(self.at - 1), message, "these types");
            return Err(Box::new(error.help("give one type per value")));
        }
        Ok(names.iter().copied().zip(types.iter().cloned()).collect())
    }
}
