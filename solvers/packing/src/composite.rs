//! Colocated items as one rigid thing with one offset.

use std::ops::Range;

use crate::instance::{Instance, ItemId};
use crate::relations::Relations;

/// One item of a composite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The item.
    pub item: ItemId,
    /// Its distance from the base of the composite.
    pub delta: u64,
    /// Its size.
    pub size: u64,
}

/// The items of one colocation group. Its base is the offset of its lowest member.
///
/// ```text
///             delta(b)
///          |---------->|
///          +-----------+---+
///          |     a     | b |          the base obeys the alignment, pin and window of a and,
///          +-----------+---+          shifted by delta(b), those of b
///        base            base + extent
/// ```
///
/// Legal bases are the numbers `residue + k * modulus` in `low..=high`; there is none when
/// `low > high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composite {
    /// Lowest base that pins and windows allow.
    pub low: u64,
    /// Highest base that pins, windows and 64 bits allow.
    pub high: u64,
    /// Remainder of the base.
    pub residue: u64,
    /// What the base leaves that remainder with; at least 1.
    pub modulus: u64,
    /// Bytes from the base to the largest end.
    pub extent: u64,
    /// True when a pin fixes the base.
    pub pinned: bool,
}

impl Composite {
    /// The lowest legal base that is at least `from`, reserved ranges aside.
    pub fn align(&self, from: u64) -> Option<u64> {
        let from = from.max(self.low);
        let over = from % self.modulus;
        let step = if over <= self.residue {
            self.residue - over
        } else {
            self.modulus - over + self.residue
        };
        from.checked_add(step).filter(|&base| base <= self.high)
    }

    /// Whether the base is legal, reserved ranges aside.
    pub fn allows(&self, base: u64) -> bool {
        self.align(base) == Some(base)
    }

    fn never() -> (u64, u64) {
        (1, 0)
    }
}

/// All composites of an instance, numbered by their first item.
#[derive(Clone, Debug)]
pub struct Composites {
    list: Vec<Composite>,
    members: Vec<Member>,
    first: Vec<u32>,
    reserved: Vec<Range<u64>>,
}

