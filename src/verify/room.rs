//! Gaps between the placed slots of a scope, as one buffer sees them.

use super::case::{Case, Slot};
use crate::model::{BufferId, IdVec, Live, Moved, RelationKind, ScopeId, Step};

/// Free bytes in one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Gap {
    pub(super) start: u128,
    pub(super) end: u128,
}

/// A scope with its plan and times.
pub(super) struct Room<'c, 'a> {
    pub(super) case: &'c Case<'a>,
    pub(super) scope: ScopeId,
    live: &'c IdVec<BufferId, Vec<Live>>,
    /// All placed slots, by buffer.
    slots: Vec<Slot>,
    end: u128,
}

impl<'c, 'a> Room<'c, 'a> {
    /// `None` where the live ranges are not those of the function.
    pub(super) fn new(
        case: &'c Case<'a>,
        live: &'c IdVec<BufferId, Vec<Live>>,
        scope: ScopeId,
    ) -> Option<Self> {
        let mine = case.function.buffers.ids().filter(|id| case.buffer(*id).scope == scope);
        let slots: Vec<Slot> = mine.flat_map(|id| case.slots(id)).collect();
        let peak = slots.iter().map(|s| s.end).max().unwrap_or(0);
        let end = case.problem.scopes[scope].bytes().map_or(peak, u128::from);
        (live.len() == case.function.buffers.len()).then_some(Self {
            case,
            scope,
            live,
            slots,
            end,
        })
    }

    /// True where nothing is placed.
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// `None` for a scope without a capacity: it always has room.
    pub(super) fn bounded(&self) -> Option<u64> {
        self.case.problem.scopes[self.scope].bytes()
    }

    /// True when two buffers may not share bytes, whatever in-place pairs say.
    fn collide(&self, a: BufferId, b: BufferId) -> bool {
        let apart = |kind| self.case.relations(a, b).any(|r| r.kind == kind);
        let unique = self.case.buffer(a).unique || self.case.buffer(b).unique;
        let meet = || self.live[a].iter().any(|x| self.live[b].iter().any(|y| x.meets(*y)));
        unique || apart(RelationKind::Separate) || (meet() && !apart(RelationKind::Exclusive))
    }

    /// True for a buffer that a plan may move on its own.
    pub(super) fn movable(&self, id: BufferId) -> bool {
        let tied = self.case.function.relations.iter().any(|r| {
            matches!(r.kind, RelationKind::Colocate { .. } | RelationKind::Handover)
                && (r.first == id || r.second == id)
        });
        // The slots of a promoted buffer are those of another.
        let own = self.case.offsets(id).len() == self.case.buffer(id).slots.max(1) as usize;
        self.case.buffer(id).pin.is_none() && !tied && own
    }

    /// The slots that a buffer may not lie on.
    pub(super) fn colliding(&self, id: BufferId) -> Vec<Slot> {
        let other = |s: &&Slot| s.buffer != id && self.collide(id, s.buffer);
        self.slots.iter().filter(other).copied().collect()
    }

    /// The gaps in which a buffer could lie: without one slot, and with bytes that somebody else takes.
    pub(super) fn gaps(&self, id: BufferId, without: Option<Slot>, taken: Option<Gap>) -> Vec<Gap> {
        let mut used = self.held(Some(id));
        let stays = |s: &&Slot| {
            Some((s.buffer, s.slot)) != without.map(|w| (w.buffer, w.slot))
                && (s.buffer == id || self.collide(id, s.buffer))
        };
        used.extend(self.slots.iter().filter(stays).map(|s| Gap { start: s.start, end: s.end }));
        used.extend(taken);
        self.free(used)
    }

    /// The gaps at a step.
    pub(super) fn gaps_at(&self, at: Step) -> Vec<Gap> {
        let mut used = self.held(None);
        let alive = |s: &&Slot| self.live[s.buffer].iter().any(|l| l.start <= at && at < l.end);
        used.extend(self.slots.iter().filter(alive).map(|s| Gap { start: s.start, end: s.end }));
        self.free(used)
    }

    /// Bytes that a buffer may not use whoever lies there; without one, those that nobody may.
    fn held(&self, id: Option<BufferId>) -> Vec<Gap> {
        let scope = &self.case.problem.scopes[self.scope];
        let gap = |range: crate::model::ByteRange| Gap {
            start: range.start.into(),
            end: range.end.into(),
        };
        let mut held: Vec<Gap> = scope.reserved.iter().map(|r| gap(r.range)).collect();
        let Some(id) = id else { return held };
        let owner = self.case.buffer(id).owner.as_deref();
        let own = |p: &&crate::model::Partition| Some(p.owner.as_str()) == owner;
        held.extend(scope.partitions.iter().filter(|p| !own(p)).map(|p| gap(p.range)));
        let mut from = 0;
        for part in scope.partitions.iter().filter(own) {
            held.push(Gap { start: from, end: part.range.start.into() });
            from = part.range.end.into();
        }
        if from > 0 {
            held.push(Gap { start: from, end: self.end.max(from) });
        }
        held
    }

