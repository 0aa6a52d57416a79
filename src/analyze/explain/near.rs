//! Near misses: a result is born where an operand is read, and yet may not take its bytes.

use super::super::uses::Use;
use super::Reasons;
use crate::model::{
    AccessMode, BufferId, ByteRange, InplacePolicy, InplaceRule, LifetimeClass, Node, OpId,
    Relation, RelationKind, Step,
};

/// Operand and result of an op that are no in-place pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearMiss<'a> {
    /// The operand.
    pub from: BufferId,
    /// The result.
    pub into: BufferId,
    /// The op.
    pub op: OpId,
    /// True when the operand dies there.
    pub dies: bool,
    /// All that forbids the pair; at least one.
    pub bars: Vec<Bar<'a>>,
}

/// Those found, and how many were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearMisses<'a> {
    /// In the order of the ops.
    pub found: Vec<NearMiss<'a>>,
    /// More than were asked for.
    pub left_out: u64,
}

/// A rule that forbids an in-place pair (docs/DESIGN.md 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar<'a> {
    /// The op reads its operand again after it has written.
    Never,
    /// The input restricts pairs to those that the instruction set guarantees.
    OnlyIsa,
    /// The input allows no derived pair.
    NoPairs,
    /// They lie in different scopes.
    Scope,
    /// The result is larger, by so many bytes.
    Larger(u64),
    /// This one shares with nobody.
    Unique(BufferId),
    /// Their slots differ, or rotate in different loops.
    Slots,
    /// The operand's data is for after the function.
    Wanted(LifetimeClass),
    /// The result holds data from before the function.
    Filled(LifetimeClass),
    /// A relation keeps them apart, or makes them one.
    Relation(&'a Relation),
    /// Nobody knows which bytes of the operand, or of the result, are touched.
    Unknown(BufferId),
    /// The operand is read from the first byte on, the result written from the second.
    Shifted(u64, u64),
    /// The op writes so many bytes more than it reads.
    Wider(u64),
    /// The op also reads the operand from another byte on.
    ReadTwice,
    /// The op touches this one in yet another way.
    Otherwise(BufferId),
    /// The operand is needed at a later step, by an op if one reads it there.
    StillNeeded(Step, Option<OpId>),
    /// Both are alive at this step, too.
    Together(Step),
}

impl Bar<'_> {
    /// One word for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::OnlyIsa => "only_isa",
            Self::NoPairs => "no_pairs",
            Self::Scope => "scope",
            Self::Larger(_) => "larger",
            Self::Unique(_) => "unique",
            Self::Slots => "slots",
            Self::Wanted(_) => "wanted",
            Self::Filled(_) => "filled",
            Self::Relation(_) => "relation",
            Self::Unknown(_) => "unknown_bytes",
            Self::Shifted(..) => "shifted",
            Self::Wider(_) => "wider",
            Self::ReadTwice => "read_twice",
            Self::Otherwise(_) => "touched_otherwise",
            Self::StillNeeded(..) => "still_read",
            Self::Together(_) => "alive_together",
        }
    }
}

