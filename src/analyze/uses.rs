//! Who touches which buffer: the accesses of ops, followed through views, selections, carries and
//! results to buffers.

use crate::model::{
    AccessMode, BufferId, ByteRange, Function, IdVec, OpId, Order, PipeId, Step, ValueId, ValueKind,
};

/// One op touching one buffer through one operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) op: OpId,
    pub(super) step: Step,
    pub(super) mode: AccessMode,
    /// The bytes of the buffer, where they are known.
    pub(super) bytes: Option<ByteRange>,
    /// True when the op surely touches this buffer, and all of `bytes`.
    pub(super) surely: bool,
    pub(super) pipe: Option<PipeId>,
}

/// The uses of each buffer in the order of their steps.
pub(super) struct Uses {
    pub(super) of: IdVec<BufferId, Vec<Use>>,
    /// Buffers reached through a carry or the result of a loop: in a rotating buffer such a use
    /// may mean another slot than the trip's own.
    pub(super) carried: IdVec<BufferId, bool>,
}

pub(super) fn uses(function: &Function, order: &Order) -> Uses {
    let none = function.buffers.len();
    let mut uses =
        Uses { of: IdVec::filled(Vec::new(), none), carried: IdVec::filled(false, none) };
    let mut roots: IdVec<ValueId, Option<Vec<BufferId>>> =
        IdVec::filled(None, function.values.len());
    for (op, body) in function.ops.enumerate() {
        let step = order.ops[op];
        for access in &body.accesses {
            let pipe = access.pipe.or(body.pipe);
            let plain = Use { op, step, mode: access.mode, bytes: None, surely: false, pipe };
            if let Some((buffer, all)) = function.exact(access.value) {
                let bytes = match access.range {
                    None => all,
                    Some(part) => {
                        let start = all.start.saturating_add(part.start);
                        ByteRange::new(start, start.saturating_add(part.len()).min(all.end))
                    }
                };
                let surely = !access.partial;
                uses.of[buffer].push(Use { bytes: Some(bytes), surely, ..plain });
                continue;
            }
            let found = roots[access.value].get_or_insert_with(|| function.roots(access.value));
            let carried = is_carried(function, access.value);
            for &buffer in found.iter() {
                uses.of[buffer].push(plain);
                uses.carried[buffer] |= carried;
            }
        }
    }
    for list in uses.of.iter_mut() {
        // Ops are numbered in the order written; regions without ops may move later ones.
        list.sort_by_key(|u| u.step);
    }
    uses
}

fn is_carried(function: &Function, value: ValueId) -> bool {
    let mut todo = vec![value];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        match &function.values[id].kind {
            ValueKind::Carry(..) | ValueKind::LoopResult(..) => return true,
            ValueKind::Buffer(_) => {}
            ValueKind::View { base, .. } => todo.push(*base),
            ValueKind::Select(of) => todo.extend(of),
            ValueKind::BranchResult(b, n) => {
                if let Some(result) = function.branches[*b].results.get(*n as usize) {
                    todo.extend([result.then, result.otherwise]);
                }
            }
        }
    }
    false
}
