//! Bytes in use over time.

use super::cover::Cover;
use crate::format::picture::Columns;

/// One rectangle of a map: a slot of a buffer through one of its live ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The position of the buffer.
    pub(super) buffer: usize,
    /// Which of its slots.
    pub(super) slot: usize,
    /// From this step.
    pub(super) start: u64,
    /// To this step.
    pub(super) end: u64,
    /// Its first byte.
    pub(super) low: u64,
    /// One past its last byte.
    pub(super) high: u64,
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
