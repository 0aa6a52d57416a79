//! A model as one body sees it: which of its bases would break which pairs.

use crate::model::{Model, Pair};
use crate::units::{FAR, Unit};

/// Bases of a body that break a pair, as distances from the base of the other body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) other: u32,
    pub(super) pair: u32,
    /// First distance that breaks the pair.
    pub(super) from: Unit,
    /// Last one.
    pub(super) to: Unit,
}

/// For each body its links, those of one pair side by side.
pub(super) fn links(model: &Model) -> Vec<Vec<Link>> {
    let mut links = vec![Vec::new(); model.bodies.len()];
    for (index, pair) in model.pairs.iter().enumerate() {
        let index = index as u32;
        for (from, to) in gaps(pair) {
            let (a, b) = (pair.first, pair.second);
            links[b as usize].push(Link { other: a, pair: index, from, to });
            links[a as usize].push(Link { other: b, pair: index, from: -to, to: -from });
        }
    }
    links
}

/// The closed ranges of distances that are not allowed.
fn gaps(pair: &Pair) -> Vec<(Unit, Unit)> {
    let mut gaps = Vec::with_capacity(1);
    let mut from = -FAR;
    for &(start, end) in &pair.allowed {
        if from < start {
            gaps.push((from, start - 1));
        }
        from = end.saturating_add(1);
    }
    if from < FAR {
        gaps.push((from, FAR));
    }
    gaps
}
