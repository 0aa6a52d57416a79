//! Which lines make which program, and who runs those without a name.

use std::collections::BTreeMap;

use super::core::{self, Counter};
use super::reader::{Reader, Space};
use crate::diag::Loc;
use crate::format::tree::{Member, Node};
use crate::model::trace::{Call, CoreLine, CoreProgram, Sym, Trace, TraceOp};

/// Programs being read.
#[derive(Default)]
pub(super) struct Programs {
    /// By name: the position in the trace, and where its numbering stands.
    named: BTreeMap<Sym, (usize, Counter)>,
    /// Lines without a program, until the next call.
    open: Option<(CoreProgram, Counter, Option<Loc>)>,
}

impl Programs {
    /// A line of a program.
    pub(super) fn line(
        &mut self,
        reader: &mut Reader,
        trace: &mut Trace,
        members: &[Member],
        op: &Node,
    ) {
        let name = members.iter().find(|m| m.key == "program");
        let name = name.and_then(|m| reader.name("program", &m.node));
        let Some(name) = name else {
            let loc = reader.loc(&op.span);
            let (program, counter, _) = self
                .open
                .get_or_insert_with(|| (CoreProgram::default(), Counter::default(), Some(loc)));
            program.lines.extend(core::read(reader, counter, members, op, None, 0));
            return;
        };
        self.close(reader, trace);
        let (at, counter) = self.named.entry(name).or_insert_with(|| {
            trace.programs.push(CoreProgram { name, lines: Vec::new() });
            (trace.programs.len() - 1, Counter::default())
        });
        reader.make(Space::Program, name);
        let line: Option<CoreLine> = core::read(reader, counter, members, op, None, 0);
        if let Some(program) = trace.programs.get_mut(*at) {
            program.lines.extend(line);
        }
    }

    /// Ends the lines without a program: a kernel on the default stream runs them, and `p0.h0`
    /// waits for it.
    pub(super) fn close(&mut self, reader: &mut Reader, trace: &mut Trace) {
        let Some((mut program, _, loc)) = self.open.take() else { return };
        let name = reader.names.intern(&format!("lines#{}", trace.programs.len()));
        program.name = name;
        trace.programs.push(program);
        let thread = (reader.names.intern("p0"), reader.names.intern("h0"));
        let kernel = Call::Kernel {
            stream: None,
            name: Some(name),
            r: Vec::new(),
            w: Vec::new(),
            rw: Vec::new(),
            cost: None,
            body: Some(name),
            device: None,
        };
        for call in [kernel, Call::StreamSync { stream: None }] {
            let label = trace.ops.len().to_string();
            trace.ops.push(TraceOp { label, thread, call, expect: None, loc });
        }
    }
}
