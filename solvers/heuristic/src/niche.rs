//! Lowest first by niches: no item is ever looked at in vain.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use memplan_packing::sections::Sections;
use memplan_packing::{Budget, Stop};

use crate::greedy::clock;
use crate::inside::{Inside, Taken};
use crate::problem::Problem;

/// So many composites wait in a stretch for the skyline to reach a reserved range; with more the
/// lowest goes first, or each step would look at all of them again.
const WAITING: usize = 32;

/// Composites as rectangles of time and bytes, ready for many orders of priority.
///
/// In a plain problem that is what they are. In others the rectangle reaches from the first start
/// to the last end and holds all members, pairs that may share are not seen to do so, and pairs
/// that must not share while they are dead are not seen either: the offsets are a good guess.
pub(crate) struct Niches {
    /// The sections that each movable composite with bytes lives in.
    lives: Vec<Option<Range<u32>>>,
    sections: usize,
    inside: Inside,
}

impl Niches {
    /// Prepares a problem.
    pub(crate) fn new(problem: &Problem<'_>) -> Self {
        let sections = Sections::new(problem.instance);
        let life = |composite: u32| {
            let members = problem.members(composite).iter();
            let ranges = members.flat_map(|m| sections.of(m.item));
            let hull = ranges.cloned().reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
            hull.filter(|_| !problem.shape(composite).pinned)
        };
        let lives: Vec<_> = (0..problem.len() as u32).map(life).collect();
        let inside = Inside::new(&lives);
        Self { lives, sections: sections.len(), inside }
    }

    /// Repeatedly takes the lowest stretch of the skyline. The item with the largest priority
    /// among those that live inside it is placed there. When there is none, everybody who lives
    /// there reaches past an end of it, so it is lifted to the lower one of its neighbours:
    ///
    /// ```text
    ///   --+        +---      --+        +---     --+
    ///     |        +--+  ->    |  +--+  +--+  ->   +--------+
    ///     +--------+  |        +--+  +--+  |                +--+     nobody lives inside the
    ///      niche                placed                   lifted      left rest: it is lost
    /// ```
    ///
    /// This is lowest first: whoever lives inside the lowest stretch can lie lowest. (Alignment
    /// may push it up a little; the stretch counts.)
    ///
    /// Answers a base for each composite; 0 for what has no bytes, no life or a pin.
    pub(crate) fn bases(
        &self,
        problem: &Problem<'_>,
        priority: &[u128],
        budget: &Budget,
    ) -> Result<Vec<u64>, Stop> {
        let mut clock = clock(budget);
        let mut bases = vec![0; problem.len()];
        let mut order: Vec<u32> = (0..problem.len() as u32).collect();
        order.sort_by_key(|&c| (Reverse(priority[c as usize]), c));
        let mut inside = self.inside.clone();
        inside.rank(&order);

        let mut skyline = Skyline::new(self.sections as u32);
        while let Some((from, to)) = skyline.lowest() {
            clock()?;
            let floor = skyline.height(from);
            if let Some(range) = reserved_at(problem, floor) {
                skyline.set_height(from, range.end);
                continue;
            }
            match choose(problem, &mut inside, &skyline, from, to) {
                Some((composite, base)) => {
                    // Only a guess can lack a place; its offset is of no importance.
                    let base = base.or((!problem.plain).then_some(floor)).ok_or(Stop::Failed)?;
                    bases[composite as usize] = base;
                    let life = self.lives[composite as usize].clone().ok_or(Stop::Failed)?;
                    skyline.put(from, life, base.saturating_add(problem.shape(composite).extent));
                }
                None if skyline.lift(from) => {}
                None => break,
            }
        }
        Ok(bases)
    }
}

/// The reserved range that holds this byte.
fn reserved_at<'p>(problem: &'p Problem<'_>, byte: u64) -> Option<&'p Range<u64>> {
    let reserved = &problem.instance.reserved;
    let range = reserved.get(reserved.partition_point(|range| range.end <= byte))?;
    (range.start <= byte).then_some(range)
}

