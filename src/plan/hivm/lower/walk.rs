//! The walk over a function that finds the lives of its buffers (HIVM spec, sections 2.2 to 2.7
//! and D.6).

use super::alias::Aliases;
use super::buffers::Extent;
use super::liveness::Sweep;
use super::marks::Mark;
use super::nest::{Nest, arguments, inits, terminator, yielded};
use super::time::{Entry, is_terminator, omits_terminator};
use super::{Facts, Fatal};
use crate::ir::hivm::{
    PassKind, PlanMode, Space, destination_operands, extra_buffers, is_alias_op,
    is_destination_style, is_local,
};
use crate::ir::mlir::{BlockId, OpId, Operand, Type, ValueId};
use crate::model::IdVec;
use crate::plan::hivm::{BufferNo, Mt19937};

/// What the pass thinks of a value (2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Untracked,
    Alias,
    Defined,
    Gened,
    Killed,
}

/// The state of the walk; afterwards, its outcome.
pub(super) struct Walk<'a> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) entries: Vec<Entry>,
    pub(super) state: IdVec<ValueId, State>,
    pub(super) aliases: Aliases,
    /// Values that op in-place leaves alone.
    pub(super) excluded: IdVec<ValueId, bool>,
    /// By buffer number; what an alloc not yet visited has is of no use.
    pub(super) extents: Vec<Extent>,
    /// First and last entry of each buffer.
    pub(super) starts: Vec<Option<usize>>,
    pub(super) ends: Vec<Option<usize>>,
    pub(super) mark: Vec<Mark>,
    /// Buffers of each loop that live for the whole of it.
    pub(super) preload: Vec<(OpId, Vec<BufferNo>)>,
    /// Marks with a coupling id: buffer, id.
    pub(super) coupled: Vec<(BufferNo, i64)>,
    pub(super) random: Mt19937,
    /// True once a shuffled list of live values began or ended two buffers at one entry. Which
    /// buffers it begins and ends does not depend on its order, so without that no seed matters.
    pub(super) shuffled: bool,
    pub(super) scratch: Vec<ValueId>,
}

impl<'a> Walk<'a> {
    pub(super) fn run(facts: &'a Facts<'a>, seed: u32) -> Result<Self, Fatal> {
        let values = facts.function.values.len();
        let buffers = facts.buffers.len();
        let mut walk = Self {
            facts,
            entries: Vec::with_capacity(facts.function.ops.len()),
            state: IdVec::filled(State::Untracked, values),
            aliases: Aliases::new(values, facts.options.pass),
            excluded: IdVec::filled(false, values),
            extents: vec![Extent::default(); buffers],
            starts: vec![None; buffers],
            ends: vec![None; buffers],
            mark: vec![Mark::default(); buffers],
            preload: Vec::new(),
            coupled: Vec::new(),
            random: Mt19937::new(seed),
            shuffled: false,
            scratch: Vec::new(),
        };
        if let Some(body) = facts.function.body {
            for &block in &facts.function.regions[body].blocks {
                walk.block(block)?;
            }
        }
        walk.live_through_loops()?;
        Ok(walk)
    }

