//! Bytes, offsets and steps: one type each, so that they cannot be mixed up.

use std::fmt;

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A distance in bytes from the start of a scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset(pub u64);

/// A moment of a function: an index in its linear order ([`crate::model::Order`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(pub u64);

/// The half-open byte range `[start, end)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteRange {
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
}

/// The half-open live range `[start, end)` in steps.
///
/// A buffer written at step `t` and last read at step `u` is alive in `[t, u + 1)`: the operand
/// and the result of one op are alive together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Live {
    /// First step at which the bytes matter.
    pub start: Step,
    /// First step at which they no longer do.
    pub end: Step,
}

impl Bytes {
    /// The size in bits, for comparison with a compiler's log; `u128` because it may pass 2^64.
    pub fn bits(self) -> u128 {
        u128::from(self.0) * 8
    }
}

impl Live {
    /// The live range `[start, end)`.
    pub const fn new(start: u64, end: u64) -> Self {
        Self { start: Step(start), end: Step(end) }
    }

    /// True when the two ranges share a step.
    pub fn meets(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

impl ByteRange {
    /// The byte range `[start, end)`.
    pub const fn new(start: u64, end: u64) -> Self {
        Self { start, end }
    }

    /// Bytes in the range.
    pub const fn len(self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// True when there is no byte in it.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The bytes that both ranges hold, if any.
    pub fn overlap(self, other: Self) -> Option<Self> {
        let both = Self::new(self.start.max(other.start), self.end.min(other.end));
        (!both.is_empty()).then_some(both)
    }
}

impl fmt::Display for Bytes {
    /// The exact number, with thousands separated: `196,608 B`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} B", grouped(u128::from(self.0)))
    }
}

impl fmt::Display for ByteRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {})", self.start, self.end)
    }
}

/// `1234567` as `1,234,567`.
pub fn grouped(n: u128) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
