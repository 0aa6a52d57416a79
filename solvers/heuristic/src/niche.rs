//! Lowest first by niches: no item is ever looked at in vain.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use memplan_packing::sections::Sections;
use memplan_packing::{Budget, ItemId, Packing, Stop};

use crate::greedy::clock;
use crate::inside::Inside;
use crate::problem::Problem;

/// Items with one span each, ready for many orders of priority.
pub(crate) struct Niches {
    lives: Vec<Option<std::ops::Range<u32>>>,
    sections: usize,
    inside: Inside,
}

impl Niches {
    /// Prepares a plain problem.
    pub(crate) fn new(problem: &Problem<'_>) -> Self {
        let sections = Sections::new(problem.instance);
        let all = 0..problem.instance.items.len() as ItemId;
        let lives: Vec<_> = all.map(|item| sections.of(item).first().cloned()).collect();
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
    pub(crate) fn pack(
        &self,
        problem: &Problem<'_>,
        priority: &[u128],
        budget: &Budget,
    ) -> Result<Packing, Stop> {
        let mut clock = clock(budget);
        let mut bases = vec![0; problem.len()];
        let mut order: Vec<u32> = (0..problem.len() as u32).collect();
        order.sort_by_key(|&c| (Reverse(priority[c as usize]), c));
        let mut inside = self.inside.clone();
        inside.rank(&order);

        let mut skyline = Skyline::new(self.sections as u32);
        while let Some((from, to)) = skyline.lowest() {
            clock()?;
            let Some(item) = inside.take(from, to) else {
                if !skyline.lift(from) {
                    break;
                }
                continue;
            };
            // In a plain problem item and composite have one number.
            let floor = skyline.height(from);
            let base = problem.composites.lowest(item, floor).ok_or(Stop::Failed)?;
            bases[item as usize] = base;
            let life = self.lives[item as usize].clone().ok_or(Stop::Failed)?;
            skyline.put(from, life, base + problem.shape(item).extent);
        }
        // Who has no bytes lies anywhere its alignment allows: at 0.
        Ok(problem.packing(&bases))
    }
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
        let to = self.end[from as usize];
        let beside = [self.left(from), self.right(to)];
        let Some(height) = beside.into_iter().flatten().map(|at| self.height(at)).min() else {
            return false;
        };
        self.clear(from);
        self.join(from, to, height);
        true
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
    fn put(&mut self, from: u32, part: std::ops::Range<u32>, top: u64) {
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
