//! One rung: the portfolio of solvers on one instance.
//!
//! Bounds first, then heuristics, then the exact search, then the MILP for small instances that
//! are still open. Every solver that ran, or could not, leaves an [`Attempt`].

use memplan_exact::Exact;
use memplan_heuristic::{Packer, Portfolio, by_name};
use memplan_packing::promotion::{Expanded, expand};
use memplan_packing::{
    Budget, Event, Goal, Instance, Missing, Outcome, Packing, Proof, Refutation, Solver, Stop,
};

use super::options::{Options, Progress, Strategy};
use crate::model::{Attempt, AttemptEnd, LimitedBy, ReuseLevel};

/// Instances of so many items are left to the exact search when the plain heuristics miss.
const SMALL: usize = 200;

/// Placements that the randomised restarts may make on a small instance, and on one with pairs that
/// may not share or cost something, where each placement looks at many others.
const FEW_PLACEMENTS: u64 = 4_000;

/// What a rung knows when it ends.
#[derive(Clone, Debug)]
pub(super) struct Rung {
    /// The best packing within the capacity.
    pub(super) packing: Option<Packing>,
    /// The solver that it is from.
    pub(super) solver: String,
    /// The smallest peak found, within the capacity or not.
    pub(super) works_at: Option<u64>,
    /// A proof that there is no packing within the capacity.
    pub(super) refuted: Option<Refutation>,
    /// The best proven bound on the peak of the instance.
    pub(super) bound: u64,
    /// True when no packing costs less.
    pub(super) cheapest: bool,
    /// Nodes opened.
    pub(super) nodes: u64,
    /// What ended the search early.
    pub(super) limited_by: Option<LimitedBy>,
    /// Every solver tried.
    pub(super) attempts: Vec<Attempt>,
}

/// Where progress goes.
pub(super) struct Reporter<'a> {
    pub(super) on: &'a (dyn Fn(&Progress) + Sync),
    pub(super) start: Progress,
}

/// Runs the solvers that the strategy asks for.
pub(super) fn run(
    instance: &Instance,
    level: Option<ReuseLevel>,
    options: &Options,
    reporter: &Reporter<'_>,
) -> Rung {
    let goal = if instance.costs.is_empty() { Goal::Peak } else { Goal::CostThenPeak };
    let mut rung = Climb {
        instance,
        level,
        goal,
        budget: budget(instance, options),
        reporter,
        rung: Rung {
            packing: None,
            solver: options.strategy.name().to_owned(),
            works_at: None,
            refuted: None,
            bound: 0,
            cheapest: false,
            nodes: 0,
            limited_by: None,
            attempts: Vec::new(),
        },
    };
    match options.strategy {
        Strategy::Heuristic(name) => match by_name(name) {
            Some(packer) => rung.heuristic(packer),
            None => rung.skip(name, "no heuristic of that name".to_owned()),
        },
        Strategy::Milp => {
            rung.milp(options.break_milp);
            if rung.open() && rung.rung.packing.is_none() {
                // The fallback is visible: an attempt of its own.
                rung.exact();
            }
        }
        // The pass places on its own; who asks about its instances here wants to know what is possible.
        Strategy::Auto | Strategy::Optimal | Strategy::Hivm { .. } => {
            let portfolio = Portfolio::new(options.seed);
            // Where the exact search takes over, noise is not worth its time.
            let plain = instance.separate.is_empty() && instance.costs.is_empty();
            let few = instance.items.len() <= SMALL || !plain;
            // Where nobody else takes over, a time limit is for the restarts.
            let last = Exact::default().can(instance, goal).is_err();
            let patient = last && options.time.is_some() && options.nodes.is_none();
            let placements = match (few, patient) {
                (_, true) => Some(u64::MAX),
                (true, false) => Some(FEW_PLACEMENTS),
                (false, false) => None,
            };
            rung.heuristic(&placements.map_or(portfolio, |most| portfolio.placements(most)));
            if rung.open() {
                rung.exact();
            }
            if rung.open() && rung.rung.packing.is_none() {
                rung.milp(options.break_milp);
            }
        }
    }
    rung.rung
}

/// The default budget shrinks with the square of the items where relations make every node look at
/// all pairs, so that a rung takes about a second. A budget that was asked for is kept.
fn budget(instance: &Instance, options: &Options) -> Budget {
    let mut budget = options.budget();
    let related = !(instance.separate.is_empty()
        && instance.costs.is_empty()
        && instance.inplace.is_empty()
        && instance.colocated.is_empty()
        && instance.exclusive.is_empty());
    let items = instance.items.len() as u64;
    if related && options.nodes.is_none() && items > 60 {
        budget.nodes = budget.nodes.map(|n| (n * 3_600 / (items * items)).max(200));
    }
    budget
}

