//! `annotation.mark`: what the compiler has said about a buffer (HIVM spec 1.3, 2.9).

use std::collections::BTreeMap;

use crate::ir::mlir::{Attr, Function, OpId, ValueId};

/// What marks say of one alloc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    /// `hivm.multi_buffer`: slots; the last mark wins, 1 is no mark.
    pub(super) slots: Option<u32>,
    /// `mem_unique`.
    pub(super) unique: bool,
    /// `hivm.preload_local_buffer`.
    pub(super) preload: bool,
    /// `hivm.tightly_coupled_buffer` with an id.
    pub(super) coupled: Option<u32>,
}

/// The marks of every alloc that they can be traced to.
pub(super) fn collect(function: &Function) -> BTreeMap<OpId, Mark> {
    let mut marks: BTreeMap<OpId, Mark> = BTreeMap::new();
    for op in function.ops.iter().filter(|op| op.name == "annotation.mark") {
        let Some(source) = op.operands.first() else { continue };
        let Some(maker) = trace(function, source.value) else { continue };
        let mark = marks.entry(maker).or_default();
        let slots = op.attrs.get("hivm.multi_buffer").and_then(Attr::int);
        if let Some(slots) = slots.and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 1) {
            mark.slots = Some(slots);
        }
        mark.unique |= op.attrs.has("mem_unique");
        mark.preload |= op.attrs.has("hivm.preload_local_buffer");
        if let Some(id) = coupled(op.attrs.get("hivm.tightly_coupled_buffer")) {
            mark.coupled = Some(id);
        }
    }
    marks
}

/// The id of a coupled buffer; none for `<>`.
pub(super) fn coupled(attr: Option<&Attr>) -> Option<u32> {
    let word = attr?.word()?;
    let digits = word.rsplit('=').next().unwrap_or(word).trim();
    digits.split([' ', ':', ',']).next()?.parse().ok()
}

/// The op that makes the buffer that a value is a view of.
pub(super) fn trace(function: &Function, value: ValueId) -> Option<OpId> {
    let mut next = value;
    // Views are defined before they are used, so the chain ends; the limit is for broken text.
    for _ in 0..=function.ops.len() {
        let op = function.def_op(next)?;
        let body = &function.ops[op];
        if is_maker(&body.name) {
            return Some(op);
        }
        if !super::views::is_view(&body.name) {
            return None;
        }
        next = body.operands.first()?.value;
    }
    None
}

/// True for ops that make a buffer.
pub(super) fn is_maker(name: &str) -> bool {
    matches!(
        name,
        "memref.alloc" | "memref.alloca" | "memref_ext.alloc_workspace" | "hivm.hir.pointer_cast"
    )
}
