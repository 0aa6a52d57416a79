//! What each statement does with the bytes of its operands.

use super::bound::Bound;
use super::lower::{Lower, short};
use super::views::is_view;
use crate::diag::{Code, Diagnostic};
use crate::ir::hivm::{
    HwPipe, PlanMode, destination_operands, is_destination_style, macro_pipes, pipe_of,
};
use crate::ir::mlir::{self, Attr, OpId, Role};
use crate::model::{Access, AccessMode, BufferId, InplaceRule, Node, PipeId, ValueKind};

/// Ops that write some of their destination, nobody knows which part.
fn scatters(name: &str) -> bool {
    matches!(
        short(name),
        "stride_store"
            | "indirect_store"
            | "scatter_store"
            | "scatterT"
            | "index_put"
            | "atomic_rmw"
            | "custom"
            | "custom_macro"
    )
}

impl Lower<'_> {
    /// Lowers one statement.
    pub(super) fn statement(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let name = ir.name.as_str();
        match name {
            "memref.alloc"
            | "memref.alloca"
            | "memref_ext.alloc_workspace"
            | "hivm.hir.pointer_cast" => self.alloc(op, nodes),
            _ if is_view(name) => self.view_op(op),
            "arith.select" => self.select(op),
            "scf.for" | "affine.for" => self.for_loop(op, nodes),
            "scf.while" => self.while_loop(op, nodes),
            "scf.if" => self.branch(op, nodes),
            "scope.scope" => self.scope(op, nodes),
            "annotation.mark" => self.mark(op, nodes),
            "memref.dim" | "hivm.hir.dcci" | "scf.yield" | "scope.return" | "scf.condition"
            | "cf.br" | "cf.cond_br" | "cf.switch" => {}
            "memref.load" | "vector.load" | "vector.transfer_read" => {
                self.plain(op, &[0], AccessMode::Read, nodes);
            }
            "memref.store" | "vector.store" | "vector.transfer_write" => {
                self.plain(op, &[1], AccessMode::Write, nodes);
            }
            "func.return" | "hivm.hir.debug" => {
                let all: Vec<usize> = (0..ir.operands.len()).collect();
                self.plain(op, &all, AccessMode::Read, nodes);
            }
            "memref.dealloc" => {}
            _ if mlir::synchronises(name) => self.synchronise(op, nodes),
            "memref.copy" => self.copy(op, nodes),
            "func.call" | "gpu.launch_func" => self.call(op, nodes),
            _ if is_destination_style(ir) => self.structured(op, nodes),
            _ if !ir.regions.is_empty() => self.any_regions(op, nodes),
            _ => self.unknown(op),
        }
    }

    /// A buffer; the bytes are made anew wherever the statement is executed.
    fn alloc(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let Some(&result) = ir.results.first() else { return };
        let Some(id) = self.maker(op, result) else { return };
        self.made_in.entry(id).or_default().extend(&self.loops);
        let value = self.out.buffers[id].value;
        let ty = self.ir.ty(result).clone();
        self.set(result, Some(Bound::whole(value, &ty)));
        let access = Access {
            value,
            range: None,
            mode: AccessMode::Fresh,
            partial: false,
            pipe: None,
            loc: Some(ir.loc),
        };
        self.op(op, None, InplaceRule::Never, vec![access], nodes);
    }

    /// The buffer that an op makes, if this run plans it.
    pub(super) fn maker(&mut self, op: OpId, result: mlir::ValueId) -> Option<BufferId> {
        let workspace = self.ir.ops[op].name == "memref_ext.alloc_workspace";
        if workspace != (self.options.mode == PlanMode::Workspace) {
            return None;
        }
        match self.buffers.get(&op) {
            Some(id) => Some(*id),
            None if self.tried.insert(op) => self.new_buffer(op, result),
            None => None,
        }
    }

    fn view_op(&mut self, op: OpId) {
        let ir = &self.ir.ops[op];
        let (Some(source), Some(&result)) = (ir.operands.first(), ir.results.first()) else {
            return;
        };
        let shift = match ir.name.as_str() {
            "memref.view" => {
                let shift = ir.operands.get(1).and_then(|o| self.constant(o.value));
                Some(shift.and_then(|n| u64::try_from(n).ok()))
            }
            _ => None,
        };
        self.view(result, source.value, shift);
    }

    fn select(&mut self, op: OpId) {
        let ir = &self.ir.ops[op];
        let (&[_, yes, no], Some(&result)) = (ir.operands.as_slice(), ir.results.first()) else {
            return;
        };
        let of = [self.get(yes.value), self.get(no.value)];
        self.one_of(result, &of);
    }

    /// The owner's side of a coupled buffer is written by the other core where it is marked.
    fn mark(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let Some(source) = ir.operands.first() else { return };
        let coupled = super::marks::coupled(ir.attrs.get("hivm.tightly_coupled_buffer"));
        let Some(maker) = super::marks::trace(self.ir, source.value) else { return };
        let owner = coupled.is_some() && !self.machine.is_consumer(self.ir, maker);
        if owner {
            let write = self.access(source.value, AccessMode::Write, true, None);
            self.op(op, None, InplaceRule::Never, write.into_iter().collect(), nodes);
        }
    }

    /// Scalar accesses: some element, nobody knows which.
    fn plain(&mut self, op: OpId, which: &[usize], mode: AccessMode, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let scalar = matches!(ir.name.as_str(), "memref.load" | "memref.store");
        let pipe = if scalar { self.machine.pipe(HwPipe::S) } else { None };
        let found = which.iter().filter_map(|n| ir.operands.get(*n));
        let accesses = found.filter_map(|o| self.access(o.value, mode, true, None)).collect();
        self.op(op, pipe, InplaceRule::Never, accesses, nodes);
    }

    fn copy(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let modes = [AccessMode::Read, AccessMode::Write];
        let both = ir.operands.iter().zip(modes);
        let accesses = both.filter_map(|(o, m)| self.access(o.value, m, false, None)).collect();
        self.op(op, None, InplaceRule::Never, accesses, nodes);
    }

    /// A call does to its arguments what its body does; without one it may read and write them.
    fn call(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let callee = ir.attrs.get("callee").and_then(Attr::word);
        let pipe =
            if ir.attrs.has("hivm.vector_function") { self.machine.pipe(HwPipe::V) } else { None };
        let mut accesses = Vec::new();
        for (n, operand) in ir.operands.iter().enumerate() {
            let effect = self.calls.effect(callee, n);
            if effect.writes {
                accesses.extend(self.access(operand.value, AccessMode::Write, true, None));
            }
            // What was not written yet cannot be read: the callee writes it first.
            if effect.reads && (!effect.writes || self.may_hold_data(operand.value)) {
                accesses.extend(self.access(operand.value, AccessMode::Read, false, None));
            }
        }
        self.inplace_call(op);
        let rule = self.inplace_call_rule(op);
        self.op(op, pipe, rule, accesses, nodes);
    }

    /// True unless nothing before this place, and nothing in a loop around it, writes to what the
    /// value stands for.
    fn may_hold_data(&self, value: mlir::ValueId) -> bool {
        let Some(bound) = self.get(value) else { return false };
        let mine = self.out.roots(bound.value);
        let wrote = |a: &Access| {
            a.mode == AccessMode::Write && self.out.roots(a.value).iter().any(|b| mine.contains(b))
        };
        // Inside a loop that carries it, an earlier trip may have written it.
        let carried =
            self.out.loops.iter().flat_map(|l| &l.carries).any(|c| c.value == bound.value);
        carried || self.out.ops.iter().flat_map(|op| &op.accesses).any(wrote)
    }

    /// A destination-style op: reads its operands, writes its inits, uses its temporaries.
    fn structured(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let inits = destination_operands(ir);
        let (reads, writes) = self.pipes(op);
        let partial = scatters(&ir.name) || ir.name.starts_with("linalg.");
        let keeps = partial || self.accumulates(op);
        let mut accesses = Vec::new();
        // `index_put` and `scatterT` name theirs first among the inputs. What stands among the inputs
        // and in `outs` is read as well as written.
        let listed = ir.operands.iter().any(|o| o.role == Role::Out);
        for (n, operand) in ir.operands.iter().enumerate() {
            let value = operand.value;
            let written =
                if listed { operand.role == Role::Out } else { n == 0 && !inits.is_empty() };
            accesses.extend(match operand.role {
                Role::Temp => self.access(value, AccessMode::Temporary, false, writes),
                _ if written => self.access(value, AccessMode::Write, keeps, writes),
                _ => self.access(value, AccessMode::Read, false, reads),
            });
        }
        let both = if reads == writes { reads } else { None };
        if both.is_some() {
            for access in &mut accesses {
                access.pipe = None;
            }
        }
        let results = ir.results.clone();
        self.inplace_op(op);
        let rule = self.inplace_rule(op);
        self.op(op, both, rule, accesses, nodes);
        // Results of tensor type are their inits under a new name.
        for (result, init) in results.into_iter().zip(inits) {
            if let Some(bound) = self.get(init) {
                let kind = ValueKind::View { base: bound.value, delta: Some(0), length: None };
                let value = self.named(result, kind);
                self.set(result, Some(Bound { value, ..bound }));
            }
        }
    }

    /// The pipes that read and that write.
    fn pipes(&self, op: OpId) -> (Option<PipeId>, Option<PipeId>) {
        let ir = &self.ir.ops[op];
        if let Some((reads, writes)) = macro_pipes(&ir.name) {
            return (self.machine.pipe(reads), self.machine.pipe(writes));
        }
        // What the pass refuses is unknown here: it ties nothing together.
        let pipe = pipe_of(self.ir, ir).ok().flatten().and_then(|p| self.machine.pipe(p));
        (pipe, pipe)
    }

    /// True for a matrix op that may add to what its destination holds: its `init_condition` is
    /// not the constant `true`.
    fn accumulates(&self, op: OpId) -> bool {
        let ir = &self.ir.ops[op];
        let cube = matches!(
            short(&ir.name),
            "mmadL1"
                | "batchMmadL1"
                | "mmadmxL1"
                | "Conv1dL1"
                | "Conv2dL1"
                | "Conv3dL1"
                | "matmul"
                | "mix_matmul"
                | "mix_group_matmul"
        );
        let is_flag =
            |v: mlir::ValueId| matches!(self.ir.ty(v), mlir::Type::Scalar(mlir::Scalar::Int(1)));
        let flag = ir.operands.iter().find(|o| o.role == Role::In && is_flag(o.value));
        cube && flag.is_none_or(|o| self.constant(o.value).is_none_or(|c| c == 0))
    }

    /// An op that nobody knows is fine unless it touches a buffer.
    fn unknown(&mut self, op: OpId) {
        let ir = &self.ir.ops[op];
        if self.options.mode == PlanMode::Workspace {
            return;
        }
        let touched = ir.operands.iter().find(|o| self.get(o.value).is_some());
        let made = ir.results.iter().find(|v| self.is_planned(self.ir.ty(**v)));
        let (value, what) = match (touched, made) {
            (Some(o), _) => (o.value, "touches"),
            (None, Some(v)) => (*v, "makes"),
            (None, None) => return,
        };
        let name = &self.ir.values[value].name;
        let message = format!("`{}` {what} the on-chip buffer `%{name}`", ir.name);
        let d =
            Diagnostic::error(Code::HivmUnknownOp, message).at(ir.loc, "what it does is not known");
        let maker = self.get(value).map(|_| self.ir.values[value].loc);
        let d = d.maybe_at(maker.filter(|_| what == "touches"), "the buffer");
        self.errors.push(d.help(
            "the planner knows hivm ops, linalg ops with `outs`, memref loads, stores and views, calls; \
             lower the op to one of them first",
        ));
    }
}
