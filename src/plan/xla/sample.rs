//! Random events for tests, and the judge of heaps.

use quickcheck::{Arbitrary, Gen};

use super::heap::{Chunk, Heap};
use super::pack::{Block, blocks};
use crate::analyze::hlo::{Event, EventKind, ValueId};

/// Test cases: so many, or more where `MEMPLAN_CASES` says how many times as many.
pub(super) fn scaled(cases: u64) -> u64 {
    let times = std::env::var("MEMPLAN_CASES").ok().and_then(|text| text.parse().ok());
    cases.saturating_mul(times.unwrap_or(1))
}

/// Numbers that events are made of.
#[derive(Clone, Debug)]
pub(super) struct Script(Vec<(u8, u8, u16)>);

impl Arbitrary for Script {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(Vec::arbitrary(g))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Self))
    }
}

impl Script {
    /// Events that XLA might write: every value is allocated or shares, later it is freed once.
    pub(super) fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        let mut alive: Vec<(ValueId, u64)> = Vec::new();
        let mut all: Vec<(ValueId, u64)> = Vec::new();
        for &(what, which, size) in &self.0 {
            let value = ValueId(all.len() as u32);
            match what % 5 {
                0 | 1 if !alive.is_empty() => {
                    let (value, size) = alive.swap_remove(which as usize % alive.len());
                    events.push(Event { kind: EventKind::Free, value, size });
                }
                2 if !all.is_empty() => {
                    let (with, size) = all[which as usize % all.len()];
                    events.push(Event { kind: EventKind::Share(with), value, size });
                    alive.push((value, size));
                    all.push((value, size));
                }
                _ => {
                    let size = u64::from(size % 500);
                    events.push(Event { kind: EventKind::Alloc, value, size });
                    alive.push((value, size));
                    all.push((value, size));
                }
            }
        }
        for (value, size) in alive {
            events.push(Event { kind: EventKind::Free, value, size });
        }
        events
    }
}

/// Looks at every pair of blocks: offsets are aligned, values of a block lie in one place, blocks that
/// meet are disjoint, and the size is the largest end.
pub(super) fn sound(events: &[Event], heap: &Heap, alignment: u64) -> bool {
    let blocks = blocks(events);
    let chunk = |block: &Block| heap.chunks[&block.root];
    let whole = |block: &Block| {
        let Chunk { offset, size } = chunk(block);
        let same = block.values.iter().all(|value| heap.chunks[value] == chunk(block));
        offset.is_multiple_of(alignment) && size == block.size && same
    };
    let apart = |a: &Block, b: &Block| {
        let (p, q) = (chunk(a), chunk(b));
        !a.meets(b) || p.end() <= q.offset || q.end() <= p.offset
    };
    let end = blocks.iter().map(|block| chunk(block).end()).max().unwrap_or(0);
    let pairs = blocks.iter().enumerate();
    end == heap.size
        && blocks.iter().all(whole)
        && pairs.into_iter().all(|(at, a)| blocks[..at].iter().all(|b| apart(a, b)))
}
