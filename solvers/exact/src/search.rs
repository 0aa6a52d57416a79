//! Depth first over the orders of pairs.
//!
//! At every node the least bases are a packing or they break some pair. If they break none they
//! are the best packing below this node. Otherwise one broken pair is decided: the distance found
//! lies between two allowed ranges, so the ones below are tried, then the ones above (or the other
//! way round). A broken price is kept apart first, then paid. The path is an explicit stack.

use memplan_packing::{Meter, Stop};

use crate::model::Model;
use crate::rules::Rules;
use crate::state::{Deal, Fail, Limits, State};
use crate::units::Unit;

/// The answer of one question: is there a packing within the limits?
#[derive(Clone, Debug)]
pub(crate) enum Verdict<S> {
    /// This.
    Found(S),
    /// No.
    Refuted,
    /// The slice of nodes is used up.
    Slice,
    /// The budget is.
    Stopped(Stop),
}

/// What carries over from one question about a model to the next.
pub(crate) struct Memory {
    weights: Vec<Unit>,
    order: Vec<(u32, (u32, u32))>,
}

impl Memory {
    /// Nothing learned yet; the pairs of `order` are narrowed from the start.
    pub(crate) fn new(model: &Model, order: Vec<(u32, (u32, u32))>) -> Self {
        Self { weights: vec![1; model.pairs.len()], order }
    }
}

/// Nodes before the first restart.
const FIRST_RUN: u64 = 100;

#[derive(Clone, Copy, Debug)]
enum Step {
    Narrow(u32, (u32, u32)),
    Deal(u32, Deal),
}

struct Frame {
    mark: usize,
    other: Step,
}

/// Looks for a packing within the limits, opening at most `slice` nodes.
pub(crate) fn decide(
    model: &Model,
    rules: Rules,
    memory: &mut Memory,
    limits: Limits,
    slice: u64,
    meter: &mut Meter<'_>,
) -> Verdict<Vec<Unit>> {
    let mut state = State::new(model, rules, &memory.order);
    if state.begin(limits).is_err() {
        return Verdict::Refuted;
    }
    let root = state.mark();
    let end = meter.nodes().saturating_add(slice);
    let mut run = FIRST_RUN;
    let mut run_end = meter.nodes().saturating_add(run);
    let mut stack: Vec<Frame> = Vec::new();
    loop {
        let Some((first, other)) = pick(&state, memory, rules) else {
            if model.pairs.iter().enumerate().all(|(p, _)| !broken(&state, p)) {
                return Verdict::Found(state.low);
            }
            // Only a propagation that was cut short leaves a broken pair without orders.
            return Verdict::Stopped(Stop::Failed);
        };
        if meter.nodes() >= end {
            return Verdict::Slice;
        }
        if let Err(stop) = meter.tick() {
            return Verdict::Stopped(stop);
        }
        if rules.restarts && meter.nodes() >= run_end {
            run = run + run / 2;
            run_end = meter.nodes().saturating_add(run);
            stack.clear();
            state.undo(root);
            continue;
        }
        stack.push(Frame { mark: state.mark(), other });
        let mut step = first;
        while let Err(fail) = apply(&mut state, step) {
            blame(memory, fail);
            let Some(frame) = stack.pop() else {
                let sure = !state.unsure;
                return if sure { Verdict::Refuted } else { Verdict::Stopped(Stop::Failed) };
            };
            state.undo(frame.mark);
            step = frame.other;
        }
    }
}

fn apply(state: &mut State<'_>, step: Step) -> Result<(), Fail> {
    match step {
        Step::Narrow(pair, range) => state.narrow(pair, range),
        Step::Deal(price, deal) => state.decide(price, deal),
    }
}

/// The pair that failed weighs more: it is decided earlier from now on.
fn blame(memory: &mut Memory, fail: Fail) {
    match fail {
        Fail::Pair(pair) => memory.weights[pair as usize] += 1,
        Fail::Section | Fail::Price => {}
    }
}

fn broken(state: &State<'_>, pair: usize) -> bool {
    let item = &state.model.pairs[pair];
    let open = item.price.is_none_or(|price| state.deals[price as usize] != Deal::Paid);
    open && !item.holds(&state.low)
}

/// The next decision: what to try first and what otherwise. `None` when nothing is broken.
///
/// The pair with the least room for its failures goes first; what leaves more room is tried first.
fn pick(state: &State<'_>, memory: &Memory, rules: Rules) -> Option<(Step, Step)> {
    let mut best: Option<(Unit, usize, Rooms)> = None;
    for p in (0..state.model.pairs.len()).filter(|&p| broken(state, p)) {
        let Some(rooms) = rooms(state, p) else { continue };
        let weight = if rules.restarts { memory.weights[p] } else { 1 };
        let key = (rooms.up + rooms.down) / weight;
        if best.as_ref().is_none_or(|other| key < other.0) {
            best = Some((key, p, rooms));
        }
    }
    let (_, p, rooms) = best?;
    let open = |&price: &u32| state.deals[price as usize] == Deal::Open;
    if let Some(price) = state.model.pairs[p].price.filter(open) {
        return Some((Step::Deal(price, Deal::Apart), Step::Deal(price, Deal::Paid)));
    }
    let (from, to) = state.range[p];
    let down = Step::Narrow(p as u32, (from, rooms.above - 1));
    let up = Step::Narrow(p as u32, (rooms.above, to));
    Some(if rooms.up >= rooms.down { (up, down) } else { (down, up) })
}

/// How far the bodies of a pair could move if the distance were one of the ranges above or below.
struct Rooms {
    /// The first range above the distance of the least bases.
    above: u32,
    up: Unit,
    down: Unit,
}

/// `None` when no range is left on one side: only a propagation that was cut short does that.
fn rooms(state: &State<'_>, p: usize) -> Option<Rooms> {
    let pair = &state.model.pairs[p];
    let (a, b) = (pair.first as usize, pair.second as usize);
    let distance = state.low[b] - state.low[a];
    let above = pair.allowed.partition_point(|range| range.1 < distance);
    let (from, to) = state.range[p];
    if above <= from as usize || above > to as usize {
        return None;
    }
    let up = state.high[b] - state.low[a] - pair.allowed[above].0;
    let down = pair.allowed[above - 1].1 + state.high[a] - state.low[b];
    Some(Rooms { above: above as u32, up, down })
}
