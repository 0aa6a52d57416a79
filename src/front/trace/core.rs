//! Lines of core programs become [`Instruction`]s.

use super::line::{self, Line};
use super::operand::Context;
use super::reader::Reader;
use crate::diag::Code;
use crate::format::trace::{EVERY_LINE, INSTRUCTIONS};
use crate::format::tree::{Member, Node, Value};
use crate::front::errors::shown;
use crate::model::trace::{CoreLine, Instruction, PipeName, Rotation, Sym};

/// Loops and branches may be nested so deeply.
pub const MAX_DEPTH: usize = 64;

/// True for a line of a core program: by its word, and by its keys where the word is a call, too.
pub(super) fn is_line(op: &str, members: &[Member]) -> bool {
    if op == "barrier" {
        return !members.iter().any(|m| ["threads", "th"].contains(&m.key.as_str()));
    }
    INSTRUCTIONS.iter().any(|row| row.name == op)
}

/// A program being read: its lines are numbered through, bodies included.
#[derive(Default)]
pub(super) struct Counter {
    lines: u64,
    /// The core of the line before.
    pub(super) core: Option<Sym>,
}

/// Reads one line and what is in it. `of` is the core of the loop or branch around it.
pub(super) fn read(
    reader: &mut Reader,
    counter: &mut Counter,
    members: &[Member],
    op: &Node,
    of: Option<Sym>,
    depth: usize,
) -> Option<CoreLine> {
    let row = line::row(reader, "op", INSTRUCTIONS, op)?;
    if of.is_some()
        && let Some(member) = members.iter().find(|m| m.key == "program")
    {
        let message = "a line in a loop or branch is of its program";
        reader.error(Code::TraceInvalidValue, message, &member.span);
    }
    let number = counter.lines;
    counter.lines += 1;
    let mut line = Line::new(reader, row, EVERY_LINE, members, &op.span);
    let core = core(&mut line, counter, of);
    let label = line.called(number);
    let instruction = instruction(&mut line, counter, core, depth)?;
    let loc = Some(reader.loc(&op.span));
    Some(CoreLine { label, core, instruction, loc })
}

/// The core of a line.
fn core(line: &mut Line<'_, '_>, counter: &mut Counter, of: Option<Sym>) -> Sym {
    let own = line.free_name("core");
    if let (Some(own), Some(of), Some(node)) = (own, of, line.get("core"))
        && own != of
    {
        let message = "a line in a loop or branch is of its core";
        line.reader.error(Code::TraceInvalidValue, message, &node.span);
    }
    let core = own.or(of).or(counter.core);
    let core = core.unwrap_or_else(|| line.reader.names.intern("aiv0"));
    counter.core = Some(core);
    core
}

fn instruction(
    line: &mut Line<'_, '_>,
    counter: &mut Counter,
    core: Sym,
    depth: usize,
) -> Option<Instruction> {
    Some(match line.row.name {
        "copy" => copy(line)?,
        "exec" => Instruction::Exec {
            pipe: line.pipe("pipe")?,
            name: line.free_name("name"),
            r: line.operands("r"),
            w: line.operands("w"),
            inplace: line.truth("inplace", false),
            accumulate: line.truth("accumulate", false),
            cost: line.maybe_number("cost"),
        },
        "set" => {
            Instruction::Set { pipe: line.pipe("pipe")?, peer: line.pipe("peer")?, id: ids(line)? }
        }
        "wait" => {
            Instruction::Wait { pipe: line.pipe("pipe")?, peer: line.pipe("peer")?, id: ids(line)? }
        }
        "barrier" => Instruction::Barrier { pipe: line.pipe_or_all("pipe")? },
        "xset" => Instruction::XSet {
            pipe: line.pipe("pipe")?,
            mode: mode(line),
            flag: line.small("flag"),
        },
        "xwait" => Instruction::XWait {
            pipe: if line.has("pipe") { line.pipe("pipe")? } else { PipeName::S },
            mode: mode(line),
            flag: line.small("flag"),
        },
        "loop" => Instruction::Loop {
            name: line.free_name("name"),
            n: line.number("n"),
            may_be_zero: line.truth("may_be_zero", false),
            body: body(line, counter, "body", core, depth)?,
        },
        "if" => Instruction::If {
            cond: line.needed_name("cond")?,
            then: body(line, counter, "then", core, depth)?,
            otherwise: body(line, counter, "else", core, depth)?,
        },
        _ => return None,
    })
}

/// Both sides are equally long and hold the same value: who is silent takes it from the line, or
/// from the other side.
fn copy(line: &mut Line<'_, '_>) -> Option<Instruction> {
    let pipe = line.pipe("pipe")?;
    let context = Context { len: line.maybe_bytes("len"), val: line.val("val") };
    let (mut src, mut dst) = (line.operand("src", context)?, line.operand("dst", context)?);
    let len = src.len.or(dst.len);
    if len.is_none() {
        line.missing("len", "how much is copied");
    }
    src.len = len;
    dst.len = dst.len.or(len);
    src.place.val = src.place.val.or(dst.place.val);
    dst.place.val = dst.place.val.or(src.place.val);
    Some(Instruction::Copy {
        pipe,
        src: src.finish(),
        dst: dst.finish(),
        cost: line.maybe_number("cost"),
    })
}

