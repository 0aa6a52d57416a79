//! What the range of a pool is cut into.

use super::marks::Marks;
use crate::model::machine::SomaPolicy;
use crate::runtime::clock::ActorId;

/// A run of granules in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// From the start of the pool.
    pub(super) start: u64,
    pub(super) len: u64,
    /// True when there is memory behind it.
    pub(super) mapped: bool,
    pub(super) state: State,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nobody's; no memory.
    Free,
    /// Given back; the memory is kept.
    Cached(Freed),
    /// Handed out.
    Busy(Held),
}

/// A block that is out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) generation: u32,
    pub(super) requested: u64,
    /// Who asked for it.
    pub(super) stream: ActorId,
}

/// What is known of a cached block, both as the document and as the source see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Freed {
    /// The frees behind it.
    pub(super) marks: Marks,
    /// Records on the freeing stream before the free.
    pub(super) seq: u64,
    /// What the source stamps it with.
    pub(super) stamp: Stamp,
}

/// The source's idea of when a block was freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// The stream that asked for the block, not the one that freed it (Q-SOMA-3).
    pub(super) stream: ActorId,
    /// Records on that stream when the block was freed.
    pub(super) seq: u64,
}

impl Segment {
    pub(super) fn end(&self) -> u64 {
        self.start + self.len
    }

    pub(super) fn is_free(&self) -> bool {
        matches!(self.state, State::Free)
    }

    pub(super) fn cached(&self) -> Option<&Freed> {
        match &self.state {
            State::Cached(freed) => Some(freed),
            State::Free | State::Busy(_) => None,
        }
    }

    pub(super) fn busy(&self) -> Option<&Held> {
        match &self.state {
            State::Busy(held) => Some(held),
            State::Free | State::Cached(_) => None,
        }
    }

    /// True when the two, side by side, are one (5.15): free ones always, cached ones when nothing
    /// that decides about their reuse tells them apart.
    pub(super) fn merges_with(&self, next: &Self, policy: SomaPolicy) -> bool {
        match (&self.state, &next.state) {
            (State::Free, State::Free) => true,
            (State::Cached(a), State::Cached(b)) => {
                let alike = match policy {
                    SomaPolicy::Documented => a.seq == b.seq && a.marks.same_stream(&b.marks),
                    SomaPolicy::Source0184 | SomaPolicy::Head => a.stamp == b.stamp,
                };
                alike && self.mapped == next.mapped
            }
            _ => false,
        }
    }

    /// Takes the next one in.
    pub(super) fn absorb(&mut self, next: &Self) {
        self.len += next.len;
        if let (State::Cached(mine), State::Cached(theirs)) = (&mut self.state, &next.state) {
            mine.marks.join(&theirs.marks);
        }
    }
}
