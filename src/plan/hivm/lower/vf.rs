//! In-place reuse across a call of a vector function (HIVM spec, section 3.3).

use super::Facts;
use super::inplace::Merger;
use super::nest::enclosing_loop;
use crate::ir::hivm::reusable_arguments;
use crate::ir::mlir::{Attr, Function, Op, OpId, ValueId};
use crate::plan::hivm::BufferNo;

/// Pairs (destination, source) of allocs that the callee allows.
pub(super) type CallPairs = Vec<(BufferNo, BufferNo)>;

impl Merger<'_> {
    /// Step 3.3 for one pair, the veto included.
    pub(super) fn may_share_in_call(&mut self, call: &CallPairs, g: BufferNo, k: BufferNo) -> bool {
        if !call.contains(&(g, k)) {
            return false;
        }
        let facts = self.walk.facts;
        if facts.options.no_vf_check {
            return true;
        }
        // D.1: both are asked, always, and in this order.
        let (g_value, k_value, classes) = (self.value(g), self.value(k), self.classes);
        let stored = self.groups.is_source(g, || classes.stored[g_value]);
        let loaded = self.groups.is_destination(k, || classes.loaded[k_value]);
        let in_loop = enclosing_loop(facts.function, facts.buffers.op(g)).is_some();
        !(stored && loaded && in_loop)
    }
}

/// What a call of a vector function allows; empty for other ops.
pub(super) fn reuse_in_call(facts: &Facts<'_>, op: OpId) -> CallPairs {
    let call = &facts.function.ops[op];
    let Some(callee) = callee(facts, call) else { return CallPairs::new() };
    let roots: Vec<Option<ValueId>> =
        call.operands.iter().map(|o| facts.roots.alloc(o.value)).collect();
    let mut known: Vec<ValueId> = roots.iter().copied().flatten().collect();
    let all = known.len();
    known.sort_unstable();
    known.dedup();
    if known.len() < all {
        return CallPairs::new();
    }
    let buffer = |n: usize| facts.buffers.number((*roots.get(n)?)?);
    reusable_arguments(callee).into_iter().filter_map(|(w, r)| buffer(w).zip(buffer(r))).collect()
}

/// The function that a call of a vector function runs.
fn callee<'a>(facts: &Facts<'a>, call: &Op) -> Option<&'a Function> {
    if call.name != "func.call" || !call.attrs.has("hivm.vector_function") {
        return None;
    }
    let name = call.attrs.get("callee").and_then(Attr::word)?.trim_start_matches('@');
    let callee = facts.chunk.functions.iter().find(|f| f.name == name)?;
    callee.attrs.has("hivm.vector_function").then_some(callee)
}
