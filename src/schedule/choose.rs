//! Orders measured and one chosen (spec/xla-memory.md 10.5, 10.7).

use super::edges::repaired;
use super::fixed::Fixed;
use super::meter::{Cost, Facts, Meter};
use super::order::{Inputs, Order, order};
use super::search::search;
use super::valid::valid;
use crate::analyze::hlo::{Groups, Options, ValueOptions, Values};
use crate::diag::Diagnostic;
use crate::ir::hlo::{Calls, Module, Sequences, Sharing};

/// How long to look for a better order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Instructions that the search may run in its model; a second is some 12 million.
    pub steps: u64,
}

/// One order and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Which.
    pub order: Order,
    /// The most bytes alive, parameters and results included, constants not, must-alias groups once.
    pub exact: u64,
    /// The same as XLA counts (8.2): what takes over its group's bytes counts twice at that moment.
    pub xla: u64,
    /// True where updates in place would have destroyed what is still read, and readers were moved
    /// before them; where that did not help, this is the text's order.
    pub repaired: bool,
}

/// An order for a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// What was measured, the text's own first.
    pub orders: Vec<Measured>,
    /// Which of them was taken: for `default` and `best` the one that won, `best` where none of the
    /// others is as good as what the search found.
    pub chosen: Order,
    /// The order.
    pub sequences: Sequences,
    /// The exact peak of the text's order.
    pub peak_before: u64,
    /// The exact peak of this order.
    pub peak_after: u64,
    /// True when no order needs less.
    pub proven: bool,
    /// Steps that the search took.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: 12_000_000 }
    }
}

struct Candidate {
    order: Order,
    sequences: Sequences,
    cost: Cost,
    repaired: bool,
}

/// Orders a module. Computations called by `fusion` keep their text's order.
///
/// `Best` is never worse than any other by the exact measure; ties go to the text's order, then list,
/// depth-first, breadth-first, post-order.
///
/// # Errors
///
/// Those of [`Calls::of`], [`Values::of`], [`Groups::of`]; `HloCycle` when instructions wait for each
/// other.
pub fn schedule(
    module: &Module,
    options: Options,
    wanted: Order,
    budget: Budget,
) -> Result<Scheduled, Diagnostic> {
    let calls = Calls::of(module)?;
    let values = Values::of(module, &calls, ValueOptions::default())?;
    let groups = Groups::of(module, &values)?;
    let sharing = Sharing::new(module, options.platform);
    let facts = Facts { module, calls: &calls, values: &values, groups: &groups };
    let inputs = Inputs { module, calls: &calls, values: &values };
    let given = order(inputs, Order::Given)?;
    let fixed = Fixed::of(Meter::of(facts, &sharing), &given);
    let mut candidates = vec![candidate(&fixed, &given, Order::Given, given.clone())];
    let plain: &[Order] = match wanted {
        Order::Given => &[],
        Order::Default => &[Order::List, Order::Dfs, Order::Post],
        Order::Best => &[Order::List, Order::Dfs, Order::Bfs, Order::Post],
        Order::List => &[Order::List],
        Order::Dfs => &[Order::Dfs],
        Order::Bfs => &[Order::Bfs],
        Order::Post => &[Order::Post],
        Order::Trivial => &[Order::Trivial],
    };
    for &plain in plain {
        candidates.push(candidate(&fixed, &given, plain, order(inputs, plain)?));
    }
    let at = match wanted {
        Order::Best => first_least(&candidates, |c| c.cost.exact),
        Order::Default => 1 + first_least(&candidates[1..], |c| c.cost.xla),
        _ => candidates.len() - 1,
    };
    let before = candidates[0].cost.exact;
    let mut orders: Vec<Measured> = candidates.iter().map(Candidate::measured).collect();
    let chosen = candidates.swap_remove(at);
    let (mut chosen, mut proven, mut steps) = (chosen, false, 0);
    if wanted == Order::Best {
        let others: Vec<&Sequences> = candidates.iter().map(|c| &c.sequences).collect();
        let found = search(&fixed, &chosen.sequences, &others, budget);
        (proven, steps) = (found.proven, found.steps);
        if found.cost.exact < chosen.cost.exact {
            let (sequences, cost) = (found.sequences, found.cost);
            chosen = Candidate { order: Order::Best, sequences, cost, repaired: false };
            orders.push(chosen.measured());
        }
    }
    valid(module, &chosen.sequences)?;
    Ok(Scheduled {
        orders,
        chosen: chosen.order,
        peak_before: before,
        peak_after: chosen.cost.exact,
        sequences: chosen.sequences,
        proven,
        steps,
    })
}

impl Candidate {
    fn measured(&self) -> Measured {
        let Cost { exact, xla } = self.cost;
        Measured { order: self.order, exact, xla, repaired: self.repaired }
    }
}

/// The first of the candidates that cost least.
fn first_least(candidates: &[Candidate], cost: impl Fn(&Candidate) -> u64) -> usize {
    let least = candidates.iter().enumerate().min_by_key(|(at, c)| (cost(c), *at));
    least.map_or(0, |(at, _)| at)
}

fn candidate(
    fixed: &Fixed<'_>,
    given: &Sequences,
    order: Order,
    sequences: Sequences,
) -> Candidate {
    let moment = fixed.moment(sequences);
    if let Some(cost) = fixed.cost(&moment) {
        return Candidate { order, sequences: moment.order, cost, repaired: false };
    }
    let mut moment = fixed.moment(repaired(&fixed.meter, &fixed.edges, &moment.order));
    if fixed.cost(&moment).is_none() {
        moment = fixed.moment(given.clone());
    }
    let cost = fixed.meter.cost_of(&moment.lives);
    Candidate { order, sequences: moment.order, cost, repaired: true }
}
