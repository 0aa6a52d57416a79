//! Placement by pair cost.

use memplan_packing::{Budget, Packing, Stop};

use crate::engine::{Engine, Rule};
use crate::greedy::{clock, in_order};
use crate::order::{Key, order};
use crate::problem::Problem;
use crate::score::Score;

/// How often all paying composites are moved; each round is kept only if it saves something.
const ROUNDS: usize = 8;

/// Places composites where they add the least cost within the capacity, in several orders; then
/// moves those that still pay. The best result counts.
pub(crate) fn cost_first(problem: &Problem<'_>, budget: &Budget) -> Result<Packing, Stop> {
    let limit = problem.instance.capacity.unwrap_or(u64::MAX);
    let mut best: Option<(Score, Packing)> = None;
    for key in [Key::Size, Key::Area, Key::Start] {
        let packed = in_order(
            problem,
            order(problem, &[key, Key::Size, Key::Start]),
            Rule::Cheapest { limit },
            budget,
        );
        let found = packed.and_then(|packing| improve(problem, packing, limit, budget));
        match found {
            Ok(packing) => {
                let score = Score::cost_first(problem.instance, &packing);
                if best.as_ref().is_none_or(|(known, _)| score < *known) {
                    best = Some((score, packing));
                }
            }
            Err(stop) if best.is_none() && stop != Stop::Failed => return Err(stop),
            Err(Stop::Failed) => {}
            Err(_) => break,
        }
    }
    best.map(|(_, packing)| packing).ok_or(Stop::Failed)
}

/// Moves composites that pay to places where they pay less, until nobody finds one. A packing
/// that lies within the limit stays within it.
pub(crate) fn improve(
    problem: &Problem<'_>,
    packing: Packing,
    limit: u64,
    budget: &Budget,
) -> Result<Packing, Stop> {
    if !packing.promoted.is_empty() || packing.cost(problem.instance) == 0 {
        return Ok(packing);
    }
    let mut clock = clock(budget);
    let mut engine = Engine::with_costs(problem);
    for composite in 0..problem.len() as u32 {
        let Some(m) = problem.members(composite).first() else { continue };
        engine.place(composite, packing.offsets[m.item as usize] - m.delta);
    }
    let limit = limit.max(packing.peak(problem.instance));
    for _ in 0..ROUNDS {
        let paid = |c: u32| engine.base(c).map_or(0, |base| engine.cost(c, base));
        let mut payers: Vec<(u64, u32)> = problem.movable().map(|c| (paid(c), c)).collect();
        payers.retain(|&(paid, _)| paid > 0);
        payers.sort_by_key(|&(paid, c)| (std::cmp::Reverse(paid), c));
        let mut saved = false;
        for (_, composite) in payers {
            clock()?;
            let Some(old) = engine.base(composite) else { continue };
            engine.take(composite);
            let new = engine.find(composite, Rule::Cheapest { limit }).unwrap_or(old);
            let better = engine.cost(composite, new) < engine.cost(composite, old);
            engine.place(composite, if better { new } else { old });
            saved |= better;
        }
        if !saved {
            break;
        }
    }
    engine.packing().ok_or(Stop::Failed)
}