struct Climb<'a> {
    instance: &'a Instance,
    level: Option<ReuseLevel>,
    goal: Goal,
    budget: Budget,
    reporter: &'a Reporter<'a>,
    rung: Rung,
}

impl Climb<'_> {
    /// True while something is left to find: no proof either way, or a packing that may be
    /// improved.
    fn open(&self) -> bool {
        let stopped = matches!(self.rung.limited_by, Some(LimitedBy::Interrupt | LimitedBy::Time));
        if self.rung.refuted.is_some() || stopped {
            return false;
        }
        let Some(packing) = &self.rung.packing else { return true };
        let peak = packing.peak(self.instance);
        let dear = self.goal == Goal::CostThenPeak && packing.cost(self.instance) > 0;
        peak > self.rung.bound || dear
    }

    fn heuristic(&mut self, packer: &dyn Packer) {
        let name = packer.name();
        let (goal, instance, budget) = (self.goal, self.instance, self.budget.clone());
        // Heuristics count placements, not nodes, and have limits of their own.
        let budget = Budget { nodes: None, ..budget };
        let attempt = packer.attempt(instance, goal, None, &budget, &mut self.events(name));
        let peak = attempt.packing.as_ref().map(|p| p.peak(instance));
        self.take(name, attempt.outcome, peak, None);
    }

    fn exact(&mut self) {
        let exact = Exact::default();
        if let Err(missing) = exact.can(self.instance, self.goal) {
            self.skip(exact.name(), says(missing));
            return;
        }
        if self.rung.packing.is_none() && self.instance.capacity.is_some() {
            let outcome = exact.solve(
                self.instance,
                Goal::Fit,
                None,
                &self.budget,
                &mut self.events("exact"),
            );
            self.take("exact", outcome, None, Some("a packing that fits".to_owned()));
            if !self.open() {
                return;
            }
        }
        // Without any packing a search for the best one has nothing to start from.
        if self.rung.packing.is_none() && self.instance.capacity.is_some() {
            return;
        }
        let warm = self.rung.packing.clone();
        let outcome = exact.solve(
            self.instance,
            self.goal,
            warm.as_ref(),
            &self.budget,
            &mut self.events("exact"),
        );
        self.take("exact", outcome, None, Some("the best packing".to_owned()));
    }

    /// The MILP takes neither costs nor promotions: it looks for the smallest peak, under one
    /// choice of promotions after the other until one fits.
    fn milp(&mut self, broken: bool) {
        let name = "milp";
        let milp = memplan_milp::Milp { fail: broken, ..memplan_milp::Milp::default() };
        let plain = Instance { costs: Vec::new(), ..self.instance.clone() };
        for choice in choices(&plain) {
            let Some(expanded) = expand(&plain, &choice) else { continue };
            if let Err(missing) = milp.can(&expanded.instance, Goal::Peak) {
                self.skip(name, says(missing));
                return;
            }
            let (outcome, report) = milp.solve_with_report(
                &expanded.instance,
                Goal::Peak,
                None,
                &self.budget,
                &mut self.events(name),
            );
            let model = format!(
                "{} variables, {} rows, {} disjunctions: {}",
                report.model.variables, report.model.rows, report.model.disjunctions, report.note
            );
            let outcome = collapsed(outcome, &expanded, !plain.promotions.is_empty());
            let note = match choice.len() {
                0 => model,
                n => format!("{n} promoted: {model}"),
            };
            self.take(name, outcome, None, Some(note));
            if self.rung.packing.is_some() || self.rung.refuted.is_some() || broken {
                return;
            }
        }
    }

    fn events(&self, solver: &'static str) -> impl FnMut(Event) + use<'_> {
        let mut progress = Progress { solver, level: self.level, ..self.reporter.start.clone() };
        let on = self.reporter.on;
        move |event| {
            match event {
                Event::Incumbent { peak } => progress.best = Some(peak),
                Event::Bound { bound } => progress.bound = bound,
                Event::Nodes { nodes } => progress.nodes = nodes,
            }
            on(&progress);
        }
    }

    /// Takes in the outcome of a solver.
    fn take(&mut self, name: &str, outcome: Outcome, peak: Option<u64>, note: Option<String>) {
        let (end, peak, bound, nodes) = match outcome {
            Outcome::Packed { packing, proof, bound, nodes, stop } => {
                let peak = packing.peak(self.instance);
                let better = match &self.rung.packing {
                    None => true,
                    Some(old) => {
                        let worth = |p: &Packing| (p.cost(self.instance), p.peak(self.instance));
                        worth(&packing) < worth(old)
                    }
                };
                let closed = proof != Proof::Open || stop == Stop::Complete;
                if closed && self.goal == Goal::CostThenPeak {
                    self.rung.cheapest =
                        proof == Proof::Exhausted || packing.cost(self.instance) == 0;
                }
                self.limit(stop);
                if better {
                    self.rung.packing = Some(packing);
                    self.rung.solver = name.to_owned();
                }
                (AttemptEnd::Found, Some(peak), bound, nodes)
            }
            Outcome::Refuted { why, bound, nodes } => {
                self.rung.refuted = Some(why);
                (AttemptEnd::Refuted, peak, bound, nodes)
            }
            Outcome::GaveUp { bound, nodes, stop } => {
                self.limit(stop);
                (AttemptEnd::GaveUp, peak, bound, nodes)
            }
        };
        self.rung.works_at = self.rung.works_at.into_iter().chain(peak).min();
        self.rung.bound = self.rung.bound.max(bound);
        self.rung.nodes += nodes;
        self.rung.attempts.push(Attempt {
            level: self.level,
            solver: name.to_owned(),
            end,
            peak,
            bound,
            nodes,
            note,
        });
    }

    fn limit(&mut self, stop: Stop) {
        let limit = match stop {
            Stop::Nodes => LimitedBy::Nodes,
            Stop::Time => LimitedBy::Time,
            Stop::Cancelled => LimitedBy::Interrupt,
            Stop::Complete | Stop::Heuristic | Stop::Failed => return,
        };
        self.rung.limited_by = Some(limit);
    }

    fn skip(&mut self, name: &str, why: String) {
        self.rung.attempts.push(Attempt {
            level: self.level,
            solver: name.to_owned(),
            end: AttemptEnd::Skipped(why),
            peak: None,
            bound: self.rung.bound,
            nodes: 0,
            note: None,
        });
    }
}

