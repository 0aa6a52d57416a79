//! The reader of traces, in JSON Lines or TOML (`docs/FORMATS.md`).
//!
//! ```text
//!   text -> format::tree, format::tree_json -> values with places
//!        -> header, line by line: calls, core (by the tables of format::trace)
//!        -> names that nobody made, faults that wait for their lines -> Trace
//! ```

mod calls;
mod core;
pub mod fuzz;
mod header;
mod line;
mod operand;
mod programs;
mod reader;
pub(crate) mod settings;
mod threads;
mod values;

use std::path::Path;

use self::header::Planned;
use self::line::Line;
use self::programs::Programs;
use self::reader::{Reader, Space};
use super::machine;
use crate::diag::{Code, Diagnostic, FileId, Sources};
use crate::format::read::{ShapeError, Wrong};
use crate::format::trace::{CALLS, EVERY_CALL, INSTRUCTIONS};
use crate::format::tree::{self, Member, Node, Value};
use crate::format::{read::nearest, tree_json};
use crate::front::errors::shown;
use crate::model::machine::{Machine, Product};
use crate::model::trace::{Trace, TraceOp};

pub use self::core::MAX_DEPTH;

/// The largest text read, in bytes: places are 32 bits.
pub const MAX_BYTES: usize = 256 << 20;

/// True for the text of a trace: its first line is a JSON object with `trace`, or it is TOML with
/// `trace` at the top.
pub fn is_trace(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    let Some(first) = lines.next() else { return false };
    if first.starts_with('{') {
        return first.contains("\"trace\"");
    }
    let key = |line: &str| line.split_once('=').is_some_and(|(key, _)| key.trim() == "trace");
    // A header is short; tables end it.
    key(first) || lines.take_while(|l| !l.starts_with('[')).any(key)
}

/// Reads a trace; its form is told by its first character.
///
/// # Errors
/// All errors of the trace at once (at most 20).
pub fn read(sources: &Sources, file: FileId) -> Result<Trace, Vec<Diagnostic>> {
    let (name, text) = match sources.get(file) {
        Some(source) => (stem(&source.name), source.text.clone()),
        None => (String::new(), "".into()),
    };
    if text.len() > MAX_BYTES {
        let message = format!("{} bytes, more than the limit of {MAX_BYTES}", text.len());
        return Err(vec![Diagnostic::error(Code::TraceTooLarge, message)]);
    }
    let mut work = Work {
        reader: Reader::new(file),
        trace: Trace { name, devices: 1, ..Trace::default() },
        programs: Programs::default(),
        planned: Vec::new(),
        outputs: None,
    };
    if text.trim_start().starts_with('{') {
        work.lines(&text)
    } else {
        work.toml(&text)
    }
    work.finish()
}

/// `runs/case.jsonl` is `case`.
fn stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().and_then(|s| s.to_str()).unwrap_or(name);
    stem.trim_matches(['<', '>']).to_owned()
}

/// A trace being read.
struct Work {
    reader: Reader,
    trace: Trace,
    programs: Programs,
    planned: Vec<Planned>,
    /// What the header wants in the end, read when all names are known.
    outputs: Option<Node>,
}

impl Work {
    fn toml(&mut self, text: &str) {
        let top = match tree::toml(text) {
            Ok(top) => top,
            Err(slips) => return slips.into_iter().for_each(|slip| self.slip(slip)),
        };
        if !self.header(&top) {
            return;
        }
        let Some(ops) = top.get("op") else { return };
        let Value::List(items) = &ops.value else {
            return self.reader.wrong("op", ops, "a list of tables: write `[[op]]`");
        };
        for item in items {
            if self.reader.errors.full() {
                return;
            }
            self.line(item);
        }
    }

    fn slip(&mut self, slip: ShapeError) {
        let code = match slip.wrong {
            Wrong::Depth => Code::TraceNestingTooDeep,
            _ => Code::TraceSyntax,
        };
        self.reader.push(code, slip.message, &slip.span, slip.help);
    }

