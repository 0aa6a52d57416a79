//! Sets of bodies that have to be kept apart or paid for, and what that costs at least.
//!
//! Bodies of sizes `s` lie within `C` units. At a byte where `d` of them lie, `d (d - 1) / 2` pairs
//! overlap; on average `sum(s) / C` lie there, and the number of pairs is convex in that. So the
//! lengths of all overlaps are at least `need`, with `q` the quotient and `r` the rest of
//! `sum(s) / C`:
//!
//! ```text
//!   sum over pairs of overlap  >=  need  =  C q (q - 1) / 2 + r q
//! ```
//!
//! No pair overlaps by more than its smaller size `v`, and one that may not overlap by nothing. So
//! `sum of v x >= need`, where `x` is 1 for what is paid. For bodies of equal size this is what
//! Turan's theorem says of graphs without large cliques.

use crate::model::Model;
use crate::units::Unit;

/// What two bodies are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tie {
    /// They may overlap for nothing.
    Free,
    /// They never overlap.
    Hard,
    /// They pay this price when they overlap.
    Price(u32),
}

/// The bodies, each seen as its largest block, and their ties.
pub(super) struct Crowd {
    pub(super) sizes: Vec<Unit>,
    ties: Vec<Tie>,
    /// Some price has several pairs.
    shared: bool,
    /// Units below the peak asked for that nobody reserved.
    room: Unit,
}

/// At a set of bodies: `sum of v x >= need`.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    /// By price what it adds to the sum; no more than `need`.
    pub(super) terms: Vec<(u32, u64)>,
    pub(super) need: u64,
}

impl Crowd {
    pub(super) fn new(model: &Model, peak: Unit) -> Self {
        let n = model.bodies.len();
        let mut largest: Vec<Option<(Unit, Unit)>> = vec![None; n];
        for block in &model.blocks {
            let known = &mut largest[block.body as usize];
            if known.is_none_or(|known| known.0 < block.size) {
                *known = Some((block.size, block.shift));
            }
        }
        let mut ties = vec![Tie::Free; n * n];
        for pair in &model.pairs {
            let (a, b) = (pair.first as usize, pair.second as usize);
            let (Some((x, up)), Some((y, over))) = (largest[a], largest[b]) else { continue };
            // Distances at which the two blocks overlap.
            let (from, to) = (up - over - y + 1, up - over + x - 1);
            if pair.allowed.iter().any(|range| range.0 <= to && from <= range.1) {
                continue;
            }
            let tie = pair.price.map_or(Tie::Hard, Tie::Price);
            if ties[a * n + b] != Tie::Hard {
                ties[a * n + b] = tie;
                ties[b * n + a] = tie;
            }
        }
        let inside = |wall: &(Unit, Unit)| (wall.1.min(peak) - wall.0).max(0);
        Self {
            sizes: largest.into_iter().map(|block| block.map_or(0, |block| block.0)).collect(),
            ties,
            shared: model.prices.iter().any(|price| price.pairs.len() > 1),
            room: peak - model.walls.iter().map(inside).sum::<Unit>(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    pub(super) fn tie(&self, a: u32, b: u32) -> Tie {
        self.ties[a as usize * self.len() + b as usize]
    }

    /// What a set has to pay; `None` when it may pay nothing. `open` says which prices count: the
    /// others are taken as paid.
    pub(super) fn cover(&self, set: &[u32], open: impl Fn(u32) -> bool) -> Option<Cover> {
        let size = |b: u32| i128::from(self.sizes[b as usize]);
        let sum: i128 = set.iter().map(|&b| size(b)).sum();
        let room = i128::from(self.room);
        if room <= 0 || sum <= room {
            return None;
        }
        let (quotient, rest) = (sum / room, sum % room);
        let mut need = room * (quotient * (quotient - 1) / 2) + rest * quotient;
        let mut terms: Vec<(u32, u64)> = Vec::new();
        for (index, &b) in set.iter().enumerate() {
            for &a in &set[..index] {
                let most = size(a).min(size(b));
                match self.tie(a, b) {
                    Tie::Hard => {}
                    Tie::Price(price) if open(price) => {
                        terms.push((price, most as u64));
                    }
                    _ => need -= most,
                }
            }
        }
        let need = u64::try_from(need).ok().filter(|&need| need > 0)?;
        // A price that several pairs share counts for all of them.
        if self.shared {
            terms.sort_unstable();
            terms.dedup_by(|next, term| {
                let same = next.0 == term.0;
                term.1 = if same { term.1.saturating_add(next.1) } else { term.1 };
                same
            });
        }
        terms.iter_mut().for_each(|term| term.1 = term.1.min(need));
        Some(Cover { terms, need })
    }
}
