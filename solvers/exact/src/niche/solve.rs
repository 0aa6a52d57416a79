//! From a pure instance to an outcome.

use memplan_packing::bounds::Bounds;
use memplan_packing::{
    Budget, Event, Goal, Instance, Meter, Outcome, Packing, Proof, Refutation, Stop, check,
};

use super::ask::Asker;
use super::level::Level;
use super::problem::Problem;
use crate::descend::{Pace, Race, descend};
use crate::exact::Exact;
use crate::search::Verdict;
use crate::units::{Unit, granule, limit};

/// Nodes per rectangle for every question, doubled when none could be answered.
const SLICE: u64 = 8;
/// The bound is reached more often than not, and a proof when it is.
const BOUND_SHARE: u64 = 8;
/// Nodes per rectangle to find a packing within the capacity.
const ANY: u64 = 30;
/// Nodes per rectangle for the first look at the lower bound: not much is lost.
const FIRST: u64 = 6;

/// The best packing so far, and who is told about it.
struct Best<'a> {
    instance: &'a Instance,
    packing: Option<(u64, Packing)>,
    on: &'a mut dyn FnMut(Event),
    /// A packing did not pass the check: a defect of this crate.
    wrong: bool,
}

impl Best<'_> {
    /// Keeps a packing if it is right and better.
    fn keep(&mut self, packing: Packing) -> bool {
        if !check(self.instance, &packing).is_empty() {
            self.wrong = true;
            return false;
        }
        let peak = packing.peak(self.instance);
        if self.packing.as_ref().is_none_or(|best| peak < best.0) {
            (self.on)(Event::Incumbent { peak });
            self.packing = Some((peak, packing));
        }
        true
    }
}

/// Solves an instance that [`super::is_pure`].
pub(crate) fn solve(
    exact: Exact,
    instance: &Instance,
    goal: Goal,
    warm: Option<&Packing>,
    budget: &Budget,
    on: &mut dyn FnMut(Event),
) -> Outcome {
    match limit(instance, granule(instance)) {
        None => Outcome::GaveUp { bound: 0, nodes: 0, stop: Stop::Failed },
        Some(limit) if limit < i32::FAR.units() / 4 => {
            solve_with::<i32>(exact, limit, instance, goal, warm, budget, on)
        }
        Some(limit) => solve_with::<i64>(exact, limit, instance, goal, warm, budget, on),
    }
}

fn solve_with<L: Level>(
    Exact { rules, seed }: Exact,
    limit: Unit,
    instance: &Instance,
    goal: Goal,
    warm: Option<&Packing>,
    budget: &Budget,
    on: &mut dyn FnMut(Event),
) -> Outcome {
    let problem: Problem<L> = Problem::new(instance);
    let bounds = Bounds::new(instance);
    let low = problem.units(bounds.lower_bound).min(limit + 1);
    let beyond = |low: Unit| match instance.capacity {
        Some(_) => problem.bytes(low).max(problem.bytes(limit + 1)),
        None => problem.bytes(low),
    };
    on(Event::Bound { bound: problem.bytes(low) });
    let refuted = bounds.refutation.or((low > limit).then_some(Refutation::Exhausted));
    if let Some(why) = refuted {
        return Outcome::Refuted { why, bound: beyond(low), nodes: 0 };
    }
    let mut meter = Meter::new(budget);
    let mut best = Best { instance, packing: None, on, wrong: false };
    let any = goal == Goal::Fit;
    let warm = warm.filter(|warm| best.keep((*warm).clone()));
    best.wrong = false;
    let enough = if any { u64::MAX } else { low as u64 };
    let warm = warm.map(|warm| (problem.units(warm.peak(instance)) as u64, Vec::new()));
    let mut race = Race { low: low as u64, high: limit as u64, best: warm, enough };
    let n = problem.rects.len() as u64;
    // Where any packing will do there is only one question.
    let slice = if any { u64::MAX } else { 200 + SLICE * n };
    let bound_first = rules.bound_first && !any;
    let pace = Pace { slice, bound_first, bound_share: BOUND_SHARE, until: u64::MAX };
    let mut asker = Asker::new(&problem, rules, seed);
    // The bound may be reached at once. If not, any packing is worth more than a better bound.
    let first = if any || race.best.is_some() {
        [None; 2]
    } else {
        [Some((low, FIRST)), Some((limit, ANY))]
    };
    for (units, nodes) in first.into_iter().flatten().filter(|_| rules.bound_first) {
        if race.best.is_none()
            && let Verdict::Found(offsets) = asker.ask(units, 200 + nodes * n, &mut meter)
        {
            best.keep(problem.packing(&offsets));
            race.best = Some((problem.peak(&offsets) as u64, offsets));
        }
    }
    let question =
        |value: u64, slice: u64, meter: &mut Meter<'_>| asker.ask(value as Unit, slice, meter);
    let found = |offsets: &Vec<L>| {
        best.keep(problem.packing(offsets));
        problem.peak(offsets) as u64
    };
    let end = descend(&mut race, pace, &mut meter, question, found);
    let nodes = meter.nodes();
    (best.on)(Event::Nodes { nodes });
    let stop = match end {
        Ok(()) if best.wrong => Some(Stop::Failed),
        Ok(()) => None,
        Err(stop) => Some(stop.unwrap_or(Stop::Nodes)),
    };
    let proven = problem.bytes((race.low.min(limit as u64 + 1)) as Unit);
    match best.packing {
        Some((peak, packing)) => {
            let proof = match stop {
                _ if problem.bytes(low) == peak => Proof::MeetsBound,
                None if !any => Proof::Exhausted,
                _ => Proof::Open,
            };
            let known = if proof == Proof::Exhausted { peak } else { proven.min(peak) };
            (best.on)(Event::Bound { bound: known });
            // A packing is all that was asked for.
            let stop = stop.filter(|_| proof == Proof::Open).unwrap_or(Stop::Complete);
            Outcome::Packed { packing, proof, bound: known, cost_bound: 0, nodes, stop }
        }
        None if stop.is_none() => {
            Outcome::Refuted { why: Refutation::Exhausted, bound: beyond(low), nodes }
        }
        None => Outcome::GaveUp { bound: proven, nodes, stop: stop.unwrap_or(Stop::Failed) },
    }
}
