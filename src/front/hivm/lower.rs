//! One function as a program of the model: what is executed, on which buffers.
//!
//! A memref is a reference, as in MLIR: what loops carry and branches leave behind moves no bytes.
//! A `memref.alloc` is a new buffer each time it is executed; that its bytes may still be needed is
//! known only from what refers to it.

use std::collections::{BTreeMap, BTreeSet};

use super::bound::{Bound, place};
use super::calls::Calls;
use super::exclusive::Either;
use super::machine::Machine;
use super::marks::Mark;
use crate::diag::{Code, Diagnostic};
use crate::ir::hivm::{PassOptions, PlanMode};
use crate::ir::mlir::{self, Chunk, OpId, RegionId, Type};
use crate::model::{
    Access, AccessMode, BufferId, Function, InplaceRule, LoopId, Node, Op, PipeId, Problem, Region,
    Value, ValueId, ValueKind,
};

/// Regions inside regions, at most: the reader of the text has a limit of its own.
pub(super) const MAX_DEPTH: usize = 64;

/// What is known while a function is lowered.
pub(super) struct Lower<'a> {
    pub(super) chunk: &'a Chunk,
    pub(super) problem: &'a mut Problem,
    pub(super) ir: &'a mlir::Function,
    pub(super) options: &'a PassOptions,
    pub(super) machine: &'a Machine,
    pub(super) calls: &'a Calls,
    pub(super) marks: &'a BTreeMap<OpId, Mark>,
    pub(super) out: Function,
    /// What each SSA value stands for now. Values of a `scf.while`'s first region are lowered twice.
    pub(super) bound: Vec<Option<Bound>>,
    /// The buffer of each alloc.
    pub(super) buffers: BTreeMap<OpId, BufferId>,
    pub(super) makers: Vec<OpId>,
    /// Allocs that were looked at, buffers or not: what is wrong with one is told once.
    pub(super) tried: BTreeSet<OpId>,
    /// In-place pairs that are noted.
    pub(super) known_pairs: BTreeSet<(BufferId, BufferId)>,
    /// Buffers of which a branch leaves one behind.
    pub(super) eithers: Vec<Either>,
    /// The loops in which each buffer is made.
    pub(super) made_in: BTreeMap<BufferId, Vec<LoopId>>,
    /// Loops around the current place.
    pub(super) loops: Vec<LoopId>,
    /// Regions around the current place.
    pub(super) depth: usize,
    pub(super) errors: Vec<Diagnostic>,
}

