//! From numbers to places on paper.

use crate::format::picture::{Map, Sheet};
use crate::report::words;

/// A range of numbers on a range of paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    from: u64,
    to: u64,
    /// Where `from` lies.
    zero: f64,
    /// Paper for all of it; negative where numbers grow upwards.
    length: f64,
}

impl Scale {
    /// The numbers `[from, to]` from `zero` on.
    pub(super) fn new(from: u64, to: u64, zero: f64, length: f64) -> Self {
        Self { from, to: to.max(from.saturating_add(1)), zero, length }
    }

    /// The place of a number; those outside lie at the ends.
    pub(super) fn at(self, n: u64) -> f64 {
        let n = n.clamp(self.from, self.to);
        #[expect(clippy::cast_precision_loss, reason = "a place on paper")]
        let part = (n - self.from) as f64 / (self.to - self.from) as f64;
        self.zero + part * self.length
    }

    /// True when a number lies on it.
    pub(super) fn holds(self, n: u64) -> bool {
        (self.from..=self.to).contains(&n)
    }
}

/// Up to `most` round numbers from 0 to `top`: multiples of a power of two.
pub(super) fn byte_ticks(top: u64, most: u64) -> Vec<u64> {
    let mut step: u64 = 1;
    while top / step > most && step < 1 << 62 {
        step *= 2;
    }
    (0..=top / step).map(|n| n * step).collect()
}

/// Up to `most` round steps from `from` to `to`: multiples of 1, 2 or 5 times a power of ten.
pub(super) fn step_ticks(from: u64, to: u64, most: u64) -> Vec<u64> {
    let span = u128::from(to.saturating_sub(from).max(1));
    let mut step: u128 = 1;
    for factor in [2, 5, 10].iter().cycle() {
        if span / step <= u128::from(most) {
            break;
        }
        // 1, 2, 5, 10: the next of the row.
        step = if *factor == 5 { step / 2 * 5 } else { step * 2 };
    }
    let Ok(step) = u64::try_from(step) else { return Vec::new() };
    (from.div_ceil(step)..=to / step).map(|n| n * step).collect()
}

/// A number of bytes in few letters: `64 KiB`, `1,000 B`.
pub(super) fn short(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let fits = units.into_iter().find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit));
    match fits {
        Some((unit, name)) => format!("{} {name}", words::number(bytes / unit)),
        None => words::bytes(bytes),
    }
}

/// About so many bytes, for an axis: `1.4 GiB`.
pub(super) fn about(bytes: u64) -> String {
    let exact = short(bytes);
    let units = [(1_u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) if exact.len() > 10 => {
            let tenths = (u128::from(bytes) * 10 + u128::from(unit) / 2) / u128::from(unit);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        _ => exact,
    }
}

/// The first and one past the last step to show: the scopes of a function are drawn on the same steps.
pub(super) fn span(sheet: &Sheet) -> (u64, u64) {
    let ranges =
        || sheet.maps.iter().flat_map(|m| &m.buffers.live).flat_map(|l| l.as_chunks::<2>().0);
    let from = ranges().map(|l| l[0]).min().unwrap_or(0);
    let to = ranges().map(|l| l[1]).max().unwrap_or(1);
    (from, to.max(from.saturating_add(1)))
}

/// The height of a map in bytes: the capacity, but no more than twice what is there.
pub(super) fn top(map: &Map) -> u64 {
    let load = map.load.iter().map(|[_, bytes]| *bytes).max().unwrap_or(0);
    let there = map.peak.unwrap_or(0).max(load).max(map.max_load).max(map.lower_bound).max(1);
    let room = there.saturating_add(there / 12).max(2);
    match map.capacity {
        Some(capacity) if capacity / 2 <= there => room.max(capacity),
        _ => room,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(byte_ticks(196_608, 6), [0, 32768, 65536, 98304, 131_072, 163_840, 196_608]);
        assert_eq!(byte_ticks(1, 6), [0, 1]);
        assert!(byte_ticks(u64::MAX, 6).len() <= 7);
        assert_eq!(step_ticks(0, 9, 10), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(step_ticks(3, 45, 10), [5, 10, 15, 20, 25, 30, 35, 40, 45]);
        assert_eq!(step_ticks(0, 90, 10), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
        assert!(step_ticks(0, u64::MAX, 10).len() <= 12);
    }

    #[test]
    fn bytes_are_short_where_they_are_round() {
        let words: Vec<String> = [0, 100, 1024, 196_608, 3 << 30].map(short).into();
        assert_eq!(about(1_498_635_932), "1.4 GiB");
        assert_eq!(words, ["0 B", "100 B", "1 KiB", "192 KiB", "3 GiB"]);
    }
}