fn ids(line: &mut Line<'_, '_>) -> Option<Rotation> {
    let node = line.get("id")?;
    let items = line.list("id");
    let ids: Vec<u32> = items.iter().filter_map(|n| line.reader.small("id", n)).collect();
    let of = line.free_name("of");
    if items.is_empty() {
        line.reader.error(Code::TraceInvalidValue, "`id` is an empty list", &node.span);
    }
    (!ids.is_empty()).then_some(Rotation { ids, of })
}

fn mode(line: &mut Line<'_, '_>) -> u8 {
    let Some(mode) = line.byte("mode") else { return 2 };
    if ![0, 1, 2, 4].contains(&mode) {
        let span = line.get("mode").map_or(0..0, |node| node.span.clone());
        let message = format!("`mode` is {mode}, not 0, 1, 2 or 4");
        line.reader.error(Code::TraceInvalidValue, message, &span);
    }
    mode
}

/// The lines in a loop or branch.
fn body(
    line: &mut Line<'_, '_>,
    counter: &mut Counter,
    name: &str,
    core: Sym,
    depth: usize,
) -> Option<Vec<CoreLine>> {
    let Some(node) = line.get(name) else { return Some(Vec::new()) };
    if depth >= MAX_DEPTH {
        let message = format!("loops and branches are nested more than {MAX_DEPTH} deep");
        let span = line.span.clone();
        line.reader.error(Code::TraceNestingTooDeep, message, &span);
        return None;
    }
    let Value::List(items) = &node.value else {
        line.reader.wrong(name, node, "a list of lines");
        return None;
    };
    let mut lines = Vec::with_capacity(items.len());
    for item in items {
        let Value::Table(members) = &item.value else {
            line.reader.wrong(name, item, "a line");
            continue;
        };
        let Some(op) = item.get("op") else {
            let message = "a line has no `op`: what is done";
            line.reader.error(Code::TraceMissingKey, message, &item.span);
            continue;
        };
        lines.extend(read(line.reader, counter, members, op, Some(core), depth + 1));
    }
    Some(lines)
}

/// Pipes by the hardware's numbers; `None` is `ALL`.
fn numbered(number: u64) -> Option<Option<PipeName>> {
    Some(match number {
        0 => Some(PipeName::S),
        1 => Some(PipeName::V),
        2 => Some(PipeName::M),
        3 => Some(PipeName::Mte1),
        4 => Some(PipeName::Mte2),
        5 => Some(PipeName::Mte3),
        6 => None,
        7 => Some(PipeName::Mte4),
        8 => Some(PipeName::Mte5),
        9 => Some(PipeName::V2),
        10 => Some(PipeName::Fix),
        _ => return None,
    })
}

/// Pipes by name, `PIPE_` in front or not; `None` is `ALL`.
fn spelled(text: &str) -> Option<Option<PipeName>> {
    let upper = text.to_ascii_uppercase();
    let name = upper.strip_prefix("PIPE_").unwrap_or(&upper);
    match name {
        "ALL" => Some(None),
        // The compiler's two names for loads of L1 are one pipe.
        "MTE2_L1A" | "MTE2_L1B" => Some(Some(PipeName::Mte2)),
        "FIXP" => Some(Some(PipeName::Fix)),
        name => PipeName::find(name).map(Some),
    }
}

impl Line<'_, '_> {
    /// A pipe, or all of them: `Some(None)`.
    fn pipe_or_all(&mut self, name: &str) -> Option<Option<PipeName>> {
        let Some(node) = self.get(name) else { return Some(None) };
        let found = match &node.value {
            Value::Text(text) => spelled(text),
            Value::Number(_) => numbered(self.reader.number(name, node, u64::MAX)?),
            _ => {
                self.reader.wrong(name, node, "a pipe");
                return None;
            }
        };
        if found.is_none() {
            let written = match &node.value {
                Value::Text(text) => shown(text),
                _ => "that number".to_owned(),
            };
            let names: Vec<&str> = PipeName::ALL.iter().map(|pipe| pipe.name()).collect();
            let help = format!("the pipes are {}", names.join(", "));
            let message = format!("there is no pipe `{written}`");
            self.reader.push(Code::TraceInvalidValue, message, &node.span, Some(help));
        }
        found
    }

    /// One pipe.
    fn pipe(&mut self, name: &str) -> Option<PipeName> {
        let node = self.get(name)?;
        let found = self.pipe_or_all(name)?;
        if found.is_none() {
            let message = format!("`{name}` is one pipe, not all");
            self.reader.error(Code::TraceInvalidValue, message, &node.span);
        }
        found
    }

    /// What reports call the line: its `i`, else its number; with where it comes from.
    pub(super) fn called(&mut self, number: u64) -> String {
        let label = self.label("i").map_or_else(|| number.to_string(), |(label, _)| label);
        // `at` of a call that has such a key of its own is no origin.
        if self.row.key("at").is_some() {
            return label;
        }
        match self.label("at") {
            Some((at, _)) => format!("{label} ({at})"),
            None => label,
        }
    }
}
