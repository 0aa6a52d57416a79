//! One look at a part: is there no way, one way, or which ways are there?

use std::ops::Range;

use super::level::Level;
use super::memo::Key;
use super::niches::Ways;
use super::order::Corner;
use super::part::Part;
use super::search::Search;

/// What one look found out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Look<L> {
    /// The part has no packing.
    Fail,
    /// This rectangle may be placed without looking at others.
    Place(u32),
    /// Somebody is placed on the floor of this section, or nobody is.
    Branch(Branch<L>),
}

/// What may happen in one section of a niche.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch<L> {
    pub(super) section: u32,
    /// Where the floor is raised to when nobody lies on it; `None` when there is no room for that.
    pub(super) raise: Option<L>,
    /// By what the state is known.
    pub(super) key: Key,
}

impl<L: Level> Search<'_, L> {
    /// Looks at a part that is not empty and cannot be split.
    ///
    /// The rectangles that may lie on the floor of a branch's section are `choices`, best first.
    pub(super) fn look(&mut self, part: Part, choices: &mut Vec<u32>) -> Look<L> {
        if !self.refresh(part) {
            return Look::Fail;
        }
        let mut best: Option<usize> = None;
        for (at, niche) in self.niches.iter().enumerate() {
            match niche.ways {
                Ways::None { section } => {
                    self.blame(section);
                    return Look::Fail;
                }
                Ways::Enclosing(rect) => return Look::Place(rect),
                Ways::Some { key, .. } => {
                    let less = |&best: &usize| match self.niches[best].ways {
                        Ways::Some { key: known, .. } => known <= key,
                        Ways::None { .. } | Ways::Enclosing(_) => false,
                    };
                    best = best.filter(less).or(Some(at));
                }
            }
        }
        let Some(at) = best else { return Look::Fail };
        let niche = self.niches[at].clone();
        let Ways::Some { section, floor, .. } = niche.ways else { return Look::Fail };
        self.gather(part, &niche.sections);
        let covers = |&&r: &&u32| {
            let (lo, hi) = self.problem.spans[r as usize];
            lo <= section && section < hi
        };
        let from = choices.len();
        choices.extend(self.inside.iter().filter(covers));
        let key = |&r: &u32| {
            let misfit = match self.manner.corner {
                Corner::Any => 0,
                Corner::Ends => self.misfit(part, &niche.sections, r, false),
                Corner::Walls => self.misfit(part, &niche.sections, r, true),
            };
            (misfit, self.ranks[r as usize])
        };
        choices[from..].sort_unstable_by_key(key);
        let raise = self.fits(part, section, floor).then_some(floor);
        let forced = choices.len() - from + usize::from(raise.is_some()) < 2;
        // What is forced needs no memory: the next branch is remembered as well.
        let key = if self.rules.memo && !forced { self.key(part) } else { 0 };
        if self.rules.memo && !forced && self.knows(key) {
            choices.truncate(from);
            return Look::Fail;
        }
        Look::Branch(Branch { section, raise, key })
    }

    /// How badly a rectangle on the floor of a niche fits its ends: the less the better.
    fn misfit(&self, part: Part, niche: &Range<u32>, rect: u32, walls: bool) -> u32 {
        let (lo, hi) = self.problem.spans[rect as usize];
        let top = self.state.least[rect as usize] + self.problem.rects[rect as usize].size;
        // An end of the part is a wall of any height.
        let left = lo == part.lo || self.skyline.low[lo as usize - 1] == top;
        let right = hi == part.hi || self.skyline.low[hi as usize] == top;
        let end = |reached: bool, level: bool| match (reached, level) {
            (false, _) => 2,
            (true, false) => 1,
            (true, true) => u32::from(!walls),
        };
        end(lo == niche.start, left) + end(hi == niche.end, right)
    }

    /// The key of what is left and the room above the lifted skyline; never 0.
    fn key(&self, part: Part) -> Key {
        let rects = self.list[part.from..part.to].iter().map(|&r| self.keys.rect(r));
        // A section without anybody has no room worth mentioning.
        let room = |s: u32| {
            let low = self.skyline.low[s as usize].min(self.capacity);
            self.keys.room(s, (self.capacity - low).units())
        };
        rects.chain((part.lo..part.hi).map(room)).fold(0, Key::wrapping_add).max(1)
    }

    /// True when the section has room for everybody with its floor raised.
    fn fits(&mut self, part: Part, section: u32, floor: L) -> bool {
        if floor >= L::FAR {
            return false;
        }
        self.heads.clear();
        for &r in &self.list[part.from..part.to] {
            let (lo, hi) = self.problem.spans[r as usize];
            if lo <= section && section < hi {
                let least = if self.rules.release { self.state.least[r as usize] } else { floor };
                self.heads.push((least, self.problem.rects[r as usize].size));
            }
        }
        self.heads.sort_unstable();
        let stack = |end: L, head: &(L, L)| end.max(head.0) + head.1;
        self.heads.iter().fold(floor, stack) <= self.capacity
    }
}
