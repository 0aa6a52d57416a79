//! The least peak of a model, proven: partial orders by their peaks, lowest first, the longest first among
//! equals; a set of instructions is extended once.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::frontier::Frontier;
use super::model::Model;

/// How the search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// An order of the least peak.
    Best(Vec<u32>),
    /// No order has a peak below the ceiling.
    None,
    /// Out of steps.
    Unknown,
}

/// A partial order: lower peaks first, then longer ones, then fewer bytes alive, then older ones.
type Key = (Reverse<u64>, u32, Reverse<u64>, Reverse<usize>);

/// Looks for an order of the least peak, below `ceiling`.
pub(crate) fn exact(
    model: &Model,
    ceiling: u64,
    floor: u64,
    steps: &mut u64,
    limit: u64,
) -> Outcome {
    let mut nodes = vec![Some((Frontier::of(model), Vec::new()))];
    let mut heap: BinaryHeap<Key> = BinaryHeap::from([(Reverse(0), 0, Reverse(0), Reverse(0))]);
    let mut seen: BTreeMap<u128, u64> = BTreeMap::new();
    while let Some((Reverse(peak), _, _, Reverse(node))) = heap.pop() {
        let Some((mut at, mut order)) = nodes[node].take() else { continue };
        if seen.get(&at.mark).is_some_and(|&known| known < peak) {
            continue;
        }
        while let Some(place) = at.free(model, at.peak.max(floor), steps) {
            at.run(model, place);
            order.push(place);
        }
        if at.depth as usize == model.len() {
            return Outcome::Best(order);
        }
        for &place in &at.ready {
            *steps += 1;
            let step = at.state.probe(model, place);
            let next = at.peak.max(step.peak);
            let mark = at.mark_with(place);
            if next.max(floor) >= ceiling || seen.get(&mark).is_some_and(|&known| known <= next) {
                continue;
            }
            seen.insert(mark, next);
            // A clone costs as much as some steps.
            *steps += model.len() as u64 / 8 + 1;
            let (mut child, mut path) = (at.clone(), order.clone());
            child.run(model, place);
            path.push(place);
            let (peak, live) = (Reverse(child.peak), Reverse(child.state.live));
            heap.push((peak, child.depth, live, Reverse(nodes.len())));
            nodes.push(Some((child, path)));
        }
        if *steps > limit {
            return Outcome::Unknown;
        }
    }
    Outcome::None
}
