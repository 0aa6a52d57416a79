//! States without a packing, remembered over questions and runs.
//!
//! What matters about a state is who is left and how much room is above the skyline, section by
//! section. A state is known by 128 bits that are mixed from that; two different states with the
//! same bits are not expected in the life of the universe.

use std::collections::HashSet;

use memplan_packing::random::SplitMix64;

use crate::units::Unit;

/// So many states are kept at most, about 24 bytes each; later ones are just not remembered.
const STATES: usize = 2_000_000;

/// The bits by which a state is known; sums of what its pieces are known by.
pub(super) type Key = u128;

/// States known to have no packing.
#[derive(Clone, Debug)]
pub(super) struct Memo {
    rects: Vec<Key>,
    failed: HashSet<Key>,
}

impl Memo {
    /// Nothing is known yet about so many rectangles.
    pub(super) fn new(rects: usize) -> Self {
        let mut random = SplitMix64::new(0x6e69_6368_6573);
        let mut key = || Key::from(random.bits()) << 64 | Key::from(random.bits());
        Self { rects: (0..rects).map(|_| key()).collect(), failed: HashSet::new() }
    }

    /// What a rectangle adds to the key.
    pub(super) fn rect(&self, rect: u32) -> Key {
        self.rects[rect as usize]
    }

    /// What a stretch of sections adds to the key that has so much room above it.
    pub(super) fn stretch(first: u32, room: Unit) -> Key {
        let mix = |seed: u64| {
            let mut random = SplitMix64::new(seed ^ u64::from(first) << 32);
            SplitMix64::new(random.bits() ^ room as u64).bits()
        };
        Key::from(mix(0x05)) << 64 | Key::from(mix(0xa0))
    }

    /// True when the state is known to have no packing.
    pub(super) fn knows(&self, key: Key) -> bool {
        self.failed.contains(&key)
    }

    /// Remembers that the state has none.
    pub(super) fn learn(&mut self, key: Key) {
        if self.failed.len() < STATES {
            self.failed.insert(key);
        }
    }
}
