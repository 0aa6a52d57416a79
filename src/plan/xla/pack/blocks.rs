//! What is packed: groups of values that share bytes.

use std::ops::Range;

use crate::analyze::hlo::{Event, ValueId};
use crate::plan::xla::heap::groups;

/// Values in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The value that is allocated.
    pub root: ValueId,
    /// It and all that share its bytes, by their starts.
    pub values: Vec<ValueId>,
    /// Bytes: the most that one of them asks for.
    pub size: u64,
    /// When one of them holds the bytes: half-open ranges of indices of events, in order and disjoint;
    /// none ends where the next one starts.
    pub spans: Vec<Range<u64>>,
}

impl Block {
    /// True when both hold bytes at some step.
    pub fn meets(&self, other: &Self) -> bool {
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.spans.get(i), other.spans.get(j)) {
            if a.start < b.end && b.start < a.end {
                return true;
            }
            if a.end <= b.end { i += 1 } else { j += 1 }
        }
        false
    }
}

/// The blocks of a list of events, by their first allocation. Values without bytes are in none.
pub fn blocks(events: &[Event]) -> Vec<Block> {
    let (groups, _) = groups(events);
    let block = |group: &crate::plan::xla::heap::Group| {
        let mut spans: Vec<Range<u64>> = Vec::new();
        // The step that frees one is still its own, and the next may take over right after it.
        for (start, end) in group.spans() {
            match spans.last_mut() {
                Some(last) if start <= last.end => last.end = end + 1,
                _ => spans.push(start..end + 1),
            }
        }
        Block {
            root: group.root().value,
            values: group.members.iter().map(|member| member.value).collect(),
            size: group.size,
            spans,
        }
    };
    groups.iter().map(block).collect()
}

/// Tells every step at which some block starts, which blocks do, and which have ended since the last.
pub(super) fn sweep(blocks: &[Block], mut tell: impl FnMut(u64, &[usize], &[usize])) {
    let mut starts: Vec<(u64, usize)> = Vec::new();
    let mut ends: Vec<(u64, usize)> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        starts.extend(block.spans.iter().map(|span| (span.start, at)));
        ends.extend(block.spans.iter().map(|span| (span.end, at)));
    }
    starts.sort_unstable();
    ends.sort_unstable();
    let mut gone = ends.iter().peekable();
    let mut ended = Vec::new();
    for group in starts.chunk_by(|a, b| a.0 == b.0) {
        ended.clear();
        let step = group.first().map_or(0, |start| start.0);
        while let Some((_, at)) = gone.next_if(|end| end.0 <= step) {
            ended.push(*at);
        }
        let started: Vec<usize> = group.iter().map(|(_, at)| *at).collect();
        tell(step, &started, &ended);
    }
}

/// The most bytes of blocks that are alive at one step.
pub(super) fn max_load(blocks: &[Block]) -> u64 {
    let (mut load, mut most) = (0u64, 0);
    sweep(blocks, |_, started, ended| {
        for &at in ended {
            load = load.saturating_sub(blocks[at].size);
        }
        for &at in started {
            load = load.saturating_add(blocks[at].size);
        }
        most = most.max(load);
    });
    most
}
