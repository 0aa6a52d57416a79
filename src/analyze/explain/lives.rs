//! What begins and ends a live range.

use super::Reasons;
use crate::model::{AccessMode, BranchId, BufferId, LifetimeClass, Live, LoopId, Node, OpId, Step};

/// A live range and what its ends come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The live range.
    pub live: Live,
    /// Why it begins there.
    pub start: Cause,
    /// Why it ends there, and not before.
    pub end: Cause,
}

/// What an end of a live range comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The input says so.
    Given,
    /// The class of the buffer: it holds data before the function, or for after it.
    Class(LifetimeClass),
    /// An op reads it.
    Read(OpId),
    /// An op writes it.
    Write(OpId),
    /// An op uses it as scratch.
    Temporary(OpId),
    /// An op makes it anew: nothing before is needed.
    Fresh(OpId),
    /// A trip of the loop needs what was there before the trip; the op is the first to read it.
    Carried(LoopId, Option<OpId>),
    /// The buffer is preloaded: it lives through the whole loop.
    Preload(LoopId),
    /// It is needed after the loop, which may not run at all.
    ZeroTrips(LoopId),
    /// It is needed on one way through the branch, or after it.
    Branch(BranchId),
    /// It is needed before anything is written to it.
    Unwritten,
    /// Nothing else: the way of the program from one step to the next.
    Flow,
}

impl Cause {
    /// One word for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Class(_) => "class",
            Self::Read(_) => "read",
            Self::Write(_) => "write",
            Self::Temporary(_) => "temporary",
            Self::Fresh(_) => "fresh",
            Self::Carried(..) => "carried",
            Self::Preload(_) => "preload",
            Self::ZeroTrips(_) => "zero_trips",
            Self::Branch(_) => "branch",
            Self::Unwritten => "unwritten",
            Self::Flow => "flow",
        }
    }
}

impl Reasons<'_> {
    /// The live ranges of a buffer, each with what begins and ends it.
    pub fn spans(&self, id: BufferId) -> Vec<Span> {
        let live = self.facts.live.get(id).map_or(&[][..], Vec::as_slice);
        let buffer = &self.function.buffers[id];
        let len = self.facts.order.len;
        let one = |live: &Live| {
            if buffer.live.is_some() {
                return Span { live: *live, start: Cause::Given, end: Cause::Given };
            }
            let class = Cause::Class(buffer.class);
            let filled = buffer.class.filled_at_entry() && live.start == Step(0);
            // A function without ops still has one moment.
            let wanted = buffer.class.wanted_at_exit() && live.end.0 >= len;
            Span {
                live: *live,
                start: if filled { class } else { self.begins(id, live.start) },
                end: if wanted { class } else { self.ends(id, live.end) },
            }
        };
        live.iter().map(one).collect()
    }

    fn begins(&self, id: BufferId, at: Step) -> Cause {
        let cause = self.begins_at(id, at);
        // What is needed from before the function begins with it.
        let before = at == Step(0) && !matches!(cause, Cause::Write(_) | Cause::Temporary(_));
        if before && !matches!(cause, Cause::Fresh(_)) { Cause::Unwritten } else { cause }
    }

    fn begins_at(&self, id: BufferId, at: Step) -> Cause {
        match self.node(at) {
            Some(Node::Op(op)) => self.op(id, op).unwrap_or(Cause::Flow),
            Some(Node::Loop(l)) => self.looped(id, l),
            Some(Node::Branch(b)) => Cause::Branch(b),
            None => Cause::Flow,
        }
    }

    fn ends(&self, id: BufferId, end: Step) -> Cause {
        let Some(last) = end.0.checked_sub(1).map(Step) else { return Cause::Flow };
        match self.node(last) {
            Some(Node::Op(op)) => match (self.side(id, end), self.op(id, op)) {
                (Some(b), _) => Cause::Branch(b),
                (None, cause) => cause.unwrap_or(Cause::Flow),
            },
            Some(Node::Loop(l)) if self.facts.order.loops[l].begin == last => Cause::ZeroTrips(l),
            Some(Node::Loop(l)) => self.looped(id, l),
            Some(Node::Branch(b)) => Cause::Branch(b),
            None => Cause::Flow,
        }
    }

    /// The branch whose first side ends there, where what the side leaves behind is needed after it.
    fn side(&self, id: BufferId, end: Step) -> Option<BranchId> {
        let Some(Node::Branch(b)) = self.node(end) else { return None };
        let steps = self.facts.order.branches[b];
        let holds = |at: Step| self.facts.live[id].iter().any(|l| l.start <= at && at < l.end);
        (steps.middle == end && holds(steps.end)).then_some(b)
    }

    fn node(&self, step: Step) -> Option<Node> {
        usize::try_from(step.0).ok().and_then(|at| self.facts.order.at.get(at)).copied()
    }

    /// How an op touches a buffer; a read counts most.
    fn op(&self, id: BufferId, op: OpId) -> Option<Cause> {
        let uses = self.at(id, op);
        let has = |mode| uses.iter().any(|u| u.mode == mode);
        if has(AccessMode::Read) {
            Some(Cause::Read(op))
        } else if has(AccessMode::Write) {
            Some(Cause::Write(op))
        } else if has(AccessMode::Temporary) {
            Some(Cause::Temporary(op))
        } else if has(AccessMode::Fresh) {
            Some(Cause::Fresh(op))
        } else {
            None
        }
    }

    fn looped(&self, id: BufferId, l: LoopId) -> Cause {
        if self.function.buffers[id].preload {
            return Cause::Preload(l);
        }
        let inside = |op: OpId| self.facts.order.loops_of_op[op].contains(&l);
        let mut reads = self.uses.of[id].iter().filter(|u| u.mode == AccessMode::Read);
        Cause::Carried(l, reads.find(|u| inside(u.op)).map(|u| u.op))
    }

    /// The uses of a buffer by an op.
    pub(super) fn at(&self, id: BufferId, op: OpId) -> &[super::super::uses::Use] {
        let (uses, step) = (&self.uses.of[id], self.facts.order.ops[op]);
        let from = uses.partition_point(|u| u.step < step);
        let past = uses.partition_point(|u| u.step <= step);
        &uses[from..past]
    }
}
