//! How ops lie inside each other, and who uses what, in textual order.

use crate::ir::hivm::is_loop_like;
use crate::ir::mlir::{BlockId, Function, OpId, Operand, RegionId, ValueId};
use crate::model::IdVec;

/// Facts of a function that every later step asks for.
pub(super) struct Nest {
    /// The last op inside an op, itself when it holds none.
    pub(super) last_inside: IdVec<OpId, OpId>,
    /// The position of an op in its block.
    pub(super) position: IdVec<OpId, u32>,
    /// The users of a value in textual order.
    pub(super) users: IdVec<ValueId, Vec<OpId>>,
    /// The last op of the block of the function's body that an op lies in.
    last_of_block: IdVec<OpId, OpId>,
}

impl Nest {
    pub(super) fn new(function: &Function) -> Self {
        let mut last_inside: IdVec<OpId, OpId> = function.ops.ids().collect::<Vec<_>>().into();
        // An op has a greater id than the op around it.
        for op in function.ops.ids().rev() {
            if let Some(parent) = function.parent(op) {
                last_inside[parent] = last_inside[parent].max(last_inside[op]);
            }
        }
        let mut position = IdVec::filled(0, function.ops.len());
        for block in function.blocks.iter() {
            for (at, &op) in (0..).zip(&block.ops) {
                position[op] = at;
            }
        }
        let users = function.values.iter().map(|value| {
            let mut users: Vec<OpId> = value.uses.iter().map(|u| u.op).collect();
            users.sort_unstable();
            users.dedup();
            users
        });
        let users = users.collect();
        let mut last_of_block = last_inside.clone();
        for op in function.ops.ids() {
            last_of_block[op] = match function.parent(op) {
                Some(parent) => last_of_block[parent],
                None => {
                    let last = function.blocks[function.ops[op].block].ops.last();
                    last.map_or(op, |&last| last_inside[last])
                }
            };
        }
        Self { last_inside, position, users, last_of_block }
    }

    /// True when `inner` is `outer` or lies in it; none stands for the function.
    pub(super) fn holds(&self, outer: Option<OpId>, inner: Option<OpId>) -> bool {
        match (outer, inner) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(outer), Some(inner)) => outer <= inner && inner <= self.last_inside[outer],
        }
    }

    /// True when no user of a value follows an op; ops inside the op do not follow it, and blocks
    /// of the function's body are not compared.
    ///
    /// This is `orderDeadAfter` of 2.6. It asks for users that follow in a block around the op, or
    /// that stand in a later region or block of an op around it: in textual order, the users
    /// behind the op. Some of them are what the use-based half of `ssaDeadAfter` asks for.
    pub(super) fn no_user_after(&self, value: ValueId, op: OpId) -> bool {
        let users = &self.users[value];
        let until = users.partition_point(|&u| u <= self.last_of_block[op]);
        users[..until].last().is_none_or(|&last| last <= self.last_inside[op])
    }

    /// The position in a block of the last op that uses a value or holds a user of it.
    pub(super) fn last_use_in(
        &self,
        function: &Function,
        value: ValueId,
        block: BlockId,
    ) -> Option<u32> {
        let ops = &function.blocks[block].ops;
        let (&first, &last) = ops.first().zip(ops.last())?;
        let users = &self.users[value];
        let until = users.partition_point(|&u| u <= self.last_inside[last]);
        let user = *users[..until].last().filter(|&&u| u >= first)?;
        Some(self.position[ancestor_in(function, user, block)?])
    }
}

/// The op of a block that is `op` or holds it.
pub(super) fn ancestor_in(function: &Function, op: OpId, block: BlockId) -> Option<OpId> {
    std::iter::successors(Some(op), |&o| function.parent(o))
        .find(|&o| function.ops[o].block == block)
}

/// The block of a region that holds an op.
pub(super) fn block_in_region(function: &Function, op: OpId, region: RegionId) -> Option<BlockId> {
    std::iter::successors(Some(op), |&o| function.parent(o))
        .map(|o| function.ops[o].block)
        .find(|&b| function.blocks[b].region == region)
}

/// The ops around an op, the nearest first.
pub(super) fn ancestors(function: &Function, op: OpId) -> impl Iterator<Item = OpId> + '_ {
    std::iter::successors(function.parent(op), |&o| function.parent(o))
}

/// The nearest loop-like op around an op.
pub(super) fn enclosing_loop(function: &Function, op: OpId) -> Option<OpId> {
    ancestors(function, op).find(|&o| is_loop_like(&function.ops[o].name))
}

/// What the last op of a region's last block passes on, when it is the terminator of that name.
pub(super) fn terminator<'a>(
    function: &'a Function,
    region: RegionId,
    name: &str,
) -> &'a [Operand] {
    let block = function.regions[region].blocks.last();
    let last = block.and_then(|&b| function.blocks[b].ops.last());
    match last.map(|&op| &function.ops[op]) {
        Some(op) if op.name == name => &op.operands,
        _ => &[],
    }
}

/// Values yielded by region `n` of an op.
pub(super) fn yielded(function: &Function, op: OpId, n: usize) -> &[Operand] {
    match function.ops[op].regions.get(n) {
        Some(&region) => terminator(function, region, "scf.yield"),
        None => &[],
    }
}

/// Arguments of the entry block of region `n` of an op.
pub(super) fn arguments(function: &Function, op: OpId, n: usize) -> &[ValueId] {
    let region = function.ops[op].regions.get(n);
    let block = region.and_then(|&r| function.regions[r].blocks.first());
    block.map_or(&[], |&b| &function.blocks[b].args)
}

/// Initial values of the `iter_args` of `scf.for`, or all operands of `scf.while`.
pub(super) fn inits(function: &Function, op: OpId) -> &[Operand] {
    let skip = if function.ops[op].name == "scf.for" { 3 } else { 0 };
    function.ops[op].operands.get(skip..).unwrap_or_default()
}
