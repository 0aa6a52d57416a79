//! Heuristics one after the other; the best packing counts.

use memplan_packing::bounds::Bounds;
use memplan_packing::{Budget, Event, Goal, Instance, Missing, Outcome, Packing, Solver, Stop};

use crate::cheap;
use crate::engine::Rule;
use crate::greedy::greedy;
use crate::lowest::LowestFirst;
use crate::multistart::Multistart;
use crate::named::{Attempt, Packer, judge, takes};
use crate::order::{Key, weights};
use crate::problem::Problem;
use crate::promote::promote;
use crate::score::Score;
use crate::sequential::sequential;

/// Above so many items only packers that are near n log n run: greedy orders compare each item
/// with all placed ones, which 20,000 items do in a fraction of a second and 200,000 in a minute.
const LISTED_ITEMS: usize = 20_000;
/// Looks at placed items that the restarts may take where relations or costs make them necessary:
/// about a second.
const LOOKS: u64 = 1_000_000_000;

/// Runs the heuristics in a fixed order and then lowest first with noise; stops early when
/// nothing better can exist.
#[derive(Clone, Copy, Debug)]
pub struct Portfolio {
    seed: u64,
    placements: u64,
}

impl Portfolio {
    /// The portfolio whose noise comes from this seed. Its restarts place a million items at most.
    pub const fn new(seed: u64) -> Self {
        Self { seed, placements: 1_000_000 }
    }

    /// The same with another limit for the restarts. A node of the budget is a placed item.
    pub const fn placements(self, placements: u64) -> Self {
        Self { placements, ..self }
    }
}

type Step = fn(&Tools<'_, '_>, &Budget) -> Result<Packing, Stop>;

/// What several packers use.
struct Tools<'p, 'a> {
    problem: &'p Problem<'a>,
    lowest: LowestFirst<'p, 'a>,
}

impl Tools<'_, '_> {
    fn lowest(&self, key: Key, budget: &Budget) -> Result<Packing, Stop> {
        self.lowest.pack(&weights(self.problem, key), budget)
    }
}

/// Which packers run, in which order: those first that often meet the bound.
fn steps(problem: &Problem<'_>, goal: Goal) -> Vec<Step> {
    let small = problem.instance.items.len() <= LISTED_ITEMS;
    let mut steps: Vec<Step> = Vec::new();
    if goal == Goal::CostThenPeak {
        steps.push(|t, b| sequential(t.problem, b));
        if small {
            steps.push(|t, b| cheap::cost_first(t.problem, b));
        }
    }
    steps.push(|t, b| t.lowest(Key::Area, b));
    steps.push(|t, b| t.lowest(Key::Duration, b));
    steps.push(|t, b| t.lowest(Key::Size, b));
    steps.push(|t, b| greedy(t.problem, Key::Start, Rule::Best, b));
    steps.push(|t, b| greedy(t.problem, Key::Start, Rule::First, b));
    if small {
        steps.push(|t, b| greedy(t.problem, Key::Size, Rule::Best, b));
        steps.push(|t, b| greedy(t.problem, Key::Size, Rule::First, b));
        steps.push(|t, b| greedy(t.problem, Key::Area, Rule::Best, b));
        steps.push(|t, b| greedy(t.problem, Key::Duration, Rule::Best, b));
        steps.push(|t, b| greedy(t.problem, Key::Conflicts, Rule::Best, b));
    }
    if goal != Goal::CostThenPeak {
        steps.push(|t, b| sequential(t.problem, b));
    }
    if !problem.instance.promotions.is_empty() && small {
        steps.push(match goal {
            Goal::CostThenPeak => |t, b| promote(t.problem.instance, Goal::CostThenPeak, b),
            Goal::Fit | Goal::Peak => |t, b| promote(t.problem.instance, Goal::Peak, b),
        });
    }
    steps
}

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
    fn offer(&mut self, packing: Packing) -> bool {
        let score = Score::new(self.instance, self.goal, &packing);
        if self.best.as_ref().is_none_or(|(known, _)| score < *known) {
            (self.on)(Event::Incumbent { peak: score.peak });
            self.best = Some((score, packing));
        }
        score.settles(self.goal, self.bound)
    }

    /// Runs everything; says why it ended and how many items the restarts placed.
    fn run(&mut self, portfolio: &Portfolio, budget: &Budget) -> (Stop, u64) {
        let problem = Problem::new(self.instance);
        let tools = Tools { problem: &problem, lowest: LowestFirst::new(&problem) };
        for step in steps(&problem, self.goal) {
            let mut found = step(&tools, budget);
            if self.goal == Goal::CostThenPeak && self.instance.items.len() <= LISTED_ITEMS {
                let limit = self.instance.capacity.unwrap_or(u64::MAX);
                found = found.and_then(|p| cheap::improve(&problem, p, limit, budget));
            }
            match found {
                Ok(packing) => {
                    if self.offer(packing) {
                        return (Stop::Complete, 0);
                    }
                }
                Err(Stop::Failed) => {}
                Err(stop) => return (stop, 0),
            }
        }
        self.restart(&tools, portfolio, budget)
    }

    fn restart(&mut self, tools: &Tools<'_, '_>, own: &Portfolio, budget: &Budget) -> (Stop, u64) {
        let problem = tools.problem;
        let n = problem.len().max(1) as u64;
        let given = budget.nodes.unwrap_or(u64::MAX);
        let limit = own.placements.min(given);
        let stop = if limit == given { Stop::Nodes } else { Stop::Heuristic };
        let mut placed = 0;
        if self.instance.items.len() > LISTED_ITEMS && !problem.plain {
            return (Stop::Heuristic, placed);
        }
        let mut starts = Multistart::new(problem, &tools.lowest, own.seed);
        let before = tools.lowest.spent();
        while placed + n <= limit {
            if tools.lowest.spent() - before > LOOKS {
                return (Stop::Heuristic, placed);
            }
            placed += n;
            let mut found = starts.next(budget);
            if self.goal == Goal::CostThenPeak {
                let limit = self.instance.capacity.unwrap_or(u64::MAX);
                // Placing everything again, and looking for better places for most of it.
                tools.lowest.spend(4 * n);
                found = found.and_then(|p| cheap::improve(problem, p, limit, budget));
            }
            match found {
                Ok(packing) => {
                    if self.offer(packing) {
                        return (Stop::Complete, placed);
                    }
                }
                // Noise does not make room in a window.
                Err(Stop::Failed) => return (Stop::Heuristic, placed),
                Err(stop) => return (stop, placed),
            }
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
        let settled = warm.is_some_and(|warm| search.offer(warm.clone()));
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
