//! Bytes over time: what is taken, and where there is room.
//!
//! A tree over the steps. Each node knows the bytes of the chunks that hold all its steps (`over`),
//! and of all chunks that hold any of them without its ancestors' `over` (`within`):
//!
//! ```text
//!   steps  0 1 2 3 4 5 6 7        a chunk in [1, 6]: over of 1, 2-3, 4-5, 6
//!          .|.-.-.-.-.|.                             within of these and of all above them
//! ```
//!
//! Bytes are kept as sets, not chunk by chunk: chunks that lie close are one range, so a full heap
//! costs no more than an empty one.

use super::heights::Heights;
use super::ranges::Ranges;
use super::{Chunk, rounded};

/// Which gap is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chooser {
    /// The smallest that is large enough, the lowest of them.
    #[default]
    BestFit,
    /// The lowest that is large enough.
    LowestOffset,
}

/// How often all nodes are looked at to see how high the bytes from the bottom up are all taken.
const LOOKS: usize = 2;

/// Bytes taken at some steps.
#[derive(Clone, Debug)]
pub struct Space {
    alignment: u64,
    /// The leaf of step 0: a power of two.
    leaf: usize,
    heights: Heights,
    over: Vec<Ranges>,
    within: Vec<Ranges>,
    /// Nodes that are not empty.
    touched: Vec<usize>,
    size: u64,
    used: Vec<(u64, u64)>,
    /// Nodes looked at; true for all that is within.
    nodes: Vec<(usize, bool)>,
}

impl Space {
    /// No bytes taken at the steps `0..steps`; offsets are multiples of the alignment (0 is taken for
    /// 1).
    pub fn new(steps: usize, alignment: u64) -> Self {
        let leaf = steps.max(1).next_power_of_two();
        Self {
            alignment: alignment.max(1),
            leaf,
            heights: Heights::new(leaf),
            over: vec![Ranges::default(); 2 * leaf],
            within: vec![Ranges::default(); 2 * leaf],
            touched: Vec::new(),
            size: 0,
            used: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// The largest end of a chunk so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// True when nothing was placed.
    pub fn is_empty(&self) -> bool {
        self.touched.is_empty()
    }

    /// Gives all bytes back.
    pub fn clear(&mut self) {
        for node in self.touched.drain(..) {
            self.over[node].clear();
            self.within[node].clear();
        }
        self.heights.clear();
        self.size = 0;
    }

    /// The leaves of a life of both ends inclusive; steps past the last count as the last.
    fn leaves(&self, (start, end): (u64, u64)) -> (usize, usize) {
        let leaf =
            |step: u64| self.leaf + usize::try_from(step).unwrap_or(usize::MAX).min(self.leaf - 1);
        (leaf(start), leaf(end.max(start)))
    }

    /// Takes the bytes of a chunk at the steps of a life, both ends inclusive.
    pub fn place(&mut self, life: (u64, u64), chunk: Chunk) {
        self.size = self.size.max(chunk.end());
        let (start, end) = (chunk.offset, rounded(chunk.end(), self.alignment));
        if start == end {
            return;
        }
        let (lo, hi) = self.leaves(life);
        self.heights.take((lo - self.leaf, hi - self.leaf), (start, end));
        let mut nodes = Vec::new();
        cover(lo, hi, |node| nodes.push(node));
        for node in nodes {
            self.over[node].add(start, end);
            let mut above = node;
            // Who has the bytes already has them from below, and so do its ancestors.
            while above > 0 && self.within[above].add(start, end) {
                self.touched.push(above);
                above /= 2;
            }
        }
    }

    /// Where `size` bytes are free at all steps of the lives: at the preferred offset if that is one
    /// of the places, else in the gap of the chooser's choice.
    pub fn find(
        &mut self,
        lives: impl IntoIterator<Item = (u64, u64)>,
        size: u64,
        preferred: Option<u64>,
        chooser: Chooser,
    ) -> u64 {
        self.look(lives);
        if let Some(offset) = preferred.filter(|offset| offset.is_multiple_of(self.alignment)) {
            let end = offset.saturating_add(size);
            if self.used.iter().all(|&(from, to)| end <= from || to <= offset) {
                return offset;
            }
        }
        self.gap(size, 0, chooser)
    }

    /// The same without a preference, not below an offset (a multiple of the alignment).
    pub fn find_above(
        &mut self,
        least: u64,
        lives: impl IntoIterator<Item = (u64, u64)>,
        size: u64,
        chooser: Chooser,
    ) -> u64 {
        self.look(lives);
        self.gap(size, least, chooser)
    }

    /// The gap of the chooser's choice between what was collected.
    fn gap(&self, size: u64, least: u64, chooser: Chooser) -> u64 {
        let (mut from, mut best) = (least, None);
        for &(start, end) in &self.used {
            let gap = start.saturating_sub(from);
            if gap >= size && best.is_none_or(|(least, _)| gap < least) {
                if chooser == Chooser::LowestOffset {
                    return from;
                }
                best = Some((gap, from));
            }
            from = from.max(end);
        }
        best.map_or(from, |(_, offset)| offset)
    }

    /// Collects what is taken at some step of the lives, in order.
    ///
    /// Most heaps are full from the bottom up to somewhere: what lies below the highest end of such
    /// a stack is one range, and nobody looks at its pieces.
    fn look(&mut self, lives: impl IntoIterator<Item = (u64, u64)>) {
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.clear();
        let mut height = 0;
        for life in lives {
            let (mut lo, mut hi) = self.leaves(life);
            height = self.heights.greatest((lo - self.leaf, hi - self.leaf)).max(height);
            cover(lo, hi, |node| nodes.push((node, true)));
            // A chunk over an ancestor of an end is over that end.
            while lo > 0 {
                nodes.push((lo, false));
                if lo != hi {
                    nodes.push((hi, false));
                }
                (lo, hi) = (lo / 2, hi / 2);
            }
        }
        let ranges = |&(node, whole): &(usize, bool)| {
            let of = if whole { &self.within } else { &self.over };
            &of[node]
        };
        nodes.retain(|node| !ranges(node).is_empty());
        // Each look at all nodes lets the stack grow where the next range of another one touches it.
        let stack = |stack: u64, node: &(usize, bool)| ranges(node).on(stack);
        let full = (0..LOOKS).fold(height, |full, _| nodes.iter().fold(full, stack));
        self.used.clear();
        self.used.push((0, full));
        self.used.extend(nodes.iter().flat_map(|node| ranges(node).past(full)));
        // Runs that are sorted already: a stable sort merges them.
        self.used.sort_by_key(|range| range.0);
        self.nodes = nodes;
    }
}

/// The fewest nodes that together are the leaves `lo..=hi`.
fn cover(mut lo: usize, mut hi: usize, mut node: impl FnMut(usize)) {
    hi += 1;
    while lo < hi {
        if lo % 2 == 1 {
            node(lo);
            lo += 1;
        }
        if hi % 2 == 1 {
            hi -= 1;
            node(hi);
        }
        lo /= 2;
        hi /= 2;
    }
}
