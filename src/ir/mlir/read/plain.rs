//! Loads, constants, comparisons, calls, branches: forms of one line.

use super::build::Draft;
use super::cursor::Reader;
use super::errors::Read;
use super::token::Kind;
use crate::ir::mlir::{Attr, OpId, Scalar, Shaped, Successor, Type};

/// Predicates of `arith.cmpi` by their number.
pub(super) const INT_PREDICATES: [&str; 10] =
    ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];

/// Predicates of `arith.cmpf` by their number.
pub(super) const FLOAT_PREDICATES: [&str; 16] = [
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
    "une", "uno", "true",
];

impl Reader<'_> {
    /// `%memref[indices] : type`: the result is an element (D.11).
    pub(super) fn load(&mut self, op: OpId, d: &mut Draft) -> Read<()> {
        self.fallback(op, d)?;
        if let [ty] = d.types.as_slice()
            && let Some(element) = ty.element()
        {
            d.types = vec![Type::Scalar(element.clone())];
        }
        Ok(())
    }

    /// `value : type`, `true`.
    pub(super) fn constant(&mut self, d: &mut Draft) -> Read<()> {
        self.optional_dict(&mut d.attrs)?;
        let start = self.at;
        let attr = self.attr()?;
        // The type is the last thing of a value that has one.
        let ty = (start + 1..self.at)
            .rev()
            .find(|at| self.kind(*at) == Kind::Colon && self.type_end(at + 1) == Some(self.at));
        let end = self.at;
        d.types = vec![match ty {
            Some(colon) => {
                self.at = colon + 1;
                self.ty()?
            }
            None if matches!(attr, Attr::Bool(_)) => Type::Scalar(Scalar::Int(1)),
            None if matches!(attr, Attr::Int(_)) => Type::Scalar(Scalar::Int(64)),
            None => Type::Unknown,
        }];
        self.at = end;
        d.attrs.push("value", attr, self.loc(start, end));
        Ok(())
    }

    /// `slt, %a, %b : type`: `i1`, or as many of them as the operands have elements (D.11).
    pub(super) fn compare(&mut self, op: OpId, d: &mut Draft) -> Read<()> {
        let at = match self.peek() {
            Kind::Str => self.at,
            _ => {
                self.expect(Kind::Word)?;
                self.at - 1
            }
        };
        self.at = at + 1;
        d.attrs.push("predicate", Attr::Str(self.unquote(at)), self.loc_of(at));
        self.fallback(op, d)?;
        let bit = |dims: &Shaped| Shaped { dims: dims.dims.clone(), element: Scalar::Int(1) };
        d.types = vec![match d.types.first() {
            Some(Type::Vector(shape)) => Type::Vector(bit(shape).into()),
            Some(Type::Tensor(shape)) => Type::Tensor(bit(shape).into()),
            _ => Type::Scalar(Scalar::Int(1)),
        }];
        Ok(())
    }

    /// Ops whose result is an `index` whatever type is printed (D.11).
    pub(super) fn index(&mut self, name: &str, op: OpId, d: &mut Draft) -> Read<()> {
        if name.starts_with("affine.") {
            let start = self.at;
            let map = self.attr()?;
            d.attrs.push("map", map, self.loc(start, self.at));
        }
        self.fallback(op, d)?;
        d.types = vec![Type::Scalar(Scalar::Index); self.f.function.ops[op].results.len()];
        Ok(())
    }

    /// `@name`, then operands and types.
    pub(super) fn symbol(&mut self, name: &str, op: OpId, d: &mut Draft) -> Read<()> {
        if name == "gpu.launch_func" {
            self.optional_async(d)?;
        }
        let start = self.at;
        self.expect(Kind::Symbol)?;
        while self.eat(Kind::ColonColon) {
            self.expect(Kind::Symbol)?;
        }
        let written = self.slice(start, self.at);
        let loc = self.loc(start, self.at);
        if name == "memref.get_global" {
            d.attrs.push("name", Attr::Other(written.to_owned()), loc);
        } else {
            d.attrs.push("callee", Attr::Str(symbol(written)), loc);
        }
        self.fallback(op, d)
    }

    /// `async [%a, %b]` of a launch.
    fn optional_async(&mut self, d: &mut Draft) -> Read<()> {
        self.eat_word("async");
        if self.peek() == Kind::LSquare {
            let close = self.close(self.at)?;
            self.all_operands(self.at, close, d);
            self.at = close + 1;
        }
        Ok(())
    }

    /// `^a(%x : type)`; `%c, ^a(..), ^b(..)`; `%f : type, [default: ^a(..), 1: ^b(..)]`.
    pub(super) fn branch(&mut self, name: &str, d: &mut Draft) -> Read<()> {
        if name != "cf.br" {
            d.operands.push(self.operand()?);
        }
        while self.at < self.end {
            match self.peek() {
                Kind::Block => {
                    let block = self.label(self.at);
                    self.at += 1;
                    let mut passed = Draft::default();
                    if self.peek() == Kind::LParen {
                        let close = self.close(self.at)?;
                        self.all_operands(self.at, close, &mut passed);
                        self.at = close + 1;
                    }
                    let args = passed.operands.iter().map(|o| o.value).collect();
                    d.successors.push(Successor { block, args });
                }
                Kind::LBrace => self.dict(&mut d.attrs)?,
                Kind::Value | Kind::Bad => return Err(self.unexpected("a block (`^name`)")),
                _ => self.at += 1,
            }
        }
        let wanted = match name {
            "cf.br" => 1..=1,
            "cf.cond_br" => 2..=2,
            _ => 1..=usize::MAX,
        };
        if wanted.contains(&d.successors.len()) { Ok(()) } else { Err(self.unexpected("a block")) }
    }
}

/// `name` of `@name` or `@"name"`; the parts of `@a::@b` stay separated by `::`.
pub(super) fn symbol(written: &str) -> String {
    let part = |text: &str| text.trim().trim_start_matches('@').trim_matches('"').to_owned();
    written.split("::").map(part).collect::<Vec<_>>().join("::")
}
