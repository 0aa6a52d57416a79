//! Who may share bytes at which level, whatever their lives (4.9).

use super::{Buffer, BufferNo, Entry, Input};

/// No sharing across pipes.
pub(super) const PIPE: u8 = 3;
/// No sharing within a loop.
pub(super) const LOOP: u8 = 2;
/// A single buffer takes the place of a multi-buffer by becoming one.
pub(super) const SLOT: u8 = 1;
/// Nothing but lives counts.
pub(super) const LIFE: u8 = 0;

/// What touches the buffers of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    scalar: bool,
    dma: bool,
    vector: bool,
}

impl Kinds {
    pub(super) fn of(input: &Input, entry: &Entry) -> Self {
        let mut kinds = Self::default();
        for &no in &entry.buffers {
            // A buffer that is both counts as scalar here.
            match buffer(input, no) {
                b if b.scalar => kinds.scalar = true,
                b if b.dma => kinds.dma = true,
                _ => kinds.vector = true,
            }
        }
        kinds
    }

    /// Level 3: some pair of buffers has exactly one scalar, or none and at least one DMA buffer.
    fn stall(self, other: Self) -> bool {
        let moved = |k: Self| k.dma || k.vector;
        (self.scalar && moved(other))
            || (other.scalar && moved(self))
            || (self.dma && moved(other))
            || (other.dma && moved(self))
    }
}

/// What levels 2 and 3 compare.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    pub(super) kinds: Kinds,
    pub(super) anchor: Option<u32>,
}

/// True when two entries may not share bytes at a level. Levels are alternatives: level 2 ignores
/// pipes. Level 1 has a test of its own (4.10).
pub(super) fn conflict(level: u8, a: Traits, b: Traits) -> bool {
    match level {
        PIPE => a.kinds.stall(b.kinds),
        // Both without a loop counts as the same loop.
        LOOP => a.anchor == b.anchor,
        _ => false,
    }
}

/// The anchor loop of an entry: that of all its buffers, none if one has none or two differ.
pub(super) fn anchor(input: &Input, entry: &Entry) -> Option<u32> {
    let mut anchors = entry.buffers.iter().map(|&no| buffer(input, no).anchor);
    let first = anchors.next().flatten()?;
    anchors.all(|a| a == Some(first)).then_some(first)
}

const UNKNOWN: Buffer =
    Buffer { unique: false, dma: false, scalar: false, anchor: None, coupled: None };

/// A buffer by ordinal.
pub(super) fn buffer(input: &Input, no: BufferNo) -> &Buffer {
    input.buffers.get(no as usize).unwrap_or(&UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_vector_with_vector_and_scalar_with_scalar_share_at_level_three() {
        let of = |scalar, dma, vector| Kinds { scalar, dma, vector };
        let (s, d, v) = (of(true, false, false), of(false, true, false), of(false, false, true));
        assert!(!v.stall(v) && !s.stall(s));
        assert!(d.stall(d) && d.stall(v) && v.stall(d));
        assert!(s.stall(v) && v.stall(s) && s.stall(d) && d.stall(s));
        // Merged entries: one bad pair is enough.
        assert!(of(true, false, true).stall(v));
    }
}
