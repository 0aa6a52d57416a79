//! How high the bytes are all taken, step by step.

/// For each step an offset below which all bytes are taken; maybe not the highest such offset, since
/// chunks that a later one reaches from below are not looked up.
///
/// A tree over the steps, a power of two of them: each node knows the least and the greatest height
/// of its leaves.
#[derive(Clone, Debug)]
pub(super) struct Heights {
    nodes: Vec<(u64, u64)>,
    leaf: usize,
}

impl Heights {
    /// Nothing is taken at the steps `0..leaf`, a power of two.
    pub(super) fn new(leaf: usize) -> Self {
        Self { nodes: vec![(0, 0); 2 * leaf], leaf }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.nodes.fill((0, 0));
    }

    /// The bytes `start..end` are taken at the steps from `lo` to `hi`, both included.
    pub(super) fn take(&mut self, (lo, hi): (usize, usize), (start, end): (u64, u64)) {
        self.raise(1, (0, self.leaf - 1), (lo, hi), (start, end));
    }

    /// As deep as the logarithm of the steps.
    fn raise(
        &mut self,
        node: usize,
        steps: (usize, usize),
        within: (usize, usize),
        bytes: (u64, u64),
    ) {
        let (least, most) = self.nodes[node];
        // Only what stands between the start and the end grows.
        if steps.1 < within.0 || within.1 < steps.0 || most < bytes.0 || bytes.1 <= least {
            return;
        }
        let inside = within.0 <= steps.0 && steps.1 <= within.1;
        if inside && bytes.0 <= least && most < bytes.1 {
            self.nodes[node] = (bytes.1, bytes.1);
            return;
        }
        if steps.0 == steps.1 {
            return;
        }
        let (left, right) = (2 * node, 2 * node + 1);
        if least == most {
            // All leaves are equal, whatever the nodes between say.
            self.nodes[left] = (least, most);
            self.nodes[right] = (least, most);
        }
        let middle = steps.0 + (steps.1 - steps.0) / 2;
        self.raise(left, (steps.0, middle), within, bytes);
        self.raise(right, (middle + 1, steps.1), within, bytes);
        let (a, b) = (self.nodes[left], self.nodes[right]);
        self.nodes[node] = (a.0.min(b.0), a.1.max(b.1));
    }

    /// The greatest height at the steps from `lo` to `hi`, both included.
    pub(super) fn greatest(&self, (lo, hi): (usize, usize)) -> u64 {
        self.most(1, (0, self.leaf - 1), (lo, hi))
    }

    fn most(&self, node: usize, steps: (usize, usize), within: (usize, usize)) -> u64 {
        let (least, most) = self.nodes[node];
        if steps.1 < within.0 || within.1 < steps.0 {
            return 0;
        }
        if least == most || within.0 <= steps.0 && steps.1 <= within.1 {
            return most;
        }
        let middle = steps.0 + (steps.1 - steps.0) / 2;
        let left = self.most(2 * node, (steps.0, middle), within);
        left.max(self.most(2 * node + 1, (middle + 1, steps.1), within))
    }
}
