//! Whether lives forbid sharing, at every level (`lifeConflict`, 4.8; regbase: section 7, rule 4).

use super::levels::buffer;
use super::lives::{Overlap, meet, overlaps};
use super::{BufferNo, Entry, Input, Life};
use crate::ir::hivm::PassKind;

/// The input with an index from buffers to entries.
pub(super) struct Rules<'a> {
    pub(super) input: &'a Input,
    entry_of: Vec<Option<usize>>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(input: &'a Input) -> Self {
        let mut entry_of = vec![None; input.buffers.len()];
        for (at, entry) in input.entries.iter().enumerate() {
            for &no in &entry.buffers {
                if let Some(of) = entry_of.get_mut(no as usize) {
                    *of = Some(at);
                }
            }
        }
        Self { input, entry_of }
    }

    /// True when an entry may not lie where these lives lie.
    pub(super) fn forbids(&self, entry: &Entry, lives: &[Life]) -> bool {
        let (Some(a), Some(b)) = (entry.lives.first(), lives.first()) else { return false };
        match self.input.pass {
            PassKind::Base => {
                // Only the buffer of the first life is asked (10.2, hazard 4).
                self.unique(a.buffer)
                    || self.unique(b.buffer)
                    || overlaps(&entry.lives, lives).any(|o| !self.may_stall(entry, &o))
            }
            PassKind::Regbase => self.meets(entry, lives),
        }
    }

    /// The plain question of the level-1 slot check (D.7): base without the unique test and the
    /// stall exception, regbase with the unique test.
    pub(super) fn meets(&self, entry: &Entry, lives: &[Life]) -> bool {
        let (Some(a), Some(b)) = (entry.lives.first(), lives.first()) else { return false };
        let apart = self.input.pass == PassKind::Regbase && self.apart(a.buffer, b.buffer);
        apart || meet(&entry.lives, lives)
    }

    /// Regbase: one of the two is unique, and they are not coupled buffers that may share.
    fn apart(&self, a: BufferNo, b: BufferNo) -> bool {
        if !self.unique(a) && !self.unique(b) {
            return false;
        }
        match (buffer(self.input, a).coupled, buffer(self.input, b).coupled) {
            (Some(x), Some(y)) if x != y => {
                !self.input.coupled_pairs.contains(&(x.min(y), x.max(y)))
            }
            _ => true,
        }
    }

    fn unique(&self, no: BufferNo) -> bool {
        buffer(self.input, no).unique
    }

    /// Base: a load and a store buffer that meet in one moment may share at the price of a stall.
    /// The occupied side stands for the entry of the buffer that its life names (D.9).
    fn may_stall(&self, entry: &Entry, overlap: &Overlap) -> bool {
        if overlap.start != overlap.end || self.input.stall_pairs.is_empty() {
            return false;
        }
        let held = self.entry_of.get(overlap.second as usize).copied().flatten();
        let others = held.map_or([].as_slice(), |at| &self.input.entries[at].buffers);
        let pair =
            |a: BufferNo, b: BufferNo| self.input.stall_pairs.contains(&(a.min(b), a.max(b)));
        entry.buffers.iter().any(|&a| others.iter().any(|&b| pair(a, b)))
    }
}
