//! One pool: its segments and counters.

use super::block::Block;
use super::marks::{FreeMark, Marks};
use super::segment::{Freed, Held, Segment, Stamp, State};
use super::{Found, PoolId};
use crate::model::machine::SomaPolicy;
use crate::runtime::clock::Clock;
use crate::runtime::memory::Bank;
use crate::runtime::objects::ObjectId;

/// A pool, alive or not.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    pub(super) id: PoolId,
    pub(super) name: String,
    pub(super) object: ObjectId,
    pub(super) device: u32,
    /// The first address.
    pub(super) base: u64,
    /// A multiple of the granule.
    pub(super) max: u64,
    pub(super) granule: u64,
    pub(super) policy: SomaPolicy,
    pub(super) alive: bool,
    pub(super) ipc: bool,
    pub(super) follow_event: bool,
    pub(super) opportunistic: bool,
    pub(super) internal: bool,
    pub(super) threshold: u64,
    pub(super) used: u64,
    pub(super) used_high: u64,
    pub(super) reserved: u64,
    pub(super) reserved_high: u64,
    /// Sorted; they tile `[0, max)`.
    pub(super) segments: Vec<Segment>,
    /// Frees behind memory that was given up, until the bytes are handed out again.
    released: Vec<Released>,
    /// Bytes that synchronisations dropped at threshold 0 and nobody has asked for since.
    pub(super) dropped: u64,
    /// True when the lint about that was given.
    pub(super) linted: bool,
}

#[derive(Clone, Debug)]
struct Released {
    start: u64,
    end: u64,
    marks: Marks,
}

/// What a new pool is.
#[derive(Debug)]
pub(super) struct Made<'a> {
    pub(super) id: PoolId,
    pub(super) name: &'a str,
    pub(super) object: ObjectId,
    pub(super) device: u32,
    pub(super) base: u64,
    pub(super) max: u64,
    pub(super) granule: u64,
    pub(super) policy: SomaPolicy,
    pub(super) ipc: bool,
}

impl Pool {
    pub(super) fn new(made: &Made<'_>) -> Self {
        let whole = Segment { start: 0, len: made.max, mapped: false, state: State::Free };
        Self {
            id: made.id,
            name: made.name.to_owned(),
            object: made.object,
            device: made.device,
            base: made.base,
            max: made.max,
            granule: made.granule,
            policy: made.policy,
            alive: true,
            ipc: made.ipc,
            follow_event: false,
            opportunistic: false,
            internal: false,
            threshold: 0,
            used: 0,
            used_high: 0,
            reserved: 0,
            reserved_high: 0,
            segments: vec![whole],
            released: Vec::new(),
            dropped: 0,
            linted: false,
        }
    }

    pub(super) fn bank(&self) -> Bank {
        Bank::Device(self.device)
    }

    pub(super) fn holds(&self, address: u64) -> bool {
        self.alive && address >= self.base && address - self.base < self.max
    }

    /// The segment that the byte lies in.
    pub(super) fn index(&self, offset: u64) -> Option<usize> {
        let after = self.segments.partition_point(|s| s.start <= offset);
        let at = after.checked_sub(1)?;
        (offset < self.segments[at].end()).then_some(at)
    }

    /// The live block around an address.
    pub(super) fn find(&self, address: u64) -> Option<Found> {
        let segment = &self.segments[self.index(address.checked_sub(self.base)?)?];
        let block = self.block(segment, segment.busy()?);
        Some(Found { block, object: self.object, device: self.device })
    }

