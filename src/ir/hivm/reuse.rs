//! When a result may take the bytes of an operand, by the semantics of the op (HIVM spec, sections 3.2
//! and 3.3). Whether both are dead and alive at the right moments is asked elsewhere.

use super::{OpTraits, PassKind, PassOptions, destination_operands, extra_buffers, op_traits};
use crate::ir::mlir::{
    Attr, BlockId, Def, Dim, Function, MemRef, Op, OpId, Role, Scalar, Type, ValueId,
};

/// Ops of which the instruction set guarantees it.
const ISA: [&str; 7] = ["vadd", "vsub", "vmax", "vmin", "vor", "vand", "vmul"];

/// The op rule, steps 1 to 10: may the buffer `g`, which the op writes, take the memory of `k`?
/// `root` leads from an operand to its buffer, as which `g` and `k` are given.
pub fn op_allows(
    function: &Function,
    op: OpId,
    options: &PassOptions,
    root: &dyn Fn(ValueId) -> ValueId,
    (g, k): (ValueId, ValueId),
) -> bool {
    let body = &function.ops[op];
    let Some(traits) = op_traits(&body.name).filter(|t| t.structured) else { return false };
    if options.pass == PassKind::Base && !same_offsets(function, body) {
        return false;
    }
    Rule { function, options, root }.steps(body, traits, g, k)
}

struct Rule<'a> {
    function: &'a Function,
    options: &'a PassOptions,
    root: &'a dyn Fn(ValueId) -> ValueId,
}

impl Rule<'_> {
    /// Steps 2 to 10.
    fn steps(&self, op: &Op, traits: &OpTraits, g: ValueId, k: ValueId) -> bool {
        let short = op.name.trim_start_matches("hivm.hir.");
        let broadcast = is_filled(op, "broadcast");
        let transpose = is_filled(op, "transpose");
        if ISA.contains(&short) && !broadcast && !transpose {
            return true;
        }
        if self.options.inplace_as_isa {
            return false;
        }
        let scalar = op.operands.iter().any(|o| is_scalar(self.function.ty(o.value)));
        let extras_allow = match extra_buffers(op).len() {
            0 => true,
            1 => traits.one_extra && (broadcast || scalar),
            _ => false,
        };
        if !extras_allow || !traits.elementwise() || transpose {
            return false;
        }
        if traits.broadcast && broadcast {
            return self.same_shapes(op, g, k);
        }
        if traits.same_type {
            return true;
        }
        if short == "vsel" && self.options.pass == PassKind::Base {
            let element =
                |n: usize| op.operands.get(n).and_then(|o| self.function.ty(o.value).element());
            let narrow =
                element(0) == Some(&Scalar::Int(1)) && element(1) == Some(&Scalar::Int(64));
            let condition = op.operands.first().map(|o| (self.root)(o.value));
            return !(narrow && condition == Some(k));
        }
        width_rule(self.function, op, short == "vcast")
    }

    /// Step 7: of several operands with the same root the last one counts.
    fn same_shapes(&self, op: &Op, g: ValueId, k: ValueId) -> bool {
        let shape = |root: ValueId| {
            let mut operands = op.operands.iter().rev().map(|o| o.value);
            operands.find(|&v| (self.root)(v) == root).map(|v| self.function.ty(v).dims())
        };
        matches!((shape(g), shape(k)), (Some(Some(g)), Some(Some(k))) if g == k)
    }
}

/// Step 1 (base): all memrefs start at the same offset in their memory; `?` equals only `?`.
fn same_offsets(function: &Function, op: &Op) -> bool {
    let inits = destination_operands(op);
    let offset = |v: ValueId| function.ty(v).memref().map(MemRef::offset);
    let Some(expected) = inits.first().and_then(|&v| offset(v)) else { return false };
    let others = op.operands.iter().filter(|o| o.role != Role::Out);
    others.filter_map(|o| offset(o.value)).all(|offset| offset == expected)
}

/// Step 10: some operand is as wide as the output, or wider and read in its order.
fn width_rule(function: &Function, op: &Op, cast: bool) -> bool {
    let Some(&init) = destination_operands(op).first() else { return false };
    let output = function.ty(init);
    let width = |ty: &Type| ty.element().and_then(Scalar::bits).filter(|&bits| bits > 0);
    let Some(out) = width(output) else { return false };
    let inputs = op.operands.iter().filter(|o| o.role != Role::Out);
    inputs.map(|o| function.ty(o.value)).any(|input| match width(input) {
        Some(bits) if bits == out => true,
        Some(bits) if bits.is_multiple_of(out) => {
            let flat = output.dims().is_some_and(|dims| dims.len() <= 1);
            !cast || (flat && is_contiguous(output) && is_contiguous(input))
        }
        _ => false,
    })
}

/// The last dimension has one element or no gaps.
fn is_contiguous(ty: &Type) -> bool {
    let one = |dims: &[Dim]| dims.last().is_none_or(|&d| d == Some(1));
    ty.dims().is_some_and(one) || ty.memref().is_none_or(|m| m.last_stride() == Some(1))
}

fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Scalar(Scalar::Int(_) | Scalar::Float(_)))
}

fn is_filled(op: &Op, name: &str) -> bool {
    matches!(op.attrs.get(name), Some(Attr::Array(items)) if !items.is_empty())
}

/// One access of an argument: the op, the memref that it names, the width of its vector.
#[derive(Clone, Copy)]
struct Access {
    op: OpId,
    block: BlockId,
    memref: ValueId,
    width: Option<u32>,
}

/// Arguments (written, read) of a vector function that may share memory (3.3).
pub fn reusable_arguments(function: &Function) -> Vec<(usize, usize)> {
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
    function.ops[owner].operands.get(n + 3).map(|o| o.value)
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
