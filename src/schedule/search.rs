//! The search for an order that needs less than the best of the plain ones: the computation that runs at
//! the peak is ordered anew, then the one that runs at the new peak, until none gets better.

use std::collections::BTreeSet;

use super::beam::beam;
use super::bound::floor;
use super::choose::Budget;
use super::exact::{Outcome, exact};
use super::fixed::{Fixed, Moment};
use super::meter::Cost;
use super::model::Model;
use super::shift::shift;
use super::state::peak;
use crate::ir::hlo::{ComputationId, Sequences};

/// Kicks without a better order after which an attempt ends, of several and of the last.
const FEW: u32 = 20;
const MANY: u32 = 300;

/// The largest entry, in instructions, of which all orders are tried for a proof, and its steps.
const SMALL: usize = 128;
const PROOF: u64 = 2_000_000;

/// What the search found.
pub(crate) struct Found {
    /// The order.
    pub(crate) sequences: Sequences,
    /// What it costs.
    pub(crate) cost: Cost,
    /// True when no order needs less.
    pub(crate) proven: bool,
    /// Instructions that were run in the model.
    pub(crate) steps: u64,
}

/// Looks for a better order, from one that is there; others may lead elsewhere.
pub(crate) fn search(
    fixed: &Fixed<'_>,
    from: &Sequences,
    others: &[&Sequences],
    budget: Budget,
) -> Found {
    let mut moment = fixed.moment(from.clone());
    let mut cost = fixed.meter.cost_of(&moment.lives);
    let module = fixed.meter.facts.module;
    let mut steps = 0;
    let mut settled: BTreeSet<ComputationId> = BTreeSet::new();
    while let Some(computation) = at_peak(fixed, &moment, &settled) {
        settled.insert(computation);
        let Some(model) = Model::of(fixed, computation, &moment) else { continue };
        let order = fixed.places(computation, &moment);
        let mut starts = vec![order];
        for &other in others {
            let other = other.0[computation].iter();
            let places = other.filter_map(|&id| fixed.places.get(module, computation, id));
            let start: Vec<u32> = places.collect();
            if !starts.contains(&start) {
                starts.push(start);
            }
        }
        let limit = steps + (budget.steps.saturating_sub(steps)) / 2;
        let Some(better) = improve(&model, &starts, &mut steps, limit) else { continue };
        let mut sequences = moment.order.clone();
        sequences.0[computation] = better.iter().map(|&at| model.ids[at as usize]).collect();
        let next = fixed.moment(sequences);
        if let Some(found) = fixed.cost(&next)
            && found < cost
        {
            (moment, cost) = (next, found);
            settled.clear();
        }
    }
    let limit = steps + (budget.steps.saturating_sub(steps)) / 2;
    let proven = is_least(fixed, &moment, cost, &mut steps, limit);
    Found { sequences: moment.order, cost, proven, steps }
}

/// True when every order of the entry needs as much, whatever the computations that it runs need inside.
fn is_least(fixed: &Fixed<'_>, at: &Moment, cost: Cost, steps: &mut u64, limit: u64) -> bool {
    let entry = fixed.meter.facts.module.entry;
    let Some(mut model) = Model::of(fixed, entry, at) else { return false };
    let floor = floor(&model);
    if floor >= cost.exact {
        return true;
    }
    // Which of several results takes over bytes depends on when they die, which the model leaves open.
    let is_open = model.takes.iter().any(|takers| takers.len() > 1);
    if model.len() > SMALL || is_open {
        return false;
    }
    model.inner.fill(0);
    let limit = limit.min(steps.saturating_add(PROOF));
    exact(&model, cost.exact, floor, steps, limit) == Outcome::None
}

/// The innermost computation that runs at the peak and is not settled, or the next one around it.
fn at_peak(
    fixed: &Fixed<'_>,
    moment: &Moment,
    settled: &BTreeSet<ComputationId>,
) -> Option<ComputationId> {
    let profile = fixed.meter.profile(&moment.lives);
    let most = profile.iter().copied().max()?;
    let module = fixed.meter.facts.module;
    let times = &fixed.meter.times;
    let is_top = |&id: &crate::ir::hlo::InstructionId| {
        let time = moment.clock.at(times.instruction(id));
        time.is_some_and(|time| profile.get(time as usize) == Some(&most))
    };
    let tops = module.instructions.ids().filter(is_top);
    tops.flat_map(|top| fixed.nest.around(module, top))
        .map(|at| module.instructions[at].computation)
        .find(|id| !settled.contains(id))
}

/// A better order of a model than the first of those given; `None` where none is found.
fn improve(model: &Model, starts: &[Vec<u32>], steps: &mut u64, limit: u64) -> Option<Vec<u32>> {
    let floor = floor(model);
    let before = starts.first().map_or(0, |order| peak(model, order));
    let mut best = (before, starts.first().cloned().unwrap_or_default());
    let room = limit.saturating_sub(*steps);
    let mut descend = |order: Vec<u32>, kicks: u32, steps: &mut u64, share: u64| {
        if best.0 > floor {
            let limit = limit.min(steps.saturating_add(share));
            let order = shift(model, order, floor, kicks, steps, limit);
            let found = peak(model, &order);
            if found < best.0 {
                best = (found, order);
            }
        }
        best.0 > floor
    };
    for start in starts {
        descend(start.clone(), FEW, steps, room / 8);
    }
    for width in [1, 8, 64] {
        if let Some(order) = beam(model, width, floor, steps, steps.saturating_add(room / 16))
            && !descend(order, FEW, steps, room / 16)
        {
            break;
        }
    }
    let order = best.1.clone();
    if best.0 > floor {
        let order = shift(model, order, floor, MANY, steps, limit);
        let found = peak(model, &order);
        if found < best.0 {
            best = (found, order);
        }
    }
    (best.0 < before).then_some(best.1)
}