/// The composite that comes next in the lowest stretch, and its base if it has one: the best that
/// can lie on the stretch. Those that have to jump over a reserved range or up to their window
/// wait until nobody else is left; then the lowest of them comes, unless it would lie above a
/// neighbour of the stretch anyway.
fn choose(
    problem: &Problem<'_>,
    inside: &mut Inside,
    skyline: &Skyline,
    from: u32,
    to: u32,
) -> Option<(u32, Option<u64>)> {
    let floor = skyline.height(from);
    let mut waiting: Vec<(Option<u64>, Taken)> = Vec::new();
    while waiting.len() < WAITING {
        let Some(taken) = inside.take(from, to) else { break };
        let base = problem.composites.lowest(taken.item, floor);
        if base.is_none_or(|base| base - floor < problem.shape(taken.item).modulus) {
            waiting.into_iter().for_each(|(_, taken)| inside.give_back(taken));
            return Some((taken.item, base));
        }
        waiting.push((base, taken));
    }
    let crowded = waiting.len() == WAITING;
    let lowest = |at: &usize| (waiting[*at].0, Reverse(waiting[*at].1.rank()));
    let next = (0..waiting.len()).min_by_key(lowest);
    let limit = skyline.beside(from).filter(|_| !crowded).unwrap_or(u64::MAX);
    let next = next.filter(|&at| waiting[at].0.is_none_or(|base| base < limit));
    let chosen = next.map(|at| waiting.swap_remove(at));
    waiting.into_iter().for_each(|(_, taken)| inside.give_back(taken));
    chosen.map(|(base, taken)| (taken.item, base))
}

/// The upper edge as stretches of equal height; neighbours differ.
struct Skyline {
    /// By the first section of a stretch: its end and its height. Other entries are stale.
    end: Vec<u32>,
    height: Vec<u64>,
    /// By the end of a stretch: its first section.
    start: Vec<u32>,
    /// All stretches, and some that are no more.
    heap: BinaryHeap<Reverse<(u64, u32, u32)>>,
}

impl Skyline {
    fn new(sections: u32) -> Self {
        let n = sections as usize + 1;
        let mut skyline = Self {
            end: vec![0; n],
            height: vec![0; n],
            start: vec![0; n],
            heap: BinaryHeap::new(),
        };
        if sections > 0 {
            skyline.set(0, sections, 0);
        }
        skyline
    }

    fn height(&self, from: u32) -> u64 {
        self.height[from as usize]
    }

    fn set(&mut self, from: u32, to: u32, height: u64) {
        self.end[from as usize] = to;
        self.height[from as usize] = height;
        self.start[to as usize] = from;
        self.heap.push(Reverse((height, from, to)));
    }

    /// A stretch is gone: no entry of the heap matches it any more.
    fn clear(&mut self, from: u32) {
        self.end[from as usize] = from;
    }

    /// The lowest stretch.
    fn lowest(&mut self) -> Option<(u32, u32)> {
        while let Some(&Reverse((height, from, to))) = self.heap.peek() {
            if self.end[from as usize] == to && self.height[from as usize] == height {
                return Some((from, to));
            }
            self.heap.pop();
        }
        None
    }

    fn left(&self, from: u32) -> Option<u32> {
        (from > 0).then(|| self.start[from as usize])
    }

    fn right(&self, to: u32) -> Option<u32> {
        (to as usize + 1 < self.end.len()).then_some(to)
    }

    /// Lifts a stretch to its lower neighbour; false when it has none.
    fn lift(&mut self, from: u32) -> bool {
        let Some(height) = self.beside(from) else { return false };
        self.set_height(from, height);
        true
    }

    /// The height of the lower neighbour of a stretch.
    fn beside(&self, from: u32) -> Option<u64> {
        let beside = [self.left(from), self.right(self.end[from as usize])];
        beside.into_iter().flatten().map(|at| self.height(at)).min()
    }

    /// Gives a stretch another height.
    fn set_height(&mut self, from: u32, height: u64) {
        let to = self.end[from as usize];
        self.clear(from);
        self.join(from, to, height);
    }

    /// Puts a stretch in, merged with neighbours of the same height.
    fn join(&mut self, mut from: u32, mut to: u32, height: u64) {
        if let Some(left) = self.left(from).filter(|&left| self.height(left) == height) {
            self.clear(left);
            from = left;
        }
        if let Some(right) = self.right(to).filter(|&right| self.height(right) == height) {
            let end = self.end[right as usize];
            self.clear(right);
            to = end;
        }
        self.set(from, to, height);
    }

    /// Raises a part of the stretch that begins at `from`.
    fn put(&mut self, from: u32, part: Range<u32>, top: u64) {
        let (to, floor) = (self.end[from as usize], self.height(from));
        self.clear(from);
        if from < part.start {
            self.set(from, part.start, floor);
        }
        if part.end < to {
            self.set(part.end, to, floor);
        }
        self.join(part.start, part.end, top);
    }
}
