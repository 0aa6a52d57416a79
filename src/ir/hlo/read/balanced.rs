//! Text that is kept as written: values of attributes, literals. Only strings, comments and brackets
//! are looked at.

use super::cursor::{Reader, is_name};
use super::errors::{Error, Read, error};
use crate::diag::Code;
use crate::ir::hlo::DEPTH;

impl Reader<'_> {
    /// Skips the string that starts here.
    pub(super) fn string(&mut self) -> Read<()> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                b'"' => break,
                b'\\' => self.at += 1,
                b'\n' if self.defines(self.at + 1) => return Err(self.unclosed(start)),
                0 if self.at_end() => return Err(self.unclosed(start)),
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(())
    }

    /// Text up to the bracket that closes what is open, comments taken out.
    pub(super) fn inside(&mut self) -> Read<String> {
        self.raw(true)
    }

    /// The value of an attribute, comments taken out; at least one character.
    pub(super) fn value(&mut self) -> Read<String> {
        self.skip();
        let value = self.raw(false)?;
        if value.is_empty() { Err(self.unexpected("a value")) } else { Ok(value) }
    }

    fn raw(&mut self, inside: bool) -> Read<String> {
        let mut kept = String::new();
        let mut from = self.at;
        let mut open: Vec<(u8, usize)> = Vec::new();
        loop {
            match self.peek() {
                0 if self.at_end() => match open.last() {
                    Some(&(_, at)) => return Err(self.unclosed(at)),
                    None => break,
                },
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'/' if matches!(self.ahead(1), b'*' | b'/') => {
                    kept.push_str(self.slice(from, self.at));
                    self.comment();
                    from = self.at;
                    continue;
                }
                b'(' | b'[' | b'{' => self.open(&mut open)?,
                // An angle is a bracket in `#sdy.mesh<..>` only, not in `[2]<=[2]`.
                b'<' if self.ahead(1) != b'=' && self.after_name() => self.open(&mut open)?,
                b'>' if open.last().is_some_and(|o| o.0 == b'<') && !self.arrow() => {
                    open.pop();
                }
                close @ (b')' | b']' | b'}') => {
                    while open.last().is_some_and(|o| o.0 == b'<') {
                        open.pop();
                    }
                    match open.pop() {
                        None => break,
                        Some((bracket, _)) if closes(bracket, close) => {}
                        Some((_, at)) => return Err(self.unclosed(at)),
                    }
                }
                b',' if open.is_empty() && !inside => break,
                b'\n' if self.defines(self.at + 1) => match open.last() {
                    Some(&(_, at)) => return Err(self.unclosed(at)),
                    None => break,
                },
                b' ' | b'\t' | b'\r' | b'\n' if open.is_empty() && !inside => {
                    match self.goes_on() {
                        Some(next) => self.at = next - 1,
                        None => break,
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        kept.push_str(self.slice(from, self.at));
        kept.truncate(kept.trim_end().len());
        Ok(if inside { kept.trim_start().to_owned() } else { kept })
    }

    fn open(&self, open: &mut Vec<(u8, usize)>) -> Read<()> {
        if open.len() >= DEPTH {
            return Err(self.too_deep("brackets"));
        }
        open.push((self.peek(), self.at));
        Ok(())
    }

    /// Something is nested more deeply than the limit, here.
    pub(super) fn too_deep(&self, what: &str) -> Error {
        let message = format!("{what} are nested more than {DEPTH} deep");
        error(Code::HloNestingTooDeep, message, self.loc(self.at, self.at + 1), "one too many")
    }

    fn after_name(&self) -> bool {
        self.at.checked_sub(1).and_then(|at| self.bytes.get(at)).is_some_and(|&b| is_name(b))
    }

    fn arrow(&self) -> bool {
        self.at.checked_sub(1).and_then(|at| self.bytes.get(at)) == Some(&b'-')
    }

    /// Where the value of an attribute goes on behind the blanks here, if it does:
    /// `replica_groups=mesh['x'=4] {'x'}`.
    fn goes_on(&self) -> Option<usize> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let next = rest.iter().position(|b| !b.is_ascii_whitespace())?;
        matches!(rest.get(next), Some(b'{' | b'[' | b'<')).then_some(self.at + next)
    }

    /// A bracket or a string has no end. Reading goes on behind its start.
    fn unclosed(&mut self, start: usize) -> Error {
        self.at = start;
        let bracket = self.peek() as char;
        let message = format!("`{bracket}` is not closed");
        error(Code::HloSyntax, message, self.loc(start, start + 1), "opened here")
    }
}

fn closes(open: u8, close: u8) -> bool {
    matches!((open, close), (b'(', b')') | (b'[', b']') | (b'{', b'}'))
}
