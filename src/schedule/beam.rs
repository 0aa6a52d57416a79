//! Forward search with a beam: of all partial orders of a length, the best few go on.

use std::collections::BTreeSet;

use super::frontier::Frontier;
use super::model::Model;

/// A step of a partial order: the step before it, and what ran.
#[derive(Clone, Copy)]
struct Link {
    before: u32,
    place: u32,
}

/// A partial order.
struct Partial {
    at: Frontier,
    link: u32,
}

/// The first link.
const START: u32 = u32::MAX;

/// The best order that a beam of that width finds; `None` when it ran out of steps.
pub(crate) fn beam(
    model: &Model,
    width: usize,
    floor: u64,
    steps: &mut u64,
    limit: u64,
) -> Option<Vec<u32>> {
    let mut links: Vec<Link> = Vec::new();
    let mut open = vec![Partial { at: Frontier::of(model), link: START }];
    for _ in 0..model.len() {
        if *steps > limit {
            return None;
        }
        open = grow(model, open, width, floor, &mut links, steps);
    }
    let best = open.into_iter().min_by_key(|partial| (partial.at.peak, partial.link))?;
    let mut order = Vec::with_capacity(model.len());
    let mut link = best.link;
    while let Some(&Link { before, place }) = links.get(link as usize) {
        order.push(place);
        link = before;
    }
    order.reverse();
    Some(order)
}

/// A partial order that is to be grown by one instruction: peak and bytes alive, whose, which.
type Child = (u64, u64, u32, u32);

fn grow(
    model: &Model,
    open: Vec<Partial>,
    width: usize,
    floor: u64,
    links: &mut Vec<Link>,
    steps: &mut u64,
) -> Vec<Partial> {
    let mut children: Vec<Child> = Vec::new();
    for (parent, partial) in (0_u32..).zip(&open) {
        let at = &partial.at;
        if let Some(place) = at.free(model, at.peak.max(floor), steps) {
            let step = at.state.probe(model, place);
            children.push((at.peak.max(step.peak).max(floor), step.after, parent, place));
            continue;
        }
        for &place in &at.ready {
            *steps += 1;
            let step = at.state.probe(model, place);
            children.push((at.peak.max(step.peak).max(floor), step.after, parent, place));
        }
    }
    children.sort_unstable();
    let mut grown: Vec<Partial> = Vec::with_capacity(width);
    let mut seen = BTreeSet::new();
    for (_, _, parent, place) in children {
        if grown.len() == width {
            break;
        }
        let from = &open[parent as usize];
        if !seen.insert(from.at.mark_with(place)) {
            continue;
        }
        // A clone costs as much as some steps.
        *steps += model.len() as u64 / 32 + 1;
        let mut at = from.at.clone();
        at.run(model, place);
        let link = u32::try_from(links.len()).unwrap_or(START);
        links.push(Link { before: from.link, place });
        grown.push(Partial { at, link });
    }
    grown
}