    fn lines(&mut self, text: &str) {
        let mut start = 0;
        let mut header = false;
        for line in text.split_inclusive('\n') {
            let range = start..start + line.len();
            start = range.end;
            if line.trim().is_empty() {
                continue;
            }
            if self.reader.errors.full() {
                return;
            }
            let node = match tree_json::read(text, range) {
                Ok(node) => node,
                Err(slip) => {
                    let code =
                        if slip.deep { Code::TraceNestingTooDeep } else { Code::TraceSyntax };
                    self.reader.error(code, slip.message, &slip.span);
                    // Without a header nothing else can be understood.
                    if header {
                        continue;
                    }
                    return;
                }
            };
            if header {
                self.line(&node);
            } else if !self.header(&node) {
                return;
            }
            header = true;
        }
    }

    fn header(&mut self, top: &Node) -> bool {
        let Value::Table(members) = &top.value else { return false };
        if !header::version(&mut self.reader, top) {
            return false;
        }
        self.planned = header::read(&mut self.reader, &mut self.trace, members);
        self.outputs = top.get("outputs").cloned();
        let mut machine = Machine::of(Product::A2, machine::DEFAULT);
        if let Err(errors) = machine::apply(&mut machine, &self.trace.settings) {
            errors.into_iter().for_each(|error| self.reader.errors.push(error));
        }
        true
    }

    /// A line of either kind.
    fn line(&mut self, node: &Node) {
        let Value::Table(members) = &node.value else {
            return self.reader.wrong("op", node, "a table");
        };
        let Some(op) = node.get("op") else {
            let message = "a line has no `op`: what is done";
            return self.reader.error(Code::TraceMissingKey, message, &node.span);
        };
        let word = match &op.value {
            Value::Text(word) => word.as_str(),
            _ => return self.reader.wrong("op", op, "text"),
        };
        if core::is_line(word, members) {
            self.programs.line(&mut self.reader, &mut self.trace, members, op);
        } else {
            self.programs.close(&mut self.reader, &mut self.trace);
            self.call(members, op, word);
        }
    }

    fn call(&mut self, members: &[Member], op: &Node, word: &str) {
        let Some(row) = CALLS.iter().find(|row| row.name == word) else {
            let rows = CALLS.iter().chain(INSTRUCTIONS).map(|row| row.name);
            let help = nearest(word, rows).map(|near| format!("did you mean `{near}`?"));
            let message = format!("there is no op `{}`", shown(word));
            self.made_somehow(members);
            return self.reader.push(Code::TraceUnknownOp, message, &op.span, help);
        };
        let th = members.iter().find(|m| m.key == "th").map(|m| &m.node);
        let thread = self.reader.who(th);
        self.reader.who = thread;
        let loc = Some(self.reader.loc(&op.span));
        let mut line = Line::new(&mut self.reader, row, EVERY_CALL, members, &op.span);
        let number = u64::try_from(self.trace.ops.len()).unwrap_or(u64::MAX);
        let label = line.called(number);
        let expect = line.get("expect").and_then(|node| line.reader.expect(node));
        let Some(call) = calls::call(&mut line) else { return self.made_somehow(members) };
        self.trace.ops.push(TraceOp { label, thread, call, expect, loc });
    }

    /// What a line makes that cannot be read: later lines are not wrong because of it.
    fn made_somehow(&mut self, members: &[Member]) {
        let Some(out) = members.iter().find(|m| m.key == "out") else { return };
        let Value::Text(name) = &out.node.value else { return };
        let name = self.reader.names.intern(name);
        for space in [Space::Pointer, Space::Handle, Space::Key, Space::Pool, Space::Event] {
            self.reader.make(space, name);
        }
    }

    fn finish(mut self) -> Result<Trace, Vec<Diagnostic>> {
        let Self { reader, trace, programs, planned, outputs } = &mut self;
        programs.close(reader, trace);
        if let Some(node) = outputs {
            header::outputs(reader, trace, node);
        }
        if !reader.errors.full() {
            reader.settle();
            reader.settle_threads();
            reader.settle_globals();
            header::settle(reader, trace, std::mem::take(planned));
        }
        let Self { reader, mut trace, .. } = self;
        reader.errors.finish()?;
        trace.names = reader.names;
        trace.packed = reader.packed;
        trace.processes = reader.threads.processes;
        Ok(trace)
    }
}
