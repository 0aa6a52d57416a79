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

    /// Text up to the bracket that closes what is open, on one line, comments taken out.
    pub(super) fn inside(&mut self) -> Read<String> {
        self.raw(true)
    }

    /// The value of an attribute, on one line, comments taken out; at least one character.
    pub(super) fn value(&mut self) -> Read<String> {
        self.before_value()?;
        let value = self.raw(false)?;
        if value.is_empty() { Err(self.unexpected("a value")) } else { Ok(value) }
    }

    /// Skips blanks in front of a value; the next line is no value that was forgotten.
    pub(super) fn before_value(&mut self) -> Read<()> {
        let start = self.at;
        self.skip();
        let next = self.slice(start, self.at).contains('\n') && self.defines(self.at);
        if next { Err(self.unexpected("a value")) } else { Ok(()) }
    }

    fn raw(&mut self, inside: bool) -> Read<String> {
        let mut kept = String::new();
        let mut from = self.at;
        let mut open: Vec<(u8, usize)> = Vec::new();
        // Brackets below the limit are counted only, so that reading goes on behind all of them.
        let (mut below, mut deep) = (0_usize, None);
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
                    // Neighbours stay apart where nothing else separates them.
                    if !kept.ends_with([' ', ',']) {
                        kept.push(' ');
                    }
                    from = self.at;
                    continue;
                }
                b'(' | b'[' | b'{' if open.len() >= DEPTH => {
                    below += 1;
                    deep.get_or_insert_with(|| self.too_deep("brackets"));
                }
                b')' | b']' | b'}' if below > 0 => below -= 1,
                bracket @ (b'(' | b'[' | b'{') => open.push((bracket, self.at)),
                // An angle is a bracket in `#sdy.mesh<..>` only, not in `[2]<=[2]`.
                b'<' if self.ahead(1) != b'=' && self.after_name() && open.len() < DEPTH => {
                    open.push((b'<', self.at));
                }
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
                b'\n' | b'\r' if inside || !open.is_empty() => {
                    kept.push_str(self.slice(from, self.at));
                    kept.push(' ');
                    from = self.at + 1;
                }
                b' ' | b'\t' | b'\r' | b'\n' if open.is_empty() && !inside => {
                    match self.goes_on() {
                        Some(next) => {
                            kept.push_str(self.slice(from, self.at));
                            kept.push(' ');
                            from = next;
                            self.at = next;
                            continue;
                        }
                        None => break,
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        if let Some(deep) = deep {
            return Err(deep);
        }
        kept.push_str(self.slice(from, self.at));
        kept.truncate(kept.trim_end().len());
        Ok(if inside { kept.trim_start().to_owned() } else { kept })
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
    /// `replica_groups=mesh['x'=4] {'x'}`. On another line only a bracket goes on with it.
    fn goes_on(&self) -> Option<usize> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let blanks = rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let (next, same_line) = (self.at + blanks, !rest.get(..blanks)?.contains(&b'\n'));
        let on = match rest.get(blanks)? {
            b'{' | b'[' | b'<' => true,
            b'/' if matches!(rest.get(blanks + 1), Some(b'*' | b'/')) => true,
            b',' | b'}' | b')' | b']' => false,
            _ => same_line && !self.defines(next),
        };
        on.then_some(next)
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
