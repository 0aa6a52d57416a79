//! Lowest first with every feature of an instance.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use memplan_packing::sections::Sections;
use memplan_packing::{Budget, Packing, Stop};

use crate::engine::{Engine, Rule};
use crate::greedy::clock;
use crate::niche::Niches;
use crate::order::{Key, weights};
use crate::problem::Problem;
use crate::skyline;

/// As in the greedy packers: composites that got stuck are placed first next time.
const RESTARTS: usize = 16;

/// Lowest first by skyline where that is enough, else by the placement engine; prepared once for
/// many priorities.
pub(crate) struct LowestFirst<'p, 'a> {
    problem: &'p Problem<'a>,
    fast: Fast,
}

/// What the features of the instance allow.
enum Fast {
    /// One span each, no windows.
    Niches(Niches),
    /// A skyline.
    Layers(Sections),
    /// Nothing but the engine.
    No,
}

impl<'p, 'a> LowestFirst<'p, 'a> {
    pub(crate) fn new(problem: &'p Problem<'a>) -> Self {
        let fast = if problem.plain {
            Fast::Niches(Niches::new(problem))
        } else if problem.layered {
            Fast::Layers(Sections::new(problem.instance))
        } else {
            Fast::No
        };
        Self { problem, fast }
    }

    /// Repeatedly places the composite whose lowest legal base is the lowest; among those the one
    /// with the largest priority.
    pub(crate) fn pack(&self, priority: &[u128], budget: &Budget) -> Result<Packing, Stop> {
        match &self.fast {
            Fast::Niches(niches) => return niches.pack(self.problem, priority, budget),
            Fast::Layers(sections) => {
                let packed = skyline::lowest_first(self.problem, sections, priority, budget);
                // Windows may need the gaps below the skyline.
                if packed != Err(Stop::Failed) {
                    return packed;
                }
            }
            Fast::No => {}
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
        while let Some(Reverse((known, rank, composite))) = heap.pop() {
            clock()?;
            let Some(base) = engine.find(composite, Rule::Lowest) else {
                return Ok(Err(composite));
            };
            let next = heap.peek().map(|&Reverse((base, rank, _))| (base, rank));
            if base == known || next.is_none_or(|next| (base, rank) <= next) {
                engine.place(composite, base);
            } else {
                heap.push(Reverse((base, rank, composite)));
            }
        }
        engine.packing().map(Ok).ok_or(Stop::Failed)
    }
}
