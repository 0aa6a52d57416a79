//! The niches of a part and what may happen in each; only those near a change are looked at again.

use std::ops::Range;

use super::level::Level;
use super::order::{Key, Question};
use super::part::Part;
use super::search::Search;
use crate::units::Unit;

/// A lowest stretch of the lifted skyline.
#[derive(Clone, Debug)]
pub(super) struct Niche<L> {
    pub(super) sections: Range<u32>,
    pub(super) ways: Ways<L>,
}

/// What may happen in a niche.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ways<L> {
    /// Some section has no alternative left.
    None {
        /// This one.
        section: u32,
    },
    /// This rectangle encloses all that it meets: whatever lies below it in some packing can go
    /// above it instead, so it goes to the floor.
    Enclosing(u32),
    /// The section to decide: the least key goes first.
    Some {
        /// Of [`super::order::Pick::key`].
        key: Key,
        /// The section.
        section: u32,
        /// Where its floor is raised to when nobody lies on it.
        floor: L,
    },
}

/// Vectors by section that every look at a niche fills anew.
#[derive(Clone, Debug)]
pub(super) struct Scratch<L> {
    /// Least offset of those that reach past the niche.
    past: Vec<L>,
    /// Least end of those that end before the section.
    before: Vec<L>,
    /// Least end of those that start after it.
    after: Vec<L>,
    /// How many may lie on the floor.
    count: Vec<u32>,
    /// By twin number, the one with the best rank.
    first: Vec<u32>,
    kept: Vec<Niche<L>>,
}

impl<L: Level> Scratch<L> {
    pub(super) fn new(sections: usize, rects: usize) -> Self {
        let units = || vec![L::default(); sections];
        Self {
            past: units(),
            before: units(),
            after: units(),
            count: vec![0; sections],
            first: vec![u32::MAX; rects],
            kept: Vec::new(),
        }
    }
}

