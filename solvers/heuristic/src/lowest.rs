//! Lowest first with every feature of an instance.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use memplan_packing::{Budget, Packing, Stop};

use crate::engine::{Engine, Rule};
use crate::greedy::{clock, in_order};
use crate::niche::Niches;
use crate::order::{Key, weights};
use crate::problem::Problem;

/// As in the greedy packers: composites that got stuck are placed first next time.
const RESTARTS: usize = 16;

/// Up to so many items every placement looks for the lowest legal place anew. A try costs a look
/// at all placed items and each item is tried some ten times, so this takes about a second.
pub(crate) const SEARCHED_ITEMS: usize = 5_000;

/// Lowest first, prepared once for many priorities.
pub(crate) struct LowestFirst<'p, 'a> {
    problem: &'p Problem<'a>,
    niches: Niches,
}

impl<'p, 'a> LowestFirst<'p, 'a> {
    pub(crate) fn new(problem: &'p Problem<'a>) -> Self {
        Self { problem, niches: Niches::new(problem) }
    }

    /// Repeatedly places the composite whose lowest legal base is the lowest; among those the one
    /// with the largest priority. Large problems with relations are [guided](Self::guided).
    pub(crate) fn pack(&self, priority: &[u128], budget: &Budget) -> Result<Packing, Stop> {
        if self.problem.plain || self.problem.instance.items.len() > SEARCHED_ITEMS {
            return self.guided(priority, budget);
        }
        let mut urgent = Vec::new();
        for _ in 0..=RESTARTS {
            match self.attempt(priority, &urgent, budget)? {
                Ok(packing) => return Ok(packing),
                Err(stuck) if urgent.contains(&stuck) => break,
                Err(stuck) => urgent.push(stuck),
            }
        }
        Err(Stop::Failed)
    }

    /// The lowest packing of those with these tie rules.
    pub(crate) fn best_of(&self, ties: &[Key], budget: &Budget) -> Result<Packing, Stop> {
        let peak = |packing: &Packing| packing.peak(self.problem.instance);
        let mut best: Result<Packing, Stop> = Err(Stop::Failed);
        for &key in ties {
            match self.pack(&weights(self.problem, key), budget) {
                Ok(found) if best.as_ref().is_ok_and(|best| peak(best) <= peak(&found)) => {}
                Ok(found) => best = Ok(found),
                Err(Stop::Failed) => {}
                Err(stop) => return best.or(Err(stop)),
            }
        }
        best
    }

    /// Packs by niches. Where relations make that a guess, every composite is placed anew at its
    /// lowest legal base, in the order of the offsets guessed. Without `separate` pairs, pins and
    /// the like nothing can end up higher than in the guess, because whatever lies below has not
    /// risen; in-place and exclusive pairs and gaps between spans come down.
    fn guided(&self, priority: &[u128], budget: &Budget) -> Result<Packing, Stop> {
        let bases = self.niches.bases(self.problem, priority, budget)?;
        if self.problem.plain {
            // Who has no bytes lies anywhere its alignment allows: at 0.
            return Ok(self.problem.packing(&bases));
        }
        let mut order: Vec<u32> = self.problem.movable().collect();
        order.sort_by_key(|&c| (bases[c as usize], Reverse(priority[c as usize]), c));
        in_order(self.problem, order, Rule::Lowest, budget)
    }

    /// One pass: the packing, or the composite that found no place.
    fn attempt(
        &self,
        priority: &[u128],
        urgent: &[u32],
        budget: &Budget,
    ) -> Result<Result<Packing, u32>, Stop> {
        let problem = self.problem;
        let mut clock = clock(budget);
        let mut engine = Engine::new(problem);
        engine.place_pinned().ok_or(Stop::Failed)?;
        for &composite in urgent {
            if engine.put(composite, Rule::Lowest).is_none() {
                return Ok(Err(composite));
            }
        }
        let mut heap = BinaryHeap::with_capacity(problem.len());
        for composite in problem.movable().filter(|c| !urgent.contains(c)) {
            let low = problem.shape(composite).low;
            heap.push(Reverse((low, u128::MAX - priority[composite as usize], composite)));
        }
        // What is placed only takes places away, so a known base is a lower bound later on.
        while let Some(Reverse((_, rank, composite))) = heap.pop() {
            clock()?;
            let Some(base) = engine.find(composite, Rule::Lowest) else {
                return Ok(Err(composite));
            };
            let next = heap.peek().map(|&Reverse(next)| next);
            if next.is_none_or(|next| (base, rank, composite) <= next) {
                engine.place(composite, base);
            } else {
                heap.push(Reverse((base, rank, composite)));
            }
        }
        engine.packing().map(Ok).ok_or(Stop::Failed)
    }
}

#[cfg(test)]
mod tests {
    use memplan_packing::check;
    use memplan_packing::sample::Shape;
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn guided_packings_obey_every_rule(seed: u64, items: u8) -> bool {
            let instance = Shape::full(1 + items as usize % 40).instance(seed);
            let problem = Problem::new(&instance);
            let lowest = LowestFirst::new(&problem);
            let packed = lowest.guided(&weights(&problem, Key::Area), &Budget::default());
            packed.is_err() || packed.is_ok_and(|packing| check(&instance, &packing).is_empty())
        }

        fn without_relations_niches_place_what_the_engine_places(seed: u64, items: u8) -> bool {
            // So few that nobody is skipped while they wait for the end of a reserved range.
            let mut shape = Shape::plain(1 + items as usize % 30);
            shape.reserved = true;
            let instance = shape.instance(seed);
            let problem = Problem::new(&instance);
            let lowest = LowestFirst::new(&problem);
            [Key::Area, Key::Duration, Key::Size].into_iter().all(|key| {
                let priority = weights(&problem, key);
                let niches = lowest.guided(&priority, &Budget::default());
                let searched = lowest.attempt(&priority, &[], &Budget::default());
                searched == Ok(niches.map_err(|_| 0))
            })
        }
    }
}
