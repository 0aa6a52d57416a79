//! Block liveness of SSA values as MLIR defines it, with ordered sets (HIVM spec, sections 2.6
//! and D.3).

use std::collections::BTreeSet;

use super::nest::{Nest, block_in_region};
use crate::ir::mlir::{BlockId, Def, Function, OpId, ValueId};
use crate::model::IdVec;

/// Live-in and live-out values of every block.
pub(super) struct Liveness {
    blocks: IdVec<BlockId, BlockSets>,
}

#[derive(Clone, Debug, Default)]
struct BlockSets {
    /// Values used inside, in the order of first use, operands of nested ops before those of the
    /// op around them; without what is defined inside.
    used: Vec<ValueId>,
    live_in: Vec<ValueId>,
    live_out: OrderedSet,
}

/// Values in the order of their arrival.
#[derive(Clone, Debug, Default)]
struct OrderedSet {
    items: Vec<ValueId>,
    members: BTreeSet<ValueId>,
}

impl OrderedSet {
    fn insert(&mut self, value: ValueId) {
        if self.members.insert(value) {
            self.items.push(value);
        }
    }
}

impl Liveness {
    pub(super) fn new(function: &Function, nest: &Nest) -> Self {
        let mut collector = Collector {
            function,
            seen: IdVec::filled(None, function.values.len()),
            defined: IdVec::filled(None, function.values.len()),
            uses: Vec::new(),
        };
        let blocks = function.blocks.ids().map(|b| collector.block(nest, b)).collect();
        let mut liveness = Self { blocks };
        liveness.settle(function, &collector.predecessors());
        liveness
    }

    /// True when a value is used behind a block of the same region.
    pub(super) fn is_live_out(&self, block: BlockId, value: ValueId) -> bool {
        self.blocks[block].live_out.members.contains(&value)
    }

    /// The usual fix point; in single-block regions the first round is the last.
    fn settle(&mut self, function: &Function, predecessors: &IdVec<BlockId, Vec<BlockId>>) {
        let mut pending: Vec<BlockId> = Vec::new();
        let enqueue = |pending: &mut Vec<BlockId>, block: BlockId| {
            for &before in &predecessors[block] {
                if !pending.contains(&before) {
                    pending.push(before);
                }
            }
        };
        for block in function.blocks.ids() {
            if self.update_live_in(function, block) {
                enqueue(&mut pending, block);
            }
        }
        while let Some(block) = pending.pop() {
            let last = function.blocks[block].ops.last();
            for successor in last.iter().flat_map(|&&op| &function.ops[op].successors) {
                for value in self.blocks[successor.block].live_in.clone() {
                    self.blocks[block].live_out.insert(value);
                }
            }
            if self.update_live_in(function, block) {
                enqueue(&mut pending, block);
            }
        }
    }

    /// Uses and live-out values that the block does not define.
    fn update_live_in(&mut self, function: &Function, block: BlockId) -> bool {
        let sets = &mut self.blocks[block];
        let mut live_in = sets.used.clone();
        if !sets.live_out.items.is_empty() {
            let used: BTreeSet<ValueId> = sets.used.iter().copied().collect();
            let more = sets.live_out.items.iter().copied();
            live_in.extend(
                more.filter(|&v| !used.contains(&v) && defining_block(function, v) != Some(block)),
            );
        }
        let grown = live_in.len() != sets.live_in.len();
        if grown {
            sets.live_in = live_in;
        }
        grown
    }
}

/// The block that a value is an argument of or whose op it is a result of.
fn defining_block(function: &Function, value: ValueId) -> Option<BlockId> {
    match function.values[value].def {
        Def::Argument(block, _) => Some(block),
        Def::Result(op, _) => Some(function.ops[op].block),
        Def::Nothing => None,
    }
}

struct Collector<'a> {
    function: &'a Function,
    /// The block for which a value was last seen used, and last seen defined.
    seen: IdVec<ValueId, Option<BlockId>>,
    defined: IdVec<ValueId, Option<BlockId>>,
    uses: Vec<ValueId>,
}

