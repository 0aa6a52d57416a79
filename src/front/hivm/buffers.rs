//! Buffers: what allocs ask for, and what planned text has already placed.

use super::lower::Lower;
use super::machine::workspace;
use crate::diag::{Code, Diagnostic};
use crate::front::spec::MAX_SLOTS;
use crate::ir::hivm::PlanMode;
use crate::ir::mlir::{self, MemRef, OpId, Scalar};
use crate::model::{Buffer, BufferId, Bytes, ElementShape, LifetimeClass, ScopeId, ValueKind};

/// What a memref type says of a buffer's size.
struct Sized {
    bytes: u64,
    shape: ElementShape,
}

impl Lower<'_> {
    /// Makes the buffer of an alloc; none when it is not one that this run plans.
    pub(super) fn new_buffer(&mut self, op: OpId, result: mlir::ValueId) -> Option<BufferId> {
        let ir = &self.ir.ops[op];
        let memref = self.ir.ty(result).memref()?.clone();
        let placed = match ir.name.as_str() {
            "hivm.hir.pointer_cast" => self.addresses(op, 0),
            "memref_ext.alloc_workspace" => self.addresses(op, 2),
            _ => None,
        };
        let scope = self.scope_of(op, &memref)?;
        let sized = match sized(&memref) {
            Ok(sized) => sized,
            Err(why) => {
                self.unsized_alloc(op, result, &why);
                return None;
            }
        };
        let alignment = self.problem.scopes[scope].alignment;
        let round_up = self.problem.scopes[scope].round_up;
        let rounds = sized.bytes.checked_next_multiple_of(alignment).is_some();
        if round_up && !rounds {
            self.unsized_alloc(op, result, "its size does not fit 64 bits");
            return None;
        }
        let mark = self.marks.get(&op).cloned().unwrap_or_default();
        let pin = placed;
        let slots = match &pin {
            Some(pin) => u32::try_from(pin.len()).unwrap_or(u32::MAX).max(1),
            None => mark.slots.unwrap_or(1),
        };
        if u64::from(slots) > MAX_SLOTS {
            let message = format!("{slots} slots are more than {MAX_SLOTS}");
            let d = Diagnostic::error(Code::HivmNoSize, message).at(self.ir.ops[op].loc, "");
            self.errors.push(d.help("give a smaller `hivm.multi_buffer`"));
        }
        let slots = slots.min(u32::try_from(MAX_SLOTS).unwrap_or(u32::MAX));
        let name = self.ir.values[result].name.clone();
        let loc = Some(self.ir.values[result].loc);
        let id = BufferId(u32::try_from(self.out.buffers.len()).unwrap_or(u32::MAX));
        let value = self.named(result, ValueKind::Buffer(id));
        self.out.buffers.push(Buffer {
            name,
            loc,
            scope,
            size: Bytes(sized.bytes),
            shape: Some(sized.shape),
            alignment,
            slots,
            spare_slots: true,
            rotates_in: self.loops.last().copied().filter(|_| slots > 1),
            pin,
            unique: mark.unique || self.separate_workspace(),
            owner: None,
            class: LifetimeClass::Local,
            temporary: false,
            preload: mark.preload,
            coupling: mark.coupled,
            live: None,
            lives_in: None,
            pipes: Vec::new(),
            value,
        });
        self.buffers.insert(op, id);
        self.makers.push(op);
        Some(id)
    }

    /// Without `enable-global-workspace-reuse` every workspace has bytes of its own (section 5).
    fn separate_workspace(&self) -> bool {
        self.options.mode == PlanMode::Workspace && !self.options.workspace_reuse
    }

    /// The scope of an alloc; reports one that nobody plans.
    fn scope_of(&mut self, op: OpId, memref: &MemRef) -> Option<ScopeId> {
        let ir = &self.ir.ops[op];
        if self.options.mode == PlanMode::Workspace {
            let from = ir
                .operands
                .iter()
                .find(|o| matches!(self.ir.values[o.value].def, mlir::Def::Argument(..)));
            let name = from.map_or("workspace", |o| self.ir.values[o.value].name.as_str());
            return Some(workspace(self.problem, name, self.options));
        }
        let space = memref.space.as_deref();
        let found = space.and_then(|s| self.machine.scope_of_space(s));
        // An alloca, or a cast of an address in memory that is not on the chip, is not ours.
        if found.is_none() && ir.name == "memref.alloc" {
            let what = space.map_or("no memory space".to_owned(), |s| format!("the space `{s}`"));
            let name = ir.results.first().map_or("", |v| &self.ir.values[*v].name);
            let d = Diagnostic::error(
                Code::HivmUnplannedSpace,
                format!("`%{name}` is allocated in {what}, which is not planned"),
            );
            let d = d
                .at(ir.loc, "")
                .help("on-chip spaces are ub, cbuf (L1), cc (L0C), ca, cb (L0A, L0B)");
            self.errors.push(d);
        }
        found
    }

    /// The constant addresses among the operands: those of the group `n`. None where there are none,
    /// or one is not constant.
    fn addresses(&self, op: OpId, group: usize) -> Option<Vec<u64>> {
        let ir = &self.ir.ops[op];
        let segments = ir.attrs.get("segments").and_then(|a| a.ints())?;
        let size = |n: &i64| usize::try_from(*n).unwrap_or(0);
        let before: usize = segments.iter().take(group).map(size).sum();
        let count = segments.get(group).map_or(0, size);
        let addresses = ir.operands.iter().skip(before).take(count);
        let addresses: Option<Vec<u64>> =
            addresses.map(|o| self.constant(o.value).and_then(|a| u64::try_from(a).ok())).collect();
        addresses.filter(|a| !a.is_empty())
    }

    fn unsized_alloc(&mut self, op: OpId, result: mlir::ValueId, why: &str) {
        let name = &self.ir.values[result].name;
        let message = format!("`%{name}` has no size that can be planned: {why}");
        let d = Diagnostic::error(Code::HivmNoSize, message).at(self.ir.ops[op].loc, "");
        self.errors.push(d.help("allocate the largest size it may have, and take a subview"));
    }
}

