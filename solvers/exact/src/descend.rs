//! From a lower bound and an incumbent towards each other.

use memplan_packing::{Meter, Stop};

use crate::search::Verdict;
use crate::units::Unit;

/// A value to minimise: nothing below `low` exists, `best` is the least found.
#[derive(Clone, Debug)]
pub(crate) struct Race<S = Vec<Unit>> {
    /// Proven: every solution has at least this value.
    pub(crate) low: u64,
    /// The largest value that is of interest.
    pub(crate) high: u64,
    /// The least value found and its solution.
    pub(crate) best: Option<(u64, S)>,
    /// A value as good as the least one.
    pub(crate) enough: u64,
}

impl<S> Race<S> {
    /// The largest value that would still help.
    pub(crate) fn most(&self) -> Option<u64> {
        match &self.best {
            Some((best, _)) => best.checked_sub(1).map(|most| most.min(self.high)),
            None => Some(self.high),
        }
    }

    /// True when nothing is left to ask.
    pub(crate) fn closed(&self) -> bool {
        let good = self.best.as_ref().is_some_and(|best| best.0 <= self.enough);
        good || self.most().is_none_or(|most| self.low > most)
    }
}

/// How a race is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Nodes of the first question; doubled whenever no question could be answered.
    pub(crate) slice: u64,
    /// Ask for the lower bound first.
    pub(crate) bound_first: bool,
    /// So many times the nodes of other questions go into the one for the lower bound.
    pub(crate) bound_share: u64,
    /// Stop when the meter shows this many nodes.
    pub(crate) until: u64,
}

/// Asks until low and best meet, the meter reaches its end or the budget is used up.
///
/// `ask(value, slice)` looks for a solution of at most that value; `found(solution)` is its value.
pub(crate) fn descend<S>(
    race: &mut Race<S>,
    pace: Pace,
    meter: &mut Meter<'_>,
    mut ask: impl FnMut(u64, u64, &mut Meter<'_>) -> Verdict<S>,
    mut found: impl FnMut(&S) -> u64,
) -> Result<(), Option<Stop>> {
    let mut slice = pace.slice;
    let mut target = if pace.bound_first { race.low } else { u64::MAX };
    while !race.closed() {
        let Some(most) = race.most() else { return Ok(()) };
        if meter.nodes() >= pace.until {
            return Err(None);
        }
        target = target.clamp(race.low, most);
        let share = if target == race.low { pace.bound_share } else { 1 };
        let nodes = slice.saturating_mul(share).min(pace.until - meter.nodes());
        match ask(target, nodes, meter) {
            Verdict::Found(solution) => {
                let value = found(&solution);
                race.best = Some((value, solution));
                target = if pace.bound_first { middle(race.low, value) } else { u64::MAX };
            }
            Verdict::Refuted => {
                race.low = target + 1;
                target = if pace.bound_first { middle(race.low, most) } else { u64::MAX };
            }
            Verdict::Slice if target < most => target = middle(target + 1, most),
            Verdict::Slice => {
                slice = slice.saturating_mul(2);
                target = if pace.bound_first { race.low } else { u64::MAX };
            }
            Verdict::Stopped(stop) => return Err(Some(stop)),
        }
    }
    Ok(())
}

fn middle(a: u64, b: u64) -> u64 {
    a + b.saturating_sub(a) / 2
}