impl<'a> Reasons<'a> {
    /// Operands that die where a result is born without being a pair, and operands that alone their
    /// longer life keeps from being one. At most `most` are told; the rest is counted.
    pub fn near_misses(&self, most: usize) -> NearMisses<'a> {
        let mut all = NearMisses::default();
        for node in &self.facts.order.at {
            let Node::Op(op) = *node else { continue };
            for into in self.touched(op, AccessMode::Write) {
                if !self.facts.live[into].iter().any(|l| l.start == self.facts.order.ops[op]) {
                    continue;
                }
                for from in self.touched(op, AccessMode::Read) {
                    match self.near_miss(op, from, into) {
                        Some(_) if all.found.len() >= most => all.left_out += 1,
                        found => all.found.extend(found),
                    }
                }
            }
        }
        all
    }

    fn near_miss(&self, op: OpId, from: BufferId, into: BufferId) -> Option<NearMiss<'a>> {
        if from == into || self.is_pair(from, into) {
            return None;
        }
        let step = self.facts.order.ops[op];
        let dies = self.facts.live[from].iter().any(|l| l.end.0 == step.0 + 1);
        let mut bars = Vec::new();
        let asked = self.asked(from, into).is_some();
        if !asked {
            bars.extend(self.rule_of(op));
        }
        self.buffers(from, into, &mut bars);
        if asked {
            bars.extend(self.otherwise(op, from, into, None).into_iter().take(1));
        } else {
            bars.extend(self.best(op, from, into));
        }
        let life = self.life(from, into, step);
        // An operand that lives on is worth a word only where nothing else is in the way.
        if !dies && (!bars.is_empty() || life.is_none()) {
            return None;
        }
        bars.extend(life);
        (!bars.is_empty()).then_some(NearMiss { from, into, op, dies, bars })
    }

    fn rule_of(&self, op: OpId) -> Option<Bar<'a>> {
        let rule = self.function.ops[op].inplace;
        match self.problem.inplace {
            _ if rule == InplaceRule::Never => Some(Bar::Never),
            policy if policy.allows(rule) => None,
            InplacePolicy::Isa => Some(Bar::OnlyIsa),
            InplacePolicy::Any | InplacePolicy::Never => Some(Bar::NoPairs),
        }
    }

    /// What the two buffers are.
    fn buffers(&self, from: BufferId, into: BufferId, bars: &mut Vec<Bar<'a>>) {
        let (a, b) = (&self.function.buffers[from], &self.function.buffers[into]);
        let forbids = |r: &&&Relation| {
            matches!(r.kind, RelationKind::Separate | RelationKind::Colocate { .. })
        };
        let relation = self.relations(from, into).iter().find(forbids);
        let checks = [
            (a.scope != b.scope, Bar::Scope),
            (b.size > a.size, Bar::Larger(b.size.0.saturating_sub(a.size.0))),
            (a.slots != b.slots || a.rotates_in != b.rotates_in, Bar::Slots),
            (a.unique, Bar::Unique(from)),
            (b.unique, Bar::Unique(into)),
            (a.live.is_none() && a.class.wanted_at_exit(), Bar::Wanted(a.class)),
            (b.live.is_none() && b.class.filled_at_entry(), Bar::Filled(b.class)),
        ];
        bars.extend(checks.into_iter().filter(|(holds, _)| *holds).map(|(_, bar)| bar));
        bars.extend(relation.map(|r| Bar::Relation(r)));
    }

    /// What is in the way of the two operands that are in each other's way least.
    fn best(&self, op: OpId, from: BufferId, into: BufferId) -> Vec<Bar<'a>> {
        let of = |id, mode| self.at(id, op).iter().filter(move |u| u.mode == mode);
        let mut best: Option<Vec<Bar<'a>>> = None;
        for write in of(into, AccessMode::Write) {
            for read in of(from, AccessMode::Read) {
                let mut bars = starts(read, write, from, into);
                if of(from, AccessMode::Read).any(|u| u.bytes != read.bytes) {
                    bars.push(Bar::ReadTwice);
                }
                bars.extend(self.otherwise(op, from, into, Some(write.bytes)));
                // What is larger is written further, too.
                if self.function.buffers[into].size > self.function.buffers[from].size {
                    bars.retain(|bar| !matches!(bar, Bar::Wider(_)));
                }
                if best.as_ref().is_none_or(|b| bars.len() < b.len()) {
                    best = Some(bars);
                }
            }
        }
        best.unwrap_or_default()
    }

    /// Whether the op touches one of them in another way than reading the one and writing the other.
    fn otherwise(
        &self,
        op: OpId,
        from: BufferId,
        into: BufferId,
        written: Option<Option<ByteRange>>,
    ) -> Vec<Bar<'a>> {
        let asked = written.is_none();
        let of_from = self.at(from, op).iter().any(|u| match u.mode {
            AccessMode::Write | AccessMode::Temporary => true,
            AccessMode::Read | AccessMode::Fresh => false,
        });
        let of_into = self.at(into, op).iter().any(|u| match u.mode {
            AccessMode::Read | AccessMode::Temporary => !asked,
            AccessMode::Write => written.is_some_and(|w| u.bytes != w),
            AccessMode::Fresh => false,
        });
        let both = [(of_from, from), (of_into, into)].into_iter();
        both.filter(|(holds, _)| *holds).map(|(_, id)| Bar::Otherwise(id)).collect()
    }

    /// What keeps the two from meeting at this step alone.
    fn life(&self, from: BufferId, into: BufferId, step: Step) -> Option<Bar<'a>> {
        let (a, b) = (&self.facts.live[from], &self.facts.live[into]);
        let after = Step(step.0 + 1);
        if a.iter().any(|l| l.start <= step && l.end > after) {
            let mut reads = self.uses.of[from].iter().filter(|u| u.mode == AccessMode::Read);
            return Some(match reads.find(|u| u.step > step) {
                Some(u) => Bar::StillNeeded(u.step, Some(u.op)),
                None => Bar::StillNeeded(after, None),
            });
        }
        // The first step, other than this one, at which both are alive.
        let common = a.iter().flat_map(|x| b.iter().map(move |y| (x, y))).filter_map(|(x, y)| {
            let (start, end) = (x.start.max(y.start), x.end.min(y.end));
            let start = if start == step { after } else { start };
            (start < end).then_some(start)
        });
        common.min().map(Bar::Together)
    }
}

/// Whether element `i` of the result would lie on element `i` of the operand.
fn starts<'a>(read: &Use, write: &Use, from: BufferId, into: BufferId) -> Vec<Bar<'a>> {
    match (read.bytes, write.bytes) {
        (None, _) => vec![Bar::Unknown(from)],
        (_, None) => vec![Bar::Unknown(into)],
        (Some(r), Some(w)) if r.start != w.start => vec![Bar::Shifted(r.start, w.start)],
        (Some(r), Some(w)) if w.end > r.end => vec![Bar::Wider(w.end - r.end)],
        _ => Vec::new(),
    }
}
