//! Which results may take the bytes of which operands (HIVM spec 3.2, 3.3), as far as it is sound: both
//! must lie element on element, and no other operand may read the same buffer from elsewhere.

use super::bound::window;
use super::lower::Lower;
use crate::ir::hivm::{destination_operands, op_allows, reusable_arguments};
use crate::ir::mlir::{self, Attr, MemRef, OpId, Role, Scalar};
use crate::model::{BufferId, InplaceRule, Relation, RelationKind};

/// Operand and result.
type Pair = (BufferId, BufferId);

impl Lower<'_> {
    /// Notes the pairs that a destination-style op allows.
    pub(super) fn inplace_op(&mut self, op: OpId) {
        let ir = &self.ir.ops[op];
        let root = |value: mlir::ValueId| self.maker(value).unwrap_or(value);
        let mut pairs: Vec<Pair> = Vec::new();
        for init in destination_operands(ir) {
            let (Some(into), Some(out)) = (self.exact(init), self.ir.ty(init).memref()) else {
                continue;
            };
            for operand in ir.operands.iter().filter(|o| o.role == Role::In) {
                let value = operand.value;
                let (Some(from), Some(input)) = (self.exact(value), self.ir.ty(value).memref())
                else {
                    continue;
                };
                let clean = ir.operands.iter().all(|o| {
                    o.value == value || o.value == init || {
                        let other = self.exact(o.value).map(|(buffer, _)| buffer);
                        self.get(o.value).is_none()
                            || other.is_some_and(|b| b != from.0 && b != into.0)
                    }
                });
                if from.0 != into.0
                    && from.1 == into.1
                    && clean
                    && element_on_element(input, out)
                    && op_allows(self.ir, op, self.options, &root, (root(init), root(value)))
                {
                    pairs.push((from.0, into.0));
                }
            }
        }
        self.inplace(pairs);
    }

    /// `Any` for an op that allows every one of its results on every one of its operands, also those
    /// that are reached through what a loop carries.
    pub(super) fn inplace_rule(&self, op: OpId) -> InplaceRule {
        let ir = &self.ir.ops[op];
        let root = |value: mlir::ValueId| self.maker(value).unwrap_or(value);
        let inits = destination_operands(ir);
        let all = inits.iter().all(|&init| {
            let Some(out) = self.ir.ty(init).memref() else { return false };
            let inputs = ir.operands.iter().filter(|o| o.role == Role::In);
            let mut inputs = inputs.filter_map(|o| Some((o.value, self.ir.ty(o.value).memref()?)));
            inputs.all(|(value, input)| {
                element_on_element(input, out)
                    && op_allows(self.ir, op, self.options, &root, (root(init), root(value)))
            })
        });
        if all && !inits.is_empty() { InplaceRule::Any } else { InplaceRule::Never }
    }

    /// Notes the pairs that a call of a vector function allows.
    pub(super) fn inplace_call(&mut self, op: OpId) {
        let ir = &self.ir.ops[op];
        if !ir.attrs.has("hivm.vector_function") {
            return;
        }
        let name = ir.attrs.get("callee").and_then(Attr::word);
        let callee = self
            .chunk
            .functions
            .iter()
            .find(|f| Some(f.name.as_str()) == name && f.attrs.has("hivm.vector_function"));
        let Some(callee) = callee else { return };
        let exact: Vec<_> = ir.operands.iter().map(|o| self.exact(o.value)).collect();
        let mut known: Vec<BufferId> = exact.iter().flatten().map(|(buffer, _)| *buffer).collect();
        let all = known.len();
        known.sort_unstable();
        known.dedup();
        let tracked = ir.operands.iter().filter(|o| self.get(o.value).is_some()).count();
        if known.len() < all || tracked > all {
            return;
        }
        let mut pairs = Vec::new();
        for (w, r) in reusable_arguments(callee) {
            let at = |n: usize| exact.get(n).copied().flatten();
            if let (Some(into), Some(from)) = (at(w), at(r))
                && from.1 == into.1
            {
                pairs.push((from.0, into.0));
            }
        }
        self.inplace(pairs);
    }

    /// Notes pairs; the place is left out, for nobody asked for them by name.
    fn inplace(&mut self, pairs: Vec<Pair>) {
        for (first, second) in pairs {
            if self.known_pairs.insert((first, second)) {
                let kind = RelationKind::Inplace;
                self.out.relations.push(Relation { kind, first, second, why: None, loc: None });
            }
        }
    }

    /// The one buffer that a value is in, and its first byte there.
    fn exact(&self, value: mlir::ValueId) -> Option<(BufferId, u64)> {
        let bound = self.get(value).filter(|b| !b.maybe)?;
        let (buffer, range) = self.out.exact(bound.value)?;
        Some((buffer, range.start))
    }

    /// The value of the alloc behind a view.
    fn maker(&self, value: mlir::ValueId) -> Option<mlir::ValueId> {
        let op = super::marks::trace(self.ir, value)?;
        self.ir.ops[op].results.first().copied()
    }
}

/// True when element `i` of the result lies inside the bytes of element `i` of the operand, or before
/// them, if both start at one byte: the same layout and width, or a narrower result without gaps.
fn element_on_element(input: &MemRef, output: &MemRef) -> bool {
    let bits = |m: &MemRef| m.element.bits().filter(|_| !matches!(m.element, Scalar::Other(_)));
    let (Some(from), Some(to)) = (bits(input), bits(output)) else { return false };
    if input.dims == output.dims && input.layout == output.layout && from == to {
        return true;
    }
    // Same strides under different offsets: the offsets have been compared as bytes.
    if input.dims == output.dims && from == to && strides(input) == strides(output) {
        return strides(input).is_some();
    }
    let dense = |m: &MemRef| window(m).is_some_and(|w| w.dense);
    let ty = |m: &MemRef| m.dims.clone();
    to <= from && dense(input) && dense(output) && ty(input) == ty(output)
}

fn strides(memref: &MemRef) -> Option<&[Option<i64>]> {
    match &memref.layout {
        mlir::Layout::Strided { strides, .. } => Some(strides),
        mlir::Layout::Identity | mlir::Layout::Other(_) => None,
    }
}
