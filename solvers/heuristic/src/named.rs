//! The heuristics that have a name.

use memplan_packing::bounds::Bounds;
use memplan_packing::{
    Budget, Event, Goal, Instance, Missing, Outcome, Packing, Proof, Solver, Stop,
};

use crate::breadth::by_breadth;
use crate::cheap::cost_first;
use crate::climb::hill_climb;
use crate::engine::Rule;
use crate::greedy::greedy;
use crate::lowest::LowestFirst;
use crate::order::{BY_AREA, BY_CONFLICTS, BY_DURATION, BY_SIZE, BY_START, BY_WIDTH, Key};
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
    LowestFirst::new(problem).best_of(&[BY_AREA, BY_DURATION, BY_SIZE], budget)
}

fn lowest_by(problem: &Problem<'_>, keys: &[Key], budget: &Budget) -> Result<Packing, Stop> {
    LowestFirst::new(problem).best_of(&[keys], budget)
}

/// Those that the command line offers.
const NAMED: [Named; 14] = [
    Named { name: "first-fit", pack: |p, _, b| greedy(p, BY_START, Rule::First, b) },
    Named { name: "best-fit", pack: |p, _, b| greedy(p, BY_START, Rule::Best, b) },
    Named { name: "greedy-size", pack: |p, _, b| greedy(p, BY_SIZE, Rule::Best, b) },
    Named { name: "greedy-area", pack: |p, _, b| greedy(p, BY_AREA, Rule::Best, b) },
    Named { name: "greedy-duration", pack: |p, _, b| greedy(p, BY_DURATION, Rule::Best, b) },
    Named { name: "greedy-conflicts", pack: |p, _, b| greedy(p, BY_CONFLICTS, Rule::Best, b) },
    Named { name: "tflm-greedy", pack: |p, _, b| greedy(p, BY_SIZE, Rule::First, b) },
    Named { name: "tflite-breadth", pack: |p, _, b| by_breadth(p, b) },
    Named { name: "usmp-size", pack: |p, _, b| greedy(p, BY_SIZE, Rule::Above, b) },
    Named { name: "usmp-conflicts", pack: |p, _, b| greedy(p, BY_CONFLICTS, Rule::Above, b) },
    Named { name: "usmp-hillclimb", pack: |p, _, b| hill_climb(p, b) },
    Named { name: "skyline", pack: |p, _, b| lowest_by(p, BY_WIDTH, b) },
    Named { name: "lowest-first", pack: |p, _, b| lowest_first(p, b) },
    Named { name: "whole-slot", pack: |p, _, b| whole_slot(p, b) },
];

/// Parts of others, and baselines.
const PARTS: [Named; 6] = [
    Named { name: "sequential", pack: |p, _, b| sequential(p, b) },
    Named { name: "cost-first", pack: |p, _, b| cost_first(p, b) },
    Named { name: "greedy-promotion", pack: |p, goal, b| promote(p.instance, goal, b) },
    Named { name: "lowest-area", pack: |p, _, b| lowest_by(p, BY_AREA, b) },
    Named { name: "lowest-duration", pack: |p, _, b| lowest_by(p, BY_DURATION, b) },
    Named { name: "lowest-size", pack: |p, _, b| lowest_by(p, BY_SIZE, b) },
];

/// The names of the heuristics that a user may ask for.
pub const NAMES: [&str; NAMED.len()] = {
    let mut names = [""; NAMED.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = NAMED[at].name;
        at += 1;
    }
    names
};

static TABLE: [Named; NAMED.len()] = NAMED;
static MORE: [Named; PARTS.len()] = PARTS;
static PORTFOLIO: Portfolio = Portfolio::new(0);

/// All heuristics, the portfolio last.
pub fn all() -> impl Iterator<Item = &'static dyn Packer> {
    let named = TABLE.iter().chain(&MORE).map(|named| named as &dyn Packer);
    named.chain([&PORTFOLIO as &dyn Packer])
}

/// The heuristic of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Packer> {
    all().find(|packer| packer.name() == name)
}
