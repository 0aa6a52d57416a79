//! In-place reuse across a call of a vector function (HIVM spec, section 3.3).

use super::Facts;
use super::inplace::Merger;
use super::nest::{enclosing_loop, inits};
use crate::ir::mlir::{Attr, BlockId, Def, Function, Op, OpId, ValueId};
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
    usable(callee).into_iter().filter_map(|(w, r)| buffer(w).zip(buffer(r))).collect()
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

/// One access of an argument: the op, the memref that it names, the width of its vector.
#[derive(Clone, Copy)]
struct Access {
    op: OpId,
    block: BlockId,
    memref: ValueId,
    width: Option<u32>,
}

/// Arguments (written, read) of a vector function that may share.
fn usable(function: &Function) -> Vec<(usize, usize)> {
    let Some(body) = function.body else { return Vec::new() };
    let Some(&entry) = function.regions[body].blocks.first() else { return Vec::new() };
    let args = &function.blocks[entry].args;
    let mut reads: Vec<Vec<Access>> = vec![Vec::new(); args.len()];
    let mut writes = reads.clone();
    for (op, transfer) in function.ops.enumerate() {
        let (list, memref, vector) = match transfer.name.as_str() {
            "vector.transfer_read" => {
                let vector = transfer.results.first().copied();
                (&mut reads, transfer.operands.first(), vector)
            }
            "vector.transfer_write" => {
                let vector = transfer.operands.first().map(|o| o.value);
                (&mut writes, transfer.operands.get(1), vector)
            }
            _ => continue,
        };
        let Some(memref) = memref.map(|o| o.value) else { continue };
        let root = argument_behind(function, memref);
        let Some(arg) = args.iter().position(|&a| a == root) else { continue };
        let width = vector.and_then(|v| function.ty(v).element()).and_then(|e| e.bits());
        list[arg].push(Access { op, block: transfer.block, memref, width });
    }
    let mut pairs = Vec::new();
    for w in 0..args.len() {
        let ([write], []) = (&writes[w][..], &reads[w][..]) else { continue };
        for r in 0..args.len() {
            if let ([], [read]) = (&writes[r][..], &reads[r][..])
                && read.block == write.block
                && read.op < write.op
                && write.width.zip(read.width).is_some_and(|(w, r)| w <= r)
                && same_iteration(function, entry, read.memref, write.memref)
            {
                pairs.push((w, r));
            }
        }
    }
    pairs
}

/// Through slices and iter_args to what a vector function works on.
fn argument_behind(function: &Function, value: ValueId) -> ValueId {
    let mut at = value;
    // A value can only come from an earlier one, so this ends.
    while let Some(next) = slice_source(function, at).or_else(|| carried_init(function, at)) {
        at = next;
    }
    at
}

fn slice(function: &Function, value: ValueId) -> Option<&Op> {
    let op = &function.ops[function.def_op(value)?];
    matches!(op.name.as_str(), "memref.subview" | "tensor.extract_slice").then_some(op)
}

fn slice_source(function: &Function, value: ValueId) -> Option<ValueId> {
    slice(function, value)?.operands.first().map(|o| o.value)
}

fn carried_init(function: &Function, value: ValueId) -> Option<ValueId> {
    let Def::Argument(block, n) = function.values[value].def else { return None };
    let owner = function.regions[function.blocks[block].region].op?;
    let is_for = function.ops[owner].name == "scf.for";
    let n = (n as usize).checked_sub(1).filter(|_| is_for)?;
    inits(function, owner).get(n).map(|o| o.value)
}

/// True when both name the same part of their arguments in every iteration.
fn same_iteration(function: &Function, entry: BlockId, a: ValueId, b: ValueId) -> bool {
    let (mut a, mut b) = (a, b);
    loop {
        let is_arg =
            |v: ValueId| matches!(function.values[v].def, Def::Argument(at, _) if at == entry);
        if is_arg(a) && is_arg(b) {
            return true;
        }
        let next = match (slice(function, a), slice(function, b)) {
            (Some(x), Some(y)) if x.name == y.name && same_slices(function, x, y) => {
                slice_source(function, a).zip(slice_source(function, b))
            }
            (None, None) => carried_init(function, a).zip(carried_init(function, b)),
            _ => None,
        };
        let Some(next) = next else { return false };
        (a, b) = next;
    }
}

/// A number of a slice: known, or an SSA value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Known(i64),
    Value(ValueId),
}

fn same_slices(function: &Function, a: &Op, b: &Op) -> bool {
    numbers(function, a).is_some_and(|a| numbers(function, b).is_some_and(|b| a == b))
}

/// Offsets, sizes and strides, each list apart.
fn numbers(function: &Function, op: &Op) -> Option<[Vec<Number>; 3]> {
    let mut dynamic = op.operands.iter().skip(1).map(|o| o.value);
    let mut list = |name: &str| {
        let statics = op.attrs.get(name)?.ints()?;
        let number = |n: i64| {
            if n == i64::MIN {
                dynamic.next().map(|v| known(function, v))
            } else {
                Some(Number::Known(n))
            }
        };
        statics.into_iter().map(number).collect::<Option<Vec<_>>>()
    };
    Some([list("static_offsets")?, list("static_sizes")?, list("static_strides")?])
}

fn known(function: &Function, value: ValueId) -> Number {
    let constant = function.def_op(value).map(|op| &function.ops[op]);
    let constant = constant.filter(|op| op.name == "arith.constant");
    let number = constant.and_then(|op| op.attrs.get("value")).and_then(Attr::int);
    number.map_or(Number::Value(value), Number::Known)
}
