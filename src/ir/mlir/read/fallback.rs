//! Ops that nobody here knows (spec 8.3, point 6): every `%name` is an operand, the result types
//! stand behind the last `->` or `:`.

use super::build::Draft;
use super::cursor::Reader;
use super::errors::Read;
use super::token::Kind;
use crate::ir::mlir::{OpId, Type};

impl Reader<'_> {
    /// Reads a statement of any shape up to its end.
    pub(super) fn fallback(&mut self, op: OpId, d: &mut Draft) -> Read<()> {
        let mut types = None;
        let mut inside = 0_u32;
        while self.at < self.end && self.unclosed != Some(self.at) {
            let at = self.at;
            match self.peek() {
                Kind::LBrace if self.is_dict(at) && inside == 0 => self.dict(&mut d.attrs)?,
                Kind::LBrace if self.is_dict(at) => self.at = self.past(at),
                Kind::LBrace => {
                    self.region_of(op, d, &Vec::new())?;
                }
                Kind::Value => {
                    d.operands.push(self.operand()?);
                }
                Kind::Bad => return Err(self.unexpected("the rest of the statement")),
                // Types and attributes hold no values.
                Kind::Less => self.at = self.past(at),
                Kind::Arrow | Kind::Colon if inside == 0 => {
                    types = Some(at);
                    self.at += 1;
                }
                kind => {
                    inside += u32::from(matches!(kind, Kind::LParen | Kind::LSquare));
                    let closes = matches!(kind, Kind::RParen | Kind::RSquare);
                    if closes && inside == 0 {
                        return Err(self.unexpected("the end of the statement"));
                    }
                    inside -= u32::from(closes);
                    self.at += 1;
                }
            }
        }
        let end = self.at;
        self.at = types.unwrap_or(end);
        if types.is_some() && !self.f.function.ops[op].results.is_empty() {
            self.types_of_results(op, d)?;
        }
        self.at = end;
        Ok(())
    }

    /// `-> types`, `: types`, `: type to type`: as many as there are results.
    fn types_of_results(&mut self, op: OpId, d: &mut Draft) -> Read<()> {
        let count = self.f.function.ops[op].results.len();
        let arrow = self.peek() == Kind::Arrow;
        self.at += 1;
        let first = self.peek();
        if first != Kind::LParen && self.type_end(self.at).is_none() {
            return Ok(());
        }
        if self.peek() == Kind::Word && !known_word(self.word(self.at)) && !self.glued(self.at + 1)
        {
            // `-> %v : kind`: a word that is no type.
            return Ok(());
        }
        let mut list = self.result_types()?;
        while self.at_word("to") || self.at_word("into") {
            self.at += 1;
            list = vec![self.ty()?];
        }
        // `: mask type, type`: one result has the last type.
        if !arrow && count == 1 && list.len() > 1 {
            list.drain(..list.len() - 1);
        }
        d.types = if list.len() == count { list } else { vec![Type::Unknown; count] };
        Ok(())
    }

    /// Operands, a dictionary, types: an op without results, or with the types at the end.
    pub(super) fn plain(&mut self, d: &mut Draft) -> Read<()> {
        while self.at < self.end {
            match self.peek() {
                Kind::Value => d.operands.push(self.operand()?),
                Kind::LBrace => self.dict(&mut d.attrs)?,
                Kind::LParen | Kind::RParen | Kind::Comma => self.at += 1,
                // `keys = [..] values = [%a : t]`.
                Kind::Word if self.kind(self.at + 1) == Kind::Equal => {
                    let (start, open) = (self.at, self.at + 2);
                    self.at = open;
                    if self.kind(open) == Kind::LSquare
                        && matches!(self.kind(open + 1), Kind::Value | Kind::RSquare)
                    {
                        let close = self.close(open)?;
                        self.all_operands(open, close, d);
                        self.at = close + 1;
                    } else {
                        let attr = self.attr()?;
                        let loc = self.loc(start, self.at);
                        d.attrs.push(self.word(start), attr, loc);
                    }
                }
                Kind::Colon => {
                    self.at += 1;
                    self.result_types()?;
                }
                _ => return Err(self.unexpected("an operand, `{` or `:`")),
            }
        }
        Ok(())
    }
}

/// A word that is a type by itself.
fn known_word(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    matches!(word, "index" | "none") || digits.starts_with(|c: char| c.is_ascii_digit())
}