    fn free(&self, mut used: Vec<Gap>) -> Vec<Gap> {
        used.sort_unstable();
        let (mut at, mut out) = (0, Vec::new());
        for gap in used.into_iter().chain([Gap { start: self.end, end: self.end }]) {
            let end = gap.start.min(self.end);
            if end > at {
                out.push(Gap { start: at, end });
            }
            at = at.max(gap.end);
        }
        out
    }

    /// The step of a buffer's life at which most is alive.
    pub(super) fn fullest(&self, id: BufferId) -> Option<Step> {
        let first = self.live[id].first()?.start;
        let inside = |at: Step| self.live[id].iter().any(|l| l.start <= at && at < l.end);
        let others = self.loads().into_iter().filter(|(at, _)| inside(*at));
        let most = others.max_by_key(|(at, load)| (*load, std::cmp::Reverse(*at)));
        Some(most.map_or(first, |(at, _)| at))
    }

    /// The first step at which most is alive, and the sum.
    pub(super) fn most_alive(&self) -> Option<(Step, u128)> {
        self.loads().into_iter().max_by_key(|(at, load)| (*load, std::cmp::Reverse(*at)))
    }

    /// The bytes alive from each step on at which something changes.
    fn loads(&self) -> Vec<(Step, u128)> {
        let mut changes: Vec<(Step, bool, u128)> = Vec::new();
        for slot in &self.slots {
            for live in &self.live[slot.buffer] {
                changes.push((live.start, true, slot.end - slot.start));
                changes.push((live.end, false, slot.end - slot.start));
            }
        }
        changes.sort_unstable();
        let (mut sum, mut out) = (0u128, Vec::<(Step, u128)>::new());
        for (at, begins, size) in changes {
            sum = if begins { sum + size } else { sum.saturating_sub(size) };
            match out.last_mut() {
                Some(last) if last.0 == at => last.1 = sum,
                _ => out.push((at, sum)),
            }
        }
        out
    }

    /// The largest end of a slot, one left out.
    pub(super) fn peak(&self, without: Option<Slot>) -> u128 {
        let stays = |s: &&Slot| Some(**s) != without;
        self.slots.iter().filter(stays).map(|s| s.end).max().unwrap_or(0)
    }

    /// The slots that end at the peak.
    pub(super) fn tops(&self, peak: u128) -> Vec<Slot> {
        self.slots.iter().filter(|s| s.end == peak).copied().collect()
    }

    /// The smallest move of a slot into one of the gaps, for somebody who then takes `taken`.
    pub(super) fn moved(&self, slot: Slot, gaps: &[Gap], taken: Gap) -> Option<Moved> {
        let size = slot.end - slot.start;
        let alignment = self.case.buffer(slot.buffer).alignment;
        let places = gaps.iter().filter_map(|g| nearest(g, size, alignment, slot.start));
        let to = places.min_by_key(|to| to.abs_diff(slot.start))?;
        let peak = self.peak(Some(slot)).max(to + size).max(taken.end);
        self.put(slot, to, Some(taken.start), peak)
    }

    /// A move in numbers of a report.
    pub(super) fn put(
        &self,
        slot: Slot,
        to: u128,
        place: Option<u128>,
        peak: u128,
    ) -> Option<Moved> {
        Some(Moved {
            buffer: slot.buffer,
            slot: slot.slot,
            from: u64::try_from(slot.start).ok()?,
            to: u64::try_from(to).ok()?,
            place: match place {
                Some(place) => Some(u64::try_from(place).ok()?),
                None => None,
            },
            new_peak: u64::try_from(peak).ok()?,
        })
    }
}

/// The next multiple.
pub(super) fn align_up(at: u128, alignment: u64) -> u128 {
    at.div_ceil(alignment.max(1).into()) * u128::from(alignment.max(1))
}

/// The aligned offset in a gap that is nearest to `from`.
pub(super) fn nearest(gap: &Gap, size: u128, alignment: u64, from: u128) -> Option<u128> {
    let alignment = u128::from(alignment.max(1));
    let low = gap.start.div_ceil(alignment) * alignment;
    let high = gap.end.checked_sub(size)? / alignment * alignment;
    if low > high {
        return None;
    }
    let below = from / alignment * alignment;
    let above = from.div_ceil(alignment) * alignment;
    let nearer = if from - below <= above - from { below } else { above };
    Some(nearer.clamp(low, high))
}
