//! When the destination of one op may take the memory of a source (HIVM spec, section 3.2).

use super::inplace::Merger;
use super::reaches::Reach;
use crate::ir::hivm::{OpTraits, PassKind, destination_operands, extra_buffers, op_traits};
use crate::ir::mlir::{Attr, Dim, Function, MemRef, Op, OpId, Role, Scalar, Type, ValueId};
use crate::plan::hivm::BufferNo;

/// Ops of which the instruction set guarantees it.
const ISA: [&str; 7] = ["vadd", "vsub", "vmax", "vmin", "vor", "vand", "vmul"];

impl Merger<'_> {
    /// The op rule: all eleven steps.
    pub(super) fn may_share(&mut self, op: OpId, g: BufferNo, k: BufferNo) -> bool {
        let facts = self.walk.facts;
        let body = &facts.function.ops[op];
        let Some(traits) = op_traits(&body.name).filter(|t| t.structured) else { return false };
        let base = facts.options.pass == PassKind::Base;
        if base && !same_offsets(facts.function, body) {
            return false;
        }
        if !self.steps(body, traits, self.value(g), self.value(k)) {
            return false;
        }
        !(base && self.stalls(g, k))
    }

    /// Steps 2 to 10.
    fn steps(&self, op: &Op, traits: &OpTraits, g: ValueId, k: ValueId) -> bool {
        let facts = self.walk.facts;
        let short = op.name.trim_start_matches("hivm.hir.");
        let broadcast = is_filled(op, "broadcast");
        let transpose = is_filled(op, "transpose");
        if ISA.contains(&short) && !broadcast && !transpose {
            return true;
        }
        if facts.options.inplace_as_isa {
            return false;
        }
        let scalar = op.operands.iter().any(|o| is_scalar(facts.function.ty(o.value)));
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
        if short == "vsel" && facts.options.pass == PassKind::Base {
            let element =
                |n: usize| op.operands.get(n).and_then(|o| facts.function.ty(o.value).element());
            let narrow =
                element(0) == Some(&Scalar::Int(1)) && element(1) == Some(&Scalar::Int(64));
            let condition = op.operands.first().map(|o| facts.roots.of(o.value));
            return !(narrow && condition == Some(k));
        }
        width_rule(facts.function, op, short == "vcast")
    }

    /// Step 7: of several operands with the same root the last one counts.
    fn same_shapes(&self, op: &Op, g: ValueId, k: ValueId) -> bool {
        let facts = self.walk.facts;
        let shape = |root: ValueId| {
            let mut operands = op.operands.iter().rev().map(|o| o.value);
            operands.find(|&v| facts.roots.of(v) == root).map(|v| facts.function.ty(v).dims())
        };
        matches!((shape(g), shape(k)), (Some(Some(g)), Some(Some(k))) if g == k)
    }

    /// Step 11: a rotating buffer that is loaded and one that is stored would wait for each other.
    fn stalls(&mut self, g: BufferNo, k: BufferNo) -> bool {
        if !self.rotates(g) || !self.rotates(k) {
            return false;
        }
        let stalls = Reach::new(self, "hivm.hir.store").finds(self.value(g))
            && Reach::new(self, "hivm.hir.load").finds(self.value(k));
        if stalls {
            self.found.stall.insert((g.min(k), g.max(k)));
        }
        stalls
    }

    /// More than one slot, its own or of a buffer that it is paired with (D.9: one step).
    fn rotates(&self, buffer: BufferNo) -> bool {
        let many = |b: BufferNo| self.walk.mark[b as usize].slots() > 1;
        many(buffer)
            || self.found.pairs.iter().any(|&(first, second)| {
                (first == buffer && many(second)) || (second == buffer && many(first))
            })
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
