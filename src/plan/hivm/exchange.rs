//! Offsets of tightly coupled buffers go from the core that owns them to the other (HIVM spec,
//! section 2.9), and what is left without offsets (section 6).

use std::collections::BTreeMap;

use super::lower::Side;
use super::pass::{Outcome, Planned};
use super::{BufferNo, Success};
use crate::ir::mlir::{Attr, Function, Op};

/// Gives every buffer of the other core the offsets that its owner found, by id; an empty list
/// where no function owns the id. The last owner of an id counts.
pub fn exchange(outcomes: &mut [Outcome]) {
    let mut owned: BTreeMap<i64, Vec<u64>> = BTreeMap::new();
    for planned in all_planned(outcomes) {
        for mark in planned.lowered.coupled.iter().filter(|c| c.side == Side::Owner) {
            if let Some(offsets) = offsets(&planned.success, mark.buffer) {
                owned.insert(mark.id, offsets.to_vec());
            }
        }
    }
    for planned in all_planned(outcomes) {
        for mark in planned.lowered.coupled.iter().filter(|c| c.side == Side::Consumer) {
            let offsets = owned.get(&mark.id).cloned().unwrap_or_default();
            let all = &mut planned.success.offsets;
            let at = mark.buffer as usize;
            if all.len() <= at {
                all.resize(at + 1, None);
            }
            all[at] = Some(offsets);
        }
    }
}

fn all_planned(outcomes: &mut [Outcome]) -> impl Iterator<Item = &mut Planned> {
    outcomes.iter_mut().filter_map(|outcome| match outcome {
        Outcome::Planned(planned) => Some(planned.as_mut()),
        Outcome::Skipped(_) | Outcome::Failed(_) => None,
    })
}

fn offsets(success: &Success, buffer: BufferNo) -> Option<&[u64]> {
    success.offsets.get(buffer as usize)?.as_deref().filter(|offsets| !offsets.is_empty())
}

/// Buffers without offsets after [`exchange`], in textual order: on each the pass reports
/// `read before first write`. A workspace that has its offset already needs none.
pub fn unwritten(function: &Function, planned: &Planned) -> Vec<BufferNo> {
    let allocs = (0..).zip(&planned.lowered.buffers);
    let missing = allocs.filter(|&(buffer, &op)| {
        !has_offset(&function.ops[op]) && offsets(&planned.success, buffer).is_none()
    });
    missing.map(|(buffer, _)| buffer).collect()
}

/// The reader counts the operands of `alloc_workspace`: sizes, the argument, offsets.
fn has_offset(op: &Op) -> bool {
    let counts = op.attrs.get("segments").and_then(Attr::ints);
    op.name == "memref_ext.alloc_workspace"
        && counts.is_some_and(|counts| counts.get(2).is_some_and(|&n| n > 0))
}
