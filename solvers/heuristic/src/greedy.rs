//! One composite after the other, in a fixed order.

use std::collections::VecDeque;

use memplan_packing::{Budget, Meter, Packing, Stop};

use crate::engine::{Engine, Rule};
use crate::flat;
use crate::online;
use crate::order::{BY_START, Key, order};
use crate::problem::Problem;

/// How often a composite without a place is moved to the front and everything starts over.
/// Windows make this necessary: a late item may find its window taken. Each restart settles one
/// more item, and more than a few are a matter for search.
const RESTARTS: usize = 16;

/// Places all composites in the order of the keys, each by the rule.
pub(crate) fn greedy(
    problem: &Problem<'_>,
    keys: &[Key],
    rule: Rule,
    budget: &Budget,
) -> Result<Packing, Stop> {
    match (keys, rule) {
        (BY_START, Rule::First) if problem.plain => online::by_start(problem, false, budget),
        (BY_START, Rule::Best) if problem.plain => online::by_start(problem, true, budget),
        _ => in_order(problem, order(problem, keys), rule, budget),
    }
}

/// Places all composites in this order, each by the rule.
pub(crate) fn in_order(
    problem: &Problem<'_>,
    order: Vec<u32>,
    rule: Rule,
    budget: &Budget,
) -> Result<Packing, Stop> {
    if problem.plain && !problem.sparse() {
        return flat::in_order(problem, &order, rule, budget);
    }
    placed_in_order(problem, order, rule, budget)
}

/// The same with every feature of an instance.
pub(crate) fn placed_in_order(
    problem: &Problem<'_>,
    order: Vec<u32>,
    rule: Rule,
    budget: &Budget,
) -> Result<Packing, Stop> {
    let mut order = VecDeque::from(order);
    for _ in 0..=RESTARTS {
        match attempt(problem, &order, rule, budget)? {
            Ok(packing) => return Ok(packing),
            Err(at) => {
                // Nobody stands before the first: what does not fit there never will.
                let stuck = order.remove(at).filter(|_| at > 0).ok_or(Stop::Failed)?;
                order.push_front(stuck);
            }
        }
    }
    Err(Stop::Failed)
}

/// One pass: the packing, or where in the order it got stuck.
fn attempt(
    problem: &Problem<'_>,
    order: &VecDeque<u32>,
    rule: Rule,
    budget: &Budget,
) -> Result<Result<Packing, usize>, Stop> {
    let mut clock = clock(budget);
    let mut engine = match rule {
        Rule::Cheapest { .. } => Engine::with_costs(problem),
        _ => Engine::new(problem),
    };
    engine.place_pinned().ok_or(Stop::Failed)?;
    for (at, &composite) in order.iter().enumerate() {
        clock()?;
        if engine.put(composite, rule).is_none() {
            return Ok(Err(at));
        }
    }
    engine.packing().map(Ok).ok_or(Stop::Failed)
}

/// Polls the deadline and the cancel flag now and then. A single pass of a heuristic opens no
/// nodes: it is short, and half a packing is of no use.
pub(crate) fn clock(budget: &Budget) -> impl FnMut() -> Result<(), Stop> {
    let mut calls = 0u32;
    move || {
        calls = calls.wrapping_add(1);
        if calls.is_multiple_of(64) { Meter::new(budget).poll() } else { Ok(()) }
    }
}
