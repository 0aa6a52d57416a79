//! Statements: results, the op's name, and what its form says.

use super::build::Draft;
use super::cursor::Reader;
use super::errors::{Read, syntax};
use super::extent::Extent;
use super::token::Kind;
use crate::ir::mlir::{Def, OpId, ValueId};

impl<'t> Reader<'t> {
    /// Reads the next statement. An error in it is kept, and reading goes on behind it.
    pub(super) fn statement(&mut self) {
        let start = self.at;
        let extent = self.extent(start);
        let end = std::mem::replace(&mut self.end, extent.end.max(start + 1));
        let read = self.op(start, &extent);
        self.end = end;
        match read {
            Ok(()) if self.unclosed == Some(self.at) => {}
            Ok(()) => self.at = extent.end.max(start + 1),
            Err(error) => {
                self.errors.push(error);
                if self.unclosed != Some(self.at) {
                    self.at = self.resume(start, &extent);
                }
            }
        }
    }

    fn op(&mut self, start: usize, extent: &Extent) -> Read<()> {
        let results = if self.peek() == Kind::Value { self.results()? } else { 0 };
        let name = match self.peek() {
            Kind::Word => full_name(self.word(self.at)),
            Kind::Str => self.unquote(self.at),
            _ => return Err(self.unexpected("an operation")),
        };
        let generic = self.peek() == Kind::Str;
        self.at += 1;
        let op = self.f.op(name.clone(), self.loc(start, extent.end));
        self.define_later(start, op, results);
        let mut draft = Draft::default();
        let read = self.body(&name, generic, op, extent, &mut draft);
        let known = draft.types.len();
        // A broken op still defines its results: no second error where they are used.
        self.f.finish(op, draft);
        self.define_results(start, op);
        read?;
        if known != results && known != 0 {
            let message = format!("`{name}` has {known} result types but defines {results} values");
            return Err(syntax(self.loc(start, extent.end), message, "this statement"));
        }
        Ok(())
    }

    /// Everything behind the name.
    fn body(
        &mut self,
        name: &str,
        generic: bool,
        op: OpId,
        extent: &Extent,
        d: &mut Draft,
    ) -> Read<()> {
        if let Some(open) = extent.unclosed {
            self.close(open)?;
        }
        self.end = extent.loc.unwrap_or(extent.end);
        if generic {
            self.generic(name, op, d)?
        } else {
            self.custom(name, op, d)?
        }
        if self.unclosed == Some(self.at) {
            return Ok(());
        }
        if self.at < self.end {
            return Err(self.unexpected("the end of the statement"));
        }
        self.end = extent.end;
        if extent.loc.is_some() {
            self.f.function.ops[op].printed_loc = self.optional_loc();
        }
        Ok(())
    }

    /// Skips `%a, %b:2 =` and counts the values.
    fn results(&mut self) -> Read<usize> {
        let mut count: usize = 0;
        loop {
            self.expect(Kind::Value)?;
            let many = self.many(self.at - 1);
            self.at += if many.is_some() { 2 } else { 0 };
            count = count.saturating_add(many.unwrap_or(1));
            if count > 1 << 16 {
                let message = format!("{count} results of one op");
                return Err(syntax(self.loc_of(self.at - 1), message, "too many"));
            }
            if !self.eat(Kind::Comma) {
                self.expect(Kind::Equal)?;
                return Ok(count);
            }
        }
    }

    /// The number in `%name:number`.
    fn many(&self, at: usize) -> Option<usize> {
        let written = self.kind(at + 1) == Kind::Colon && self.kind(at + 2) == Kind::Int;
        written.then(|| self.word(at + 2).parse().unwrap_or(usize::MAX))
    }

    /// Makes the values of the results, without their names: regions of the op do not see them.
    fn define_later(&mut self, start: usize, op: OpId, count: usize) {
        let mut at = start;
        let mut results: Vec<ValueId> = Vec::with_capacity(count);
        while results.len() < count {
            let (name, many) = (self.name(at).0, self.many(at));
            for number in 0..many.unwrap_or(1) {
                let def = Def::Result(op, results.len() as u32);
                let loc = self.loc_of(at);
                results.push(self.f.value((name, number as u32), many.is_some(), loc, def));
            }
            at += if many.is_some() { 4 } else { 2 };
        }
        self.f.function.ops[op].results = results;
    }

    /// Gives the results their names.
    fn define_results(&mut self, start: usize, op: OpId) {
        let count = self.f.function.ops[op].results.len();
        let (mut at, mut done) = (start, 0);
        while done < count {
            let (name, many) = (self.name(at).0, self.many(at));
            for number in 0..many.unwrap_or(1) {
                let value = self.f.function.ops[op].results[done];
                self.define((name, number as u32), value);
                done += 1;
            }
            at += if many.is_some() { 4 } else { 2 };
        }
    }
}

/// `call` and `return` stand for the ops of `func`.
fn full_name(word: &str) -> String {
    match word {
        "call" | "return" => format!("func.{word}"),
        _ => word.to_owned(),
    }
}
