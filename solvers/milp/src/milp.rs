//! The solver behind the seam.

use memplan_packing::bounds::lower_bound;
use memplan_packing::{
    Budget, Event, Goal, Instance, Missing, Outcome, Packing, Proof, Solver, Stop, check,
};

use crate::decode::orders;
use crate::granule::granule;
use crate::greedy::greedy;
use crate::order::Frame;
use crate::report::{Model, Report};
use crate::run::run;
use crate::statement::state;

/// Open orders taken at most: above some hundred microlp finds nothing in reasonable time.
pub const MAX_DISJUNCTIONS: u64 = 140;

/// The largest peak in granules: coefficients of one row stay within six orders of magnitude.
pub const MAX_UNITS: u64 = 1 << 20;

/// Items looked at before their pairs are counted.
const MAX_ITEMS: u64 = 400;

/// The mixed integer program. It takes no promotions: [`memplan_packing::promotion::expand`] writes
/// those in force as items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Milp {
    /// See [`MAX_DISJUNCTIONS`].
    pub max_disjunctions: u64,
    /// See [`MAX_UNITS`].
    pub max_units: u64,
    /// For tests of callers: the run fails as if microlp had broken down.
    pub fail: bool,
}

impl Default for Milp {
    fn default() -> Self {
        Self { max_disjunctions: MAX_DISJUNCTIONS, max_units: MAX_UNITS, fail: false }
    }
}

impl Milp {
    /// Solves and tells how it went; see [`Solver::solve`].
    pub fn solve_with_report(
        &self,
        instance: &Instance,
        goal: Goal,
        warm: Option<&Packing>,
        budget: &Budget,
        on: &mut dyn FnMut(Event),
    ) -> (Outcome, Report) {
        let priced = goal == Goal::CostThenPeak;
        let frame = Frame::new(instance, priced);
        let bound = lower_bound(instance);
        let right = |packing: &Packing| check(instance, packing).is_empty();
        let worth = |packing: &Packing| {
            (if priced { packing.cost(instance) } else { 0 }, packing.peak(instance))
        };
        let mut best: Option<Packing> = warm.filter(|p| right(p)).cloned();
        if !(goal == Goal::Fit && best.is_some()) {
            best = best.into_iter().chain(greedy(&frame)).min_by_key(worth);
        }
        if let Some(packing) = &best {
            on(Event::Incumbent { peak: packing.peak(instance) });
        }
        let peak = |best: &Option<Packing>| best.as_ref().map(|packing| packing.peak(instance));
        let least = |packing: &Packing| worth(packing) <= (0, bound);
        let done = |best: &Option<Packing>| match goal {
            Goal::Fit => best.is_some(),
            Goal::Peak | Goal::CostThenPeak => best.as_ref().is_some_and(least),
        };
        // What costs less may well be higher.
        let known = peak(&best).filter(|_| !priced);
        let ceiling = known.or(instance.capacity).unwrap_or_else(|| stacked(instance));
        // Lengths of some thousand keep the rows in the range that microlp is exact in.
        let units = (ceiling / granule(instance)).max(1);
        let unit = granule(instance) as f64;
        let scale = if units > LENGTH { LENGTH as f64 / (units as f64 * unit) } else { 1.0 / unit };
        let stated = state(&frame, scale, bound, ceiling, best.as_ref());
        let model = stated.as_ref().map_or(Model::default(), |stated| stated.model);
        let (mut nodes, mut stop, note);
        if done(&best) {
            (nodes, stop) = (0, Stop::Complete);
            note = "the first packing needs no improvement; not run".to_owned();
        } else if self.fail {
            (nodes, stop, note) = (0, Stop::Failed, "failure forced by a test".to_owned());
        } else if let Some(stated) = &stated {
            let raw = run(stated, budget);
            (nodes, stop) = (raw.nodes, raw.stop);
            let found = raw.values.map(|values| orders(stated, &values));
            let found = found.and_then(|orders| frame.least(&orders, ceiling));
            if let Some(packing) = found.filter(|packing| right(packing)) {
                let better = best.as_ref().is_none_or(|best| worth(&packing) < worth(best));
                if better {
                    on(Event::Incumbent { peak: packing.peak(instance) });
                    best = Some(packing);
                }
            }
            note = raw.note;
        } else {
            (nodes, stop) = (0, Stop::Failed);
            note = "no program could be stated".to_owned();
        }
        if budget.nodes.is_some_and(|limit| nodes > limit) {
            nodes = budget.nodes.unwrap_or(nodes);
        }
        if done(&best) {
            stop = Stop::Complete;
        }
        let outcome = match best {
            Some(packing) => {
                let proof = if least(&packing) { Proof::MeetsBound } else { Proof::Open };
                Outcome::Packed { packing, proof, bound, cost_bound: 0, nodes, stop }
            }
            None => Outcome::GaveUp { bound, nodes, stop },
        };
        (outcome, Report { model, stop, note })
    }
}

/// Lengths in the program are at most this.
const LENGTH: u64 = 1 << 14;

/// A peak that stacking everything does not exceed, for instances without capacity.
fn stacked(instance: &Instance) -> u64 {
    let fixed = instance.reserved.iter().map(|r| r.end);
    let fixed = fixed.chain(
        instance
            .items
            .iter()
            .map(|item| item.pin.unwrap_or(0).max(item.window.as_ref().map_or(0, |w| w.start))),
    );
    let fixed = fixed.max().unwrap_or(0);
    let sizes = instance.items.iter().map(|item| item.size.saturating_add(item.align));
    let deltas = instance.colocated.iter().map(|c| c.delta);
    sizes.chain(deltas).fold(fixed, u64::saturating_add)
}

impl Solver for Milp {
    fn name(&self) -> &'static str {
        "milp"
    }

    fn can(&self, instance: &Instance, goal: Goal) -> Result<(), Missing> {
        if !instance.promotions.is_empty() {
            return Err(Missing::Promotions);
        }
        let items = instance.items.len() as u64;
        if items > MAX_ITEMS {
            return Err(Missing::TooLarge(items));
        }
        let largest = instance.capacity.unwrap_or(u64::MAX).min(stacked(instance));
        let units = largest / granule(instance);
        if units > self.max_units {
            return Err(Missing::TooLarge(units));
        }
        let walls = instance.reserved.len() as u64 * items;
        let disjunctions =
            Frame::new(instance, goal == Goal::CostThenPeak).pairs.len() as u64 + walls;
        if disjunctions > self.max_disjunctions {
            return Err(Missing::TooLarge(disjunctions));
        }
        Ok(())
    }

    fn solve(
        &self,
        instance: &Instance,
        goal: Goal,
        warm: Option<&Packing>,
        budget: &Budget,
        on: &mut dyn FnMut(Event),
    ) -> Outcome {
        self.solve_with_report(instance, goal, warm, budget, on).0
    }
}
