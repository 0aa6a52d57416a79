//! Values and blocks by name.

use super::build::Draft;
use super::cursor::Reader;
use super::errors::Read;
use super::names::Name;
use super::token::Kind;
use crate::diag::{Code, Diagnostic};
use crate::ir::mlir::{BlockId, Def, Operand, Role, Type, Value, ValueId};

impl<'t> Reader<'t> {
    /// The name in a `%name` or `%name#1` token.
    pub(super) fn name(&self, at: usize) -> Name<'t> {
        let text = self.word(at);
        let text = text.strip_prefix('%').unwrap_or(text);
        match text.split_once('#') {
            Some((name, number)) => (name, number.parse().unwrap_or(u32::MAX)),
            None => (text, 0),
        }
    }

    /// The value that a token names; a placeholder if it is not defined yet.
    pub(super) fn lookup(&mut self, at: usize) -> ValueId {
        let name = self.name(at);
        if let Some(value) = self.f.names.get(name) {
            return value;
        }
        let many = self.word(at).contains('#');
        let value = self.f.value(name, many, self.loc_of(at), Def::Nothing);
        self.f.forward = true;
        self.f.names.wait(name, value);
        value
    }

    /// Reads one operand.
    pub(super) fn operand(&mut self) -> Read<Operand> {
        let at = self.expect(Kind::Value)?;
        Ok(self.operand_at(at))
    }

    /// The operand that a token names.
    pub(super) fn operand_at(&mut self, at: usize) -> Operand {
        Operand { value: self.lookup(at), role: Role::In, loc: self.loc_of(at) }
    }

    /// `%a, %b`, possibly none.
    pub(super) fn operands(&mut self, d: &mut Draft) -> Read<()> {
        while self.peek() == Kind::Value {
            d.operands.push(self.operand()?);
            if self.peek() != Kind::Comma || self.kind(self.at + 1) != Kind::Value {
                break;
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Every value of the tokens `[from, to)` as an operand.
    pub(super) fn all_operands(&mut self, from: usize, to: usize, d: &mut Draft) {
        for at in from..to {
            if self.kind(at) == Kind::Value {
                let operand = self.operand_at(at);
                d.operands.push(operand);
            }
        }
    }

    /// Gives a value its name in the innermost scope.
    pub(super) fn define(&mut self, name: Name<'t>, value: ValueId) {
        let (waited, before) = self.f.names.define(name, value);
        if let Some(placeholder) = waited {
            self.f.replaced.push((placeholder, value));
        }
        if let Some(before) = before {
            let values = &self.f.function.values;
            let written = &values[value].name;
            let error = Diagnostic::error(
                Code::HivmRedefinedValue,
                format!("`%{written}` is defined twice in one region"),
            );
            let error = error
                .at(values[value].loc, "defined again here")
                .at(values[before].loc, "defined here before")
                .help("give one of them another name");
            self.errors.push(Box::new(error));
        }
    }

    /// A new argument of a block, named by a token.
    pub(super) fn argument(&mut self, at: usize, block: BlockId, ty: Type) -> ValueId {
        let name = self.name(at);
        let number = self.f.function.blocks[block].args.len() as u32;
        let value = self.f.value(name, false, self.loc_of(at), Def::Argument(block, number));
        self.f.function.values[value].ty = ty;
        self.f.function.blocks[block].args.push(value);
        self.define(name, value);
        value
    }

    /// The block that a `^name` token names; a new one if it was not seen yet.
    pub(super) fn label(&mut self, at: usize) -> BlockId {
        let name = self.word(at);
        if let Some((block, _)) = self.f.labels.get(name) {
            return *block;
        }
        let region = self.f.function.blocks[self.f.block].region;
        let block = self.f.block(region);
        self.f.labels.insert(name, (block, Some(self.loc_of(at))));
        block
    }

    /// Says which values nothing defines.
    pub(super) fn report_undefined(&mut self) {
        for ((name, _), value) in self.f.names.undefined() {
            if self.errors.full() {
                return;
            }
            let values = &self.f.function.values;
            let written = &values[value].name;
            let message = format!("`%{written}` is not defined");
            let mut error = Diagnostic::error(Code::HivmUndefinedValue, message)
                .at(values[value].loc, "used here, defined nowhere");
            let near = nearest(name, values.iter().filter(|v| v.def != Def::Nothing));
            let elsewhere = values.iter().find(|v| v.name == *written && v.def != Def::Nothing);
            if let Some(elsewhere) = elsewhere {
                error = error
                    .at(elsewhere.loc, "defined here, in a region that it does not leave")
                    .help("pass it out of the region: `scf.yield` it");
            } else if let Some(near) = near {
                error = error.help(format!("did you mean `%{near}`?"));
            } else {
                error = error.help("define it before, or pass it to the function");
            }
            self.errors.push(Box::new(error));
        }
    }
}

/// The value with the name nearest to one that nothing has. Numbers are not near each other.
fn nearest<'v>(name: &str, known: impl Iterator<Item = &'v Value>) -> Option<&'v str> {
    let numbered = name.bytes().all(|b| b.is_ascii_digit());
    if numbered || name.len() > 64 {
        return None;
    }
    // Half of a short word may be wrong, three letters of a long one.
    let limit = (name.len() / 2).min(3);
    let lower = name.to_lowercase();
    let close = known.filter(|v| v.name.len().abs_diff(name.len()) <= limit).take(20_000);
    let scored = close.map(|v| (strsim::damerau_levenshtein(&lower, &v.name.to_lowercase()), v));
    let (distance, best) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= limit).then_some(best.name.as_str())
}
