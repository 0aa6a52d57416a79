//! Which results may take the bytes of which operands (HIVM spec 3.2, 3.3), as far as it is sound: both
//! must lie element on element, and no other operand may read the same buffer from elsewhere.

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
        let root = |value: mlir::ValueId| self.made_by(value).unwrap_or(value);
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
        let root = |value: mlir::ValueId| self.made_by(value).unwrap_or(value);
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

    /// `Any` for a call that allows each of its results on each of its other arguments.
    pub(super) fn inplace_call_rule(&self, op: OpId) -> InplaceRule {
        let Some(callee) = self.vector_function(op) else { return InplaceRule::Never };
        let ir = &self.ir.ops[op];
        let allowed = reusable_arguments(callee);
        let tracked: Vec<usize> =
            (0..ir.operands.len()).filter(|n| self.get(ir.operands[*n].value).is_some()).collect();
        let effect = |n: usize| self.calls.effect(Some(callee.name.as_str()), n);
        let written: Vec<usize> = tracked.iter().copied().filter(|n| effect(*n).writes).collect();
        let mut pairs = written.iter().flat_map(|&w| tracked.iter().map(move |&r| (w, r)));
        if pairs.all(|(w, r)| w == r || allowed.contains(&(w, r))) {
            InplaceRule::Any
        } else {
            InplaceRule::Never
        }
    }

    /// The vector function that a call runs.
    fn vector_function(&self, op: OpId) -> Option<&mlir::Function> {
        let ir = &self.ir.ops[op];
        if !ir.attrs.has("hivm.vector_function") {
            return None;
        }
        let name = ir.attrs.get("callee").and_then(Attr::word);
        let mut all = self.chunk.functions.iter();
        all.find(|f| Some(f.name.as_str()) == name && f.attrs.has("hivm.vector_function"))
    }

    /// Notes the pairs that a call of a vector function allows.
    pub(super) fn inplace_call(&mut self, op: OpId) {
        let ir = &self.ir.ops[op];
        let Some(callee) = self.vector_function(op) else { return };
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
    fn made_by(&self, value: mlir::ValueId) -> Option<mlir::ValueId> {
        let op = super::marks::trace(self.ir, value)?;
        self.ir.ops[op].results.first().copied()
    }
}

/// True when element `i` of the result lies inside the bytes of element `i` of the operand, or before
/// them, if both start at one byte, and no later element of the operand lies there: the same layout and
/// width, or a result that never gets ahead of the operand.
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
    to <= from && input.dims == output.dims && keeps_behind((input, from), (output, to))
}

/// True when the operand is laid out row by row, elements in the order of their bytes, and a step
/// along any dimension takes the result no further than the operand.
fn keeps_behind((input, from): (&MemRef, u32), (output, to): (&MemRef, u32)) -> bool {
    let (Some(read), Some(write)) = (steps(input), steps(output)) else { return false };
    let mut inside = 1u64;
    for (&(size, read), &(_, write)) in read.iter().zip(&write).rev().filter(|((n, _), _)| *n != 1)
    {
        let ahead = write.checked_mul(u64::from(to)) > read.checked_mul(u64::from(from));
        let Some(next) = read.checked_mul(size) else { return false };
        if read < inside || ahead {
            return false;
        }
        inside = next;
    }
    true
}

/// Size and stride of every dimension, in elements; none where one is not known.
fn steps(memref: &MemRef) -> Option<Vec<(u64, u64)>> {
    let sizes = memref.dims.as_ref()?.iter().copied().collect::<Option<Vec<u64>>>()?;
    let strides = match &memref.layout {
        mlir::Layout::Identity => {
            let mut strides = vec![1u64; sizes.len()];
            for at in (1..sizes.len()).rev() {
                strides[at - 1] = strides[at].checked_mul(sizes[at])?;
            }
            strides
        }
        mlir::Layout::Strided { strides, .. } if strides.len() == sizes.len() => {
            let known = strides.iter().map(|s| u64::try_from((*s)?).ok());
            known.collect::<Option<Vec<u64>>>()?
        }
        mlir::Layout::Strided { .. } | mlir::Layout::Other(_) => return None,
    };
    Some(sizes.into_iter().zip(strides).collect())
}

fn strides(memref: &MemRef) -> Option<&[Option<i64>]> {
    match &memref.layout {
        mlir::Layout::Strided { strides, .. } => Some(strides),
        mlir::Layout::Identity | mlir::Layout::Other(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::mlir::Layout;

    fn tile(bits: u32, dims: &[u64], strides: Option<&[i64]>) -> MemRef {
        let layout = strides.map_or(Layout::Identity, |strides| Layout::Strided {
            strides: strides.iter().map(|s| Some(*s)).collect(),
            offset: Some(0),
        });
        let dims = Some(dims.iter().map(|n| Some(*n)).collect());
        MemRef { dims, element: Scalar::Float(bits), layout, space: None }
    }

    #[test]
    fn a_result_may_keep_behind_its_operand_but_not_get_ahead_of_it() {
        let dense = |bits| tile(bits, &[4, 8], None);
        let (rows, columns) = (tile(32, &[4, 8], Some(&[16, 2])), tile(32, &[4, 8], Some(&[1, 4])));
        let allowed = [(dense(32), dense(32)), (dense(32), dense(16)), (rows.clone(), dense(32))];
        for (input, output) in allowed {
            assert!(element_on_element(&input, &output), "{input:?} {output:?}");
        }
        let refused = [
            (dense(16), dense(32)),
            (dense(32), rows),
            // The same bytes in another order.
            (columns.clone(), dense(32)),
            (dense(32), columns),
        ];
        for (input, output) in refused {
            assert!(!element_on_element(&input, &output), "{input:?} {output:?}");
        }
    }
}
