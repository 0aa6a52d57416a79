//! What the reasons are taken from.

use std::collections::BTreeMap;

use super::super::uses::{self, Use, Uses};
use super::super::{Facts, InplacePair};
use super::Together;
use crate::model::{
    AccessMode, BufferId, Function, IdVec, InplaceRule, OpId, Problem, Relation, RelationKind,
};

/// Answers why the facts of a function are as they are.
pub struct Reasons<'a> {
    pub(super) problem: &'a Problem,
    pub(super) function: &'a Function,
    pub(super) facts: &'a Facts,
    pub(super) uses: Uses,
    pub(super) by_op: IdVec<OpId, Vec<(BufferId, Use)>>,
    related: BTreeMap<(BufferId, BufferId), Vec<&'a Relation>>,
    pairs: BTreeMap<(BufferId, BufferId), &'a InplacePair>,
    together: Together<'a>,
}

/// Who allowed an in-place pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairRule<'a> {
    /// The input names the pair.
    Given(Option<&'a Relation>),
    /// The op may write over an operand that dies there, by its semantics.
    Any,
    /// The op may, and the instruction set guarantees it.
    Isa,
}

impl PairRule<'_> {
    /// `given`, `any` or `isa`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given(_) => "given",
            Self::Any => "any",
            Self::Isa => "isa",
        }
    }
}

impl<'a> Reasons<'a> {
    /// Answers about this function. `facts` are those of [`super::super::facts`].
    pub fn new(problem: &'a Problem, function: &'a Function, facts: &'a Facts) -> Self {
        let uses = uses::uses(function, &facts.order);
        let mut by_op: IdVec<OpId, Vec<(BufferId, Use)>> =
            IdVec::filled(Vec::new(), function.ops.len());
        for (buffer, list) in uses.of.enumerate() {
            list.iter().for_each(|u| by_op[u.op].push((buffer, *u)));
        }
        let mut related: BTreeMap<_, Vec<&Relation>> = BTreeMap::new();
        for relation in &function.relations {
            related.entry(key(relation.first, relation.second)).or_default().push(relation);
        }
        let pairs = facts.inplace.iter().map(|p| ((p.from, p.into), p)).collect();
        let together = Together::of(function);
        Self { problem, function, facts, uses, by_op, related, pairs, together }
    }

    /// The groups of buffers that must lie on the same bytes.
    pub fn together(&self) -> &Together<'a> {
        &self.together
    }

    /// The relations of two buffers, in the order of the input.
    pub fn relations(&self, a: BufferId, b: BufferId) -> &[&'a Relation] {
        self.related.get(&key(a, b)).map_or(&[], Vec::as_slice)
    }

    /// The in-place pair of two buffers, whichever gives its bytes.
    pub fn pair(&self, a: BufferId, b: BufferId) -> Option<&'a InplacePair> {
        self.pairs.get(&(a, b)).or_else(|| self.pairs.get(&(b, a))).copied()
    }

    /// True when `into` may take the bytes of `from`.
    pub(super) fn is_pair(&self, from: BufferId, into: BufferId) -> bool {
        self.pairs.contains_key(&(from, into))
    }

    /// True when the input names this in-place pair.
    pub(super) fn asked(&self, from: BufferId, into: BufferId) -> Option<&'a Relation> {
        let mut all = self.relations(from, into).iter().copied();
        all.find(|r| r.kind == RelationKind::Inplace && (r.first, r.second) == (from, into))
    }

    /// Who allowed a pair.
    pub fn pair_rule(&self, pair: &InplacePair) -> PairRule<'a> {
        let given = self.asked(pair.from, pair.into);
        let rule = pair.op.and_then(|op| self.function.ops.get(op)).map(|op| op.inplace);
        match (given, rule) {
            (None, Some(InplaceRule::Isa)) => PairRule::Isa,
            (None, Some(InplaceRule::Any)) => PairRule::Any,
            (given, _) => PairRule::Given(given),
        }
    }

    /// The last op that reads a buffer.
    pub fn last_reader(&self, buffer: BufferId) -> Option<OpId> {
        let mut reads = self.uses.of[buffer].iter().filter(|u| u.mode == AccessMode::Read);
        reads.next_back().map(|u| u.op)
    }

    /// True for memory that ops use as scratch and nothing else (a hidden temporary).
    pub fn only_scratch(&self, buffer: BufferId) -> bool {
        let touches = |m: &AccessMode| *m != AccessMode::Fresh;
        let mut modes = self.uses.of[buffer].iter().map(|u| u.mode).filter(touches).peekable();
        modes.peek().is_some() && modes.all(|m| m == AccessMode::Temporary)
    }

    /// The buffers that an op touches in a way, each once.
    pub fn touched(&self, op: OpId, mode: AccessMode) -> Vec<BufferId> {
        let these = self.by_op[op].iter().filter(|(_, u)| u.mode == mode);
        let mut all: Vec<BufferId> = these.map(|(buffer, _)| *buffer).collect();
        all.dedup();
        all
    }
}

fn key(a: BufferId, b: BufferId) -> (BufferId, BufferId) {
    (a.min(b), a.max(b))
}
