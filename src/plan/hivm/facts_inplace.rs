//! Which buffers of a spec share one address, in the order of the pass (section 3).

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::BufferNo;
use super::from_facts::lives;
use super::lives::{overlaps, union};
use crate::analyze::{Facts, InplacePair};
use crate::ir::hivm::PassOptions;
use crate::model::{BufferId, Function, IdVec, InplaceRule, RelationKind, Step};

/// Mandatory pairs, then in-place pairs; the first of a pair goes into the entry of the second.
pub(super) fn pairs(
    function: &Function,
    facts: &Facts,
    options: &PassOptions,
) -> Vec<(BufferNo, BufferNo)> {
    let mut join = Join::new(function, facts);
    join.colocated();
    let mut offers: Vec<(Step, &InplacePair)> = facts
        .inplace
        .iter()
        .filter(|p| !options.inplace_as_isa || is_isa(function, p))
        .map(|p| (join.step(p), p))
        .collect();
    // Stable: in one step, in the order found.
    offers.sort_by_key(|o| o.0);
    for at_one_step in offers.chunk_by(|a, b| a.0 == b.0) {
        join.step_of_pairs(at_one_step);
    }
    join.pairs
}

fn is_isa(function: &Function, pair: &InplacePair) -> bool {
    pair.op.is_none_or(|op| function.ops[op].inplace == InplaceRule::Isa)
}

/// Pairs in the making.
struct Join<'a> {
    function: &'a Function,
    facts: &'a Facts,
    pairs: Vec<(BufferNo, BufferNo)>,
    /// Buffers with a mandatory partner take no other (3.1).
    excluded: BTreeSet<BufferId>,
    /// Which buffers are one by now: each with the smallest of them.
    group: IdVec<BufferId, BufferId>,
}

impl<'a> Join<'a> {
    fn new(function: &'a Function, facts: &'a Facts) -> Self {
        let group = function.buffers.ids().collect();
        Self { function, facts, pairs: Vec::new(), excluded: BTreeSet::new(), group }
    }

    /// Buffers that must be the same bytes, by the smaller ordinal (3.1). The smaller goes into the
    /// larger, so that the entry holds both; of equals, the earlier goes into the later.
    fn colocated(&mut self) {
        let buffers = &self.function.buffers;
        let same = |r: &&crate::model::Relation| r.kind == RelationKind::Colocate { delta: 0 };
        let mut found: Vec<(BufferId, BufferId)> = Vec::new();
        for relation in self.function.relations.iter().filter(same) {
            let pair = (relation.first.min(relation.second), relation.first.max(relation.second));
            let (a, b) = (&buffers[pair.0], &buffers[pair.1]);
            if pair.0 != pair.1 && a.scope == b.scope && !a.unique && !b.unique {
                found.push(pair);
            }
        }
        found.sort_by_key(|p| p.0);
        for (a, b) in found {
            self.excluded.extend([a, b]);
            let swap = buffers[a].size > buffers[b].size;
            self.join(if swap { (b, a) } else { (a, b) });
        }
    }

    /// The step at which one becomes the other.
    fn step(&self, pair: &InplacePair) -> Step {
        match pair.op {
            Some(op) => self.facts.order.ops[op],
            None => self.facts.live[pair.into].first().map_or(Step(0), |l| l.start),
        }
    }

    /// The results of one step, largest first, each with the first operand that is large enough
    /// and not taken at this step (3.2).
    fn step_of_pairs(&mut self, offers: &[(Step, &InplacePair)]) {
        let size = |id: BufferId| self.function.buffers[id].size;
        let mut results: Vec<BufferId> = Vec::new();
        for (_, offer) in offers {
            if !results.contains(&offer.into) {
                results.push(offer.into);
            }
        }
        results.sort_by_key(|&r| Reverse(size(r)));
        let mut taken = BTreeSet::new();
        for result in results {
            let fits = offers.iter().find(|(step, p)| {
                p.into == result
                    && size(p.from) >= size(result)
                    && !taken.contains(&p.from)
                    && !self.excluded.contains(&p.from)
                    && !self.excluded.contains(&result)
                    && self.hands_over(p, *step)
            });
            if let Some(&(_, pair)) = fits {
                taken.insert(pair.from);
                self.join((result, pair.from));
            }
        }
    }

    /// True when what is one with the result and what is one with the operand meet in this step
    /// only. The pass need not ask: its buffers have one life each.
    fn hands_over(&self, pair: &InplacePair, step: Step) -> bool {
        let all = |of: BufferId| {
            let same = self.group.enumerate().filter(|g| *g.1 == self.group[of]);
            union(same.flat_map(|(id, _)| lives(&self.facts.live[id], id)).collect())
        };
        let at = i64::try_from(step.0).unwrap_or(i64::MAX);
        let (into, from) = (all(pair.into), all(pair.from));
        self.group[pair.into] != self.group[pair.from]
            && overlaps(&into, &from).all(|o| (o.start, o.end) == (at, at))
    }

    fn join(&mut self, (first, second): (BufferId, BufferId)) {
        self.pairs.push((first.0, second.0));
        let (a, b) = (self.group[first], self.group[second]);
        for of in self.group.iter_mut().filter(|g| **g == a.max(b)) {
            *of = a.min(b);
        }
    }
}