impl<L: Level> Search<'_, L> {
    /// Brings skyline and niches up to date; false when some section is too full.
    pub(super) fn refresh(&mut self, part: Part) -> bool {
        if self.seen != Some((part.lo, part.hi, part.level)) {
            self.seen = Some((part.lo, part.hi, part.level));
            self.niches.clear();
            self.state.change(part.lo..part.hi);
        }
        let changed = &self.state.changed;
        let changed = changed.start.max(part.lo)..changed.end.min(part.hi);
        if changed.is_empty() {
            return true;
        }
        let left = &self.list[part.from..part.to];
        let (range, capacity, release) = (changed.clone(), self.capacity, self.rules.release);
        if let Some(full) =
            self.skyline.lift(self.problem, &self.state, left, range, capacity, release)
        {
            self.blame(full);
            return false;
        }
        // The stretches beside a change may have got or lost a wall.
        let from = match changed.start {
            lo if lo > part.lo => self.skyline.stretch(part, lo - 1).start,
            lo => lo,
        };
        let to = match changed.end {
            hi if hi < part.hi => self.skyline.stretch(part, hi).end,
            hi => hi,
        };
        let mut niches = std::mem::take(&mut self.niches);
        let mut kept = std::mem::take(&mut self.scratch.kept);
        kept.clear();
        let near = |niche: &Niche<L>| niche.sections.start < to && from < niche.sections.end;
        kept.extend(niches.drain(..).filter(|niche| !near(niche)));
        let mut at = from;
        while at < to {
            let sections = self.skyline.stretch(part, at);
            at = sections.end;
            if self.skyline.walled(part, &sections)
                && self.skyline.low[sections.start as usize] < L::FAR
            {
                let ways = self.ways(part, &sections);
                kept.push(Niche { sections, ways });
            }
        }
        self.niches = kept;
        self.scratch.kept = niches;
        self.state.changed = 0..0;
        true
    }

    /// Collects in `inside` who may lie on the floor of a niche, without those whom somebody else
    /// stands for. Answers somebody who encloses all that it meets.
    pub(super) fn gather(&mut self, part: Part, niche: &Range<u32>) -> Option<u32> {
        self.inside.clear();
        for &r in &self.list[part.from..part.to] {
            let (lo, hi) = self.problem.spans[r as usize];
            if niche.start <= lo && hi <= niche.end {
                let walled = self.rules.containment
                    && (lo == part.lo || self.state.crossing[lo as usize] == 0)
                    && (hi == part.hi || self.state.crossing[hi as usize] == 0);
                if walled {
                    return Some(r);
                }
                self.inside.push(r);
            }
        }
        let Self { inside, scratch, state, problem, ranks, .. } = self;
        if self.rules.symmetry {
            let twin = |r: u32| problem.rects[r as usize].twin as usize;
            let first = &mut scratch.first;
            for &r in &*inside {
                let best = &mut first[twin(r)];
                if *best == u32::MAX || ranks[r as usize] < ranks[*best as usize] {
                    *best = r;
                }
            }
            let mut at = 0;
            for k in 0..inside.len() {
                let r = inside[k];
                if first[twin(r)] == r && !state.swaps(problem, r, ranks, part.level) {
                    inside.swap(at, k);
                    at += 1;
                }
            }
            for &r in &*inside {
                first[twin(r)] = u32::MAX;
            }
            inside.truncate(at);
        }
        if self.rules.supports {
            inside.retain(|&r| !state.floats(r));
        }
        None
    }

    /// What may happen in a niche.
    fn ways(&mut self, part: Part, niche: &Range<u32>) -> Ways<L> {
        if let Some(rect) = self.gather(part, niche) {
            return Ways::Enclosing(rect);
        }
        self.limit(part, niche);
        let (lo, hi) = (niche.start as usize, niche.end as usize);
        let low = self.skyline.low[lo];
        let s = &mut self.scratch;
        let mut best: Option<(Key, u32, L)> = None;
        for at in lo..hi {
            let support = if self.rules.supports {
                s.before[at].min(s.after[at])
            } else {
                low + self.problem.smallest
            };
            let floor = s.past[at].min(support);
            let rest = self.state.rest[at];
            let room = floor < L::FAR && floor + rest <= self.capacity;
            let ways = Unit::from(s.count[at]) + Unit::from(room);
            if ways == 0 {
                return Ways::None { section: at as u32 };
            }
            let question = Question {
                ways,
                slack: (self.capacity - low - rest).units(),
                capacity: self.capacity.units(),
                width: (hi - lo) as Unit,
                weight: self.weights[at],
            };
            // What has one way only is done first.
            let key = if ways == 1 { (-1, 0) } else { self.manner.pick.key(question) };
            if best.is_none_or(|best| key < best.0) {
                best = Some((key, at as u32, floor));
            }
        }
        match best {
            Some((key, section, floor)) => Ways::Some { key, section, floor },
            None => Ways::None { section: niche.start },
        }
    }

    /// Fills what limits a raise, and how many may lie on the floor, by section of a niche.
    fn limit(&mut self, part: Part, niche: &Range<u32>) {
        let (lo, hi) = (niche.start as usize, niche.end as usize);
        let s = &mut self.scratch;
        s.past[lo..hi].fill(L::FAR);
        s.before[lo..hi].fill(L::FAR);
        s.after[lo..hi].fill(L::FAR);
        s.count[lo..hi].fill(0);
        for &r in &self.list[part.from..part.to] {
            let (from, to) = self.problem.spans[r as usize];
            if to <= niche.start || niche.end <= from {
                continue;
            }
            let least = self.state.least[r as usize];
            let (from, to) = (from as usize, to as usize);
            if from < lo || hi < to {
                for past in &mut s.past[from.max(lo)..to.min(hi)] {
                    *past = least.min(*past);
                }
            }
            // It may support what lives beside it.
            let end = least + self.problem.rects[r as usize].size;
            if to < hi {
                s.before[to] = end.min(s.before[to]);
            }
            if from > lo {
                s.after[from - 1] = end.min(s.after[from - 1]);
            }
        }
        for &r in &self.inside {
            let (from, to) = self.problem.spans[r as usize];
            for count in &mut s.count[from as usize..to as usize] {
                *count += 1;
            }
        }
        for at in lo + 1..hi {
            s.before[at] = s.before[at].min(s.before[at - 1]);
        }
        for at in (lo..hi - 1).rev() {
            s.after[at] = s.after[at].min(s.after[at + 1]);
        }
    }
}
