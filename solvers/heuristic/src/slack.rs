//! What each section has to spare.

use std::ops::Range;

use crate::count;

/// The heaviest section has nothing to spare; every other one has the difference to it. Bytes that
/// a packing wastes in some sections are taken from what these have; the rest may become negative.
#[derive(Clone)]
pub(crate) struct Slack {
    /// Node 1 is the root, node `i` has the children `2i` and `2i + 1`. A node knows the least that
    /// a section under it has, before what was taken from the nodes above is subtracted.
    nodes: Vec<Node>,
    leaves: usize,
}

#[derive(Clone, Copy)]
struct Node {
    least: i64,
    /// Taken from all sections under the node.
    taken: i64,
}

impl Slack {
    /// Over sections with these loads.
    pub(crate) fn new(load: &[u64]) -> Self {
        let most = load.iter().copied().max().unwrap_or(0);
        let spare = |load: u64| i64::try_from(most - load).unwrap_or(i64::MAX);
        let leaves = load.len().next_power_of_two();
        let mut nodes = vec![Node { least: i64::MAX, taken: 0 }; 2 * leaves];
        for (node, &load) in nodes[leaves..].iter_mut().zip(load) {
            node.least = spare(load);
        }
        for node in (1..leaves).rev() {
            nodes[node].least = nodes[2 * node].least.min(nodes[2 * node + 1].least);
        }
        Self { nodes, leaves }
    }

    /// The least that one of these sections has to spare.
    pub(crate) fn least(&self, sections: Range<u32>) -> i64 {
        self.ask(1, 0, self.leaves, &(sections.start as usize..sections.end as usize))
    }

    fn ask(&self, node: usize, first: usize, width: usize, wanted: &Range<usize>) -> i64 {
        count::step();
        if wanted.end <= first || first + width <= wanted.start {
            return i64::MAX;
        }
        if wanted.start <= first && first + width <= wanted.end {
            return self.nodes[node].least;
        }
        let half = width / 2;
        let left = self.ask(2 * node, first, half, wanted);
        let right = self.ask(2 * node + 1, first + half, half, wanted);
        left.min(right).saturating_sub(self.nodes[node].taken)
    }

    /// Takes so many bytes from each of these sections.
    pub(crate) fn take(&mut self, sections: Range<u32>, bytes: u64) {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let wanted = sections.start as usize..sections.end as usize;
        self.subtract(1, 0, self.leaves, &wanted, bytes);
    }

    fn subtract(
        &mut self,
        node: usize,
        first: usize,
        width: usize,
        wanted: &Range<usize>,
        bytes: i64,
    ) {
        count::step();
        if wanted.end <= first || first + width <= wanted.start {
            return;
        }
        if wanted.start <= first && first + width <= wanted.end {
            let node = &mut self.nodes[node];
            node.least = node.least.saturating_sub(bytes);
            node.taken = node.taken.saturating_add(bytes);
            return;
        }
        let half = width / 2;
        self.subtract(2 * node, first, half, wanted, bytes);
        self.subtract(2 * node + 1, first + half, half, wanted, bytes);
        let least = self.nodes[2 * node].least.min(self.nodes[2 * node + 1].least);
        self.nodes[node].least = least.saturating_sub(self.nodes[node].taken);
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
