//! States without a packing, remembered over questions and runs.
//!
//! What matters about a state is who is left and how much room is above the skyline, section by
//! section. A state is known by 128 bits, a sum of random multiples of the rooms: two different
//! states have the same bits with a probability of about 2^-70.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use memplan_packing::random::SplitMix64;

use crate::units::Unit;

/// So many states are kept at most, about 24 bytes each; later ones are just not remembered.
const STATES: usize = 2_000_000;

/// The bits by which a state is known; sums of what its pieces are known by.
pub(super) type Key = u128;

/// The random numbers that keys are made of.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    rects: Vec<Key>,
    rooms: Vec<Key>,
}

impl Keys {
    /// Numbers for so many rectangles in so many sections.
    pub(super) fn new(rects: usize, sections: usize) -> Self {
        let mut random = SplitMix64::new(0x6e69_6368_6573);
        let mut key = || Key::from(random.bits()) << 64 | Key::from(random.bits());
        let rects = (0..rects).map(|_| key()).collect();
        Self { rects, rooms: (0..sections).map(|_| key() | 1).collect() }
    }

    /// What a rectangle adds to the key.
    pub(super) fn rect(&self, rect: u32) -> Key {
        self.rects[rect as usize]
    }

    /// What the room above a section adds to the key.
    pub(super) fn room(&self, section: u32, room: Unit) -> Key {
        self.rooms[section as usize].wrapping_mul(room as Key)
    }
}

/// States known to have no packing.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo(HashSet<Key, BuildHasherDefault<Bits>>);

impl Memo {
    /// True when the state is known to have no packing.
    pub(super) fn knows(&self, key: Key) -> bool {
        self.0.contains(&key)
    }

    /// Remembers that the state has none.
    pub(super) fn learn(&mut self, key: Key) {
        if self.0.len() < STATES {
            self.0.insert(key);
        }
    }

    /// Remembers what another memory knows. That sets have no order makes no difference, but when
    /// the memory is nearly full: then it takes nothing.
    pub(super) fn absorb(&mut self, other: Self) {
        if self.0.is_empty() {
            *self = other;
        } else if self.0.len() + other.0.len() <= STATES {
            self.0.extend(other.0);
        }
    }
}

/// Keys are random already.
#[derive(Clone, Copy, Debug, Default)]
struct Bits(u64);

impl Hasher for Bits {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = (key >> 64) as u64;
    }
}