impl Lower<'_> {
    /// The statements of a region with one block, in order; what its terminator yields.
    pub(super) fn region(&mut self, id: RegionId) -> Region {
        self.depth += 1;
        let mut nodes = Vec::new();
        if self.depth > MAX_DEPTH {
            self.too_deep(id);
        } else {
            match self.ir.regions[id].blocks.as_slice() {
                [] => {}
                [one] => {
                    for op in self.ir.blocks[*one].ops.clone() {
                        self.statement(op, &mut nodes);
                    }
                }
                _ => self.blocks(id, &mut nodes),
            }
        }
        self.depth -= 1;
        Region { nodes }
    }

    fn too_deep(&mut self, id: RegionId) {
        if self.errors.iter().any(|e| e.code == Code::HivmNestingTooDeep) {
            return;
        }
        let message = format!("regions are nested more than {MAX_DEPTH} deep");
        let d = Diagnostic::error(Code::HivmNestingTooDeep, message);
        let around = self.ir.regions[id].op.map(|op| self.ir.ops[op].loc);
        self.errors.push(d.maybe_at(around, "here"));
    }

    /// What a value stands for, if its bytes are ours.
    pub(super) fn get(&self, value: mlir::ValueId) -> Option<Bound> {
        self.bound[value.0 as usize]
    }

    pub(super) fn set(&mut self, value: mlir::ValueId, bound: Option<Bound>) {
        self.bound[value.0 as usize] = bound;
    }

    /// A new value of the model under the name of an SSA value.
    pub(super) fn named(&mut self, value: mlir::ValueId, kind: ValueKind) -> ValueId {
        let from = &self.ir.values[value];
        self.out.values.push(Value { name: from.name.clone(), loc: Some(from.loc), kind })
    }

    /// `result` is a view of `source`: the same bytes, or some of them. `shift` is the start of a view
    /// that counts from a start of its own (`memref.view`), where that is known.
    pub(super) fn view(
        &mut self,
        result: mlir::ValueId,
        source: mlir::ValueId,
        shift: Option<Option<u64>>,
    ) {
        let Some(from) = self.get(source) else { return };
        let (old, ty) = (self.ir.ty(source).clone(), self.ir.ty(result).clone());
        if let Some(shift) = shift {
            let length = ty.memref().and_then(|m| place(m, Some(0)).1);
            let kind = ValueKind::View { base: from.value, delta: shift, length };
            let value = self.named(result, kind);
            let own = Bound::whole(value, &ty);
            let dense = own.dense && shift.is_some() && from.dense;
            self.set(result, Some(Bound { maybe: from.maybe, dense, ..own }));
            return;
        }
        let whole = (Some(0), None, from.dense, from.value);
        let (delta, length, dense, base) = match (&old, &ty) {
            _ if old == ty => whole,
            (_, Type::MemRef(memref)) => {
                let (delta, length, dense) = place(memref, from.origin_bits);
                match (delta, &old) {
                    (Some(delta), Type::MemRef(_)) => (Some(delta), length, dense, from.origin),
                    // A tensor becomes a memref again.
                    (_, Type::Tensor(_)) => whole,
                    _ => (None, None, false, from.value),
                }
            }
            // A tensor of the same bytes, or a slice of it.
            (Type::MemRef(_), _) => whole,
            (a, b) if elements(a).is_some() && elements(a) == elements(b) => whole,
            _ => (None, None, false, from.value),
        };
        let value = self.named(result, ValueKind::View { base, delta, length });
        self.set(result, Some(Bound { value, dense: dense && delta.is_some(), ..from }));
    }

    /// A value that stands for one of several; those that are not ours make it a `maybe`.
    pub(super) fn one_of(&mut self, result: mlir::ValueId, of: &[Option<Bound>]) {
        let ours: Vec<Bound> = of.iter().flatten().copied().collect();
        if ours.is_empty() {
            return;
        }
        let maybe = ours.len() < of.len() || ours.iter().any(|b| b.maybe);
        let kind = ValueKind::Select(ours.iter().map(|b| b.value).collect());
        let value = self.named(result, kind);
        let ty = self.ir.ty(result).clone();
        let dense = ours.iter().all(|b| b.dense);
        self.set(result, Some(Bound { maybe, dense, ..Bound::whole(value, &ty) }));
    }

    /// An access to a tracked value.
    pub(super) fn access(
        &self,
        value: mlir::ValueId,
        mode: AccessMode,
        partial: bool,
        pipe: Option<PipeId>,
    ) -> Option<Access> {
        let bound = self.get(value)?;
        let write = mode == AccessMode::Write;
        Some(Access {
            value: bound.value,
            range: None,
            mode,
            partial: write && (partial || bound.maybe || !bound.dense),
            pipe,
            loc: Some(self.ir.values[value].loc),
        })
    }

    /// Adds an op, unless it touches nothing of ours.
    pub(super) fn op(
        &mut self,
        from: OpId,
        pipe: Option<PipeId>,
        inplace: InplaceRule,
        mut accesses: Vec<Access>,
        nodes: &mut Vec<Node>,
    ) {
        if accesses.is_empty() {
            return;
        }
        accesses.sort_by_key(|a| match a.mode {
            AccessMode::Fresh => 0,
            AccessMode::Read => 1,
            AccessMode::Write => 2,
            AccessMode::Temporary => 3,
        });
        let ir = &self.ir.ops[from];
        let name = short(&ir.name).to_owned();
        let op = Op { name, loc: Some(ir.loc), pipe, inplace, accesses, sync: None, cost: None };
        nodes.push(Node::Op(self.out.ops.push(op)));
    }

    /// True for a type whose bytes this run plans: a memref in a planned memory, or, for
    /// workspaces, any memref or tensor.
    pub(super) fn is_planned(&self, ty: &Type) -> bool {
        match (self.options.mode, ty) {
            (PlanMode::Local, Type::MemRef(m)) => {
                m.space.as_deref().is_some_and(|s| self.machine.scope_of_space(s).is_some())
            }
            (PlanMode::Workspace, Type::MemRef(_) | Type::Tensor(_)) => true,
            _ => false,
        }
    }
}

/// The number of elements of a shaped type; none when a dimension is dynamic.
fn elements(ty: &Type) -> Option<u64> {
    let mut dims = ty.dims()?.iter();
    dims.try_fold(1u64, |all, n| all.checked_mul((*n)?))
}

/// The name of an op without its dialect.
pub(super) fn short(name: &str) -> &str {
    name.strip_prefix("hivm.hir.").unwrap_or(name)
}
