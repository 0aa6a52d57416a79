//! Buffers of which a branch leaves one behind: each is made on a side of its own, and a result is
//! either. In the order of the steps both are alive behind the branch; in no run they are.

use std::collections::BTreeSet;
use std::ops::Range;

use super::bound::Bound;
use super::lower::Lower;
use crate::ir::mlir::{BlockId, OpId};
use crate::model::{BufferId, Function, LoopId, Relation, RelationKind};

/// Two buffers of which one trip of the loops around makes one.
#[derive(Clone, Debug)]
pub(super) struct Either {
    /// Loops around the branch.
    loops: Vec<LoopId>,
    first: BufferId,
    second: BufferId,
}

impl Lower<'_> {
    /// Notes the pairs that a result of the branch `op` may be: `made` are the buffers of its sides.
    pub(super) fn either(
        &mut self,
        op: OpId,
        [then, otherwise]: [Range<usize>; 2],
        result: (Option<Bound>, Option<Bound>),
    ) {
        let (Some(a), Some(b)) = result else { return };
        if then.is_empty() || otherwise.is_empty() || !self.is_plain(op) {
            return;
        }
        let own = |bound: Bound, made: Range<usize>| -> Vec<BufferId> {
            let roots = self.out.roots(bound.value);
            let own = |id: &BufferId| made.contains(&(id.0 as usize));
            roots.into_iter().filter(|id| own(id) && !self.out.buffers[*id].preload).collect()
        };
        let (then, otherwise) = (own(a, then), own(b, otherwise));
        for &first in &then {
            let scope = self.out.buffers[first].scope;
            let same = otherwise.iter().filter(|b| self.out.buffers[**b].scope == scope);
            let loops = &self.loops;
            let pairs = same.map(|&second| Either { loops: loops.clone(), first, second });
            self.eithers.extend(pairs);
        }
    }

    /// The same for blocks: a buffer that is made in a block of one side alone, and one of the other side
    /// alone. Only where nothing runs twice: directly in the function.
    pub(super) fn either_block(
        &mut self,
        sides: &[BTreeSet<BlockId>; 2],
        (a, b): (Option<Bound>, Option<Bound>),
    ) {
        let (Some(a), Some(b)) = (a, b) else { return };
        if !self.loops.is_empty() {
            return;
        }
        let own = |bound: Bound, mine: &BTreeSet<BlockId>, other: &BTreeSet<BlockId>| {
            let mut ids = self.out.roots(bound.value);
            ids.retain(|id| {
                let block = self.makers.get(id.0 as usize).map(|op| self.ir.ops[*op].block);
                block.is_some_and(|b| mine.contains(&b) && !other.contains(&b))
                    && !self.out.buffers[*id].preload
            });
            ids
        };
        let (then, otherwise) = (own(a, &sides[0], &sides[1]), own(b, &sides[1], &sides[0]));
        for &first in &then {
            for &second in &otherwise {
                if self.out.buffers[first].scope == self.out.buffers[second].scope {
                    self.eithers.push(Either { loops: Vec::new(), first, second });
                }
            }
        }
    }

    /// True when nothing but loops with their carried values, branches and scopes is around the op.
    fn is_plain(&self, op: OpId) -> bool {
        let mut here = op;
        loop {
            let region = self.ir.blocks[self.ir.ops[here].block].region;
            if self.ir.regions[region].blocks.len() != 1 {
                return false;
            }
            let Some(parent) = self.ir.parent(here) else { return true };
            let name = self.ir.ops[parent].name.as_str();
            if !matches!(name, "scf.for" | "scf.if" | "scope.scope") {
                return false;
            }
            here = parent;
        }
    }
}

/// Makes the pairs exclusive that no loop carries into its next trip, where the other may be made.
pub(super) fn settle(function: &mut Function, eithers: &[Either]) {
    for either in eithers {
        let pair = [either.first, either.second];
        let carried = either.loops.iter().flat_map(|l| &function.loops[*l].carries);
        let mut carried = carried.flat_map(|c| function.roots(c.next));
        let known = |r: &Relation| r.kind == RelationKind::Exclusive && [r.first, r.second] == pair;
        if carried.any(|root| pair.contains(&root)) || function.relations.iter().any(known) {
            continue;
        }
        let [first, second] = pair;
        let kind = RelationKind::Exclusive;
        function.relations.push(Relation { kind, first, second, why: None, loc: None });
    }
}
