//! The search for an order that needs less than the best of the plain ones: the computation that runs at
//! the peak is ordered anew, then the one that runs at the new peak, until none gets better.

use std::collections::BTreeSet;

use super::beam::beam;
use super::bound::floor;
use super::choose::Budget;
use super::fixed::{Fixed, Moment};
use super::meter::Cost;
use super::model::Model;
use super::shift::shift;
use super::state::peak;
use crate::ir::hlo::{ComputationId, Sequences};

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

/// Looks for a better order, from one that is there.
pub(crate) fn search(fixed: &Fixed<'_>, from: &Sequences, budget: Budget) -> Found {
    let mut moment = fixed.moment(from.clone());
    let mut cost = fixed.meter.cost_of(&moment.lives);
    let mut steps = 0;
    let mut settled: BTreeSet<ComputationId> = BTreeSet::new();
    while let Some(computation) = at_peak(fixed, &moment, &settled) {
        settled.insert(computation);
        let Some(model) = Model::of(fixed, computation, &moment) else { continue };
        let order = places(fixed, computation, &moment);
        let limit = steps + (budget.steps.saturating_sub(steps)) / 2;
        let Some(better) = improve(&model, &order, &mut steps, limit) else { continue };
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
    let entry = fixed.meter.facts.module.entry;
    let proven = Model::of(fixed, entry, &moment).is_some_and(|model| floor(&model) >= cost.exact);
    Found { sequences: moment.order, cost, proven, steps }
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

fn places(fixed: &Fixed<'_>, computation: ComputationId, moment: &Moment) -> Vec<u32> {
    let module = fixed.meter.facts.module;
    let sequence = moment.order.0[computation].iter();
    sequence.filter_map(|&id| fixed.places.get(module, computation, id)).collect()
}

/// A better order of a model; `None` where none is found.
fn improve(model: &Model, order: &[u32], steps: &mut u64, limit: u64) -> Option<Vec<u32>> {
    let floor = floor(model);
    let before = peak(model, order);
    let mut best = (before, order.to_vec());
    let take = |order: Vec<u32>, best: &mut (u64, Vec<u32>)| {
        let found = peak(model, &order);
        if found < best.0 {
            *best = (found, order);
        }
    };
    let begin = *steps;
    let third = (limit - begin) / 3;
    let order = shift(model, best.1.clone(), floor, steps, begin + third);
    take(order, &mut best);
    let mut width = 1;
    while best.0 > floor && *steps < begin + 2 * third && width <= 64 {
        if let Some(order) = beam(model, width, floor, steps, begin + 2 * third) {
            let order = shift(model, order, floor, steps, begin + 2 * third);
            take(order, &mut best);
        }
        width *= 8;
    }
    (best.0 < before).then_some(best.1)
}
