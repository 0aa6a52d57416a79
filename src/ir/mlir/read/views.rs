//! Views: `memref.subview` and its relatives. Numbers in the text become `static_*` attributes as
//! in the generic form; `i64::MIN` stands where an operand gives the number.

use super::attrs::int;
use super::build::Draft;
use super::cursor::Reader;
use super::errors::Read;
use super::token::Kind;
use crate::ir::mlir::{Attr, MemRef, OpId, Shaped, Type};

impl Reader<'_> {
    /// `[%a, 4, ..]`: values become operands, all become the attribute.
    pub(super) fn mixed(&mut self, attr: &str, d: &mut Draft) -> Read<()> {
        let open = self.expect(Kind::LSquare)?;
        let close = self.close(open)?;
        let mut numbers = Vec::new();
        while self.at < close {
            let start = self.at;
            if self.peek() == Kind::Value {
                d.operands.push(self.operand()?);
                numbers.push(Attr::Int(i64::MIN));
            } else {
                self.eat(Kind::Minus);
                self.expect(Kind::Int)?;
                let Some(n) = int(self.slice(start, self.at)) else {
                    self.at = start;
                    return Err(self.unexpected("a number of 64 bits"));
                };
                numbers.push(Attr::Int(n));
            }
            // `%v : type` of some printers.
            if self.eat(Kind::Colon) {
                self.ty()?;
            }
            if self.at < close {
                self.expect(Kind::Comma)?;
            }
        }
        self.at = close + 1;
        d.attrs.push(attr, Attr::Array(numbers), self.loc(open, self.at));
        Ok(())
    }

    /// `{attributes} : type to type`; the last type is the result's.
    fn ends_with_types(&mut self, d: &mut Draft) -> Read<()> {
        self.optional_dict(&mut d.attrs)?;
        self.expect(Kind::Colon)?;
        let mut ty = self.ty()?;
        while self.eat_word("to") || self.eat_word("into") {
            ty = self.ty()?;
        }
        d.types = vec![ty];
        Ok(())
    }

    /// `%source[offsets][sizes][strides] : type to type`; `tensor.insert_slice` has `%a into %b`.
    pub(super) fn subview(&mut self, d: &mut Draft) -> Read<()> {
        d.operands.push(self.operand()?);
        if self.eat_word("into") {
            d.operands.push(self.operand()?);
        }
        self.mixed("static_offsets", d)?;
        self.mixed("static_sizes", d)?;
        self.mixed("static_strides", d)?;
        self.ends_with_types(d)
    }

    /// `%source to offset: [..], sizes: [..], strides: [..] : type to type`.
    pub(super) fn reinterpret(&mut self, d: &mut Draft) -> Read<()> {
        d.operands.push(self.operand()?);
        self.expect_word("to")?;
        let parts = [
            ("offset", "static_offsets"),
            ("sizes", "static_sizes"),
            ("strides", "static_strides"),
        ];
        for (word, attr) in parts {
            self.expect_word(word)?;
            self.expect(Kind::Colon)?;
            self.mixed(attr, d)?;
            self.eat(Kind::Comma);
        }
        self.ends_with_types(d)
    }

    /// `%source [[0, 1], [2]] [output_shape [..]] : type into type`.
    pub(super) fn reshaped(&mut self, d: &mut Draft) -> Read<()> {
        d.operands.push(self.operand()?);
        let start = self.at;
        if self.peek() != Kind::LSquare {
            return Err(self.unexpected("`[` and the groups of dimensions"));
        }
        let groups = self.attr()?;
        d.attrs.push("reassociation", groups, self.loc(start, self.at));
        if self.eat_word("output_shape") {
            self.mixed("static_output_shape", d)?;
        }
        self.ends_with_types(d)
    }

    /// `%source (d0, d1) -> (d1, d0) : type to type`.
    pub(super) fn transposed(&mut self, d: &mut Draft) -> Read<()> {
        d.operands.push(self.operand()?);
        let start = self.at;
        if self.peek() == Kind::LParen {
            self.at = self.close(start)? + 1;
            self.expect(Kind::Arrow)?;
            self.at = self.close(self.at)? + 1;
            let map = Attr::Other(format!("affine_map<{}>", self.slice(start, self.at)));
            d.attrs.push("permutation", map, self.loc(start, self.at));
        }
        self.ends_with_types(d)
    }

    /// `%source [restrict] [writable] : memref [to tensor]`.
    pub(super) fn bufferized(&mut self, op: OpId, d: &mut Draft) -> Read<()> {
        self.fallback(op, d)?;
        if let [Type::MemRef(memref)] = d.types.as_slice() {
            let MemRef { dims, element, .. } = memref.as_ref();
            let shaped = Shaped { dims: dims.clone(), element: element.clone() };
            d.types = vec![Type::Tensor(shaped.into())];
        }
        Ok(())
    }
}
