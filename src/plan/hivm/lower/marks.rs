//! `annotation.mark` (HIVM spec, section 2.9).

use super::liveness::Sweep;
use super::nest::enclosing_loop;
use super::walk::Walk;
use super::{Facts, Fatal};
use crate::ir::hivm::{PassKind, PlanMode, Space};
use crate::ir::mlir::{Attr, Function, OpId, ValueId};
use crate::plan::hivm::BufferNo;

/// What marks say of one buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    /// Slots; 0 when no mark says it.
    pub(super) slots: u32,
    pub(super) unique: bool,
    pub(super) preload: bool,
    pub(super) coupled: Option<i64>,
    /// The buffer is written by the other core.
    pub(super) consumer: bool,
}

impl Mark {
    /// Slots, at least 1.
    pub(super) fn slots(&self) -> u32 {
        self.slots.max(1)
    }
}

/// The side of a tightly coupled buffer that this core is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its offsets count.
    Owner,
    /// It takes the owner's offsets.
    Consumer,
    /// The function runs on no single core, or the buffer is in neither space.
    Neither,
}

/// The side of a buffer in that space, in a function of that core type.
pub(super) fn side(function: &Function, alloc: ValueId) -> Side {
    let core = function.attrs.get("hivm.func_core_type").and_then(Attr::word);
    let core = if function.attrs.has("hivm.vector_function") { Some("AIV") } else { core };
    match (core, Space::of_type(function.ty(alloc))) {
        (Some("AIC"), Some(Space::Ub)) | (Some("AIV"), Some(Space::Cbuf)) => Side::Consumer,
        (Some("AIV"), Some(Space::Ub)) | (Some("AIC"), Some(Space::Cbuf)) => Side::Owner,
        _ => Side::Neither,
    }
}

/// The id in `hivm.tightly_coupled_buffer`; none without one.
pub(super) fn coupling(function: &Function, mark: OpId) -> Option<i64> {
    match function.ops[mark].attrs.get("hivm.tightly_coupled_buffer")? {
        Attr::Int(id) => Some(*id),
        attr => attr.word()?.split(':').next()?.trim().parse().ok(),
    }
}

/// The planned alloc that a mark is about: traced, or in workspace mode its direct source.
pub(super) fn marked(facts: &Facts<'_>, mark: OpId) -> Option<BufferNo> {
    let source = facts.function.ops[mark].operands.first()?.value;
    match facts.options.mode {
        PlanMode::Local => {
            facts.function.ty(source).memref()?;
            facts.buffers.number(facts.roots.of(source))
        }
        PlanMode::Workspace => facts.buffers.number(source),
    }
}

impl Walk<'_> {
    pub(super) fn visit_mark(&mut self, op: OpId, at: usize, sweep: &Sweep) -> Result<(), Fatal> {
        let buffer = marked(self.facts, op);
        if let Some(buffer) = buffer {
            self.apply(op, at, buffer)?;
        }
        match (self.facts.options.pass, buffer) {
            (PassKind::Regbase, _) => self.kill_check(op, at, sweep),
            (PassKind::Base, Some(buffer)) => {
                self.kill(self.facts.buffers.value(buffer), op, at);
            }
            (PassKind::Base, None) => {}
        }
        Ok(())
    }

    fn apply(&mut self, op: OpId, at: usize, buffer: BufferNo) -> Result<(), Fatal> {
        let facts = self.facts;
        let attrs = &facts.function.ops[op].attrs;
        let mark = buffer as usize;
        if let Some(slots) = attrs.get("hivm.multi_buffer").and_then(Attr::int)
            && slots != 1
        {
            self.mark[mark].slots = u32::try_from(slots).unwrap_or_default();
        }
        if facts.options.mode == PlanMode::Workspace {
            return Ok(());
        }
        let alloc = facts.buffers.value(buffer);
        if attrs.has("hivm.preload_local_buffer") {
            let around = enclosing_loop(facts.function, op)
                .or_else(|| enclosing_loop(facts.function, facts.buffers.op(buffer)));
            let Some(around) = around else {
                return Err(Fatal::new("preload local buffer must be inside a loop-like op", op));
            };
            self.mark[mark].preload = true;
            self.preload_in(around, buffer);
        }
        if attrs.has("mem_unique") {
            self.mark[mark].unique = true;
        }
        if let Some(id) = coupling(facts.function, op) {
            self.mark[mark].coupled = Some(id);
            self.coupled.push((buffer, id));
            match side(facts.function, alloc) {
                Side::Consumer => self.mark[mark].consumer = true,
                Side::Owner => {
                    if facts.options.coupled_unique {
                        self.mark[mark].unique = true;
                    }
                    self.generate(alloc, op, at)?;
                }
                Side::Neither => {}
            }
        }
        Ok(())
    }

    fn preload_in(&mut self, around: OpId, buffer: BufferNo) {
        if let Some((_, buffers)) = self.preload.iter_mut().find(|(op, _)| *op == around) {
            if !buffers.contains(&buffer) {
                buffers.push(buffer);
            }
        } else {
            self.preload.push((around, vec![buffer]));
        }
    }
}
