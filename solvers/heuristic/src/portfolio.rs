//! Heuristics one after the other; the best packing counts.

use memplan_packing::bounds::Bounds;
use memplan_packing::{Budget, Event, Goal, Instance, Missing, Outcome, Packing, Solver, Stop};

use crate::breadth::by_breadth;
use crate::cheap;
use crate::engine::Rule;
use crate::greedy::greedy;
use crate::lowest::LowestFirst;
use crate::multistart::{Guide, Multistart, Priority, too_high};
use crate::named::{Attempt, Packer, judge, takes};
use crate::order::{BY_AREA, BY_CONFLICTS, BY_DURATION, BY_SIZE, BY_START, BY_WIDTH, Key, ranks};
use crate::problem::Problem;
use crate::promote::promote;
use crate::restart;
use crate::score::Score;
use crate::sequential::sequential;

/// Above so many items only packers that are near n log n run: greedy orders look at all placed
/// items for each one.
const LISTED_ITEMS: usize = 20_000;
/// The same for plain problems, where restarts do more in that time.
const LISTED_PLAIN_ITEMS: usize = 4_000;
/// Restarts end after so many placements once the peak is within a thousandth of the bound, unless
/// somebody asks for more.
const CLOSE_PLACEMENTS: u64 = 100_000;
/// So many packers run where the portfolio shall be brief.
const BRIEF: usize = 3;
/// Looks at placed items that the restarts may take where relations or costs make them necessary:
/// about a second.
const LOOKS: u64 = 1_000_000_000;

/// Runs the heuristics in a fixed order and then lowest first with noise; stops early when
/// nothing better can exist.
#[derive(Clone, Copy, Debug)]
pub struct Portfolio {
    seed: u64,
    placements: u64,
    /// The same once the peak is close to the bound.
    close: u64,
    brief: bool,
}

impl Portfolio {
    /// The portfolio whose noise comes from this seed. Its restarts place a million items at most,
    /// and a tenth of that where the peak is within a thousandth of the bound.
    pub const fn new(seed: u64) -> Self {
        Self { seed, placements: 1_000_000, close: CLOSE_PLACEMENTS, brief: false }
    }

    /// The same with another limit for the restarts, however close the peak is. A node of the
    /// budget is a placed item.
    pub const fn placements(self, placements: u64) -> Self {
        Self { placements, close: placements, ..self }
    }

    /// Only the first few packers and no restarts: for whoever has something better in hand and
    /// wants a first packing.
    pub const fn brief(self) -> Self {
        Self { brief: true, ..self.placements(0) }
    }
}

