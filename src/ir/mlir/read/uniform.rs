//! The uniform rule for `hivm.hir.*` and `linalg.*` (spec 8.3, point 4): clauses in any order.

use super::arrange::{Clause, arrange};
use super::build::Draft;
use super::cursor::Reader;
use super::errors::Read;
use super::region::Arguments;
use super::token::Kind;
use crate::ir::mlir::{Attr, LISTED, OpId, Operand, Type, synchronises};

/// What is collected on the way.
#[derive(Default)]
struct Clauses<'t> {
    list: Vec<Clause<'t>>,
    /// Types behind a `:`: those of bare operands.
    bare: Vec<Type>,
    arguments: Arguments,
}

impl<'t> Reader<'t> {
    /// Reads clauses, dictionaries, keywords, regions and `-> types` up to the end.
    pub(super) fn uniform(&mut self, name: &str, op: OpId, d: &mut Draft) -> Read<()> {
        let start = self.at;
        let mut clauses = Clauses::default();
        while self.at < self.end && self.unclosed != Some(self.at) {
            self.clause(op, d, &mut clauses)?;
        }
        if synchronises(name) && self.kind(start) == Kind::LSquare {
            // `[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]`: words that are no operands.
            let close = self.close(start)?;
            let inside = self.slice(start + 1, close).split(',');
            let words = inside.map(|word| Attr::Other(word.trim().to_owned())).collect();
            d.attrs.push(LISTED, Attr::Array(words), self.loc(start, close + 1));
        }
        arrange(name, clauses.list, self.loc(start, self.at), d);
        let count = self.f.function.ops[op].results.len();
        if count > 0 && d.types.is_empty() {
            // Tensors: the results are the new contents of `outs`.
            let outs = d.operands.iter().filter(|o| o.role == crate::ir::mlir::Role::Out);
            let outs: Vec<Type> = outs.map(|o| self.f.function.ty(o.value).clone()).collect();
            d.types = if outs.is_empty() { clauses.bare } else { outs };
            if d.types.len() != count {
                d.types = vec![Type::Unknown; count];
            }
        }
        Ok(())
    }

    fn clause(&mut self, op: OpId, d: &mut Draft, clauses: &mut Clauses<'t>) -> Read<()> {
        let start = self.at;
        match self.peek() {
            Kind::LBrace if self.is_dict(start) => self.dict(&mut d.attrs)?,
            Kind::LBrace => {
                let arguments = std::mem::take(&mut clauses.arguments);
                self.region_of(op, d, &arguments)?;
            }
            // `vreduce <sum>`.
            Kind::Less => {
                let kind = self.attr()?;
                d.attrs.push("kind", kind, self.loc(start, self.at));
            }
            Kind::Str => {
                self.at += 1;
                let name = Attr::Str(self.unquote(start));
                d.attrs.push("name", name, self.loc_of(start));
            }
            Kind::Arrow => {
                self.at += 1;
                d.types = self.result_types()?;
            }
            Kind::Value => {
                let operands = vec![self.operand()?];
                clauses.list.push(Clause { word: "", operands });
            }
            Kind::Colon => {
                self.at += 1;
                // `: (types) -> types`, `: type to type`, `: types`.
                clauses.bare = match self.peek() {
                    Kind::LParen => self.paren_types()?,
                    _ => self.result_types()?,
                };
                while self.eat_word("to") || self.eat_word("into") {
                    clauses.bare = vec![self.ty()?];
                }
            }
            Kind::LParen => self.parenthesis("", clauses)?,
            Kind::LSquare => {
                let close = self.close(start)?;
                let operands = self.values_in(start, close);
                clauses.list.push(Clause { word: "", operands });
                self.at = close + 1;
            }
            Kind::Word => self.keyword(d, clauses)?,
            Kind::Comma | Kind::Int => self.at += 1,
            _ => return Err(self.unexpected("`ins(`, `outs(`, an attribute or a type")),
        }
        Ok(())
    }