impl Collector<'_> {
    fn block(&mut self, nest: &Nest, block: BlockId) -> BlockSets {
        self.uses.clear();
        let body = &self.function.blocks[block];
        body.args.iter().for_each(|&arg| self.defined[arg] = Some(block));
        for &op in &body.ops {
            self.op(op, block);
        }
        let inside = |v: &ValueId| self.defined[*v] == Some(block);
        let used = self.uses.iter().copied().filter(|v| !inside(v)).collect();
        let mut live_out = OrderedSet::default();
        if self.function.regions[body.region].blocks.len() > 1 {
            let results = body.ops.iter().flat_map(|&op| &self.function.ops[op].results);
            for &value in body.args.iter().chain(results) {
                let elsewhere =
                    |&user: &OpId| block_in_region(self.function, user, body.region) != Some(block);
                if nest.users[value].iter().any(elsewhere) {
                    live_out.insert(value);
                }
            }
        }
        BlockSets { used, live_in: Vec::new(), live_out }
    }

    /// What the regions hold, then the op itself.
    fn op(&mut self, op: OpId, block: BlockId) {
        let function = self.function;
        let body = &function.ops[op];
        for &region in &body.regions {
            for &child in &function.regions[region].blocks {
                for &arg in &function.blocks[child].args {
                    self.defined[arg] = Some(block);
                }
                for &inner in &function.blocks[child].ops {
                    self.op(inner, block);
                }
            }
        }
        body.results.iter().for_each(|&r| self.defined[r] = Some(block));
        let passed = body.successors.iter().flat_map(|s| s.args.iter().copied());
        for value in body.operands.iter().map(|o| o.value).chain(passed) {
            if self.seen[value] != Some(block) {
                self.seen[value] = Some(block);
                self.uses.push(value);
            }
        }
    }

    /// MLIR iterates predecessors newest first.
    fn predecessors(&self) -> IdVec<BlockId, Vec<BlockId>> {
        let mut all = IdVec::filled(Vec::new(), self.function.blocks.len());
        for (block, body) in self.function.blocks.enumerate().rev() {
            let Some(&last) = body.ops.last() else { continue };
            for successor in self.function.ops[last].successors.iter().rev() {
                all[successor.block].push(block);
            }
        }
        all
    }
}

/// `liveAt` along a block: the live values at one op after the other, in order.
pub(super) struct Sweep {
    block: BlockId,
    /// Values with the position of the last op that they are live at.
    live: Vec<(ValueId, u32)>,
}

impl Sweep {
    /// Before the first op of a block.
    pub(super) fn new(
        function: &Function,
        nest: &Nest,
        liveness: &Liveness,
        block: BlockId,
    ) -> Self {
        let mut sweep = Self { block, live: Vec::new() };
        for &value in function.blocks[block].args.iter().chain(&liveness.blocks[block].live_in) {
            sweep.begin(function, nest, liveness, value, 0);
        }
        sweep
    }

    /// Goes on to the next op of the block.
    pub(super) fn advance(
        &mut self,
        function: &Function,
        nest: &Nest,
        liveness: &Liveness,
        op: OpId,
    ) {
        let at = nest.position[op];
        for &result in &function.ops[op].results {
            self.begin(function, nest, liveness, result, at);
        }
        self.live.retain(|&(_, end)| end >= at);
    }

    /// The values live at the op that was reached last.
    pub(super) fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.live.iter().map(|&(value, _)| value)
    }

    fn begin(
        &mut self,
        function: &Function,
        nest: &Nest,
        liveness: &Liveness,
        value: ValueId,
        start: u32,
    ) {
        let end = if liveness.is_live_out(self.block, value) {
            function.blocks[self.block].ops.last().map_or(start, |&op| nest.position[op])
        } else {
            nest.last_use_in(function, value, self.block).unwrap_or(start).max(start)
        };
        self.live.push((value, end));
    }
}
