//! From an instance to an outcome: quick refutations, then every choice of promotions.

use memplan_packing::bounds::{self, lower_bound};
use memplan_packing::{
    Budget, Event, Goal, Instance, Meter, Outcome, Packing, Proof, Refutation, Stop,
};

use crate::bound::bound;
use crate::build::Builder;
use crate::choice::{Choice, Role, singles};
use crate::quick;
use crate::rules::Rules;
use crate::turns::Run;
use crate::units::{FAR, Unit, granule, limit};

/// Solves an instance that `can` takes.
pub(crate) fn solve(
    rules: Rules,
    instance: &Instance,
    goal: Goal,
    warm: Option<&Packing>,
    budget: &Budget,
    on: &mut dyn FnMut(Event),
) -> Outcome {
    let granule = granule(instance);
    let Some(limit) = limit(instance, granule) else {
        return Outcome::GaveUp { bound: 0, nodes: 0, stop: Stop::Failed };
    };
    let builder = Builder::new(instance, granule);
    let free = Choice(singles(instance).into_iter().map(|s| (s, Role::Absent)).collect());
    let base = match builder.model(&free, false) {
        Ok(base) => base,
        Err(why) => {
            let why = quick::no_way(instance, why);
            return Outcome::Refuted { why, bound: 0, nodes: 0 };
        }
    };
    // The vocabulary's own bound may know more, and is in bytes: the next granule is as true.
    let known = (lower_bound(instance).div_ceil(granule)).min(FAR as u64) as Unit;
    let low = bound(&base).max(known);
    let bytes = |units: Unit| (units.max(0) as u64).saturating_mul(granule);
    let beyond = || match instance.capacity {
        Some(_) => bytes(low).max(bytes(limit + 1)),
        None => bytes(low),
    };
    on(Event::Bound { bound: bytes(low) });
    let seen = quick::refute(instance, &base, limit);
    if let Some(why) = seen.or_else(|| bounds::refute(instance)) {
        return Outcome::Refuted { why, bound: beyond(), nodes: 0 };
    }
    let meter = Meter::new(budget);
    let mut run = Run {
        instance,
        goal,
        rules,
        builder,
        granule,
        limit,
        meter,
        on,
        best: None,
        told: u64::MAX,
        waiting: Vec::new(),
        dropped: false,
        explored: false,
    };
    if let Some(warm) = warm {
        run.keep(warm.clone());
    }
    let stop = run.choices(low).err();
    let nodes = run.meter.nodes();
    (run.on)(Event::Nodes { nodes });
    let closed = stop.is_none() && !run.dropped;
    // Open choices may still hold a smaller peak, but none below what was proven for them.
    let waiting = run.waiting.iter().map(|waiting| bytes(waiting.1.low)).min();
    let dear = run.waiting.iter().map(|waiting| waiting.1.least).min();
    let (proven, least) = match (stop, run.dropped) {
        (None, false) => (u64::MAX, u64::MAX),
        (Some(_), false) if run.explored => (waiting.unwrap_or(u64::MAX), dear.unwrap_or(u64::MAX)),
        _ => (0, 0),
    };
    match run.best {
        Some((cost, peak, packing)) => {
            let by_peak = goal == Goal::Peak;
            let bound = if by_peak { bytes(low).max(proven.min(peak)) } else { bytes(low) };
            let cost_bound = if goal == Goal::CostThenPeak { least.min(cost) } else { 0 };
            let free = goal != Goal::CostThenPeak || cost == 0;
            let proof = match () {
                () if bytes(low) == peak && free => Proof::MeetsBound,
                () if closed && goal != Goal::Fit => Proof::Exhausted,
                () => Proof::Open,
            };
            (run.on)(Event::Bound { bound });
            let stop = stop.unwrap_or(if run.dropped { Stop::Failed } else { Stop::Complete });
            let stop = if proof == Proof::Open { stop } else { Stop::Complete };
            Outcome::Packed { packing, proof, bound, cost_bound, nodes, stop }
        }
        None if closed => Outcome::Refuted { why: Refutation::Exhausted, bound: beyond(), nodes },
        None => {
            let bound = bytes(low).max(proven.min(beyond()));
            Outcome::GaveUp { bound, nodes, stop: stop.unwrap_or(Stop::Failed) }
        }
    }
}
