//! One model to the end: every part its least cost, then its smallest peak.

use memplan_packing::{Meter, Stop};

use crate::bound::bound;
use crate::descend::{Pace, Race, descend};
use crate::greedy::packings;
use crate::model::Model;
use crate::parts::{Part, parts};
use crate::reuse::{self, Aim};
use crate::rules::Rules;
use crate::search::{Memory, decide};
use crate::state::Limits;
use crate::symmetry::order;
use crate::units::Unit;

/// What is asked of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    /// Nothing with a larger peak counts.
    pub(crate) peak: Unit,
    /// Nothing that costs more counts; `None` leaves costs alone.
    pub(crate) cost: Option<u64>,
    /// No packing has a smaller peak.
    pub(crate) floor: Unit,
    /// The first packing within these limits will do.
    pub(crate) any: bool,
    /// A packing to start from.
    pub(crate) start: Option<&'a [Unit]>,
    /// Stop when the meter shows this many nodes.
    pub(crate) until: u64,
}

/// What became of a model.
#[derive(Debug)]
pub(crate) struct Found {
    /// The best packing found: its cost, its peak and its bases.
    pub(crate) best: Option<(u64, Unit, Vec<Unit>)>,
    /// Nothing has a smaller peak.
    pub(crate) low: Unit,
    /// Nothing costs less.
    pub(crate) least: u64,
    /// Nothing better exists within the limits asked for.
    pub(crate) closed: bool,
    /// The budget is used up.
    pub(crate) stop: Option<Stop>,
}

/// Solves a model. `better` hears the peak of every complete packing.
pub(crate) fn solve(
    model: &Model,
    rules: Rules,
    task: Task<'_>,
    meter: &mut Meter<'_>,
    better: &mut dyn FnMut(Unit),
) -> Found {
    let mut runs: Vec<Run> = parts(model, !rules.components)
        .into_iter()
        .map(|part| Run::new(part, rules, task))
        .collect();
    if let [only] = runs.as_mut_slice() {
        only.low = only.low.max(task.floor);
        only.refuted |= only.low > task.peak;
    }
    let mut stop = None;
    if task.cost.is_some() {
        stop = least_costs(&mut runs, rules, task, meter);
    }
    if stop.is_none() {
        stop = least_peaks(&mut runs, rules, task, meter, better);
    }
    let low = runs.iter().map(|run| run.low).fold(task.floor, Unit::max);
    let least = runs.iter().fold(model.always, |sum, run| sum.saturating_add(run.least));
    let complete = runs.iter().all(|run| run.best.is_some());
    let best = complete.then(|| {
        let mut bases = vec![0; model.bodies.len()];
        for run in &runs {
            let found = run.best.iter().flatten();
            run.part.bodies.iter().zip(found).for_each(|(&b, &base)| bases[b as usize] = base);
        }
        (model.cost(&bases), model.peak(&bases), bases)
    });
    let refuted = runs.iter().any(|run| run.refuted);
    let first_will_do = task.any && best.is_some();
    let closed = refuted || first_will_do || runs.iter().all(|run| run.done);
    Found { best, low, least, closed, stop: stop.flatten() }
}

/// A part and what is known about it.
struct Run {
    part: Part,
    memory: Memory,
    best: Option<Vec<Unit>>,
    low: Unit,
    /// The most that its packing may cost from now on.
    cost: u64,
    /// Nothing costs less.
    least: u64,
    done: bool,
    refuted: bool,
}

impl Run {
    fn new(part: Part, rules: Rules, task: Task<'_>) -> Self {
        let order = if rules.symmetry { order(&part.model) } else { Vec::new() };
        let memory = Memory::new(&part.model, order);
        let low = bound(&part.model);
        let found = if rules.greedy { packings(&part.model, task.peak) } else { Vec::new() };
        let key = |bases: &Vec<Unit>| (part.model.cost(bases), part.model.peak(bases));
        let limit = task.cost.unwrap_or(u64::MAX);
        let best = if task.cost.is_some() {
            found.into_iter().filter(|b| part.model.cost(b) <= limit).min_by_key(key)
        } else {
            found.into_iter().min_by_key(|bases| part.model.peak(bases))
        };
        Self {
            part,
            memory,
            best,
            low,
            cost: limit,
            least: 0,
            done: false,
            refuted: low > task.peak,
        }
    }

    fn peak(&self) -> Option<Unit> {
        self.best.as_ref().map(|bases| self.part.model.peak(bases))
    }

    /// The bases of the whole as the part has them.
    fn start(&self, bases: &[Unit]) -> Vec<Unit> {
        self.part.bodies.iter().map(|&body| bases[body as usize]).collect()
    }

    fn slice(&self) -> u64 {
        200 + 20 * self.part.model.bodies.len() as u64
    }

