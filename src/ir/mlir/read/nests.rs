//! `scf.forall`, `scf.parallel`, `affine.for`, `affine.parallel`: induction variables in front of
//! `=` or `in`, then values handed in.

use super::build::Draft;
use super::cursor::Reader;
use super::errors::Read;
use super::region::Arguments;
use super::token::Kind;
use crate::ir::mlir::{OpId, Scalar, Type};

impl Reader<'_> {
    /// Induction variables, bounds, `iter_args`, `shared_outs` or `init`, types, the region.
    pub(super) fn nest(&mut self, op: OpId, d: &mut Draft) -> Read<()> {
        let mut arguments: Arguments = Vec::new();
        let end = if self.peek() == Kind::LParen { self.close(self.at)? } else { self.at + 1 };
        for at in self.at..end {
            if self.kind(at) == Kind::Value {
                arguments.push((at, Type::Scalar(Scalar::Index)));
            }
        }
        self.at = end + usize::from(self.peek() == Kind::LParen);
        let mut names = Vec::new();
        loop {
            match self.peek() {
                Kind::LBrace | Kind::End => break,
                Kind::Value => d.operands.push(self.operand()?),
                Kind::Word if self.at_word("iter_args") || self.at_word("shared_outs") => {
                    self.at += 1;
                    names = self.inits(d)?;
                }
                Kind::Arrow => {
                    self.at += 1;
                    d.types = self.result_types()?;
                }
                _ => self.at += 1,
            }
        }
        // A forall without results may still share its outputs.
        let types = if d.types.len() == names.len() {
            d.types.clone()
        } else {
            let inits = d.operands[d.operands.len() - names.len()..].iter();
            inits.map(|o| self.f.function.ty(o.value).clone()).collect()
        };
        arguments.extend(self.typed(&names, &types)?);
        self.region_of(op, d, &arguments)?;
        self.optional_dict(&mut d.attrs)
    }
}
