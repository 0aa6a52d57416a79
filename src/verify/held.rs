//! Buffers that hold their bytes in given steps, beside a program that is executed.
//!
//! Among themselves they are the business of `sweep`. Against the rest: whoever takes
//! bytes at a step destroys what lay there, and no op may write to bytes that are held at its
//! step. Steps are those of [`Order`], in every trip of a loop and on both sides of a branch.

use std::collections::{BTreeMap, BTreeSet};

use super::case::Case;
use super::lives::{Why, holds};
use super::map::Map;
use super::memory::{Area, Blame, How, Memory};
use super::objects::{Objects, scope};
use crate::model::{BufferId, Live, RelationKind, Step};
use crate::runtime::program::TrailId;

/// One buffer during one of its ranges.
pub(super) struct Held {
    pub buffer: BufferId,
    pub live: Live,
    pub why: Why,
    /// Its slots, by key.
    slots: Vec<(u128, u128)>,
    /// Objects that may lie there all the same: its own, and those said to be exclusive.
    spared: BTreeSet<u32>,
    /// Objects whose bytes it takes in place at its first step, after the op has read them.
    before: BTreeSet<u32>,
}

/// All of them, by the steps at which their ranges start and end.
pub(super) struct Holds {
    pub items: Vec<Held>,
    starts: BTreeMap<Step, Vec<u32>>,
    ends: BTreeMap<Step, Vec<u32>>,
}

/// Who holds which bytes at the current step.
pub(super) struct Now {
    at: Option<Step>,
    map: Map<Vec<u32>>,
}

impl Holds {
    pub(super) fn of(case: &Case<'_>, objects: &Objects) -> Self {
        let mut all = Self { items: Vec::new(), starts: BTreeMap::new(), ends: BTreeMap::new() };
        let holds = holds(case);
        if holds.is_empty() {
            return all;
        }
        let mut near: BTreeMap<BufferId, Vec<(BufferId, bool)>> = BTreeMap::new();
        for r in &case.function.relations {
            match r.kind {
                RelationKind::Exclusive => {
                    near.entry(r.first).or_default().push((r.second, false));
                    near.entry(r.second).or_default().push((r.first, false));
                }
                RelationKind::Inplace => near.entry(r.second).or_default().push((r.first, true)),
                RelationKind::Colocate { .. }
                | RelationKind::Handover
                | RelationKind::Separate
                | RelationKind::Cost { .. } => {}
            }
        }
        for hold in holds {
            let own: Vec<Area> = objects.areas(case, hold.buffer).collect();
            let mut spared: BTreeSet<u32> = own.iter().map(|a| a.object).collect();
            let mut before = BTreeSet::new();
            for &(other, inplace) in near.get(&hold.buffer).into_iter().flatten() {
                let theirs: Vec<Area> = objects.areas(case, other).collect();
                if !inplace {
                    spared.extend(theirs.iter().map(|a| a.object));
                } else if theirs.len() == own.len() {
                    let slots = theirs.iter().zip(&own);
                    let taken = slots.filter(|(a, o)| o.lo == a.lo && o.hi <= a.hi);
                    before.extend(taken.map(|(a, _)| a.object));
                }
            }
            let slots: Vec<_> = own.iter().map(|a| (a.lo, a.hi)).collect();
            for live in hold.live {
                let id = u32::try_from(all.items.len()).unwrap_or(u32::MAX);
                all.starts.entry(live.start).or_default().push(id);
                all.ends.entry(live.end).or_default().push(id);
                all.items.push(Held {
                    buffer: hold.buffer,
                    live,
                    why: hold.why,
                    slots: slots.clone(),
                    spared: spared.clone(),
                    before: before.clone(),
                });
            }
        }
        all
    }

    pub(super) fn item(&self, id: u32) -> &Held {
        &self.items[id as usize]
    }

    /// Those that hold at `to` and did not at `from`.
    fn entering(&self, from: Option<Step>, to: Step) -> Vec<u32> {
        let starts = |from: Option<Step>| {
            let after = from.map_or(std::ops::Bound::Unbounded, std::ops::Bound::Excluded);
            self.starts.range((after, std::ops::Bound::Included(to)))
        };
        let ids: Vec<u32> = match from {
            // Back in a loop: ranges that end on the way.
            Some(from) if to < from => self
                .ends
                .range((std::ops::Bound::Excluded(to), std::ops::Bound::Included(from)))
                .flat_map(|(_, ids)| ids.iter().copied())
                .collect(),
            from => starts(from).flat_map(|(_, ids)| ids.iter().copied()).collect(),
        };
        ids.into_iter().filter(|&id| self.item(id).holds(to)).collect()
    }

