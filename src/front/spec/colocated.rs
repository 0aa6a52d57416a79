//! Buffers that must be the same bytes, in groups: what follows from several relations together.

use crate::model::{BufferId, Function, Index};

/// Groups of colocated buffers.
pub(crate) struct Colocated {
    /// Another buffer of the group and the distance to it; itself for the head of a group.
    towards: Vec<(usize, i128)>,
}

impl Colocated {
    /// Every buffer alone.
    pub(crate) fn new(function: &Function) -> Self {
        Self { towards: (0..function.buffers.len()).map(|at| (at, 0)).collect() }
    }

    /// The head of a buffer's group, and how far above it the buffer lies.
    fn place(&mut self, buffer: BufferId) -> (usize, i128) {
        let (mut at, mut above) = (buffer.at(), 0i128);
        while self.towards[at].0 != at {
            // Halves the way for the next who comes along.
            let (next, by) = self.towards[at];
            let (far, more) = self.towards[next];
            self.towards[at] = (far, by.saturating_add(more));
            above = above.saturating_add(self.towards[at].1);
            at = far;
        }
        (at, above)
    }

    /// Joins two buffers; false when they already lie at another distance.
    pub(crate) fn join(&mut self, first: BufferId, second: BufferId, delta: u64) -> bool {
        let ((a, x), (b, y)) = (self.place(first), self.place(second));
        let by = x.saturating_add(delta.into()).saturating_sub(y);
        if a == b {
            return by == 0;
        }
        self.towards[b] = (a, by);
        true
    }

    /// Bytes from the first to the second buffer, where they are in one group.
    pub(crate) fn distance(&mut self, first: BufferId, second: BufferId) -> Option<i128> {
        let ((a, x), (b, y)) = (self.place(first), self.place(second));
        (a == b).then(|| y.saturating_sub(x))
    }
}
