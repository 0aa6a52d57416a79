//! The tables in front of the computations.

use super::cursor::Reader;
use super::errors::Read;
use crate::ir::hlo::Tables;

impl Reader<'_> {
    /// `FileNames`, `FunctionNames`, `FileLocations`, `StackFrames`, those that are there.
    pub(super) fn tables(&mut self) -> Read<Tables> {
        let mut tables = Tables::default();
        loop {
            self.skip();
            let word = self.peek_word();
            let rows = match word {
                "FileNames" => &mut tables.files,
                "FunctionNames" => &mut tables.functions,
                "FileLocations" => &mut tables.locations,
                "StackFrames" => &mut tables.frames,
                _ => return Ok(tables),
            };
            let start = self.at;
            self.at += word.len();
            self.skip();
            // A computation may be called like a table.
            if matches!(self.peek(), b'{' | b'(') {
                self.at = start;
                return Ok(tables);
            }
            let braces = matches!(word, "FileLocations" | "StackFrames");
            self.rows(braces, rows)?;
        }
    }

    /// `1 "text"` or `1 {text}`, ordered by their ids.
    fn rows(&mut self, braces: bool, rows: &mut Vec<(u32, String)>) -> Read<()> {
        loop {
            self.skip();
            if !self.peek().is_ascii_digit() {
                break;
            }
            let id = self.small("the id of a row")?;
            self.skip();
            let text = if braces {
                self.expect(b'{')?;
                let text = self.inside()?;
                self.expect(b'}')?;
                text
            } else if self.peek() == b'"' {
                let start = self.at + 1;
                self.string()?;
                self.slice(start, self.at - 1).to_owned()
            } else {
                return Err(self.unexpected("a string"));
            };
            rows.push((id, text));
        }
        rows.sort_by_key(|row| row.0);
        Ok(())
    }
}
