//! Bytes in use over time.

use super::cover::Cover;
use super::stack;
use crate::format::picture::{Columns, Map};

/// One rectangle of a map: a slot of a buffer through one of its live ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) struct Piece {
    /// The position of the buffer.
    pub(in crate::report) buffer: usize,
    /// Which of its slots.
    pub(in crate::report) slot: usize,
    /// From this step.
    pub(in crate::report) start: u64,
    /// To this step.
    pub(in crate::report) end: u64,
    /// Its first byte.
    pub(in crate::report) low: u64,
    /// One past its last byte.
    pub(in crate::report) high: u64,
}

impl Piece {
    /// The rectangles of a map, with or without a plan.
    pub(in crate::report) fn all(map: &Map) -> Vec<Self> {
        if map.stack.is_some() { stack::pieces(map) } else { pieces(&map.buffers) }
    }
}

/// What two rectangles have in common, as a part of the one that begins first, and the other; not looked
/// for among very many.
pub(super) fn overlaps(pieces: &[Piece]) -> Vec<(Piece, Piece)> {
    const MOST: usize = 3_000;
    if pieces.len() > MOST {
        return Vec::new();
    }
    let mut order: Vec<&Piece> = pieces.iter().collect();
    order.sort_by_key(|piece| piece.start);
    let (mut found, mut alive) = (Vec::new(), Vec::<&Piece>::new());
    for second in order {
        alive.retain(|first| first.end > second.start);
        for first in &alive {
            let (low, high) = (first.low.max(second.low), first.high.min(second.high));
            let (start, end) = (second.start, second.end.min(first.end));
            if low < high {
                found.push((Piece { start, end, low, high, ..**first }, *second));
            }
        }
        alive.push(second);
    }
    found
}

/// The rectangles of a plan, in the order of the buffers; none for what takes no byte or no time.
pub(super) fn pieces(buffers: &Columns) -> Vec<Piece> {
    let mut all = Vec::new();
    for (buffer, live) in buffers.live.iter().enumerate() {
        let bytes = taken(buffers, buffer);
        for (slot, &low) in buffers.offsets[buffer].iter().enumerate() {
            let high = low.saturating_add(bytes);
            let lives = live.as_chunks::<2>().0.iter().filter(|[s, e]| s < e && low < high);
            all.extend(lives.map(|&[start, end]| Piece { buffer, slot, start, end, low, high }));
        }
    }
    all
}

/// Bytes that one slot of a buffer takes.
pub(super) fn taken(buffers: &Columns, at: usize) -> u64 {
    buffers.taken.get(at).or(buffers.size.get(at)).copied().unwrap_or(0)
}

/// Bytes in use from each step on at which their number changes. What two buffers hold together (in
/// place, exclusive, colocated) counts once, so this never passes the peak.
pub(super) fn of_plan(pieces: &[Piece]) -> Vec<[u64; 2]> {
    let mut cover = Cover::new(pieces.iter().flat_map(|p| [p.low, p.high]).collect());
    // What goes at a step goes before what comes there.
    let mut events: Vec<(u64, bool, u64, u64)> = Vec::with_capacity(2 * pieces.len());
    for p in pieces {
        events.push((p.start, true, p.low, p.high));
        events.push((p.end, false, p.low, p.high));
    }
    events.sort_unstable();
    let mut curve = Curve::default();
    for step in events.chunk_by(|a, b| a.0 == b.0) {
        for &(_, comes, low, high) in step {
            if comes { cover.add(low, high) } else { cover.remove(low, high) }
        }
        curve.push(step[0].0, cover.bytes());
    }
    curve.points
}

/// A curve of steps: only changes are kept.
#[derive(Debug, Default)]
pub(super) struct Curve {
    /// A step, and the bytes from it on.
    pub(super) points: Vec<[u64; 2]>,
}

impl Curve {
    /// From this step on it is so many bytes; steps come in order.
    pub(super) fn push(&mut self, step: u64, bytes: u64) {
        if self.points.last().map_or(0, |[_, last]| *last) != bytes {
            self.points.push([step, bytes]);
        }
    }
}
