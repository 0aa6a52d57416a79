//! Groups of buffers that share memory, with what is known of their transfers (HIVM spec, sections
//! 3.3 and D.1).

use crate::plan::hivm::BufferNo;

/// Union-find; a flag is computed for the first buffer that asks and kept at the root, also when it
/// is false.
pub(super) struct Groups {
    parent: Vec<BufferNo>,
    source: Vec<Option<bool>>,
    destination: Vec<Option<bool>>,
}

impl Groups {
    pub(super) fn new(buffers: usize) -> Self {
        let parent = (0..).take(buffers).collect();
        Self { parent, source: vec![None; buffers], destination: vec![None; buffers] }
    }

    fn root(&self, buffer: BufferNo) -> usize {
        let mut at = buffer;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        at as usize
    }

    /// True when the group is read by a transfer to global memory.
    pub(super) fn is_source(&mut self, buffer: BufferNo, own: impl FnOnce() -> bool) -> bool {
        let root = self.root(buffer);
        *self.source[root].get_or_insert_with(own)
    }

    /// True when the group is written by a transfer from global memory.
    pub(super) fn is_destination(&mut self, buffer: BufferNo, own: impl FnOnce() -> bool) -> bool {
        let root = self.root(buffer);
        *self.destination[root].get_or_insert_with(own)
    }

    /// The second joins the group of the first; only its flags that are known and true go along.
    pub(super) fn unite(&mut self, first: BufferNo, second: BufferNo) {
        let (first, second) = (self.root(first), self.root(second));
        if first == second {
            return;
        }
        for flags in [&mut self.source, &mut self.destination] {
            if flags[second] == Some(true) {
                flags[first] = Some(true);
            }
        }
        self.parent[second] = BufferNo::try_from(first).unwrap_or(BufferNo::MAX);
    }
}
