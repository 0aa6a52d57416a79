//! Functions of several blocks (`cf.br`, `cf.cond_br`) as branches.
//!
//! Where two ways part, the branch ends at the first block that both must reach (their immediate
//! post-dominator); a block that several ways reach before is lowered once for each. What cannot be
//! laid out so (a loop made of blocks, too many ways) is taken as a loop in which any block may run
//! at any time: sound, and coarse.

use std::collections::{BTreeMap, BTreeSet};

use super::bound::Bound;
use super::lower::Lower;
use crate::ir::mlir::{BlockId, OpId, RegionId, Successor};
use crate::model::{Loop, Node, Region, Trips, ValueKind};

/// Blocks lowered in one region, copies included, at most.
const MAX_COPIES: usize = 512;

/// The blocks of a region and how control goes through them.
struct Ways {
    /// Immediate post-dominator of each block; none where control leaves the region.
    joins: BTreeMap<BlockId, Option<BlockId>>,
}

impl Lower<'_> {
    /// A region of several blocks.
    pub(super) fn blocks(&mut self, region: RegionId, nodes: &mut Vec<Node>) {
        let blocks = self.ir.regions[region].blocks.clone();
        let Some(&entry) = blocks.first() else { return };
        match self.ways(&blocks) {
            Some(ways) => {
                self.way(&ways, entry, None, nodes);
            }
            None => self.any_order(&blocks, nodes),
        }
    }

    /// The successors of a block.
    fn successors(&self, block: BlockId) -> &[Successor] {
        let last = self.ir.blocks[block].ops.last();
        last.map_or(&[], |op| &self.ir.ops[*op].successors)
    }

    /// Post-dominators, if there is no cycle and the copies stay few.
    fn ways(&self, blocks: &[BlockId]) -> Option<Ways> {
        let order = self.topological(blocks)?;
        let place: BTreeMap<BlockId, usize> =
            order.iter().enumerate().map(|(at, b)| (*b, at)).collect();
        let mut joins: BTreeMap<BlockId, Option<BlockId>> = BTreeMap::new();
        // From the last block up: the nearest block that all successors must reach.
        for &block in order.iter().rev() {
            let mut join: Option<Option<BlockId>> = None;
            for next in self.successors(block) {
                join = Some(match join {
                    None => Some(next.block),
                    Some(known) => meet(&joins, &place, known, Some(next.block)),
                });
            }
            joins.insert(block, join.flatten());
        }
        let ways = Ways { joins };
        let mut left = MAX_COPIES;
        self.count(&ways, *order.first()?, None, &mut left)?;
        Some(ways)
    }

    /// Takes one from `left` for each block that [`Self::way`] would lower.
    fn count(
        &self,
        ways: &Ways,
        from: BlockId,
        stop: Option<BlockId>,
        left: &mut usize,
    ) -> Option<()> {
        let mut next = Some(from);
        while let Some(block) = next.filter(|b| Some(*b) != stop) {
            *left = left.checked_sub(1)?;
            let successors = self.successors(block);
            let join = ways.joins[&block];
            if successors.len() > 1 {
                for successor in successors {
                    self.count(ways, successor.block, join.or(stop), left)?;
                }
            }
            next = match successors {
                [one] => Some(one.block),
                _ => join,
            };
            // Past its join with nothing, control is at the end or at the outer stop.
            if join.is_none() && successors.len() > 1 {
                return Some(());
            }
        }
        Some(())
    }

    /// The blocks from their entry in an order that follows control; none with a cycle. Blocks
    /// that nothing reaches are left out.
    fn topological(&self, blocks: &[BlockId]) -> Option<Vec<BlockId>> {
        let entry = *blocks.first()?;
        let mut state: BTreeMap<BlockId, bool> = BTreeMap::new();
        let mut done = Vec::new();
        let mut open = vec![(entry, 0usize)];
        state.insert(entry, false);
        while let Some((block, at)) = open.last_mut() {
            let successors = self.successors(*block);
            match successors.get(*at) {
                Some(next) => {
                    *at += 1;
                    match state.get(&next.block) {
                        Some(false) => return None,
                        Some(true) => {}
                        None => {
                            state.insert(next.block, false);
                            open.push((next.block, 0));
                        }
                    }
                }
                None => {
                    state.insert(*block, true);
                    done.push(*block);
                    open.pop();
                }
            }
        }
        done.reverse();
        Some(done)
    }

    /// Lowers from a block up to `stop`, and returns what is passed to the arguments of `stop`;
    /// none where control leaves the region on the way.
    fn way(
        &mut self,
        ways: &Ways,
        from: BlockId,
        stop: Option<BlockId>,
        nodes: &mut Vec<Node>,
    ) -> Option<Vec<Option<Bound>>> {
        let mut block = from;
        loop {
            for op in self.ir.blocks[block].ops.clone() {
                self.statement(op, nodes);
            }
            let successors = self.successors(block).to_vec();
            let passed = match successors.as_slice() {
                [] => return None,
                [one] => (one.block, self.passed(one)),
                several => {
                    let join = ways.joins[&block];
                    let until = join.or(stop);
                    let op = self.ir.blocks[block].ops.last().copied()?;
                    let found = self.fork(ways, op, several, until, nodes);
                    match (join, found) {
                        (Some(join), Some(found)) => (join, found),
                        // Every way leaves, or has reached the outer stop.
                        (_, found) => return found,
                    }
                }
            };
            let (next, values) = passed;
            if Some(next) == stop {
                return Some(values);
            }
            for (arg, value) in self.ir.blocks[next].args.clone().into_iter().zip(values) {
                self.set(arg, value);
            }
            block = next;
        }
    }

    fn passed(&self, to: &Successor) -> Vec<Option<Bound>> {
        to.args.iter().map(|v| self.get(*v)).collect()
    }

    /// A branch with as many sides as there are ways.
    fn fork(
        &mut self,
        ways: &Ways,
        op: OpId,
        to: &[Successor],
        stop: Option<BlockId>,
        nodes: &mut Vec<Node>,
    ) -> Option<Vec<Option<Bound>>> {
        let (first, rest) = to.split_first()?;
        if rest.is_empty() {
            let values = self.passed(first);
            if Some(first.block) == stop {
                return Some(values);
            }
            for (arg, value) in self.ir.blocks[first.block].args.clone().into_iter().zip(values) {
                self.set(arg, value);
            }
            return self.way(ways, first.block, stop, nodes);
        }
        let before = self.bound.clone();
        let id = self.begin_branch(op);
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        let left = self.fork(ways, op, std::slice::from_ref(first), stop, &mut then);
        self.bound = before;
        let right = self.fork(ways, op, rest, stop, &mut otherwise);
        self.out.branches[id].then = Region { nodes: then };
        self.out.branches[id].otherwise = Region { nodes: otherwise };
        nodes.push(Node::Branch(id));
        let args = stop.map_or_else(Vec::new, |b| self.ir.blocks[b].args.clone());
        match (left, right) {
            (Some(left), Some(right)) => {
                let sides = [std::slice::from_ref(first), rest].map(|to| self.reached(to, stop));
                for (a, b) in left.iter().zip(&right) {
                    self.either_block(&sides, (*a, *b));
                }
                let pairs = args.iter().zip(left.into_iter().zip(right));
                let pairs: Vec<_> = pairs.map(|(arg, (a, b))| (*arg, a, b)).collect();
                let joined = pairs.into_iter().map(|(arg, a, b)| self.join(id, arg, a, b));
                Some(joined.collect())
            }
            (one, None) | (None, one) => one,
        }
    }

    /// The blocks on the ways from these successors to `stop`.
    fn reached(&self, to: &[Successor], stop: Option<BlockId>) -> BTreeSet<BlockId> {
        let mut seen = BTreeSet::new();
        let mut todo: Vec<BlockId> = to.iter().map(|s| s.block).collect();
        while let Some(block) = todo.pop() {
            if Some(block) != stop && seen.insert(block) {
                todo.extend(self.successors(block).iter().map(|s| s.block));
            }
        }
        seen
    }

    /// Any block at any time: nothing is known of the order.
    fn any_order(&mut self, blocks: &[BlockId], nodes: &mut Vec<Node>) {
        // Block arguments stand for anything that is passed to them.
        let mut passed: BTreeMap<crate::ir::mlir::ValueId, Vec<Option<Bound>>> = BTreeMap::new();
        let made = Loop {
            name: "blocks".to_owned(),
            loc: self.ir.blocks[blocks[0]].ops.first().map(|op| self.ir.ops[*op].loc),
            trips: Trips::AtLeast(1),
            carries: Vec::new(),
            body: Region::default(),
            parent: self.loops.last().copied(),
        };
        let id = self.out.loops.push(made);
        self.loops.push(id);
        for &block in &blocks[1..] {
            for arg in self.ir.blocks[block].args.clone() {
                if self.is_planned(self.ir.ty(arg)) {
                    let value = self.named(arg, ValueKind::Select(Vec::new()));
                    let ty = self.ir.ty(arg).clone();
                    let bound = Bound { maybe: true, dense: false, ..Bound::whole(value, &ty) };
                    self.set(arg, Some(bound));
                }
            }
        }
        let mut body = Vec::new();
        for &block in blocks {
            let mut inside = Vec::new();
            for op in self.ir.blocks[block].ops.clone() {
                self.statement(op, &mut inside);
            }
            for next in self.successors(block).to_vec() {
                let values = self.passed(&next);
                let args = self.ir.blocks[next.block].args.clone();
                for (arg, value) in args.into_iter().zip(values) {
                    passed.entry(arg).or_default().push(value);
                }
            }
            if let (false, Some(&op)) = (inside.is_empty(), self.ir.blocks[block].ops.last()) {
                let branch = self.begin_branch(op);
                self.out.branches[branch].then = Region { nodes: inside };
                body.push(Node::Branch(branch));
            }
        }
        for (arg, values) in passed {
            let Some(bound) = self.get(arg) else { continue };
            let mut of: Vec<_> = values.iter().flatten().map(|b| b.value).collect();
            of.sort_unstable();
            of.dedup();
            // An argument that is passed on to itself adds nothing.
            of.retain(|v| *v != bound.value);
            if matches!(self.out.values[bound.value].kind, ValueKind::Select(_)) {
                self.out.values[bound.value].kind = ValueKind::Select(of);
            }
        }
        self.loops.pop();
        self.out.loops[id].body = Region { nodes: body };
        nodes.push(Node::Loop(id));
    }
}

/// The nearest block that both must reach.
fn meet(
    joins: &BTreeMap<BlockId, Option<BlockId>>,
    place: &BTreeMap<BlockId, usize>,
    a: Option<BlockId>,
    b: Option<BlockId>,
) -> Option<BlockId> {
    let (mut a, mut b) = (a?, b?);
    while a != b {
        // The one that comes first moves on.
        if place[&a] < place[&b] {
            a = joins.get(&a).copied().flatten()?;
        } else {
            b = joins.get(&b).copied().flatten()?;
        }
    }
    Some(a)
}
