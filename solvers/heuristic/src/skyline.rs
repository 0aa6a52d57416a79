//! The upper edge of what is placed, over time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use crate::count;

/// The upper edge as stretches of equal height; neighbours differ.
pub(crate) struct Skyline {
    /// By the first section of a stretch: its end and its height. Other entries are stale.
    end: Vec<u32>,
    height: Vec<u64>,
    /// By the end of a stretch: its first section.
    start: Vec<u32>,
    /// All stretches, and some that are no more.
    heap: BinaryHeap<Reverse<(u64, u32, u32)>>,
}

impl Skyline {
    /// A flat line over so many sections.
    pub(crate) fn new(sections: u32) -> Self {
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

    /// The height of the stretch that begins at `from`.
    pub(crate) fn height(&self, from: u32) -> u64 {
        self.height[from as usize]
    }

    /// The end of the stretch that begins at `from`.
    pub(crate) fn end(&self, from: u32) -> u32 {
        self.end[from as usize]
    }

    fn set(&mut self, from: u32, to: u32, height: u64) {
        count::step();
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
    pub(crate) fn lowest(&mut self) -> Option<(u32, u32)> {
        while let Some(&Reverse((height, from, to))) = self.heap.peek() {
            if self.end[from as usize] == to && self.height[from as usize] == height {
                return Some((from, to));
            }
            self.heap.pop();
        }
        None
    }

    /// The stretch before the one that begins at `from`.
    pub(crate) fn left(&self, from: u32) -> Option<u32> {
        (from > 0).then(|| self.start[from as usize])
    }

    /// The stretch after the one that ends at `to`.
    pub(crate) fn right(&self, to: u32) -> Option<u32> {
        (to as usize + 1 < self.end.len()).then_some(to)
    }

    /// The height of the lower neighbour of a stretch.
    pub(crate) fn beside(&self, from: u32) -> Option<u64> {
        let beside = [self.left(from), self.right(self.end[from as usize])];
        beside.into_iter().flatten().map(|at| self.height(at)).min()
    }

    /// Gives a stretch another height.
    pub(crate) fn set_height(&mut self, from: u32, height: u64) {
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
    pub(crate) fn put(&mut self, from: u32, part: Range<u32>, top: u64) {
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