    /// Asks about the part until the race is closed.
    fn ask(
        &mut self,
        rules: Rules,
        goal: Goal,
        race: &mut Race<Vec<Unit>>,
        pace: Pace,
        meter: &mut Meter<'_>,
        found: &mut dyn FnMut(&Model, &[Unit]),
    ) -> Result<(), Option<Stop>> {
        let (model, memory) = (&self.part.model, &mut self.memory);
        let question = |value: u64, slice: u64, meter: &mut Meter<'_>| {
            let limits = match goal {
                Goal::Cost(limits) => Limits { cost: value, ..limits },
                Goal::Peak(limits) => Limits { peak: value as Unit, ..limits },
            };
            decide(model, rules, memory, limits, slice, meter)
        };
        let value = |bases: &Vec<Unit>| {
            found(model, bases);
            match goal {
                Goal::Cost(_) => model.cost(bases),
                Goal::Peak(_) => model.peak(bases) as u64,
            }
        };
        descend(race, pace, meter, question, value)
    }
}

/// What a race minimises; the other limit stays.
#[derive(Clone, Copy)]
enum Goal {
    Cost(Limits),
    Peak(Limits),
}

/// Gives every part its least cost; a reason when that was cut short.
fn least_costs(
    runs: &mut [Run],
    rules: Rules,
    task: Task<'_>,
    meter: &mut Meter<'_>,
) -> Option<Option<Stop>> {
    for run in runs.iter_mut() {
        let best = run.best.take().map(|bases| (run.part.model.cost(&bases), bases));
        // Paying everything is always within the limit.
        let all = run.part.model.prices.iter().fold(0u64, |sum, p| sum.saturating_add(p.cost));
        let mut race = Race { low: 0, high: run.cost.min(all), best, enough: 0 };
        let slice = run.slice();
        let limits = Limits { peak: task.peak, cost: 0 };
        let start = task.start.map(|start| run.start(start));
        let model = run.part.model.clone();
        let start = start.as_deref();
        let aim = Aim { model: &model, rules, peak: task.peak, start, until: task.until };
        let end = reuse::cheapest(aim, &mut race, meter, &mut |race, until, meter| {
            let pace = Pace { slice, bound_first: rules.bound_first, bound_share: 1, until };
            run.ask(rules, Goal::Cost(limits), race, pace, meter, &mut |_, _| ())
        });
        run.refuted |= race.best.is_none() && race.closed();
        run.least = race.best.as_ref().map_or(race.low, |best| race.low.min(best.0));
        if let Some((cost, bases)) = race.best {
            run.cost = cost;
            run.best = Some(bases);
        }
        if let Err(stop) = end {
            return Some(stop);
        }
        if run.refuted {
            return None;
        }
    }
    None
}

/// Gives every part its smallest peak, the largest first; a reason when that was cut short.
fn least_peaks(
    runs: &mut [Run],
    rules: Rules,
    task: Task<'_>,
    meter: &mut Meter<'_>,
    better: &mut dyn FnMut(Unit),
) -> Option<Option<Stop>> {
    if runs.iter().any(|run| run.refuted) {
        return None;
    }
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by_key(|&r| std::cmp::Reverse(runs[r].low));
    let mut floor = runs.iter().map(|run| run.low).fold(task.floor, Unit::max);
    let mut told = Unit::MAX;
    for r in order {
        let others = runs.iter().enumerate().filter(|(other, _)| *other != r);
        let rest: Option<Vec<Unit>> = others.map(|(_, run)| run.peak()).collect();
        let rest = rest.map(|peaks| peaks.into_iter().max().unwrap_or(0));
        let mut tell = |peak: Unit| {
            if let Some(whole) = rest.map(|rest| rest.max(peak)).filter(|&whole| whole < told) {
                told = whole;
                better(whole);
            }
        };
        let enough = if task.any { task.peak } else { floor };
        let run = &mut runs[r];
        if let Some(peak) = run.peak() {
            tell(peak);
        }
        let best = run.peak().map(|peak| peak as u64).zip(run.best.take());
        let high = task.peak as u64;
        let mut race = Race { low: run.low as u64, high, best, enough: enough as u64 };
        let bound_first = rules.bound_first && !task.any;
        let pace = Pace { slice: run.slice(), bound_first, bound_share: 1, until: task.until };
        let limits = Limits { peak: 0, cost: run.cost };
        let mut end = Ok(());
        if task.cost.is_some() {
            let (model, until) = (&run.part.model, task.until);
            let aim = Aim { model, rules, peak: task.peak, start: None, until };
            end = reuse::lowest(aim, run.cost, &mut race, meter).map_err(Some);
        }
        let mut found = |model: &Model, bases: &[Unit]| tell(model.peak(bases));
        if end.is_ok() {
            end = run.ask(rules, Goal::Peak(limits), &mut race, pace, meter, &mut found);
        }
        let proven = race.best.as_ref().map_or(race.low, |best| race.low.min(best.0));
        run.low = run.low.max(proven as Unit);
        run.refuted |= race.best.is_none() && race.closed();
        run.done = race.closed();
        run.best = race.best.map(|best| best.1);
        floor = floor.max(run.low);
        if let Err(stop) = end {
            return Some(stop);
        }
        if run.refuted {
            return None;
        }
    }
    None
}