    /// All live blocks, lowest first.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block> {
        self.segments.iter().filter_map(|s| Some(self.block(s, s.busy()?)))
    }

    fn block(&self, segment: &Segment, held: &Held) -> Block {
        Block {
            pool: self.id,
            address: self.base + segment.start,
            offset: segment.start,
            requested: held.requested,
            len: segment.len,
            generation: held.generation,
            stream: held.stream,
            mapped: segment.mapped,
        }
    }

    /// Hands out the first `len` bytes of a segment that is not busy; the rest stays as it is, but
    /// for the source's stamp, which gets the new stream with the old number (Q-SOMA-4).
    pub(super) fn hand_out(&mut self, at: usize, len: u64, held: Held) {
        let segment = &mut self.segments[at];
        let mut rest = segment.clone();
        rest.start += len;
        rest.len -= len;
        if let State::Cached(freed) = &mut rest.state {
            freed.stamp = Stamp { stream: held.stream, ..freed.stamp };
        }
        self.used += len;
        if segment.is_free() {
            self.reserved += len;
        }
        segment.len = len;
        segment.state = State::Busy(held);
        if rest.len > 0 {
            self.segments.insert(at + 1, rest);
        }
        self.used_high = self.used_high.max(self.used);
        self.reserved_high = self.reserved_high.max(self.reserved);
        self.merge();
    }

    /// A block comes back, its memory stays.
    pub(super) fn cache(&mut self, at: usize, freed: Freed) {
        self.used -= self.segments[at].len;
        self.segments[at].state = State::Cached(freed);
        self.merge();
    }

    /// A block comes back and its memory goes; answers with the bytes of memory.
    pub(super) fn give_up_busy(&mut self, at: usize, mark: Option<FreeMark>) -> u64 {
        let segment = &mut self.segments[at];
        let (start, len, mapped) = (segment.start, segment.len, segment.mapped);
        segment.state = State::Free;
        segment.mapped = false;
        self.used -= len;
        self.reserved -= len;
        self.merge();
        self.remember(start, start + len, mark.map(Marks::one).unwrap_or_default());
        if mapped { len } else { 0 }
    }

    /// The last `len` bytes of a cached segment are given up; answers with the bytes of memory.
    /// `known` is what the thread that does it knows. Segments are not merged yet.
    pub(super) fn give_up_cached(&mut self, at: usize, len: u64, known: &Clock) -> u64 {
        let segment = &mut self.segments[at];
        let (end, mapped) = (segment.end(), segment.mapped);
        let marks = segment.cached().map(|freed| freed.marks.inside(known)).unwrap_or_default();
        segment.len -= len;
        let rest = Segment { start: end - len, len, mapped: false, state: State::Free };
        if segment.len == 0 {
            *segment = rest;
        } else {
            self.segments.insert(at + 1, rest);
        }
        self.reserved -= len;
        self.remember(end - len, end, marks);
        if mapped { len } else { 0 }
    }

    fn remember(&mut self, start: u64, end: u64, marks: Marks) {
        if !marks.is_empty() {
            self.released.push(Released { start, end, marks });
        }
    }

    /// The frees behind memory that was given up in a range that is handed out now, less those that
    /// the request knows. Whoever gets such bytes comes after the giving up, hence after the frees,
    /// even where another thread gave them up.
    pub(super) fn recall(&mut self, start: u64, end: u64, request: &Clock) -> Vec<FreeMark> {
        let mut marks = Marks::default();
        let mut left = Vec::new();
        for old in self.released.drain(..) {
            if old.end <= start || end <= old.start {
                left.push(old);
                continue;
            }
            marks.join(&old.marks);
            // Blocks are cut from the front of free segments, so nothing is left before them.
            if end < old.end {
                left.push(Released { start: end, ..old });
            }
        }
        self.released = left;
        marks.beyond(request)
    }

    /// Merges what is side by side and alike.
    pub(super) fn merge(&mut self) {
        let policy = self.policy;
        self.segments.dedup_by(|next, mine| {
            let one = mine.merges_with(next, policy);
            if one {
                mine.absorb(next);
            }
            one
        });
    }

    /// Bytes given back whose memory is kept.
    pub(super) fn cached_bytes(&self) -> u64 {
        self.segments.iter().filter(|s| s.cached().is_some()).map(|s| s.len).sum()
    }
}
