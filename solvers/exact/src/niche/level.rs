//! The integers of the search: small ones where they suffice, since the inner loops are vectors.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use crate::units::{self, Unit};

/// Bytes in units, as wide as the instance needs.
pub(super) trait Level:
    Copy
    + Ord
    + Default
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + SubAssign
{
    /// A level and a number, ordered by the level.
    type Pair: Copy + Ord + Debug + Send + Sync;

    /// Above every offset; with a size or two added still a number.
    const FAR: Self;

    /// The level of so many units, at most [`Level::FAR`].
    fn of(units: Unit) -> Self;

    /// The units.
    fn units(self) -> Unit;

    /// This level, not below 0, with a number.
    fn with(self, number: u32) -> Self::Pair;

    /// The level and the number.
    fn parts(pair: Self::Pair) -> (Self, u32);
}

impl Level for i32 {
    type Pair = u64;

    const FAR: Self = 1 << 29;

    fn of(units: Unit) -> Self {
        units.min(Unit::from(Self::FAR)) as Self
    }

    fn units(self) -> Unit {
        Unit::from(self)
    }

    fn with(self, number: u32) -> u64 {
        u64::from(self.unsigned_abs()) << 32 | u64::from(number)
    }

    fn parts(pair: u64) -> (Self, u32) {
        ((pair >> 32) as Self, pair as u32)
    }
}

impl Level for i64 {
    type Pair = (Self, u32);

    const FAR: Self = units::FAR;

    fn of(units: Unit) -> Self {
        units.min(Self::FAR)
    }

    fn units(self) -> Unit {
        self
    }

    fn with(self, number: u32) -> Self::Pair {
        (self, number)
    }

    fn parts(pair: Self::Pair) -> (Self, u32) {
        pair
    }
}