    /// `word(..)`, `word[..]`, `word = ..`, `word %v : type`, or a word alone.
    fn keyword(&mut self, d: &mut Draft, clauses: &mut Clauses<'t>) -> Read<()> {
        let start = self.at;
        let word = self.word(start);
        self.at += 1;
        match self.peek() {
            Kind::LParen => {
                let close = self.close(self.at)?;
                let values = (self.at..close).any(|at| self.kind(at) == Kind::Value);
                if values || close == self.at + 1 || matches!(word, "ins" | "outs") {
                    return self.parenthesis(word, clauses);
                }
                // `dim(1)`, `unit_flag_mode(<a>, <b>)`.
                let mut items = Vec::new();
                self.at += 1;
                while self.at < close {
                    items.push(self.attr()?);
                    if self.at < close {
                        self.expect(Kind::Comma)?;
                    }
                }
                self.at = close + 1;
                let one = items.len() == 1 && word != "unit_flag_mode";
                let attr = match items.pop() {
                    Some(item) if one => item,
                    last => Attr::Array(items.into_iter().chain(last).collect()),
                };
                d.attrs.push(word, attr, self.loc(start, self.at));
            }
            Kind::LSquare => {
                let mut list = Draft::default();
                self.mixed(&format!("static_{word}"), &mut list)?;
                let numbers = list.attrs.iter().any(|(_, attr, _)| {
                    attr.ints().is_some_and(|n| n.iter().any(|n| *n != i64::MIN))
                });
                if numbers || list.operands.is_empty() {
                    d.attrs.extend(list.attrs);
                }
                clauses.list.push(Clause { word, operands: list.operands });
            }
            Kind::Equal => {
                self.at += 1;
                if self.peek() == Kind::Value {
                    return self.keyword_value(word, clauses);
                }
                let attr = self.attr()?;
                match attr {
                    // `linalg.generic .. attrs = {..}`.
                    Attr::Dict(attrs) if word == "attrs" => d.attrs.extend(attrs),
                    attr => d.attrs.push(word, attr, self.loc(start, self.at)),
                }
            }
            Kind::Value => return self.keyword_value(word, clauses),
            _ => d.attrs.push(word, Attr::Unit, self.loc_of(start)),
        }
        Ok(())
    }

    /// `%v : type` behind a keyword.
    fn keyword_value(&mut self, word: &'t str, clauses: &mut Clauses<'t>) -> Read<()> {
        let operands = vec![self.operand()?];
        clauses.list.push(Clause { word, operands });
        if self.eat(Kind::Colon) {
            self.ty()?;
        }
        Ok(())
    }

    /// `(%a, %b : types)`; before a region, the arguments of its entry block.
    fn parenthesis(&mut self, word: &'t str, clauses: &mut Clauses<'t>) -> Read<()> {
        let open = self.at;
        let close = self.close(open)?;
        let region = self.kind(close + 1) == Kind::LBrace && !self.is_dict(close + 1);
        self.at += 1;
        if region && word.is_empty() {
            while self.at < close {
                let at = self.expect(Kind::Value)?;
                self.expect(Kind::Colon)?;
                let ty = self.ty()?;
                self.optional_loc();
                clauses.arguments.push((at, ty));
                if self.at < close {
                    self.expect(Kind::Comma)?;
                }
            }
        } else {
            let mut operands = Vec::new();
            while self.peek() == Kind::Value {
                operands.push(self.operand()?);
                if self.at < close && self.peek() != Kind::Colon {
                    self.expect(Kind::Comma)?;
                }
            }
            if self.at < close && !operands.is_empty() {
                self.expect(Kind::Colon)?;
                self.types_of_operands(&operands, close)?;
            } else if self.at < close {
                // Literals among them: `sync(<a>, 1)`.
                operands.extend(self.values_in(self.at, close));
            }
            clauses.list.push(Clause { word, operands });
        }
        self.at = close + 1;
        Ok(())
    }

    /// Types up to a bracket; they tell what ops that nobody knows have left open.
    fn types_of_operands(&mut self, operands: &[Operand], close: usize) -> Read<()> {
        let unknown = |r: &Self, o: &Operand| *r.f.function.ty(o.value) == Type::Unknown;
        if !operands.iter().any(|o| unknown(self, o)) {
            return Ok(());
        }
        for operand in operands {
            if self.at >= close {
                break;
            }
            let ty = self.ty()?;
            if unknown(self, operand) {
                self.f.function.values[operand.value].ty = ty;
            }
            self.eat(Kind::Comma);
        }
        Ok(())
    }

    fn values_in(&mut self, from: usize, to: usize) -> Vec<Operand> {
        let mut draft = Draft::default();
        self.all_operands(from, to, &mut draft);
        draft.operands
    }
}
