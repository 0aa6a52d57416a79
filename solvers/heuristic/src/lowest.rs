//! Lowest first with every feature of an instance.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use memplan_packing::{Budget, Packing, Stop};

use crate::engine::{Engine, Rule};
use crate::greedy::{clock, in_order};
use crate::niche::Niches;
use crate::order::{Key, ranks};
use crate::problem::Problem;

/// As in the greedy packers: composites that got stuck are placed first next time.
const RESTARTS: usize = 16;

/// So many looks at placed items (see [`Problem::looks`]) may a search for the lowest legal places
/// take: some tenths of a second. 2,000 items usually need less, 5,000 more.
const SEARCHED_LOOKS: u64 = 300_000_000;

/// Lowest first, prepared once for many priorities.
pub(crate) struct LowestFirst<'p, 'a> {
    problem: &'p Problem<'a>,
    niches: Arc<Niches>,
    looks: u64,
    spent: Cell<u64>,
    /// The search took too long once, so it would do so again.
    costly: Cell<bool>,
}

/// How a search for the lowest legal places ended.
#[derive(Debug, PartialEq, Eq)]
enum Pass {
    Packed(Packing),
    /// This composite found no place.
    Stuck(u32),
    /// It took too many looks.
    Costly,
}

impl<'p, 'a> LowestFirst<'p, 'a> {
    pub(crate) fn new(problem: &'p Problem<'a>) -> Self {
        let (looks, niches) = (problem.looks(), Arc::new(Niches::new(problem)));
        Self { problem, niches, looks, spent: Cell::new(0), costly: Cell::new(false) }
    }

    /// The same for another thread, with a count of its own.
    pub(crate) fn fork(&self) -> Self {
        let (niches, costly) = (Arc::clone(&self.niches), self.costly.clone());
        Self { problem: self.problem, niches, looks: self.looks, spent: Cell::new(0), costly }
    }

    /// Takes in what a fork counted and learned.
    pub(crate) fn join(&self, fork: &Self) {
        self.spent.set(self.spent.get().saturating_add(fork.spent.get()));
        self.costly.set(self.costly.get() || fork.costly.get());
    }

    /// Looks at placed items so far: the measure of time that repeats.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Counts so many placements that somebody else did.
    pub(crate) fn spend(&self, placements: u64) {
        self.spent.set(self.spent.get().saturating_add(placements.saturating_mul(self.looks)));
    }

    /// Repeatedly places the composite whose lowest legal base is the lowest; among those the one
    /// with the largest priority. Large problems with relations are [guided](Self::guided).
    pub(crate) fn pack(&self, priority: &[u128], budget: &Budget) -> Result<Packing, Stop> {
        let mut urgent = Vec::new();
        while !self.problem.plain && !self.costly.get() && urgent.len() <= RESTARTS {
            match self.attempt(priority, &urgent, budget)? {
                Pass::Packed(packing) => return Ok(packing),
                Pass::Stuck(stuck) if urgent.contains(&stuck) => return Err(Stop::Failed),
                Pass::Stuck(stuck) => urgent.push(stuck),
                Pass::Costly => self.costly.set(true),
            }
        }
        self.guided(priority, false, budget)
    }

    /// As [`Self::pack`], but steep steps beside tight moments are avoided (see
    /// [`Niches::bases`]).
    pub(crate) fn careful(&self, priority: &[u128], budget: &Budget) -> Result<Packing, Stop> {
        self.guided(priority, true, budget)
    }

    /// As [`Self::pack`] without a search for the lowest legal places.
    pub(crate) fn quick(&self, priority: &[u128], budget: &Budget) -> Result<Packing, Stop> {
        self.guided(priority, false, budget)
    }

    /// The lowest packing of those with these tie rules.
    pub(crate) fn best_of(&self, ties: &[&[Key]], budget: &Budget) -> Result<Packing, Stop> {
        let peak = |packing: &Packing| packing.peak(self.problem.instance);
        let mut best: Result<Packing, Stop> = Err(Stop::Failed);
        for &keys in ties {
            match self.pack(&ranks(self.problem, keys), budget) {
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
    fn guided(&self, priority: &[u128], careful: bool, budget: &Budget) -> Result<Packing, Stop> {
        let bases = self.niches.bases(self.problem, priority, careful, budget)?;
        if self.problem.plain {
            // Who has no bytes lies anywhere its alignment allows: at 0.
            return Ok(self.problem.packing(&bases));
        }
        self.spend(self.problem.len() as u64);
        let mut order: Vec<u32> = self.problem.movable().collect();
        order.sort_by_key(|&c| (bases[c as usize], Reverse(priority[c as usize]), c));
        in_order(self.problem, order, Rule::Lowest, budget)
    }

    /// One search.
    fn attempt(&self, priority: &[u128], urgent: &[u32], budget: &Budget) -> Result<Pass, Stop> {
        let problem = self.problem;
        let (mut clock, before) = (clock(budget), self.spent());
        let mut engine = Engine::new(problem);
        engine.place_pinned().ok_or(Stop::Failed)?;
        for &composite in urgent {
            if engine.put(composite, Rule::Lowest).is_none() {
                return Ok(Pass::Stuck(composite));
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
            self.spend(1);
            if self.spent() - before > SEARCHED_LOOKS {
                return Ok(Pass::Costly);
            }
            let Some(base) = engine.find(composite, Rule::Lowest) else {
                return Ok(Pass::Stuck(composite));
            };
            let next = heap.peek().map(|&Reverse(next)| next);
            if next.is_none_or(|next| (base, rank, composite) <= next) {
                engine.place(composite, base);
            } else {
                heap.push(Reverse((base, rank, composite)));
            }
        }
        engine.packing().map(Pass::Packed).ok_or(Stop::Failed)
    }
}

#[cfg(test)]
mod tests {
    use memplan_packing::check;
    use memplan_packing::sample::Shape;
    use quickcheck::quickcheck;

    use super::*;
    use crate::order::weights;

    quickcheck! {
        fn guided_packings_obey_every_rule(seed: u64, items: u8) -> bool {
            let instance = Shape::full(1 + items as usize % 40).instance(seed);
            let problem = Problem::new(&instance);
            let lowest = LowestFirst::new(&problem);
            [true, false].into_iter().all(|careful| {
                let priority = weights(&problem, Key::Area);
                let packed = lowest.guided(&priority, careful, &Budget::default());
                packed.is_err() || packed.is_ok_and(|packing| check(&instance, &packing).is_empty())
            })
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
                let niches = lowest.guided(&priority, false, &Budget::default());
                let searched = lowest.attempt(&priority, &[], &Budget::default());
                searched == niches.map(Pass::Packed)
            })
        }
    }
}
