//! What each section has to spare.

use std::ops::Range;

use crate::count;

/// The heaviest section has nothing to spare; every other one has the difference to it. Bytes that
/// a packing wastes in some sections are taken from what these have; the rest may become negative.
///
/// ```text
///   1                  a node knows the least under it, and what was taken from all under it;
///   2       3          asked for the leaves x, both borders climb towards the root and look at
///   4   5   6   7      the inner sibling of each node on the way (5 and 6)
///   8 9 x x x x . .
/// ```
#[derive(Clone)]
pub(crate) struct Slack {
    nodes: Vec<Node>,
    leaves: usize,
}

#[derive(Clone, Copy)]
struct Node {
    /// What is taken from this node counts, what is taken from those above does not.
    least: i64,
    taken: i64,
}

impl Slack {
    /// Over sections with these loads.
    pub(crate) fn new(load: &[u64]) -> Self {
        let most = load.iter().copied().max().unwrap_or(0);
        let spare = |load: u64| i64::try_from(most - load).unwrap_or(i64::MAX);
        // A leaf more on each side: the borders lie outside of what is asked for.
        let leaves = (load.len() + 2).next_power_of_two();
        let mut nodes = vec![Node { least: i64::MAX, taken: 0 }; 2 * leaves];
        for (node, &load) in nodes[leaves + 1..].iter_mut().zip(load) {
            node.least = spare(load);
        }
        for node in (1..leaves).rev() {
            nodes[node].least = nodes[2 * node].least.min(nodes[2 * node + 1].least);
        }
        Self { nodes, leaves }
    }

    /// The leaves before and after these sections.
    fn borders(&self, sections: &Range<u32>) -> (usize, usize) {
        (self.leaves + sections.start as usize, self.leaves + sections.end as usize + 1)
    }

    /// The least that one of these sections has to spare.
    pub(crate) fn least(&self, sections: Range<u32>) -> i64 {
        let (mut left, mut right) = self.borders(&sections);
        let (mut low, mut high) = (i64::MAX, i64::MAX);
        while left ^ right != 1 {
            count::step();
            if left % 2 == 0 {
                low = low.min(self.nodes[left + 1].least);
            }
            if right % 2 == 1 {
                high = high.min(self.nodes[right - 1].least);
            }
            (left, right) = (left / 2, right / 2);
            low = low.saturating_sub(self.nodes[left].taken);
            high = high.saturating_sub(self.nodes[right].taken);
        }
        let mut least = low.min(high);
        while left > 1 {
            left /= 2;
            least = least.saturating_sub(self.nodes[left].taken);
        }
        least
    }

    /// Takes so many bytes from each of these sections.
    pub(crate) fn take(&mut self, sections: Range<u32>, bytes: u64) {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let (mut left, mut right) = self.borders(&sections);
        while left ^ right != 1 {
            count::step();
            if left % 2 == 0 {
                self.nodes[left + 1].take(bytes);
            }
            if right % 2 == 1 {
                self.nodes[right - 1].take(bytes);
            }
            (left, right) = (left / 2, right / 2);
            self.update(left);
            self.update(right);
        }
        while left > 1 {
            left /= 2;
            self.update(left);
        }
    }

    fn update(&mut self, node: usize) {
        let below = self.nodes[2 * node].least.min(self.nodes[2 * node + 1].least);
        self.nodes[node].least = below.saturating_sub(self.nodes[node].taken);
    }
}

impl Node {
    fn take(&mut self, bytes: i64) {
        self.least = self.least.saturating_sub(bytes);
        self.taken = self.taken.saturating_add(bytes);
    }
}

#[cfg(test)]
mod tests {
    use memplan_packing::random::SplitMix64;

    use super::*;

    #[test]
    fn the_least_is_that_of_the_sections_one_by_one() {
        let mut random = SplitMix64::new(7);
        for sections in 1..40u32 {
            let load: Vec<u64> = (0..sections).map(|_| random.below(50)).collect();
            let most = load.iter().copied().max().unwrap_or(0);
            let mut naive: Vec<i64> = load.iter().map(|load| (most - load) as i64).collect();
            let mut slack = Slack::new(&load);
            for _ in 0..50 {
                let from = random.below(u64::from(sections)) as u32;
                let to = from + 1 + random.below(u64::from(sections - from)) as u32;
                let part = from as usize..to as usize;
                assert_eq!(Some(slack.least(from..to)), naive[part.clone()].iter().copied().min());
                let bytes = random.below(5);
                slack.take(from..to, bytes);
                naive[part].iter_mut().for_each(|left| *left -= bytes as i64);
            }
        }
    }
}
