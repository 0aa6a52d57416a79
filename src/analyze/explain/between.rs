//! What stands between two buffers that might share bytes.

use super::super::{allowed_at, common_loops, promotable};
use super::Reasons;
use crate::model::{Buffer, BufferId, Live, LoopId, Relation, RelationKind, ReuseLevel};

/// Members of a group that are looked through for what they keep others from, at most.
const MAX_MATES: usize = 64;

/// What keeps two buffers from sharing bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bond<'a> {
    /// They lie in different scopes.
    Scope,
    /// They lie in the partitions of different owners.
    Partition,
    /// This one shares with nobody.
    Unique(BufferId),
    /// They must be the same bytes, or one takes over from the other; without a relation through others
    /// of their group.
    One(Option<&'a Relation>),
    /// The input keeps them apart.
    Separate(&'a Relation),
    /// Both are alive at these steps, and perhaps at later ones.
    Alive(Live),
    /// This one must lie on the bytes of one of them, and is alive together with the other.
    Through(BufferId),
    /// Both are alive at the one step at which one may become the other: only the identical start.
    Inplace,
    /// Their pins are different bytes.
    Pins,
    /// Pipes touch them that sharing would tie together.
    Pipes,
    /// The same, in one common loop; the first may become multi-buffered to take the place of the other.
    Slot(BufferId, LoopId),
    /// The same, in one common loop.
    Loop(LoopId),
    /// Nothing.
    Nothing,
}

/// What stands between two buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Between<'a> {
    /// The rule that keeps them from sharing at `pipe`.
    pub bond: Bond<'a>,
    /// The strictest level at which they may share; none where no level lets them.
    pub level: Option<ReuseLevel>,
    /// The relation by which they are never alive together, where their live ranges meet.
    pub exclusive: Option<&'a Relation>,
}

impl Bond<'_> {
    /// One word for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Partition => "partition",
            Self::Unique(_) => "unique",
            Self::One(None) => "colocate",
            Self::One(Some(relation)) | Self::Separate(relation) => relation.kind.name(),
            Self::Alive(_) => "alive",
            Self::Through(_) => "through",
            Self::Inplace => "inplace",
            Self::Pins => "pins",
            Self::Pipes => "pipes",
            Self::Slot(..) => "slot",
            Self::Loop(_) => "loop",
            Self::Nothing => "none",
        }
    }
}

impl<'a> Reasons<'a> {
    /// What stands between two different buffers.
    pub fn between(&self, a: BufferId, b: BufferId) -> Between<'a> {
        let hard = |bond| Between { bond, level: None, exclusive: None };
        let (x, y) = (&self.function.buffers[a], &self.function.buffers[b]);
        if x.scope != y.scope {
            return hard(Bond::Scope);
        }
        let relations = self.relations(a, b);
        let find =
            |wanted: fn(RelationKind) -> bool| relations.iter().copied().find(|r| wanted(r.kind));
        let one = |k| matches!(k, RelationKind::Colocate { .. } | RelationKind::Handover);
        let relation = find(one);
        if relation.is_some() || self.same_group(a, b) {
            return hard(Bond::One(relation));
        }
        if x.owner != y.owner {
            return hard(Bond::Partition);
        }
        if let Some(id) = [(x, a), (y, b)].into_iter().find(|(b, _)| b.unique).map(|(_, id)| id) {
            return hard(Bond::Unique(id));
        }
        if let Some(relation) = find(|k| k == RelationKind::Separate) {
            return hard(Bond::Separate(relation));
        }
        if apart(x, y) {
            return hard(Bond::Pins);
        }
        let exclusive = find(|k| k == RelationKind::Exclusive);
        let meeting = meeting(&self.facts.live[a], &self.facts.live[b]);
        if let (Some(live), None) = (meeting, exclusive) {
            let fits = |from: BufferId, into: BufferId| self.bytes(into) <= self.bytes(from);
            let pair = self.pair(a, b).filter(|p| fits(p.from, p.into));
            let level = pair.map(|_| allowed_at(self.function, self.facts, a, b));
            let bond = if pair.is_some() { Bond::Inplace } else { Bond::Alive(live) };
            return Between { bond, level, exclusive: None };
        }
        if let Some(mate) = self.through(a, b).or_else(|| self.through(b, a)) {
            return hard(Bond::Through(mate));
        }
        let level = allowed_at(self.function, self.facts, a, b);
        let bond = self.level(level, a, b);
        Between { bond, level: Some(level), exclusive: exclusive.filter(|_| meeting.is_some()) }
    }

    fn level(&self, level: ReuseLevel, a: BufferId, b: BufferId) -> Bond<'a> {
        let (function, facts) = (self.function, self.facts);
        let innermost = common_loops(function, facts, a, b).last().copied();
        match (level, innermost) {
            (ReuseLevel::Pipe, _) => Bond::Nothing,
            (ReuseLevel::Slot, Some(l)) => {
                let single = if promotable(function, facts, a, b) { a } else { b };
                Bond::Slot(single, l)
            }
            (ReuseLevel::Lifetime, Some(l)) => Bond::Loop(l),
            _ => Bond::Pipes,
        }
    }

    fn same_group(&self, a: BufferId, b: BufferId) -> bool {
        let group = |id| self.together().of.get(&id).map(|(group, _)| *group);
        group(a).is_some_and(|g| group(b) == Some(g))
    }

    /// A buffer on all bytes of `a` that is alive together with `b`.
    fn through(&self, a: BufferId, b: BufferId) -> Option<BufferId> {
        let (group, offset) = *self.together().of.get(&a)?;
        let members = self.together().members.get(group).filter(|m| m.len() <= MAX_MATES)?;
        let covers = |mate: &BufferId| {
            let same = self.together().of.get(mate).is_some_and(|(_, o)| *o == offset);
            *mate != a && same && self.bytes(*mate) >= self.bytes(a)
        };
        let free = |mate: &BufferId| {
            let exclusive = |r: &&Relation| r.kind == RelationKind::Exclusive;
            self.pair(*mate, b).is_some() || self.relations(*mate, b).iter().any(exclusive)
        };
        let meets =
            |mate: &BufferId| meeting(&self.facts.live[*mate], &self.facts.live[b]).is_some();
        members.iter().copied().find(|mate| covers(mate) && meets(mate) && !free(mate))
    }

    /// Bytes of one slot as placed.
    fn bytes(&self, id: BufferId) -> u64 {
        let buffer = &self.function.buffers[id];
        let (size, scope) = (buffer.size.0, &self.problem.scopes[buffer.scope]);
        let rounded = size.checked_next_multiple_of(buffer.alignment.max(1));
        if scope.round_up { rounded.unwrap_or(size) } else { size }
    }
}

/// True when both are pinned and no slot of one touches a slot of the other.
fn apart(a: &Buffer, b: &Buffer) -> bool {
    let (Some(x), Some(y)) = (&a.pin, &b.pin) else { return false };
    let meet = |p: u64, q: u64| {
        let (past_p, past_q) = (p.saturating_add(a.size.0), q.saturating_add(b.size.0));
        p < past_q && q < past_p
    };
    !x.iter().any(|p| y.iter().any(|q| meet(*p, *q)))
}

/// The first steps at which both are alive.
fn meeting(a: &[Live], b: &[Live]) -> Option<Live> {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let (start, end) = (x.start.max(y.start), x.end.min(y.end));
        if start < end {
            return Some(Live { start, end });
        }
        if x.end <= y.end { i += 1 } else { j += 1 }
    }
    None
}