    /// Control goes to a step: what is held there from now on is taken from everybody else.
    pub(super) fn step(&self, memory: &mut Memory, case: &Case<'_>, from: Option<Step>, to: Step) {
        if self.items.is_empty() {
            return;
        }
        // Taken in place: the op has read them by now.
        for &id in from.and_then(|from| self.starts.get(&from)).into_iter().flatten() {
            if !self.item(id).before.is_empty() {
                self.item(id).take(memory, case, from.unwrap_or(to), |_| false);
            }
        }
        for id in self.entering(from, to) {
            let item = self.item(id);
            let first = item.live.start == to;
            item.take(memory, case, to, |object| first && item.before.contains(&object));
        }
    }
}

impl Held {
    fn holds(&self, step: Step) -> bool {
        self.live.start <= step && step < self.live.end
    }

    fn take(&self, memory: &mut Memory, case: &Case<'_>, at: Step, keep: impl Fn(u32) -> bool) {
        let op = case.order.op_at(at);
        let by = Blame { who: self.buffer, op, how: How::Hold, trail: TrailId::default() };
        for &(lo, hi) in &self.slots {
            memory.take(lo, hi, by, |object| self.spared.contains(&object) || keep(object));
        }
    }

    /// True when `area` may be written at `step` although this one holds bytes of it.
    fn allows(&self, case: &Case<'_>, area: Area, step: Step) -> bool {
        if self.spared.contains(&area.object) {
            return true;
        }
        // In place, at the last step, slot by slot.
        let start = area.base.wrapping_add(u128::from(case.groups.lead(area.buffer)));
        let end = start.wrapping_add(u128::from(case.sizes[area.buffer]));
        let theirs = case.slots(area.buffer).map(|s| scope(case, area.buffer) + s.start);
        let mut both = self.slots.iter().zip(theirs);
        case.inplace(self.buffer, area.buffer)
            && step.0.checked_add(1) == Some(self.live.end.0)
            && self.slots.len() == case.offsets(area.buffer).len()
            && both.any(|(&(lo, hi), own)| own == start && lo == start && end <= hi)
    }
}

impl Now {
    pub(super) fn new() -> Self {
        Self { at: None, map: Map::new() }
    }

    /// Brings the map to a step.
    pub(super) fn move_to(&mut self, holds: &Holds, to: Step) {
        if holds.items.is_empty() || self.at == Some(to) {
            return;
        }
        let entering = holds.entering(self.at, to);
        let leaving = self.at.map_or_else(Vec::new, |at| {
            let (lo, hi) = if at < to { (at, to) } else { (to, at) };
            let between = (std::ops::Bound::Excluded(lo), std::ops::Bound::Included(hi));
            let ids = if at < to { &holds.ends } else { &holds.starts };
            let ids = ids.range(between).flat_map(|(_, ids)| ids.iter().copied());
            ids.filter(|&id| holds.item(id).holds(at)).collect()
        });
        self.at = Some(to);
        for (ids, enter) in [(leaving, false), (entering, true)] {
            for id in ids {
                for &(lo, hi) in &holds.item(id).slots {
                    self.map.update(lo, hi, |_, _, here| change(here, id, enter));
                }
            }
        }
    }

    /// Those whose bytes `area` writes although it may not, with the bytes.
    pub(super) fn broken(
        &self,
        holds: &Holds,
        case: &Case<'_>,
        area: Area,
        step: Step,
    ) -> Vec<(u32, (u128, u128))> {
        let mut broken: BTreeMap<u32, (u128, u128)> = BTreeMap::new();
        self.map.visit(area.lo, area.hi, |lo, hi, ids| {
            for &id in ids {
                if !holds.item(id).allows(case, area, step) {
                    broken.entry(id).or_insert((lo, hi)).1 = hi;
                }
            }
        });
        broken.into_iter().collect()
    }
}

fn change(here: &[u32], id: u32, enter: bool) -> Vec<u32> {
    let mut ids: Vec<u32> = here.iter().copied().filter(|&other| other != id).collect();
    if enter {
        ids.push(id);
        ids.sort_unstable();
    }
    ids
}

/// The bytes of a scope behind keys.
pub(super) fn bytes(
    case: &Case<'_>,
    id: BufferId,
    (lo, hi): (u128, u128),
) -> crate::model::ByteRange {
    let start = scope(case, id);
    super::case::bytes(lo.wrapping_sub(start), hi.wrapping_sub(start))
}
