//! One look at a part: is there no way, one way, or which ways are there?

use super::memo::{Key, Memo};
use super::part::Part;
use super::search::Search;
use crate::units::{FAR, Unit};

/// What one look found out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Look {
    /// The part has no packing.
    Fail,
    /// This rectangle may be placed without looking at others.
    Place(u32),
    /// Somebody is placed on the floor of this section, or nobody is.
    Branch(Branch),
}

/// What may happen in one section of a niche.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) section: u32,
    /// Where the floor is raised to when nobody lies on it; `None` when there is no room for that.
    pub(super) raise: Option<Unit>,
    /// By what the state is known.
    pub(super) key: Key,
}

impl Search<'_> {
    /// Looks at a part that is not empty and cannot be split.
    ///
    /// The rectangles that may lie on the floor of a branch's section are `choices`, best first.
    pub(super) fn look(&mut self, part: Part, choices: &mut Vec<u32>) -> Look {
        if !self.lift(part) {
            return Look::Fail;
        }
        self.scratch.find_runs(part.lo as usize, part.hi as usize);
        let key = self.key(part);
        if self.rules.memo && self.memo.knows(key) {
            return Look::Fail;
        }
        if let Some(rect) = self.enter(part) {
            return Look::Place(rect);
        }
        let Some((section, floor)) = self.section(part) else { return Look::Fail };
        let covers = |&&r: &&u32| {
            let rect = &self.problem.rects[r as usize];
            rect.lo <= section && section < rect.hi
        };
        let from = choices.len();
        choices.extend(self.scratch.inside.iter().filter(covers));
        choices[from..].sort_unstable_by_key(|&r| self.ranks[r as usize]);
        let raise = self.fits(part, section, floor).then_some(floor);
        Look::Branch(Branch { section, raise, key })
    }

    /// Lifts the skyline to the least offset in every section and checks the room above it.
    ///
    /// ```text
    ///      +--+      +--+        In the gap lives only c, which reaches over a: the skyline of the
    ///      |  |      |  |        gap is lifted to the top of a.
    ///   ---+  +------+  +---     Everybody in a section lies one over the other. Taken least
    ///      a    c lives in       offset first, they end as low as they can: that must be within
    ///      ^^^^^^^^              the capacity.
    /// ```
    fn lift(&mut self, part: Part) -> bool {
        let (lo, hi) = (part.lo as usize, part.hi as usize);
        self.scratch.clear(lo, hi);
        let least = &self.state.least;
        let list = &mut self.list[part.from..part.to];
        list.sort_by_key(|&r| least[r as usize]);
        let s = &mut self.scratch;
        for &r in list.iter() {
            let rect = &self.problem.rects[r as usize];
            let (at, size) = (self.state.least[r as usize], rect.size);
            let span = rect.lo as usize..rect.hi as usize;
            for low in &mut s.low[span.clone()] {
                *low = at.min(*low);
            }
            for end in &mut s.end[span.clone()] {
                *end = at.max(*end) + size;
            }
            for rest in &mut s.rest[span] {
                *rest += size;
            }
        }
        let capacity = self.capacity;
        // A section without anybody is a wall.
        let full = |(low, rest): (&Unit, &Unit)| *rest > 0 && low + rest > capacity;
        let over = s.low[lo..hi].iter().zip(&s.rest[lo..hi]).any(full);
        let late = || self.rules.release && s.end[lo..hi].iter().any(|&end| end > capacity);
        !over && !late()
    }

    /// The key of what is left and the room above the lifted skyline.
    fn key(&self, part: Part) -> Key {
        let rects = self.list[part.from..part.to].iter().map(|&r| self.memo.rect(r));
        let runs = self.scratch.runs.iter();
        let runs = runs.map(|run| Memo::stretch(run.lo, self.capacity - run.floor));
        rects.chain(runs).fold(0, Key::wrapping_add)
    }

    /// Finds who may lie on the floor of a niche, and what limits a raise.
    ///
    /// Answers somebody who encloses all that it meets: whatever lies below it in some packing can
    /// go above it instead, so it goes to the floor.
    fn enter(&mut self, part: Part) -> Option<u32> {
        let s = &mut self.scratch;
        if self.rules.containment {
            part.count(self.problem, &self.list, &mut self.crossing);
        }
        for &r in &self.list[part.from..part.to] {
            let rect = &self.problem.rects[r as usize];
            let (lo, hi) = (rect.lo as usize, rect.hi as usize);
            let (first, last) = (s.run[lo] as usize, s.run[hi - 1] as usize);
            let least = self.state.least[r as usize];
            if first == last && s.runs[first].niche {
                let crossed = |k: u32| self.crossing[(k - part.lo) as usize] > 0;
                let walled = self.rules.containment
                    && (rect.lo == part.lo || !crossed(rect.lo))
                    && (rect.hi == part.hi || !crossed(rect.hi));
                if walled {
                    return Some(r);
                }
                s.inside.push(r);
            } else {
                for run in &s.runs[first..=last] {
                    if run.niche {
                        let span = lo.max(run.lo as usize)..hi.min(run.hi as usize);
                        for past in &mut s.past[span] {
                            *past = least.min(*past);
                        }
                    }
                }
            }
            // It may support what lives beside it.
            let end = least + rect.size;
            if hi < part.hi as usize && s.run[hi] == s.run[hi - 1] {
                s.before[hi] = end.min(s.before[hi]);
            }
            if lo > part.lo as usize && s.run[lo] == s.run[lo - 1] {
                s.after[lo - 1] = end.min(s.after[lo - 1]);
            }
        }
        self.thin(part);
        None
    }

    /// Leaves out of `inside` whom somebody else stands for, and counts the rest by section.
    fn thin(&mut self, part: Part) {
        let mut inside = std::mem::take(&mut self.scratch.inside);
        if self.rules.symmetry {
            let first = &mut self.scratch.first;
            for &r in &inside {
                let best = &mut first[self.problem.rects[r as usize].twin as usize];
                let better =
                    *best == u32::MAX || self.ranks[r as usize] < self.ranks[*best as usize];
                if better {
                    *best = r;
                }
            }
            let twin = |r: u32| self.problem.rects[r as usize].twin as usize;
            let (state, problem, ranks) = (&self.state, self.problem, &self.ranks);
            let kept =
                |&r: &u32| first[twin(r)] == r && !state.swaps(problem, r, ranks, part.level);
            let all = inside.len();
            let mut at = 0;
            for k in 0..all {
                let r = inside[k];
                if kept(&r) {
                    inside.swap(at, k);
                    at += 1;
                }
            }
            for &r in &inside {
                first[twin(r)] = u32::MAX;
            }
            inside.truncate(at);
        }
        if self.rules.supports {
            inside.retain(|&r| !self.state.floats(r));
        }
        for &r in &inside {
            let rect = &self.problem.rects[r as usize];
            for count in &mut self.scratch.count[rect.lo as usize..rect.hi as usize] {
                *count += 1;
            }
        }
        self.scratch.inside = inside;
    }

    /// The section to decide and where its floor is raised to; `None` when some section has no
    /// alternative left.
    fn section(&mut self, part: Part) -> Option<(u32, Unit)> {
        let smallest = self.list[part.from..part.to].iter();
        let smallest = smallest.map(|&r| self.problem.rects[r as usize].size).min().unwrap_or(1);
        let mut best: Option<((i128, Unit), u32, Unit)> = None;
        let s = &mut self.scratch;
        for run in s.runs.iter().filter(|run| run.niche) {
            let (lo, hi) = (run.lo as usize, run.hi as usize);
            for at in lo + 1..hi {
                s.before[at] = s.before[at].min(s.before[at - 1]);
            }
            for at in (lo..hi - 1).rev() {
                s.after[at] = s.after[at].min(s.after[at + 1]);
            }
            for at in lo..hi {
                let support = if self.rules.supports {
                    s.before[at].min(s.after[at])
                } else {
                    run.floor + smallest
                };
                let floor = s.past[at].min(support);
                let room = floor < FAR && floor + s.rest[at] <= self.capacity;
                let ways = Unit::from(s.count[at]) + Unit::from(room);
                if ways == 0 {
                    return None;
                }
                let slack = self.capacity - s.low[at] - s.rest[at];
                let key = match ways {
                    1 => (-1, 0),
                    _ => self.pick.key(ways, slack, self.capacity, (hi - lo) as Unit),
                };
                if best.is_none_or(|best| key < best.0) {
                    best = Some((key, at as u32, floor));
                }
            }
        }
        best.map(|(_, section, floor)| (section, floor))
    }

    /// True when the section has room for everybody with its floor raised.
    fn fits(&self, part: Part, section: u32, floor: Unit) -> bool {
        if floor >= FAR {
            return false;
        }
        let mut end = floor;
        for &r in &self.list[part.from..part.to] {
            let rect = &self.problem.rects[r as usize];
            if rect.lo <= section && section < rect.hi {
                let least = if self.rules.release { self.state.least[r as usize] } else { floor };
                end = end.max(least) + rect.size;
            }
        }
        end <= self.capacity
    }
}
