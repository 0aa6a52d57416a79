//! Computations and their instructions.

use super::cursor::{Reader, is_name};
use super::draft::{Draft, DraftComputation, DraftInstruction, Name};
use super::errors::{Error, Errors, Read, error};
use crate::diag::Code;
use crate::ir::hlo::Opcode;

impl<'t> Reader<'t> {
    /// A whole module.
    pub(super) fn module(&mut self, errors: &mut Errors) -> Option<Draft<'t>> {
        let start = |reader: &mut Self| Ok((reader.header()?, reader.tables()?));
        let (header, tables) = match start(self) {
            Ok(read) => read,
            Err(error) => {
                errors.push(error);
                return None;
            }
        };
        let mut draft = Draft { header, tables, computations: Vec::new(), percent: false };
        loop {
            self.skip();
            if self.at_end() || errors.full() {
                break;
            }
            match self.computation(errors, &mut draft.percent) {
                Ok(computation) => draft.computations.push(computation),
                Err(error) => {
                    errors.push(error);
                    self.skip_computation();
                }
            }
        }
        if draft.computations.is_empty() && errors.list.is_empty() {
            let loc = self.loc(self.bytes.len(), self.bytes.len());
            errors.push(error(Code::HloSyntax, "the text has no computation", loc, "the end"));
        }
        Some(draft)
    }

    fn computation(
        &mut self,
        errors: &mut Errors,
        percent: &mut bool,
    ) -> Read<DraftComputation<'t>> {
        let start = self.at;
        if self.peek_word() == "HloModule" && !self.starts_computation() {
            let loc = self.loc(start, start + "HloModule".len());
            let error = error(Code::HloSyntax, "a second module in one text", loc, "starts here");
            return Err(error.help("read the modules one by one").into());
        }
        let mut entry = false;
        if self.peek_word() == "ENTRY" {
            self.at += "ENTRY".len();
            self.skip();
            // A computation may itself be called `ENTRY`.
            entry = true;
        }
        let name = if entry && matches!(self.peek(), b'{' | b'(') {
            Name { text: "entry".into(), loc: self.loc(start, self.at) }
        } else {
            self.name("a computation")?
        };
        self.signature().map_err(|error| self.bare(start, error))?;
        self.expect_one("`{` and the instructions of the computation", b'{')
            .map_err(|error| self.bare(start, error))?;
        let mut computation =
            DraftComputation { name, entry, instructions: Vec::new(), thread: None };
        self.instructions(&mut computation, errors);
        for instruction in &computation.instructions {
            // A name that starts with a digit has it in either style.
            let start = instruction.name.loc.start as usize;
            let sign = self.bytes.get(start) == Some(&b'%');
            *percent |= sign && !self.bytes.get(start + 1).is_some_and(u8::is_ascii_digit);
        }
        while self.eat(b',') {
            let attribute = self.attribute()?;
            if let ("execution_thread", super::draft::Said::Raw(text)) =
                (&*attribute.key, attribute.said)
            {
                computation.thread = Some(text.trim_matches('"').to_owned());
            }
        }
        Ok(computation)
    }

    /// Where a computation should be stands an instruction: say so.
    fn bare(&self, start: usize, other: Error) -> Error {
        if !self.defines(start) {
            return other;
        }
        let loc = self.loc(start, self.at);
        error(Code::HloSyntax, "an instruction outside of a computation", loc, "this instruction")
            .help("put it into `ENTRY main { .. }`")
            .into()
    }

    /// `(parameter: shape, ..) -> shape`, if there; the instructions say all of it again.
    fn signature(&mut self) -> Read<()> {
        self.skip();
        if self.peek() == b'(' {
            self.at += 1;
            self.inside()?;
            self.expect(b')')?;
            self.expect(b'-')?;
            self.expect(b'>')?;
            self.shape()?;
        }
        Ok(())
    }

    /// The instructions up to the `}`.
    fn instructions(&mut self, into: &mut DraftComputation<'t>, errors: &mut Errors) {
        while !self.eat(b'}') {
            if errors.full() {
                return;
            }
            let start = self.at;
            if self.at_end() || self.starts_computation() {
                let message = format!("the computation `{}` is not closed", into.name.text);
                let error = error(Code::HloSyntax, message, self.loc(start, start), "`}` missing")
                    .at(into.name.loc, "opened here");
                return errors.push(error.into());
            }
            match self.instruction() {
                Ok(instruction) => into.instructions.push(instruction),
                Err(error) => {
                    errors.push(error);
                    self.recover(start);
                }
            }
        }
    }

    /// True when a new computation starts here instead of an instruction.
    fn starts_computation(&mut self) -> bool {
        let start = self.at;
        let word = self.peek_word();
        let _ = self.name("");
        self.skip();
        let next = self.peek();
        self.at = start;
        match word {
            "ENTRY" => next != b'=',
            "ROOT" => false,
            _ => matches!(next, b'{' | b'('),
        }
    }

    fn instruction(&mut self) -> Read<DraftInstruction<'t>> {
        let mut name = self.name("an instruction or `}`")?;
        self.skip();
        // An instruction may itself be called `ROOT`.
        let root = name.text == "ROOT" && self.peek() != b'=';
        if root {
            name = self.name("the name of the root")?;
        }
        self.expect(b'=')?;
        let shape = self.shape()?;
        let opcode = Opcode::of(self.word("an opcode")?);
        self.expect_one("`(` and the operands", b'(')?;
        let mut instruction = DraftInstruction {
            name,
            root,
            shape,
            opcode,
            operands: Vec::new(),
            literal: None,
            parameter: None,
            attributes: Vec::new(),
        };
        match instruction.opcode {
            Opcode::Constant | Opcode::Iota => {
                let text = self.inside()?;
                instruction.literal = Some(text).filter(|text| !text.is_empty());
            }
            Opcode::Parameter => {
                instruction.parameter = Some(self.small("the number of a parameter")?);
            }
            _ => instruction.operands = self.operands()?,
        }
        self.expect_one("`,` or `)`", b')')?;
        while self.eat(b',') {
            instruction.attributes.push(self.attribute()?);
        }
        Ok(instruction)
    }

    /// `%a, f32[2]{0} %b, ..` up to the `)`.
    fn operands(&mut self) -> Read<Vec<Name<'t>>> {
        let mut operands = Vec::new();
        loop {
            self.skip();
            if self.peek() == b')' {
                break;
            }
            // A shape may stand in front; a name may also be one of an element type.
            let word = self.peek_word();
            if self.peek() == b'(' || (!word.is_empty() && self.ahead(word.len()) == b'[') {
                self.shape()?;
            }
            operands.push(self.name("an operand")?);
            if !self.eat(b',') {
                break;
            }
        }
        Ok(operands)
    }

    /// True when the line at a byte starts an instruction: `name = shape`.
    pub(super) fn defines(&self, at: usize) -> bool {
        let blank = |b: &u8| matches!(b, b' ' | b'\t');
        let skip = |rest: &'t [u8], of: &dyn Fn(&u8) -> bool| -> &'t [u8] {
            let length = rest.iter().position(|b| !of(b)).unwrap_or(rest.len());
            rest.get(length..).unwrap_or_default()
        };
        let mut rest = skip(self.bytes.get(at..).unwrap_or_default(), &blank);
        rest = rest.strip_prefix(b"ROOT ").map_or(rest, |rest| skip(rest, &blank));
        rest = rest.strip_prefix(b"%").unwrap_or(rest);
        let name = skip(rest, &|&b| is_name(b));
        if name.len() == rest.len() {
            return false;
        }
        let Some(rest) = skip(name, &blank).strip_prefix(b"=") else { return false };
        let rest = skip(rest, &blank);
        let word = skip(rest, &u8::is_ascii_alphanumeric);
        rest.first() == Some(&b'(') || (word.len() < rest.len() && word.first() == Some(&b'['))
    }

    /// Behind an error in the instruction that starts at `start`: goes on with the next one.
    fn recover(&mut self, start: usize) {
        let before = self.bytes.get(start..self.at).unwrap_or_default().trim_ascii_end();
        let first_of_line = self.slice(start + before.len(), self.at).contains('\n');
        if first_of_line && self.ends_instruction(self.at) {
            return;
        }
        while self.next_line() {
            if self.ends_instruction(self.at) {
                return;
            }
        }
    }

    /// True when the line at a byte is the next instruction, or ends the computation.
    fn ends_instruction(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let line = rest.split(|&b| b == b'\n').next().unwrap_or_default().trim_ascii();
        line.starts_with(b"}") || self.defines(at) || opens(line)
    }

    /// Goes to the next line that starts a computation, over what is left of this one.
    fn skip_computation(&mut self) {
        while self.next_line() {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            if opens(rest.split(|&b| b == b'\n').next().unwrap_or_default().trim_ascii()) {
                return;
            }
        }
    }

    /// Goes to the start of the next line, if there is one.
    fn next_line(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let newline = rest.iter().position(|&b| b == b'\n');
        self.at += newline.map_or(rest.len(), |at| at + 1);
        newline.is_some()
    }
}

/// True for the first line of a computation.
fn opens(line: &[u8]) -> bool {
    line.ends_with(b"{") && !line.contains(&b'=')
}
