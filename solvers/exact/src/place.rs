//! Where one body may lie, looking at nothing else.

use crate::units::{FAR, Unit};

/// The bases allowed for a body: one residue class, between two limits, less taken ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    residue: Unit,
    modulus: Unit,
    /// Least base.
    pub(crate) low: Unit,
    /// Greatest base.
    pub(crate) high: Unit,
    /// Bases at which a block would lie on reserved bytes: closed, sorted, disjoint.
    taken: Vec<(Unit, Unit)>,
}

impl Place {
    /// All bases from 0 up.
    pub(crate) fn anywhere() -> Self {
        Self { residue: 0, modulus: 1, low: 0, high: FAR, taken: Vec::new() }
    }

    /// Asks for `base + shift` to be a multiple of `align`. False when no base is left.
    pub(crate) fn align(&mut self, shift: Unit, align: Unit) -> bool {
        if self.modulus >= FAR {
            return (self.residue + shift).rem_euclid(align) == 0;
        }
        let (m, r) = (i128::from(self.modulus), i128::from(self.residue));
        let (a, s) = (i128::from(align), i128::from(shift));
        // Steps of m that reach the class: solved by Euclid on (m, a).
        let (mut old, mut new, mut x, mut y) = (m, a, 1i128, 0i128);
        while new != 0 {
            let q = old / new;
            (old, new) = (new, old - q * new);
            (x, y) = (y, x - q * y);
        }
        let gap = (-s - r).rem_euclid(a);
        if gap % old != 0 {
            return false;
        }
        let steps = (gap / old % (a / old) * x).rem_euclid(a / old);
        let (residue, modulus) = (r + m * steps, m / old * a);
        if residue > i128::from(FAR) {
            return false;
        }
        self.residue = residue as Unit;
        // Past FAR at most one base is left, and any modulus as large says so.
        self.modulus = modulus.min(i128::from(FAR)) as Unit;
        true
    }

    /// The class that all allowed bases are in: residue and modulus.
    pub(crate) fn class(&self) -> (Unit, Unit) {
        (self.residue, self.modulus)
    }

    /// Forbids the closed ranges of bases.
    pub(crate) fn take(&mut self, mut ranges: Vec<(Unit, Unit)>) {
        ranges.append(&mut self.taken);
        self.taken = union(ranges);
    }

    /// The least allowed base at or above `base`; above `high` when there is none.
    pub(crate) fn up(&self, base: Unit) -> Unit {
        let mut at = base.max(self.low);
        loop {
            let over = (at - self.residue).rem_euclid(self.modulus);
            if over > 0 {
                at += self.modulus - over;
            }
            let next = self.taken.partition_point(|t| t.1 < at);
            match self.taken.get(next) {
                Some(&(start, end)) if start <= at => at = end + 1,
                _ => return at,
            }
            if at > self.high {
                return at;
            }
        }
    }

    /// The greatest allowed base at or below `base`; below `low` when there is none.
    pub(crate) fn down(&self, base: Unit) -> Unit {
        let mut at = base.min(self.high);
        loop {
            at -= (at - self.residue).rem_euclid(self.modulus);
            let next = self.taken.partition_point(|t| t.1 < at);
            match self.taken.get(next) {
                Some(&(start, _)) if start <= at => at = start - 1,
                _ => return at,
            }
            if at < self.low {
                return at;
            }
        }
    }
}

/// Sorted and merged, touching ranges too.
pub(crate) fn union(mut ranges: Vec<(Unit, Unit)>) -> Vec<(Unit, Unit)> {
    ranges.sort_unstable();
    let mut merged: Vec<(Unit, Unit)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges.into_iter().filter(|r| r.0 <= r.1) {
        match merged.last_mut() {
            Some(last) if start <= last.1 + 1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residue_classes_meet_or_do_not() {
        let mut place = Place::anywhere();
        assert!(place.align(0, 4) && place.align(1, 3));
        assert_eq!((place.up(0), place.up(9), place.down(19)), (8, 20, 8));
        assert!(!place.align(1, 2));
    }

    #[test]
    fn taken_ranges_are_jumped_over() {
        let mut place = Place::anywhere();
        assert!(place.align(0, 2));
        place.take(vec![(3, 5), (6, 8)]);
        assert_eq!((place.up(3), place.down(9), place.up(9)), (10, 2, 10));
    }
}