    fn nest(&self) -> &'a Nest {
        &self.facts.nest
    }

    /// A new entry; returns its time.
    fn enter(&mut self, op: OpId) -> usize {
        self.entries.push(Entry::new(op, false));
        self.entries.len() - 1
    }

    /// The entry of an op that the text omits at the end of a region of `op`.
    fn enter_omitted(&mut self, op: OpId) {
        self.entries.push(Entry::new(op, true));
    }

    fn region(&mut self, op: OpId, n: usize) -> Result<(), Fatal> {
        let function = self.facts.function;
        let Some(&region) = function.ops[op].regions.get(n) else { return Ok(()) };
        let blocks = &function.regions[region].blocks;
        for &block in blocks {
            self.block(block)?;
        }
        let last = blocks.last().and_then(|&b| function.blocks[b].ops.last());
        let ended = last.is_some_and(|&last| is_terminator(&function.ops[last].name));
        if !ended && omits_terminator(&function.ops[op].name) {
            self.enter_omitted(op);
        }
        Ok(())
    }

    fn block(&mut self, block: BlockId) -> Result<(), Fatal> {
        let facts = self.facts;
        let mut sweep = Sweep::new(facts.function, self.nest(), &facts.liveness, block);
        for &op in &facts.function.blocks[block].ops {
            sweep.advance(facts.function, self.nest(), &facts.liveness, op);
            match facts.function.ops[op].name.as_str() {
                "scf.for" => self.visit_for(op, &sweep)?,
                "scf.while" => self.visit_while(op, &sweep)?,
                "scf.if" => self.visit_if(op, &sweep)?,
                "scope.scope" => self.visit_scope(op, &sweep)?,
                _ => self.visit_plain(op, &sweep)?,
            }
        }
        Ok(())
    }

    fn visit_for(&mut self, op: OpId, sweep: &Sweep) -> Result<(), Fatal> {
        let begin = self.enter(op);
        self.gen_live(op, begin, sweep)?;
        let function = self.facts.function;
        let carried = arguments(function, op, 0).get(1..).unwrap_or_default();
        self.link_all(carried.iter().copied(), values(inits(function, op)));
        let results = &function.ops[op].results;
        if !results.is_empty() {
            let next = yielded(function, op, 0);
            self.link_all(values(next), carried.iter().copied());
            self.link_all(results.iter().copied(), values(next));
        }
        self.region(op, 0)?;
        let end = self.enter(op);
        self.kill_check(op, end, sweep);
        Ok(())
    }

    fn visit_while(&mut self, op: OpId, sweep: &Sweep) -> Result<(), Fatal> {
        let begin = self.enter(op);
        self.gen_live(op, begin, sweep)?;
        let function = self.facts.function;
        let results = &function.ops[op].results;
        let before = arguments(function, op, 0);
        if !results.is_empty() {
            self.link_all(before.iter().copied(), values(inits(function, op)));
        }
        self.region(op, 0)?;
        self.region(op, 1)?;
        if !results.is_empty() {
            let next = yielded(function, op, 1);
            self.link_all(values(next), before.iter().copied());
            let after = arguments(function, op, 1);
            self.link_all(results.iter().copied(), after.iter().copied());
        }
        let end = self.enter(op);
        self.kill_check(op, end, sweep);
        Ok(())
    }

    fn visit_if(&mut self, op: OpId, sweep: &Sweep) -> Result<(), Fatal> {
        let function = self.facts.function;
        let body = &function.ops[op];
        self.enter(op);
        self.region(op, 0)?;
        let mut last = self.enter(op);
        let then = yielded(function, op, 0);
        self.link_all(body.results.iter().copied(), values(then));
        if body.regions.get(1).is_some_and(|&r| !function.regions[r].blocks.is_empty()) {
            self.region(op, 1)?;
            last = self.enter(op);
            let otherwise = yielded(function, op, 1);
            self.link_all(body.results.iter().copied(), values(otherwise));
        }
        self.kill_check(op, last, sweep);
        Ok(())
    }

    fn visit_scope(&mut self, op: OpId, sweep: &Sweep) -> Result<(), Fatal> {
        let function = self.facts.function;
        let body = &function.ops[op];
        self.enter(op);
        self.region(op, 0)?;
        if let Some(&region) = body.regions.first() {
            let returned = terminator(function, region, "scope.return");
            self.link_all(body.results.iter().copied(), values(returned));
        }
        let end = self.enter(op);
        self.kill_check(op, end, sweep);
        Ok(())
    }

    /// Every other op; what its regions hold follows it by plain pre-order.
    fn visit_plain(&mut self, op: OpId, sweep: &Sweep) -> Result<(), Fatal> {
        let at = self.enter(op);
        self.act(op, at, sweep)?;
        for n in 0..self.facts.function.ops[op].regions.len() {
            self.region(op, n)?;
        }
        // A named linalg op has a body that its custom form does not show.
        let body = &self.facts.function.ops[op];
        if body.name.starts_with("linalg.") && body.regions.is_empty() && is_destination_style(body)
        {
            self.enter_omitted(op);
        }
        Ok(())
    }

    /// The table of 2.4.
    fn act(&mut self, op: OpId, at: usize, sweep: &Sweep) -> Result<(), Fatal> {
        let facts = self.facts;
        let body = &facts.function.ops[op];
        let operand = |n: usize| body.operands.get(n).map(|o| o.value);
        let workspace = facts.options.mode == PlanMode::Workspace;
        match body.name.as_str() {
            name if is_alias_op(name) => {
                if let (Some(&result), Some(source)) = (body.results.first(), operand(0)) {
                    self.link(result, source, false);
                }
            }
            "memref.alloc" | "memref_ext.alloc_workspace" => self.register(op)?,
            "memref.load" | "hivm.hir.debug" => self.kill_check(op, at, sweep),
            "memref.store" => {
                if let Some(memref) = operand(1) {
                    self.generate(memref, op, at)?;
                }
                self.kill_check(op, at, sweep);
            }
            "arith.select" => {
                for source in [operand(1), operand(2)].into_iter().flatten() {
                    if let Some(&result) = body.results.first() {
                        self.link(result, source, true);
                    }
                    if facts.buffers.number(source).is_some() {
                        self.excluded[source] = true;
                    }
                }
                self.kill_check(op, at, sweep);
            }
            "annotation.mark" => self.visit_mark(op, at, sweep)?,
            "scf.condition" => {
                if let Some(parent) = facts.function.parent(op) {
                    let after = arguments(facts.function, parent, 1);
                    let passed = values(body.operands.get(1..).unwrap_or_default());
                    self.link_all(after.iter().copied(), passed);
                }
            }
            "cf.br" | "cf.cond_br" => {
                for successor in &body.successors {
                    let arguments = &facts.function.blocks[successor.block].args;
                    for (&argument, &value) in arguments.iter().zip(&successor.args) {
                        self.link(argument, value, true);
                    }
                }
            }
            "func.call" | "gpu.launch_func" => {
                for value in values(&body.operands) {
                    self.generate(value, op, at)?;
                }
                self.kill_check(op, at, sweep);
            }
            "func.return" | "scf.yield" | "scope.return" | "memref.dim" | "hivm.hir.dcci" => {}
            _ if is_destination_style(body) => self.write(op, at, sweep)?,
            _ if workspace => {}
            _ => self.unknown(op)?,
        }
        Ok(())
    }

    /// A destination-style op: results of tensors name their inits, inits and temporaries are
    /// written.
    fn write(&mut self, op: OpId, at: usize, sweep: &Sweep) -> Result<(), Fatal> {
        let function = self.facts.function;
        let body = &function.ops[op];
        let inits = destination_operands(body);
        let tensor = |v: &ValueId| matches!(function.ty(*v), Type::Tensor(_));
        let tensors = inits.iter().copied().filter(tensor);
        for (&result, init) in body.results.iter().filter(|v| tensor(v)).zip(tensors) {
            if !self.aliases.of(init).is_empty() {
                self.link(result, init, false);
            }
        }
        for init in inits {
            self.generate(init, op, at)?;
        }
        for extra in extra_buffers(body) {
            self.generate(extra, op, at)?;
            self.excluded[extra] = true;
        }
        self.kill_check(op, at, sweep);
        Ok(())
    }

    /// An op that the pass does not know must not touch local memory.
    fn unknown(&self, op: OpId) -> Result<(), Fatal> {
        let function = self.facts.function;
        let body = &function.ops[op];
        let passed = body.successors.iter().flat_map(|s| s.args.iter().copied());
        let touched = values(&body.operands).chain(passed).chain(body.results.iter().copied());
        let accepted =
            self.facts.options.pass == PassKind::Regbase && body.name == "hivm.hir.pointer_cast";
        for value in touched {
            let ty = function.ty(value);
            let local = is_local(ty).map_err(|message| Fatal::new(message, op))?;
            if local && !(accepted && Space::of_type(ty) == Some(Space::Ssbuf)) {
                let error =
                    "PlanMemory Fail : Unrecognized type of Operation touches local buffer!";
                return Err(Fatal::traversal(error, op));
            }
        }
        Ok(())
    }

    fn register(&mut self, op: OpId) -> Result<(), Fatal> {
        let facts = self.facts;
        let Some(&value) = facts.function.ops[op].results.first() else { return Ok(()) };
        if let Some(buffer) = facts.buffers.number(value) {
            self.extents[buffer as usize] =
                super::buffers::extent(facts.function, &facts.buffers, facts.options.mode, op)?;
            self.state[value] = State::Defined;
        } else if facts.options.mode == PlanMode::Local {
            // `alloc_workspace` is not planned in this mode and must not be local.
            self.unknown(op)?;
        }
        Ok(())
    }

    fn link_all(&mut self, new: impl Iterator<Item = ValueId>, old: impl Iterator<Item = ValueId>) {
        for (new, old) in new.zip(old) {
            self.link(new, old, false);
        }
    }

    fn link(&mut self, new: ValueId, old: ValueId, conditional: bool) {
        self.aliases.link(new, old, conditional);
        if self.facts.buffers.number(new).is_none() {
            self.state[new] = State::Alias;
        }
    }
}

fn values(operands: &[Operand]) -> impl Iterator<Item = ValueId> + '_ {
    operands.iter().map(|o| o.value)
}
