//! A value is not a buffer: it is a name that stands for bytes of one of several buffers.

use std::collections::BTreeSet;

use super::{BranchId, BufferId, ByteRange, Function, LoopId, ValueId};
use crate::diag::Loc;

/// What a value stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A whole buffer (in a rotating buffer, the slot of the current trip).
    Buffer(BufferId),
    /// Bytes of another value.
    View {
        /// The other value.
        base: ValueId,
        /// Bytes from the start of `base`; `None` when unknown.
        delta: Option<u64>,
        /// Bytes of the view; `None` when unknown.
        length: Option<u64>,
    },
    /// One of several values, chosen at run time.
    Select(Vec<ValueId>),
    /// What a loop carries: its `init` in the first trip, the `next` of the trip before later.
    Carry(LoopId, u32),
    /// What a loop leaves behind: the last `next`, or `init` after zero trips.
    LoopResult(LoopId, u32),
    /// What a branch leaves behind: the value of the side that ran.
    BranchResult(BranchId, u32),
}

/// A name for bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The name.
    pub name: String,
    /// Where it is written.
    pub loc: Option<Loc>,
    /// What it stands for.
    pub kind: ValueKind,
}

impl Function {
    /// The buffers that a value may stand for, in order.
    pub fn roots(&self, value: ValueId) -> Vec<BufferId> {
        self.reach(value, true)
    }

    /// The buffers that a value names where it is used: through views and selections, but not
    /// through carries and results, which are references made elsewhere.
    pub fn direct_roots(&self, value: ValueId) -> Vec<BufferId> {
        self.reach(value, false)
    }

    fn reach(&self, value: ValueId, references: bool) -> Vec<BufferId> {
        let mut seen = BTreeSet::new();
        let mut todo = vec![value];
        let mut out = BTreeSet::new();
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            match &self.values[id].kind {
                ValueKind::Buffer(b) => {
                    out.insert(*b);
                }
                ValueKind::View { base, .. } => todo.push(*base),
                ValueKind::Select(of) => todo.extend(of),
                ValueKind::Carry(..) | ValueKind::LoopResult(..) | ValueKind::BranchResult(..)
                    if !references => {}
                ValueKind::Carry(l, n) | ValueKind::LoopResult(l, n) => {
                    if let Some(carry) = self.loops[*l].carries.get(*n as usize) {
                        todo.extend([carry.init, carry.next]);
                    }
                }
                ValueKind::BranchResult(b, n) => {
                    if let Some(result) = self.branches[*b].results.get(*n as usize) {
                        todo.extend([result.then, result.otherwise]);
                    }
                }
            }
        }
        out.into_iter().collect()
    }

    /// The one buffer and the bytes of it that a value stands for, where both are known.
    pub fn exact(&self, value: ValueId) -> Option<(BufferId, ByteRange)> {
        // Outermost view last; readers limit the chain.
        let mut views = Vec::new();
        let mut next = value;
        let buffer = loop {
            match self.values[next].kind {
                ValueKind::Buffer(b) => break b,
                ValueKind::View { base, delta, length } => {
                    views.push((delta?, length));
                    next = base;
                }
                _ => return None,
            }
        };
        let mut range = ByteRange::new(0, self.buffers[buffer].size.0);
        while let Some((delta, length)) = views.pop() {
            let start = range.start.checked_add(delta)?;
            let end = match length {
                Some(length) => start.checked_add(length)?,
                None => range.end,
            };
            range = ByteRange::new(start, end.max(start));
        }
        Some((buffer, range))
    }
}
