//! Traceback: from a view to the alloc behind it (HIVM spec, section 2.3).

use super::nest::{arguments, inits, yielded};
use crate::ir::hivm::is_view_like;
use crate::ir::mlir::{Def, Function, OpId, ValueId};
use crate::model::IdVec;

/// The most steps of one traceback.
const STEPS: usize = 256;

/// Where the traceback of every value ends: at an alloc, or where it knows no further.
pub(super) struct Roots {
    of: IdVec<ValueId, ValueId>,
    alloc: IdVec<ValueId, bool>,
}

impl Roots {
    pub(super) fn new(function: &Function) -> Self {
        let alloc: IdVec<ValueId, bool> =
            function.values.ids().map(|v| is_alloc(function, v)).collect();
        let of = function.values.ids().map(|v| trace(function, &alloc, v)).collect();
        Self { of, alloc }
    }

    /// Where the traceback of a value ends.
    pub(super) fn of(&self, value: ValueId) -> ValueId {
        self.of[value]
    }

    /// The alloc at the end of the traceback, if it is one.
    pub(super) fn alloc(&self, value: ValueId) -> Option<ValueId> {
        Some(self.of[value]).filter(|&root| self.alloc[root])
    }
}

/// True for the results of `memref.alloc`, `memref.alloca`, `memref_ext.alloc_workspace`.
fn is_alloc(function: &Function, value: ValueId) -> bool {
    let name = function.def_op(value).map(|op| function.ops[op].name.as_str());
    matches!(name, Some("memref.alloc" | "memref.alloca" | "memref_ext.alloc_workspace"))
}

/// The worklist: the first element that is no alloc gives way to its sources, which join the end;
/// what stands first at last is the root.
fn trace(function: &Function, alloc: &IdVec<ValueId, bool>, value: ValueId) -> ValueId {
    let mut list = vec![value];
    for _ in 0..STEPS {
        let Some(at) = list.iter().position(|&v| !alloc[v]) else { break };
        let sources = sources(function, list[at]);
        if sources.is_empty() {
            break;
        }
        list.remove(at);
        list.extend(sources);
    }
    list.first().copied().unwrap_or(value)
}

fn sources(function: &Function, value: ValueId) -> Vec<ValueId> {
    match function.values[value].def {
        Def::Argument(block, n) => {
            let Some(op) = function.regions[function.blocks[block].region].op else {
                return Vec::new();
            };
            carried_into(function, op, value, n as usize)
        }
        Def::Result(op, n) => behind_result(function, op, n as usize),
        Def::Nothing => Vec::new(),
    }
}

/// The iter_arg of a loop stands for its init and for what the loop yields; the after-arguments of
/// `scf.while` stand for nothing here.
fn carried_into(function: &Function, op: OpId, value: ValueId, n: usize) -> Vec<ValueId> {
    let init = |n: usize| inits(function, op).get(n).map(|o| o.value);
    match function.ops[op].name.as_str() {
        "scf.for" => {
            let Some(n) = n.checked_sub(1) else { return Vec::new() };
            let yielded = yielded(function, op, 0).get(n).map(|o| o.value);
            init(n).into_iter().chain(yielded).collect()
        }
        "scf.while" if arguments(function, op, 0).get(n) == Some(&value) => {
            init(n).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn behind_result(function: &Function, op: OpId, n: usize) -> Vec<ValueId> {
    let body = &function.ops[op];
    let first = || body.operands.first().map(|o| o.value).into_iter().collect();
    match body.name.as_str() {
        "builtin.unrealized_conversion_cast"
        | "bufferization.to_tensor"
        | "bufferization.to_memref"
        | "bufferization.to_buffer" => first(),
        name if is_view_like(name) => first(),
        "scf.for" => {
            let init = inits(function, op).get(n);
            let yielded = yielded(function, op, 0).get(n);
            init.into_iter().chain(yielded).map(|o| o.value).collect()
        }
        "scf.if" => {
            let both = [yielded(function, op, 0).get(n), yielded(function, op, 1).get(n)];
            both.into_iter().flatten().map(|o| o.value).collect()
        }
        _ => Vec::new(),
    }
}