/// One packer of the portfolio.
enum Step {
    /// Lowest first; the flag: carefully.
    Lowest(&'static [Key], bool),
    Other(fn(&Problem<'_>, &Budget) -> Result<Packing, Stop>),
}

/// Which packers run, in which order: those first that often meet the bound.
fn steps(problem: &Problem<'_>, goal: Goal) -> Vec<Step> {
    use Step::{Lowest, Other};

    let listed = if problem.plain { LISTED_PLAIN_ITEMS } else { LISTED_ITEMS };
    let small = problem.instance.items.len() <= listed;
    let mut steps: Vec<Step> = Vec::new();
    if goal == Goal::CostThenPeak {
        steps.push(Other(sequential));
        if small {
            steps.push(Other(cheap::cost_first));
        }
    }
    steps.extend([BY_AREA, BY_DURATION, BY_SIZE].map(|keys| Lowest(keys, false)));
    if problem.plain {
        steps.push(Lowest(BY_WIDTH, false));
        steps.push(Lowest(&[Key::Duration], true));
    }
    steps.push(Other(|p, b| greedy(p, BY_START, Rule::Best, b)));
    steps.push(Other(|p, b| greedy(p, BY_START, Rule::First, b)));
    if small {
        steps.push(Other(|p, b| greedy(p, BY_SIZE, Rule::Best, b)));
        steps.push(Other(|p, b| greedy(p, BY_SIZE, Rule::First, b)));
        steps.push(Other(|p, b| greedy(p, BY_AREA, Rule::Best, b)));
        steps.push(Other(|p, b| greedy(p, BY_DURATION, Rule::Best, b)));
        steps.push(Other(|p, b| greedy(p, BY_CONFLICTS, Rule::Best, b)));
        steps.push(Other(by_breadth));
    }
    if goal != Goal::CostThenPeak {
        steps.push(Other(sequential));
    }
    if !problem.instance.promotions.is_empty() && small {
        steps.push(Other(match goal {
            Goal::CostThenPeak => |p, b| promote(p.instance, Goal::CostThenPeak, b),
            Goal::Fit | Goal::Peak => |p, b| promote(p.instance, Goal::Peak, b),
        }));
    }
    steps
}

type Found = Result<Packing, Stop>;

/// The best packing so far.
struct Search<'a, 'e> {
    instance: &'a Instance,
    goal: Goal,
    bound: u64,
    best: Option<(Score, Packing)>,
    on: &'e mut dyn FnMut(Event),
}

impl Search<'_, '_> {
    /// Takes a packing into account; true when nothing better can exist.
    fn offer(&mut self, packing: &Packing) -> bool {
        let score = Score::new(self.instance, self.goal, packing);
        if self.best.as_ref().is_none_or(|(known, _)| score < *known) {
            (self.on)(Event::Incumbent { peak: score.peak });
            self.best = Some((score, packing.clone()));
        }
        score.settles(self.goal, self.bound)
    }

    /// True when the peak is within a thousandth of the bound. Within a millionth it may yet meet
    /// it, and that is a proof.
    fn is_close(&self) -> bool {
        let best = self.best.as_ref().filter(|(score, _)| score.over == 0 && score.cost == 0);
        let excess = best.map(|(score, _)| score.peak.saturating_sub(self.bound));
        excess.is_some_and(|excess| excess <= self.bound / 1000 && excess > self.bound / 1_000_000)
    }

    /// What is made better by moves that lower its cost, where costs count.
    fn improved(&self, problem: &Problem<'_>, packing: Packing, budget: &Budget) -> Found {
        if self.goal != Goal::CostThenPeak {
            return Ok(packing);
        }
        let limit = self.instance.capacity.unwrap_or(u64::MAX);
        cheap::improve(problem, packing, limit, budget)
    }

    /// Runs everything; says why it ended and how many items the restarts placed.
    fn run(&mut self, portfolio: &Portfolio, budget: &Budget) -> (Stop, u64) {
        let problem = &Problem::new(self.instance);
        let lowest = LowestFirst::new(problem);
        let mut guide = None;
        let most = if portfolio.brief { BRIEF } else { usize::MAX };
        for step in steps(problem, self.goal).into_iter().take(most) {
            let mut found = match step {
                Step::Lowest(keys, false) => lowest.pack(&ranks(problem, keys), budget),
                Step::Lowest(keys, true) => lowest.careful(&ranks(problem, keys), budget),
                Step::Other(pack) => pack(problem, budget),
            };
            if self.instance.items.len() <= LISTED_ITEMS {
                found = found.and_then(|p| self.improved(problem, p, budget));
            }
            match found {
                Ok(packing) => {
                    if self.offer(&packing) {
                        return (Stop::Complete, 0);
                    }
                    if let Step::Lowest(keys, careful) = step {
                        let priority = || Priority::of(problem, keys, careful);
                        self.follow(&mut guide, problem, packing, priority);
                    }
                }
                Err(Stop::Failed) => {}
                Err(stop) => return (stop, 0),
            }
        }
        self.restart(problem, guide, &lowest, portfolio, budget)
    }

    /// Keeps the priority that led to this packing if it is no worse than the one before.
    fn follow(
        &self,
        guide: &mut Option<Guide>,
        problem: &Problem<'_>,
        packing: Packing,
        priority: impl FnOnce() -> Priority,
    ) {
        let score = Score::new(self.instance, self.goal, &packing);
        if guide.as_ref().is_none_or(|guide| score <= guide.worth.0) {
            let worth = (score, too_high(problem, &packing, self.bound).len());
            if guide.as_ref().is_none_or(|guide| worth <= guide.worth) {
                *guide = Some(Guide { priority: priority(), packing, worth });
            }
        }
    }

    fn restart(
        &mut self,
        problem: &Problem<'_>,
        mut guide: Option<Guide>,
        lowest: &LowestFirst<'_, '_>,
        own: &Portfolio,
        budget: &Budget,
    ) -> (Stop, u64) {
        let n = problem.len().max(1) as u64;
        let given = budget.nodes.unwrap_or(u64::MAX);
        let limit = own.placements.min(given);
        let stop = if limit == given { Stop::Nodes } else { Stop::Heuristic };
        if self.instance.items.len() > LISTED_ITEMS && !problem.plain {
            return (Stop::Heuristic, 0);
        }
        let starts = &Multistart::new(problem, own.seed);
        let before = lowest.spent();
        let (mut number, mut placed) = (0, 0);
        while placed + n <= limit {
            let limit = if self.is_close() { limit.min(own.close) } else { limit };
            if placed + n > limit || lowest.spent() - before > LOOKS {
                return (Stop::Heuristic, placed);
            }
            let count = restart::batch(problem).min((limit - placed) / n);
            let (known, mut next) = (guide.take(), None);
            let with = known.as_ref().map(|guide| (guide, self.bound));
            let end = restart::run(number..number + count, starts, with, lowest, budget, |start| {
                placed += n;
                lowest.join(&start.lowest);
                if self.goal == Goal::CostThenPeak {
                    // Placing everything again, and looking for better places for most of it.
                    lowest.spend(4 * n);
                }
                match start.found.and_then(|p| self.improved(problem, p, budget)) {
                    Ok(packing) if self.offer(&packing) => Some(Stop::Complete),
                    Ok(packing) => {
                        self.follow(&mut next, problem, packing, || start.priority);
                        None
                    }
                    // Noise does not make room in a window.
                    Err(Stop::Failed) => Some(Stop::Heuristic),
                    Err(stop) => Some(stop),
                }
            });
            number += count;
            if let Some(end) = end {
                return (end, placed);
            }
            guide = match (known, next) {
                (Some(old), Some(new)) if old.worth < new.worth => Some(old),
                (_, Some(new)) => Some(new),
                (old, None) => old,
            };
        }
        (stop, placed)
    }
}

impl Packer for Portfolio {
    fn pack(&self, instance: &Instance, goal: Goal, budget: &Budget) -> Result<Packing, Stop> {
        let free = Instance { capacity: None, ..instance.clone() };
        let attempt = self.attempt(&free, goal, None, budget, &mut |_| {});
        match (attempt.packing, attempt.outcome) {
            (Some(packing), _) => Ok(packing),
            (None, Outcome::GaveUp { stop: Stop::Heuristic, .. } | Outcome::Refuted { .. }) => {
                Err(Stop::Failed)
            }
            (None, Outcome::GaveUp { stop, .. } | Outcome::Packed { stop, .. }) => Err(stop),
        }
    }

    fn attempt(
        &self,
        instance: &Instance,
        goal: Goal,
        warm: Option<&Packing>,
        budget: &Budget,
        on: &mut dyn FnMut(Event),
    ) -> Attempt {
        let Bounds { lower_bound: bound, refutation, .. } = Bounds::new(instance);
        on(Event::Bound { bound });
        if let Some(why) = refutation {
            return Attempt { outcome: Outcome::Refuted { why, bound, nodes: 0 }, packing: None };
        }
        let mut search = Search { instance, goal, bound, best: None, on };
        let settled = warm.is_some_and(|warm| search.offer(warm));
        let (stop, nodes) = if settled { (Stop::Complete, 0) } else { search.run(self, budget) };
        match search.best {
            Some((_, packing)) => {
                let outcome = judge(instance, &packing, bound, nodes, stop);
                Attempt { outcome, packing: Some(packing) }
            }
            None => Attempt { outcome: Outcome::GaveUp { bound, nodes, stop }, packing: None },
        }
    }
}

impl Solver for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn can(&self, instance: &Instance, _goal: Goal) -> Result<(), Missing> {
        takes(instance)
    }

    fn solve(
        &self,
        instance: &Instance,
        goal: Goal,
        warm: Option<&Packing>,
        budget: &Budget,
        on: &mut dyn FnMut(Event),
    ) -> Outcome {
        self.attempt(instance, goal, warm, budget, on).outcome
    }
}
