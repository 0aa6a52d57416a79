//! The heuristics that have a name.

use memplan_packing::bounds::Bounds;
use memplan_packing::{
    Budget, Event, Goal, Instance, Missing, Outcome, Packing, Proof, Solver, Stop,
};

use crate::cheap::cost_first;
use crate::engine::Rule;
use crate::greedy::greedy;
use crate::lowest::LowestFirst;
use crate::order::Key;
use crate::portfolio::Portfolio;
use crate::problem::Problem;
use crate::promote::promote;
use crate::sequential::sequential;
use crate::slots::whole_slot;

/// A solver that can also say what it would need.
pub trait Packer: Solver + Sync {
    /// Packs as if there were no capacity; the peak is the capacity that the heuristic needs.
    ///
    /// A heuristic that steers by the capacity (`cost-first`) still does.
    ///
    /// # Errors
    /// [`Stop::Failed`] when some item found no place (a pin or a window), else the limit that
    /// was met before there was any packing.
    fn pack(&self, instance: &Instance, goal: Goal, budget: &Budget) -> Result<Packing, Stop>;

    /// Solves as [`Solver::solve`] does, and hands out the best packing even if it does not fit.
    fn attempt(
        &self,
        instance: &Instance,
        goal: Goal,
        warm: Option<&Packing>,
        budget: &Budget,
        on: &mut dyn FnMut(Event),
    ) -> Attempt;
}

/// What came out of a heuristic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The answer.
    pub outcome: Outcome,
    /// The best packing that was found. It obeys every rule but, when the outcome is
    /// [`Outcome::GaveUp`], the capacity: its peak is the smallest capacity that did work.
    pub packing: Option<Packing>,
}

/// A heuristic with a name: one pass, or a few with different ties.
#[derive(Clone, Copy)]
pub struct Named {
    name: &'static str,
    pack: fn(&Problem<'_>, Goal, &Budget) -> Result<Packing, Stop>,
}

impl Packer for Named {
    fn pack(&self, instance: &Instance, goal: Goal, budget: &Budget) -> Result<Packing, Stop> {
        (self.pack)(&Problem::new(instance), goal, budget)
    }

    fn attempt(
        &self,
        instance: &Instance,
        goal: Goal,
        _warm: Option<&Packing>,
        budget: &Budget,
        on: &mut dyn FnMut(Event),
    ) -> Attempt {
        let Bounds { lower_bound: bound, refutation, .. } = Bounds::new(instance);
        on(Event::Bound { bound });
        if let Some(why) = refutation {
            return Attempt { outcome: Outcome::Refuted { why, bound, nodes: 0 }, packing: None };
        }
        let packing = match self.pack(instance, goal, budget) {
            Ok(packing) => packing,
            Err(stop) => {
                // That it found no place proves nothing.
                let stop = if stop == Stop::Failed { Stop::Heuristic } else { stop };
                return Attempt {
                    outcome: Outcome::GaveUp { bound, nodes: 0, stop },
                    packing: None,
                };
            }
        };
        on(Event::Incumbent { peak: packing.peak(instance) });
        let outcome = judge(instance, &packing, bound, 0, Stop::Heuristic);
        Attempt { outcome, packing: Some(packing) }
    }
}

/// The outcome that a packing which obeys all rules but perhaps the capacity stands for.
pub(crate) fn judge(
    instance: &Instance,
    packing: &Packing,
    bound: u64,
    nodes: u64,
    stop: Stop,
) -> Outcome {
    let peak = packing.peak(instance);
    if instance.capacity.is_some_and(|capacity| peak > capacity) {
        return Outcome::GaveUp { bound, nodes, stop };
    }
    let proof = if peak <= bound { Proof::MeetsBound } else { Proof::Open };
    let stop = if peak <= bound { Stop::Complete } else { stop };
    Outcome::Packed { packing: packing.clone(), proof, bound, cost_bound: 0, nodes, stop }
}

/// Every heuristic takes every feature, but ids are 32 bits wide.
pub(crate) fn takes(instance: &Instance) -> Result<(), Missing> {
    let n = instance.items.len() as u64;
    if n >= u64::from(u32::MAX) { Err(Missing::TooLarge(n)) } else { Ok(()) }
}

impl Solver for Named {
    fn name(&self) -> &'static str {
        self.name
    }

    fn can(&self, instance: &Instance, _goal: Goal) -> Result<(), Missing> {
        takes(instance)
    }

    fn solve(
        &self,
        instance: &Instance,
        goal: Goal,
        warm: Option<&Packing>,
        budget: &Budget,
        on: &mut dyn FnMut(Event),
    ) -> Outcome {
        self.attempt(instance, goal, warm, budget, on).outcome
    }
}

fn lowest_first(problem: &Problem<'_>, budget: &Budget) -> Result<Packing, Stop> {
    let ties = [Key::Area, Key::Duration, Key::Size];
    LowestFirst::new(problem).best_of(&ties, budget)
}

static NAMED: [Named; 11] = [
    Named { name: "first-fit", pack: |p, _, b| greedy(p, Key::Start, Rule::First, b) },
    Named { name: "best-fit", pack: |p, _, b| greedy(p, Key::Start, Rule::Best, b) },
    Named { name: "greedy-size", pack: |p, _, b| greedy(p, Key::Size, Rule::Best, b) },
    Named { name: "greedy-area", pack: |p, _, b| greedy(p, Key::Area, Rule::Best, b) },
    Named { name: "greedy-duration", pack: |p, _, b| greedy(p, Key::Duration, Rule::Best, b) },
    Named { name: "greedy-conflicts", pack: |p, _, b| greedy(p, Key::Conflicts, Rule::Best, b) },
    Named { name: "lowest-first", pack: |p, _, b| lowest_first(p, b) },
    Named { name: "whole-slot", pack: |p, _, b| whole_slot(p, b) },
    Named { name: "sequential", pack: |p, _, b| sequential(p, b) },
    Named { name: "cost-first", pack: |p, _, b| cost_first(p, b) },
    Named { name: "greedy-promotion", pack: |p, goal, b| promote(p.instance, goal, b) },
];

static PORTFOLIO: Portfolio = Portfolio::new(0);

/// All heuristics, the portfolio last.
pub fn all() -> impl Iterator<Item = &'static dyn Packer> {
    let named = NAMED.iter().map(|named| named as &dyn Packer);
    named.chain([&PORTFOLIO as &dyn Packer])
}

/// The heuristic of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Packer> {
    all().find(|packer| packer.name() == name)
}