/// Choices of promotions that the MILP tries, at most.
const MAX_CHOICES: usize = 32;

/// No promotion, each one alone, then one more for each single in turn.
fn choices(instance: &Instance) -> Vec<Vec<u32>> {
    let count = instance.promotions.len() as u32;
    let mut all = vec![Vec::new()];
    all.extend((0..count).map(|p| vec![p]));
    let mut growing: Vec<u32> = Vec::new();
    for p in 0..count {
        let single = instance.promotions[p as usize].single;
        let taken = |q: &u32| instance.promotions[*q as usize].single == single;
        if !growing.iter().any(taken) {
            growing.push(p);
            if growing.len() > 1 {
                all.push(growing.clone());
            }
        }
    }
    all.truncate(MAX_CHOICES);
    all
}

/// The outcome in terms of the instance before its promotions were put into force. What is proven
/// of one choice of promotions is no proof about the others.
fn collapsed(outcome: Outcome, expanded: &Expanded, chosen: bool) -> Outcome {
    match outcome {
        Outcome::Packed { packing, proof, bound, nodes, stop } => Outcome::Packed {
            packing: expanded.collapse(&packing),
            proof: if chosen { Proof::Open } else { proof },
            bound: if chosen { 0 } else { bound },
            nodes,
            stop,
        },
        Outcome::Refuted { nodes, .. } if chosen => {
            Outcome::GaveUp { bound: 0, nodes, stop: Stop::Heuristic }
        }
        Outcome::GaveUp { nodes, stop, .. } if chosen => Outcome::GaveUp { bound: 0, nodes, stop },
        other => other,
    }
}

fn says(missing: Missing) -> String {
    let feature = match missing {
        Missing::TooLarge(n) => return format!("too large for this solver ({n})"),
        Missing::Gaps => "several live ranges",
        Missing::Alignment => "alignment",
        Missing::Pins => "pins",
        Missing::Reserved => "reserved ranges",
        Missing::Separate => "pairs that may not share",
        Missing::Exclusive => "exclusive pairs",
        Missing::Colocation => "colocation",
        Missing::Inplace => "in-place pairs",
        Missing::Promotions => "promotions",
        Missing::Costs => "pair costs",
    };
    format!("this solver does not take {feature}")
}
