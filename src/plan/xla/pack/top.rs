//! The bytes in the top granule: blocks that fill their last granule the most go below it.

use std::collections::BTreeSet;

use memplan_exact::Exact;
use memplan_heuristic::{Packer, Portfolio};
use memplan_packing::{Budget, Goal, Instance, Outcome, Solver};

use super::blocks::Block;
use super::granules::Granules;
use super::hang::Hanging;
use super::{Packed, laid};
use crate::model::{Attempt, AttemptEnd};
use crate::plan::options::Options;

/// Questions that are asked at most.
const MAX_QUESTIONS: usize = 8;

/// Above so many blocks only the order of placement is varied.
const MANY: usize = 300;

/// Placements of the heuristics' restarts.
const PLACEMENTS: u64 = 4_000;

/// Up to so many blocks the exact search is asked: it looks at pairs, since blocks with a limit of
/// their own are no mere rectangles.
const FEW: usize = 200;

/// Nodes that the exact search may open unless the options say otherwise.
const NODES: u64 = 2_000;

/// Looks for a heap with as many granules and a lower end: for one last size after the other, from
/// the least that is not refuted yet, may all blocks with a longer one stay below the top granule?
pub(super) fn lower(granules: &Granules, blocks: &[Block], packed: &mut Packed, options: &Options) {
    let top = packed.heap.size.div_ceil(granules.alignment);
    let Some(full) = top.checked_sub(1).map(|below| below.saturating_mul(granules.alignment))
    else {
        return;
    };
    let place = |block: &Block| packed.heap.chunks.get(&block.root).map_or(0, |c| c.offset);
    let known: Vec<u64> = blocks.iter().map(|b| place(b) / granules.alignment).collect();
    let mut hanging = Hanging::new(granules, blocks, top, &known);
    // As long as the answers are proofs, each question that is left is a bound.
    let mut proven = packed.lower_bound > full;
    let ends: BTreeSet<u64> = granules.last.iter().copied().collect();
    let least = packed.lower_bound.saturating_sub(full).max(1);
    for (asked, &last) in ends.range(least..).enumerate() {
        let end = full.saturating_add(last);
        if proven {
            packed.bound(end.min(packed.heap.size));
        }
        if end >= packed.heap.size || asked == MAX_QUESTIONS {
            return;
        }
        let offsets = match hanging.pack(last) {
            Some(offsets) => {
                tell(packed, granules, "hanging", AttemptEnd::Found, 0);
                Some(offsets)
            }
            None => {
                let outcome = solve(&within(granules, top, last), packed, granules, options);
                proven &= matches!(outcome, Some(Outcome::Refuted { .. }));
                match outcome {
                    Some(Outcome::Packed { packing, .. }) => Some(packing.offsets),
                    _ => None,
                }
            }
        };
        if let Some(offsets) = offsets {
            packed.offer(laid(blocks, &packed.heap, &granules.bytes(&offsets)));
        }
    }
}

/// The instance with so many granules, the top one for blocks whose last granule holds at most
/// `last` bytes.
fn within(granules: &Granules, top: u64, last: u64) -> Instance {
    let mut instance = granules.instance.clone();
    instance.capacity = Some(top);
    for (item, &of) in instance.items.iter_mut().zip(&granules.last) {
        if of > last {
            item.window = Some(0..top - 1);
        }
    }
    instance
}

/// Asks the heuristics and the exact search whether an instance fits, where it is not too large.
fn solve(
    instance: &Instance,
    packed: &mut Packed,
    granules: &Granules,
    options: &Options,
) -> Option<Outcome> {
    let items = instance.items.len();
    if items > MANY {
        return None;
    }
    let portfolio = Portfolio::new(options.seed).placements(PLACEMENTS);
    let free = Budget { nodes: None, ..options.budget() };
    let mut outcome = portfolio.attempt(instance, Goal::Fit, None, &free, &mut |_| ()).outcome;
    told(packed, granules, portfolio.name(), &outcome);
    let exact = Exact { seed: options.seed, ..Exact::default() };
    let open = matches!(outcome, Outcome::GaveUp { .. });
    if open && items <= FEW && exact.can(instance, Goal::Fit).is_ok() {
        let nodes = Some(options.nodes.unwrap_or(NODES));
        let budget = Budget { nodes, ..options.budget() };
        outcome = exact.solve(instance, Goal::Fit, None, &budget, &mut |_| ());
        told(packed, granules, exact.name(), &outcome);
    }
    Some(outcome)
}

fn told(packed: &mut Packed, granules: &Granules, solver: &str, outcome: &Outcome) {
    let (end, nodes) = match outcome {
        Outcome::Packed { nodes, .. } => (AttemptEnd::Found, *nodes),
        Outcome::Refuted { nodes, .. } => (AttemptEnd::Refuted, *nodes),
        Outcome::GaveUp { nodes, .. } => (AttemptEnd::GaveUp, *nodes),
    };
    tell(packed, granules, solver, end, nodes);
}

fn tell(packed: &mut Packed, granules: &Granules, solver: &str, end: AttemptEnd, nodes: u64) {
    packed.nodes = packed.nodes.saturating_add(nodes);
    packed.attempts.push(Attempt {
        level: None,
        solver: solver.to_owned(),
        end,
        peak: None,
        bound: packed.lower_bound,
        nodes,
        note: Some(format!(
            "{} bytes in the top {}",
            packed.lower_bound % granules.alignment,
            granules.alignment
        )),
    });
}
