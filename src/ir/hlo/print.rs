//! The printer: the text that XLA prints for the module, in the module's style.

use std::fmt::{self, Write};

use super::shape_text::separate;
use super::{
    AliasKind, Attribute, AttributeValue, Computation, ComputationId, InstructionId, Module,
    Opcode, Style, Tables,
};

/// The module as text. Reading it gives the same module again ([`Module::same_as`]), but for chains
/// that were written in the short asynchronous form: they stay written out.
pub fn print(module: &Module) -> String {
    let mut printer = Printer { module, out: String::new() };
    // Writing to a string does not fail.
    let _ = printer.module();
    printer.out
}

struct Printer<'m> {
    module: &'m Module,
    out: String,
}

impl Printer<'_> {
    fn module(&mut self) -> fmt::Result {
        self.header()?;
        self.tables(&self.module.tables)?;
        for (id, computation) in self.module.computations.enumerate() {
            self.computation(id, computation)?;
        }
        Ok(())
    }

    fn header(&mut self) -> fmt::Result {
        let module = self.module;
        let out = &mut self.out;
        write!(out, "HloModule {}", module.name)?;
        if module.is_scheduled {
            out.write_str(", is_scheduled=true")?;
        }
        if !module.aliases.is_empty() {
            out.write_str(", input_output_alias={ ")?;
            for (at, alias) in module.aliases.iter().enumerate() {
                separate(at, false, out)?;
                let kind = match alias.kind {
                    AliasKind::May => "may-alias",
                    AliasKind::Must => "must-alias",
                };
                write!(out, "{}: ({}, {}, {kind})", alias.output, alias.parameter, alias.index)?;
            }
            out.write_str(" }")?;
        }
        if !module.donors.is_empty() {
            out.write_str(", buffer_donor={ ")?;
            for (at, donor) in module.donors.iter().enumerate() {
                separate(at, false, out)?;
                write!(out, "({}, {})", donor.parameter, donor.index)?;
            }
            out.write_str(" }")?;
        }
        self.attributes(&module.attributes)?;
        self.out.write_str("\n\n")
    }

    fn tables(&mut self, tables: &Tables) -> fmt::Result {
        let out = &mut self.out;
        let all = [
            ("FileNames", &tables.files, '"', '"'),
            ("FunctionNames", &tables.functions, '"', '"'),
            ("FileLocations", &tables.locations, '{', '}'),
            ("StackFrames", &tables.frames, '{', '}'),
        ];
        let mut any = false;
        for (name, rows, open, close) in all.into_iter().filter(|table| !table.1.is_empty()) {
            writeln!(out, "{name}")?;
            for (id, text) in rows {
                writeln!(out, "{id} {open}{text}{close}")?;
            }
            out.write_char('\n')?;
            any = true;
        }
        if any { out.write_char('\n') } else { Ok(()) }
    }

    /// A name in the module's style.
    fn name(&mut self, name: &str) -> fmt::Result {
        // Only with `%` may a name start with a digit.
        let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if self.module.style == Style::Long || !plain {
            self.out.write_char('%')?;
        }
        self.out.write_str(name)
    }

    fn computation(&mut self, id: ComputationId, computation: &Computation) -> fmt::Result {
        let module = self.module;
        if id == module.entry {
            self.out.write_str("ENTRY ")?;
        }
        // Only with `%` may a computation be called like that.
        if module.style == Style::Short && computation.name == "ENTRY" {
            self.out.write_char('%')?;
        }
        self.name(&computation.name)?;
        self.out.write_char(' ')?;
        if module.style == Style::Long {
            self.out.write_char('(')?;
            for (at, &parameter) in computation.parameters.iter().enumerate() {
                separate(at, false, &mut self.out)?;
                let parameter = &module.instructions[parameter];
                let shape = parameter.shape.text(false, true);
                write!(self.out, "{}: {shape}", parameter.name)?;
            }
            let root = &module.instructions[computation.root];
            write!(self.out, ") -> {} ", root.shape.text(false, true))?;
        }
        self.out.write_str("{\n")?;
        for &instruction in &computation.instructions {
            self.out.write_str(if instruction == computation.root { "  ROOT " } else { "  " })?;
            self.instruction(instruction)?;
            self.out.write_char('\n')?;
        }
        self.out.write_char('}')?;
        if let Some(thread) = &computation.thread {
            write!(self.out, ", execution_thread=\"{thread}\"")?;
        }
        self.out.write_str("\n\n")
    }

    fn instruction(&mut self, id: InstructionId) -> fmt::Result {
        let instruction = &self.module.instructions[id];
        self.name(&instruction.name)?;
        write!(self.out, " = {} {}(", instruction.shape.text(true, true), instruction.opcode)?;
        match (instruction.parameter, &instruction.literal) {
            (Some(number), _) if instruction.opcode == Opcode::Parameter => {
                write!(self.out, "{number}")?;
            }
            (_, Some(literal)) => self.out.write_str(literal)?,
            _ => self.operands(&instruction.operands)?,
        }
        self.out.write_char(')')?;
        self.attributes(&instruction.attributes)
    }

    fn operands(&mut self, list: &[InstructionId]) -> fmt::Result {
        let indices = self.module.style == Style::Long;
        for (at, &operand) in list.iter().enumerate() {
            separate(at, indices, &mut self.out)?;
            self.name(&self.module.instructions[operand].name)?;
        }
        Ok(())
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> fmt::Result {
        for attribute in attributes {
            write!(self.out, ", {}=", attribute.name)?;
            match &attribute.value {
                AttributeValue::Raw(text) => self.out.write_str(text)?,
                AttributeValue::Computation(id) => {
                    self.name(&self.module.computations[*id].name)?;
                }
                AttributeValue::Computations(ids) => {
                    self.out.write_char('{')?;
                    for (at, &id) in ids.iter().enumerate() {
                        separate(at, false, &mut self.out)?;
                        self.name(&self.module.computations[id].name)?;
                    }
                    self.out.write_char('}')?;
                }
                AttributeValue::Instructions(ids) => {
                    self.out.write_char('{')?;
                    for (at, &id) in ids.iter().enumerate() {
                        separate(at, false, &mut self.out)?;
                        self.name(&self.module.instructions[id].name)?;
                    }
                    self.out.write_char('}')?;
                }
            }
        }
        Ok(())
    }
}
