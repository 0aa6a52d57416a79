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
pub(crate) enum Verdict {
    /// These bases.
    Found(Vec<Unit>),
    /// No.
    Refuted,
    /// The slice of nodes is used up.
    Slice,
    /// The budget is.
    Stopped(Stop),
}

/// What carries over from one question about a model to the next.
pub(crate) struct Memory {
    weights: Vec<u64>,
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
) -> Verdict {
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
        let Some((first, other)) = pick(&state, memory) else {
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
            blame(model, memory, fail);
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

/// Whoever failed weighs more: it is decided earlier from now on.
fn blame(model: &Model, memory: &mut Memory, fail: Fail) {
    match fail {
        Fail::Pair(pair) => memory.weights[pair as usize] += 1,
        Fail::Section | Fail::Price => {}
    }
    let _ = model;
}

fn broken(state: &State<'_>, pair: usize) -> bool {
    let item = &state.model.pairs[pair];
    let open = item.price.is_none_or(|price| state.deals[price as usize] != Deal::Paid);
    open && !item.holds(&state.low)
}

/// The next decision: what to try first and what otherwise. `None` when nothing is broken.
fn pick(state: &State<'_>, memory: &Memory) -> Option<(Step, Step)> {
    let mut best: Option<((u64, i64), usize)> = None;
    for (p, pair) in state.model.pairs.iter().enumerate() {
        if !broken(state, p) {
            continue;
        }
        let (from, to) = state.range[p];
        if from == to {
            continue;
        }
        let (a, b) = (pair.first as usize, pair.second as usize);
        let slack = slack(state, a, b);
        let weight = if false { memory.weights[p] } else { 0 };
        let key = (weight, -slack);
        if best.is_none_or(|(other, _)| key > other) {
            best = Some((key, p));
        }
    }
    let (_, p) = best?;
    let pair = &state.model.pairs[p];
    if let Some(price) = pair.price.filter(|&price| state.deals[price as usize] == Deal::Open) {
        return Some((Step::Deal(price, Deal::Apart), Step::Deal(price, Deal::Paid)));
    }
    let (a, b) = (pair.first as usize, pair.second as usize);
    let distance = state.low[b] - state.low[a];
    let (from, to) = state.range[p];
    let above = pair.allowed.partition_point(|range| range.1 < distance) as u32;
    let below = above.checked_sub(1)?;
    let down = Step::Narrow(p as u32, (from, below));
    let up = Step::Narrow(p as u32, (above, to));
    // What leaves more room is tried first.
    let room_up = state.high[b] - state.low[a] - pair.allowed[above as usize].0;
    let room_down = pair.allowed[below as usize].1 + state.high[a] - state.low[b];
    Some(if room_up >= room_down { (up, down) } else { (down, up) })
}

fn slack(state: &State<'_>, a: usize, b: usize) -> i64 {
    (state.high[a] - state.low[a]).min(state.high[b] - state.low[b])
}
