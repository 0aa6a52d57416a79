//! What the rows of a report are made from.

use crate::analyze::explain::Reasons;
use crate::analyze::{self, Facts};
use crate::diag::Loc;
use crate::model::{
    Buffer, BufferId, Function, Live, LoopId, OpId, Order, PipeId, ReuseLevel, Scope, Step,
};
use crate::report::context::{Input, slot_bytes};

/// A function, its facts and their reasons.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) input: Input<'a>,
    pub(super) function: &'a Function,
    pub(super) facts: &'a Facts,
    pub(super) reasons: &'a Reasons<'a>,
}

impl<'a> Scene<'a> {
    /// The scope of a buffer.
    pub(super) fn scope(self, id: BufferId) -> &'a Scope {
        &self.input.problem.scopes[self.function.buffers[id].scope]
    }

    /// Bytes of all slots of a buffer, rounded up where the scope says so.
    pub(super) fn bytes(self, id: BufferId) -> u64 {
        let buffer = &self.function.buffers[id];
        slot_bytes(self.scope(id), buffer).saturating_mul(u64::from(buffer.slots))
    }

    /// The live ranges of a buffer.
    pub(super) fn live(self, id: BufferId) -> &'a [Live] {
        self.facts.live.get(id).map_or(&[], Vec::as_slice)
    }

    /// True when a buffer is alive at a step.
    pub(super) fn alive(self, id: BufferId, at: Step) -> bool {
        let live = self.live(id);
        let past = live.partition_point(|l| l.start <= at);
        past > 0 && at < live[past - 1].end
    }

    /// True for memory that the input calls temporary, or that is scratch and nothing else.
    pub(super) fn temporary(self, id: BufferId) -> bool {
        self.function.buffers[id].temporary || self.reasons.only_scratch(id)
    }

    /// The name of a buffer.
    pub(super) fn name(self, id: BufferId) -> &'a str {
        &self.function.buffers[id].name
    }

    /// `file:line:column` of a place.
    pub(super) fn place(self, loc: Option<Loc>) -> Option<String> {
        self.input.place(loc)
    }

    /// `` `add` (line 12) ``.
    pub(super) fn op(self, id: OpId) -> String {
        let op = &self.function.ops[id];
        format!("`{}`{}", op.name, self.line(op.loc))
    }

    /// ``loop `i` (line 3)``.
    pub(super) fn looped(self, id: LoopId) -> String {
        let l = &self.function.loops[id];
        format!("loop `{}`{}", l.name, self.line(l.loc))
    }

    /// ` (line 12)`, or nothing.
    pub(super) fn line(self, loc: Option<Loc>) -> String {
        let line = self.input.line(loc);
        if line.is_empty() { line } else { format!(" (line {line})") }
    }

    /// The name of a pipe.
    pub(super) fn pipe(self, id: PipeId) -> String {
        self.input.problem.pipes.get(id).map_or_else(|| "?".to_owned(), |p| p.name.clone())
    }

    /// The names of the pipes that touch a buffer, such as `MTE2 and V`.
    pub(super) fn pipes(self, id: BufferId) -> String {
        let pipes = self.facts.pipes.get(id).into_iter().flatten();
        crate::report::words::and(&pipes.map(|p| self.pipe(*p)).collect::<Vec<_>>())
    }

    /// The loops that two buffers live in, the innermost one.
    pub(super) fn common_loop(self, a: BufferId, b: BufferId) -> Option<LoopId> {
        analyze::common_loops(self.function, self.facts, a, b).last().copied()
    }

    /// True where time is that of the ops.
    pub(super) fn has_order(self) -> bool {
        self.facts.order.len > 0
    }

    /// `at op `add` (step 3)`, `at step 3`.
    pub(super) fn moment(self, step: Step) -> String {
        let order: &Order = &self.facts.order;
        match order.describe(self.function, step) {
            Some(name) if order.op_at(step).is_some() => format!("`{name}` (step {})", step.0),
            Some(name) => format!("{name} (step {})", step.0),
            None => format!("step {}", step.0),
        }
    }
}

/// `[start, end]` of a live range.
pub(super) fn range(live: &Live) -> [u64; 2] {
    [live.start.0, live.end.0]
}

/// The word of a level, for reports.
pub(super) fn level(level: ReuseLevel) -> &'static str {
    level.name()
}

/// The word of a lifetime class.
pub(super) fn lifetime(buffer: &Buffer) -> &'static str {
    use crate::model::LifetimeClass as Class;
    match buffer.class {
        Class::Local => "local",
        Class::Parameter => "parameter",
        Class::Output => "output",
        Class::Constant => "constant",
        Class::Donated => "donated",
        Class::Persistent => "persistent",
        Class::ThreadLocal => "thread_local",
    }
}
