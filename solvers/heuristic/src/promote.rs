//! Promotions tried greedily.

use memplan_packing::promotion::expand;
use memplan_packing::{Budget, Goal, Instance, Packing, Stop};

use crate::cheap;
use crate::lowest::LowestFirst;
use crate::order::{BY_AREA, BY_SIZE, ranks};
use crate::problem::Problem;
use crate::score::Score;

/// So many items are placed in all tries together; a try that starts is finished.
const PLACEMENTS: u64 = 200_000;

/// Up to so many items a try is more than a guess.
const SEARCHED_ITEMS: usize = 200;

/// Packs with no promotion in force and with all that go together (large singles first), then
/// flips one after the other and keeps what makes the packing better.
pub(crate) fn promote(instance: &Instance, goal: Goal, budget: &Budget) -> Result<Packing, Stop> {
    let score = |packing: &Packing| Score::new(instance, goal, packing);
    let mut chosen: Vec<u32> = Vec::new();
    let mut best = pack(instance, goal, budget);
    let mut order: Vec<u32> = (0..instance.promotions.len() as u32).collect();
    order.sort_by_key(|&p| {
        let single = instance.promotions[p as usize].single;
        (std::cmp::Reverse(instance.items[single as usize].size), p)
    });

    let n = instance.items.len().max(1) as u64;
    let mut tries = PLACEMENTS / n + 2;
    let mut together = Vec::new();
    for &p in order.iter().take(tries as usize) {
        let more = with(instance, &together, p);
        if more.len() > together.len() && expand(instance, &more).is_some() {
            together = more;
        }
    }
    let attempt = |chosen: &mut Vec<u32>, best: &mut Result<Packing, Stop>, next: Vec<u32>| {
        let Some(expanded) = expand(instance, &next) else { return Ok(false) };
        let packing = match pack(&expanded.instance, goal, budget) {
            Ok(packing) => expanded.collapse(&packing),
            Err(Stop::Failed) => return Ok(false),
            Err(stop) => return Err(stop),
        };
        let better = best.as_ref().map_or(true, |best| score(&packing) < score(best));
        if better {
            (*chosen, *best) = (next, Ok(packing));
        }
        Ok(better)
    };
    let mut stopped = None;
    if !together.is_empty() {
        stopped = attempt(&mut chosen, &mut best, together).err();
    }
    let mut changed = true;
    while changed && stopped.is_none() {
        changed = false;
        for &p in &order {
            if tries == 0 || stopped.is_some() {
                break;
            }
            tries -= 1;
            let next = with(instance, &chosen, p);
            match attempt(&mut chosen, &mut best, next) {
                Ok(better) => changed |= better,
                Err(stop) => stopped = Some(stop),
            }
        }
    }
    best.map_err(|stop| stopped.unwrap_or(stop))
}

/// The choice with this promotion flipped; another one of the same single goes.
fn with(instance: &Instance, chosen: &[u32], flip: u32) -> Vec<u32> {
    let single = |p: u32| instance.promotions[p as usize].single;
    let mut next: Vec<u32> =
        chosen.iter().copied().filter(|&p| single(p) != single(flip)).collect();
    if !chosen.contains(&flip) {
        next.push(flip);
    }
    next
}

/// One packing of an instance without regard to its promotions.
fn pack(instance: &Instance, goal: Goal, budget: &Budget) -> Result<Packing, Stop> {
    let problem = Problem::new(instance);
    if goal == Goal::CostThenPeak {
        return cheap::cost_first(&problem, budget);
    }
    let lowest = LowestFirst::new(&problem);
    if instance.items.len() <= SEARCHED_ITEMS {
        return lowest.best_of(&[BY_AREA, BY_SIZE], budget);
    }
    lowest.quick(&ranks(&problem, BY_AREA), budget)
}
