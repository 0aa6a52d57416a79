//! Which distances between two bodies keep their blocks apart.
//!
//! ```text
//!   base(second) - base(first):   ....----|=======|--*--|=======|----....
//!                                 second   forbidden  ^          first
//!                                 below               |          below
//!                                       in place at one offset
//! ```

use crate::place::union;
use crate::units::{FAR, Unit};

/// Closed ranges of allowed distances, sorted; the first begins at `-FAR`, the last ends at `FAR`.
pub(crate) type Allowed = Vec<(Unit, Unit)>;

/// Collects what two blocks forbid.
#[derive(Default)]
pub(crate) struct Forbidden(Vec<(Unit, Unit)>);

impl Forbidden {
    /// Blocks `[x, x + a)` of the first and `[y, y + b)` of the second body must not overlap,
    /// unless they start at one offset and `equal` says so.
    pub(crate) fn block(&mut self, (x, a): (Unit, Unit), (y, b): (Unit, Unit), equal: bool) {
        let (from, same, to) = (x - y - b + 1, x - y, x - y + a - 1);
        if equal {
            self.0.push((from, same - 1));
            self.0.push((same + 1, to));
        } else {
            self.0.push((from, to));
        }
    }

    /// The distances that nothing forbids.
    pub(crate) fn allowed(self) -> Allowed {
        let mut from = -FAR;
        let mut allowed = Vec::new();
        for (start, end) in union(self.0) {
            allowed.push((from, start - 1));
            from = end + 1;
        }
        allowed.push((from, FAR));
        allowed
    }
}

/// Draws the ends of the ranges in to distances `residue` modulo `modulus`; others are impossible
/// between bodies that are aligned so.
pub(crate) fn aligned(allowed: Allowed, residue: Unit, modulus: Unit) -> Allowed {
    let draw = |(start, end): (Unit, Unit)| {
        let start = match start {
            s if s <= -FAR => -FAR,
            s => s + (residue - s).rem_euclid(modulus),
        };
        let end = if end >= FAR { FAR } else { end - (end - residue).rem_euclid(modulus) };
        (start, end)
    };
    allowed.into_iter().map(draw).filter(|range| range.0 <= range.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_in_place_pair_has_three_ways() {
        let mut forbidden = Forbidden::default();
        forbidden.block((0, 4), (0, 2), true);
        assert_eq!(forbidden.allowed(), vec![(-FAR, -2), (0, 0), (4, FAR)]);
    }

    #[test]
    fn equal_offsets_that_alignment_forbids_are_struck_out() {
        let allowed = vec![(-FAR, -2), (0, 0), (4, FAR)];
        assert_eq!(aligned(allowed, 1, 3), vec![(-FAR, -2), (4, FAR)]);
    }

    #[test]
    fn a_small_block_fits_between_two_blocks_of_one_body() {
        let mut forbidden = Forbidden::default();
        forbidden.block((0, 2), (0, 1), false);
        forbidden.block((4, 2), (0, 1), false);
        assert_eq!(forbidden.allowed(), vec![(-FAR, -1), (2, 3), (6, FAR)]);
    }
}
