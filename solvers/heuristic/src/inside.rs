//! Which unplaced item that lives inside a stretch of time comes first.

use std::ops::Range;

use crate::count;

/// A tree over the lives `[start, end)` of all items as points in the plane, halved by start and
/// by end in turn. A question cuts a corner out of the plane:
///
/// ```text
///   end ^  .    .  |   .            asked: start >= a and end <= b, the highest rank
///     b |----------+----            a node without points in the corner, or with nothing better
///       |     .    |* * .           than what is found, is passed over; a node that lies in the
///       |  .       | *              corner as a whole answers at once
///       +----------a--------> start
/// ```
#[derive(Clone)]
pub(crate) struct Inside {
    /// Leaf by item; `NONE` for items that are never asked for.
    leaf: Vec<u32>,
    /// Bounds of the points that are still there; node `i` has the children `2i` and `2i + 1`.
    nodes: Vec<Node>,
    /// Items by rank, from rank 1 on.
    by_rank: Vec<u32>,
    leaves: usize,
}

/// An item that was taken out of the tree.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    pub(crate) item: u32,
    point: Node,
}

impl Taken {
    /// When it lives.
    pub(crate) fn life(&self) -> Range<u32> {
        self.point.first_start..self.point.first_end
    }

    /// Its rank; the highest is the best.
    pub(crate) fn rank(&self) -> u32 {
        self.point.best
    }
}

#[derive(Clone, Copy)]
struct Node {
    /// The highest rank; 0 when there is no point.
    best: u32,
    first_start: u32,
    last_start: u32,
    first_end: u32,
    last_end: u32,
}

impl Node {
    const EMPTY: Self =
        Self { best: 0, first_start: u32::MAX, last_start: 0, first_end: u32::MAX, last_end: 0 };

    fn join(self, that: Self) -> Self {
        Self {
            best: self.best.max(that.best),
            first_start: self.first_start.min(that.first_start),
            last_start: self.last_start.max(that.last_start),
            first_end: self.first_end.min(that.first_end),
            last_end: self.last_end.max(that.last_end),
        }
    }
}

const NONE: u32 = u32::MAX;

impl Inside {
    /// A tree over these lives, without ranks yet; `None` for items to leave out.
    pub(crate) fn new(lives: &[Option<Range<u32>>]) -> Self {
        let mut points: Vec<(u32, u32, u32)> = (lives.iter().enumerate())
            .filter_map(|(item, life)| life.as_ref().map(|l| (l.start, l.end, item as u32)))
            .collect();
        let leaves = points.len().next_power_of_two();
        let mut leaf = vec![NONE; lives.len()];
        let mut nodes = vec![Node::EMPTY; 2 * leaves];
        halve(&mut points, leaves, true);
        for (at, (start, end, item)) in points.into_iter().enumerate() {
            leaf[item as usize] = at as u32;
            let point = Node {
                best: 0,
                first_start: start,
                last_start: start,
                first_end: end,
                last_end: end,
            };
            nodes[leaves + at] = point;
        }
        Self { leaf, nodes, by_rank: Vec::new(), leaves }
    }

    /// Ranks all items: the first one of the list is the best.
    pub(crate) fn rank(&mut self, best_first: &[u32]) {
        let count = best_first.len();
        self.by_rank = vec![NONE; count + 1];
        for (at, &item) in best_first.iter().enumerate() {
            let leaf = self.leaf[item as usize];
            if leaf != NONE {
                let rank = count - at;
                self.by_rank[rank] = item;
                self.nodes[self.leaves + leaf as usize].best = rank as u32;
            }
        }
        for node in (1..self.leaves).rev() {
            self.nodes[node] = self.nodes[2 * node].join(self.nodes[2 * node + 1]);
        }
    }

    /// Takes the best item whose life lies inside `[from, to)`.
    pub(crate) fn take(&mut self, from: u32, to: u32) -> Option<Taken> {
        let mut best = 0;
        self.visit(1, from, to, &mut best);
        let item = *self.by_rank.get(best as usize).filter(|_| best > 0)?;
        let point = self.set(item, Node::EMPTY);
        Some(Taken { item, point })
    }

    /// Puts an item back.
    pub(crate) fn give_back(&mut self, taken: Taken) {
        self.set(taken.item, taken.point);
    }

    fn set(&mut self, item: u32, point: Node) -> Node {
        let mut node = self.leaves + self.leaf[item as usize] as usize;
        let old = std::mem::replace(&mut self.nodes[node], point);
        while node > 1 {
            node /= 2;
            self.nodes[node] = self.nodes[2 * node].join(self.nodes[2 * node + 1]);
        }
        old
    }

    fn visit(&self, at: usize, from: u32, to: u32, best: &mut u32) {
        count::step();
        let node = &self.nodes[at];
        if node.best <= *best || node.last_start < from || node.first_end > to {
            return;
        }
        if node.first_start >= from && node.last_end <= to {
            *best = node.best;
        } else if at < self.leaves {
            let (left, right) = (2 * at, 2 * at + 1);
            let swap = self.nodes[right].best > self.nodes[left].best;
            let (first, second) = if swap { (right, left) } else { (left, right) };
            self.visit(first, from, to, best);
            self.visit(second, from, to, best);
        }
    }
}

/// Sorts the points so that every node of the tree above them holds neighbours.
fn halve(points: &mut [(u32, u32, u32)], leaves: usize, by_start: bool) {
    let half = leaves / 2;
    if points.len() <= 1 {
        return;
    }
    if points.len() <= half {
        halve(points, half, !by_start);
        return;
    }
    if by_start {
        points.select_nth_unstable(half);
    } else {
        points.select_nth_unstable_by_key(half, |&(start, end, item)| (end, start, item));
    }
    let (left, right) = points.split_at_mut(half);
    halve(left, half, !by_start);
    halve(right, half, !by_start);
}

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_packing::random::SplitMix64;

    #[test]
    fn the_best_one_inside_is_taken() {
        let mut random = SplitMix64::new(5);
        for n in 0..40u64 {
            let lives: Vec<Option<Range<u32>>> = (0..n)
                .map(|_| {
                    let start = random.below(20) as u32;
                    (!random.chance(1, 8)).then_some(start..start + 1 + random.below(9) as u32)
                })
                .collect();
            let mut order: Vec<u32> = (0..n as u32).collect();
            order.sort_by_cached_key(|_| random.bits());
            let mut tree = Inside::new(&lives);
            tree.rank(&order);
            for _ in 0..60 {
                let from = random.below(22) as u32;
                let to = from + random.below(12) as u32;
                let inside = |item: &u32| {
                    let life = lives[*item as usize].as_ref();
                    life.is_some_and(|life| life.start >= from && life.end <= to)
                };
                let expected = order.iter().copied().find(inside);
                if let Some(taken) = tree.take(from, to) {
                    tree.give_back(taken);
                }
                assert_eq!(tree.take(from, to).map(|taken| taken.item), expected);
                order.retain(|&item| Some(item) != expected);
            }
        }
    }
}
