//! A trace, line by line.

use crate::diag::Loc;
use crate::model::trace::{
    AllocKind, Call, MemoryFlags, PageClass, Span, Sym, Trace, TraceOp, Val,
};

/// A trace that grows.
pub(super) struct Builder {
    trace: Trace,
    thread: (Sym, Sym),
}

impl Builder {
    pub(super) fn new(name: &str) -> Self {
        let mut trace = Trace { name: name.to_owned(), devices: 1, ..Trace::default() };
        let process = trace.names.intern("p0");
        let thread = trace.names.intern("h0");
        trace.processes.push(process);
        Self { trace, thread: (process, thread) }
    }

    pub(super) fn sym(&mut self, name: &str) -> Sym {
        self.trace.names.intern(name)
    }

    pub(super) fn line(&mut self, label: &str, call: Call) {
        self.line_at(label, None, call);
    }

    fn line_at(&mut self, label: &str, loc: Option<Loc>, call: Call) {
        let label = label.to_owned();
        self.trace.ops.push(TraceOp { label, thread: self.thread, call, expect: None, loc });
    }

    /// An allocation of device, host or managed memory under a name.
    pub(super) fn alloc(&mut self, name: &str, size: u64, kind: AllocKind, acl: bool) -> Sym {
        let out = self.sym(name);
        let flags = MemoryFlags { acl, ..MemoryFlags::default() };
        let call =
            Call::Alloc { out: Some(out), size, device: 0, kind, pages: PageClass::Normal, flags };
        self.line(&format!("alloc {name}"), call);
        out
    }

    /// An op at its place in the program.
    pub(super) fn kernel(
        &mut self,
        name: &str,
        loc: Option<Loc>,
        stream: Sym,
        r: Vec<Span>,
        w: Vec<Span>,
    ) {
        let kernel = self.sym(name);
        let call = Call::Kernel {
            stream: Some(stream),
            name: Some(kernel),
            r,
            w,
            rw: Vec::new(),
            cost: None,
            body: None,
            device: None,
        };
        self.line_at(name, loc, call);
    }

    pub(super) fn val(&mut self, name: &str, version: u64) -> Val {
        Val { name: self.sym(name), version }
    }

    pub(super) fn done(self) -> Trace {
        self.trace
    }
}