impl Composites {
    /// The composites of a validated instance.
    pub fn new(instance: &Instance, relations: &Relations) -> Self {
        let count = relations.group.iter().map(|&(g, _)| g + 1).max().unwrap_or(0) as usize;
        let mut first = vec![0u32; count + 1];
        for &(group, _) in &relations.group {
            first[group as usize + 1] += 1;
        }
        for g in 0..count {
            first[g + 1] += first[g];
        }
        let mut next = first.clone();
        let mut members = vec![Member { item: 0, delta: 0, size: 0 }; instance.items.len()];
        for (id, &(group, delta)) in relations.group.iter().enumerate() {
            let at = &mut next[group as usize];
            let size = instance.items[id].size;
            members[*at as usize] = Member { item: id as ItemId, delta, size };
            *at += 1;
        }
        let of = |g: usize| &members[first[g] as usize..first[g + 1] as usize];
        let list = (0..count).map(|g| compose(instance, of(g))).collect();
        Self { list, members, first, reserved: instance.reserved.clone() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The composite with this number (the group in [`Relations::group`]).
    pub fn get(&self, composite: u32) -> &Composite {
        &self.list[composite as usize]
    }

    /// Its members in the order of their ids.
    pub fn members(&self, composite: u32) -> &[Member] {
        let at = composite as usize;
        &self.members[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// The lowest legal base that is at least `from` and keeps off the reserved ranges.
    pub fn lowest(&self, composite: u32, from: u64) -> Option<u64> {
        let shape = self.get(composite);
        let mut base = shape.align(from)?;
        if self.reserved.is_empty() {
            return Some(base);
        }
        let members = self.members(composite);
        // Every round passes the end of a reserved range, so this ends.
        while let Some(next) = members.iter().find_map(|m| self.past_reserved(*m, base)) {
            base = shape.align(next)?;
        }
        Some(base)
    }

    /// When the member would lie on a reserved range: the lowest base past that range.
    fn past_reserved(&self, member: Member, base: u64) -> Option<u64> {
        if member.size == 0 {
            return None;
        }
        let lo = base + member.delta;
        let at = self.reserved.partition_point(|r| r.end <= lo);
        let range = self.reserved.get(at)?;
        (range.start < lo + member.size).then(|| range.end - member.delta)
    }
}

/// Intersects what the members demand.
fn compose(instance: &Instance, members: &[Member]) -> Composite {
    let end = |m: &Member| m.delta.saturating_add(m.size);
    let extent = members.iter().map(end).max().unwrap_or(0);
    let (mut low, mut high) = (0, u64::MAX - extent);
    let mut pinned = false;
    let mut grid = Some((0u64, 1u64));
    for m in members {
        let item = &instance.items[m.item as usize];
        if let Some(pin) = item.pin {
            pinned = true;
            match pin.checked_sub(m.delta) {
                Some(base) => (low, high) = (low.max(base), high.min(base)),
                None => (low, high) = Composite::never(),
            }
        }
        // A window is about bytes; an item without bytes is inside everywhere.
        if let Some(window) = item.window.as_ref().filter(|_| m.size > 0) {
            match window.end.checked_sub(m.delta).and_then(|room| room.checked_sub(m.size)) {
                Some(top) => {
                    low = low.max(window.start.saturating_sub(m.delta));
                    high = high.min(top);
                }
                None => (low, high) = Composite::never(),
            }
        }
        grid = grid.and_then(|(residue, modulus)| {
            if modulus == 0 {
                // Only one number is left.
                return (residue.checked_add(m.delta)?.is_multiple_of(item.align))
                    .then_some((residue, 0));
            }
            meet(residue, modulus, m.delta, item.align)
        });
    }
    match grid {
        Some((residue, 0)) => {
            let (low, high) = (low.max(residue), high.min(residue));
            Composite { low, high, residue: 0, modulus: 1, extent, pinned }
        }
        Some((residue, modulus)) => Composite { low, high, residue, modulus, extent, pinned },
        None => {
            let (low, high) = Composite::never();
            Composite { low, high, residue: 0, modulus: 1, extent, pinned }
        }
    }
}

/// The numbers `b = residue (mod modulus)` for which `b + delta` is a multiple of `align`, as
/// another residue and modulus; modulus 0 when one number is left below 2^64, `None` when none is.
fn meet(residue: u64, modulus: u64, delta: u64, align: u64) -> Option<(u64, u64)> {
    if align == 1 {
        return Some((residue, modulus));
    }
    let wanted = (align - delta % align) % align;
    let (r, m, w, a) =
        (i128::from(residue), i128::from(modulus), i128::from(wanted), i128::from(align));
    let (g, inverse) = bezout(m, a);
    if (w - r) % g != 0 {
        return None;
    }
    let period = a / g;
    // All factors are below 2^64, so the product stays below 2^127 once it is reduced first.
    let steps = mul_mod((w - r) / g, inverse, period);
    let least = (r as u128) + (m as u128) * (steps as u128);
    let least = u64::try_from(least).ok()?;
    let lcm = (m as u128) * (period as u128);
    Some((least, u64::try_from(lcm).unwrap_or(0)))
}

/// `a * b mod m` in `0..m` for `m < 2^64`.
fn mul_mod(a: i128, b: i128, m: i128) -> i128 {
    let (a, b) = (a.rem_euclid(m) as u128, b.rem_euclid(m) as u128);
    ((a * b) % m as u128) as i128
}

/// The greatest common divisor `g` of `a` and `b`, and `x` with `a * x = g (mod b)`.
fn bezout(a: i128, b: i128) -> (i128, i128) {
    let (mut old, mut new) = ((a, 1i128), (b, 0i128));
    while new.0 != 0 {
        let q = old.0 / new.0;
        (old, new) = (new, (old.0 - q * new.0, old.1 - q * new.1));
    }
    old
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_holds_exactly_the_numbers_that_obey_both_alignments() {
        for (a, delta, b) in [(4, 2, 6), (4, 1, 6), (8, 8, 8), (5, 3, 7), (6, 0, 4), (1, 5, 9)] {
            let grid = meet(0, a, delta, b);
            for n in 0..500u64 {
                let obeys = n.is_multiple_of(a) && (n + delta).is_multiple_of(b);
                let on_grid = grid.is_some_and(|(r, m)| n >= r && (n - r).is_multiple_of(m));
                assert_eq!(obeys, on_grid, "{n} for {a}, {delta}, {b}");
            }
        }
    }

    #[test]
    fn huge_alignments_leave_one_number_or_none() {
        let (a, b) = ((1 << 62) - 1, 1 << 62);
        assert_eq!(meet(0, a, 0, b), Some((0, 0)));
        assert_eq!(meet(0, a, 1, b), Some((a, 0)));
        assert_eq!(meet(0, a, 5, b), None);
    }
}