/// Bytes of a buffer: elements times bits, rounded up (HIVM spec 1.6).
fn sized(memref: &MemRef) -> Result<Sized, String> {
    let Some(bits) = memref.element.bits() else {
        let name = match &memref.element {
            Scalar::Index => "index",
            Scalar::Other(name) => name,
            Scalar::Int(_) | Scalar::Float(_) => "?",
        };
        return Err(format!("the width of `{name}` is not known"));
    };
    let Some(dims) = &memref.dims else { return Err("it has no rank".to_owned()) };
    let dims: Option<Vec<u64>> = dims.iter().copied().collect();
    let Some(dims) = dims else { return Err("it has a dynamic dimension".to_owned()) };
    let count = dims.iter().try_fold(1u64, |all, n| all.checked_mul(*n));
    let total = count.and_then(|n| n.checked_mul(u64::from(bits)));
    let Some(total) = total else { return Err("it does not fit 64 bits".to_owned()) };
    let dtype = match &memref.element {
        Scalar::Int(bits) => format!("i{bits}"),
        Scalar::Float(bits) => format!("f{bits}"),
        Scalar::Index | Scalar::Other(_) => String::new(),
    };
    let shape = ElementShape { dims, strides: None, dtype, bits: u64::from(bits) };
    Ok(Sized { bytes: total.div_ceil(8), shape })
}

/// A multi-buffer that is made outside all loops turns in the innermost loop around all its uses.
pub(super) fn rotate(function: &mut crate::model::Function) {
    let turning: Vec<BufferId> = function
        .buffers
        .enumerate()
        .filter(|(_, b)| b.slots > 1 && b.rotates_in.is_none())
        .map(|(id, _)| id)
        .collect();
    if turning.is_empty() {
        return;
    }
    let order = crate::model::Order::of(function);
    for id in turning {
        let touch = |op: &crate::model::Op| {
            op.accesses.iter().any(|a| function.roots(a.value).contains(&id))
        };
        let ops = function.ops.enumerate().filter(|(_, op)| touch(op)).map(|(id, _)| id);
        let common = order.common_loops(ops.collect::<Vec<_>>());
        function.buffers[id].rotates_in = common.last().copied();
    }
}
