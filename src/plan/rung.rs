//! One rung: the portfolio of solvers on one instance.
//!
//! Bounds first, then heuristics, then the exact search, then the MILP for small instances that
//! are still open. Every solver that ran, or could not, leaves an [`Attempt`].

use memplan_exact::Exact;
use memplan_heuristic::{Packer, Portfolio, by_name};
use memplan_packing::bounds;
use memplan_packing::promotion::{Expanded, expand};
use memplan_packing::{
    Budget, Event, Goal, Instance, Missing, Outcome, Packing, Proof, Refutation, Solver, Stop,
};

use super::options::{Options, PLAIN_FIT, PLAIN_OPTIMAL, Progress, Strategy};
use super::xla;
use crate::model::{Attempt, AttemptEnd, LimitedBy, ReuseLevel};

/// Instances of so many items are left to the exact search when the plain heuristics miss.
const SMALL: usize = 200;

/// Placements that the randomised restarts may make on a small instance, and on one with pairs that
/// may not share or cost something, where each placement looks at many others.
const FEW_PLACEMENTS: u64 = 4_000;

/// Up to so many rectangles the exact search is better than noise, and as fast.
const PLAIN_SMALL: usize = 500;

/// Restarts before the exact search takes over more rectangles than that.
const PLAIN_STARTS: u64 = 30;

/// Once rectangles fit, the search for a smaller peak gets the default nodes divided by this.
const POLISH: u64 = 10;

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
    /// No packing costs less than this.
    pub(super) cost_bound: u64,
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
        plain: Exact::default().is_plain(instance, goal),
        options,
        reporter,
        rung: Rung {
            packing: None,
            solver: options.strategy.name().to_owned(),
            works_at: None,
            refuted: None,
            bound: 0,
            cost_bound: 0,
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
        Strategy::Xla => rung.xla(),
        Strategy::Auto | Strategy::Optimal | Strategy::Hivm { .. } => {
            rung.heuristic(&rung.portfolio());
            if rung.open() {
                rung.exact();
            }
            if rung.open() && rung.rung.packing.is_none() {
                if rung.plain && instance.items.len() <= PLAIN_SMALL {
                    // They had a brief look only.
                    rung.heuristic(&Portfolio::new(options.seed).placements(FEW_PLACEMENTS));
                }
                rung.milp(options.break_milp);
            }
        }
    }
    rung.rung
}

struct Climb<'a> {
    instance: &'a Instance,
    level: Option<ReuseLevel>,
    goal: Goal,
    /// Items are mere rectangles: a node of the exact search costs little.
    plain: bool,
    options: &'a Options,
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
        let dear =
            self.goal == Goal::CostThenPeak && packing.cost(self.instance) > self.rung.cost_bound;
        peak > self.rung.bound || dear
    }

    /// The budget of one question about the instance.
    ///
    /// The default shrinks with the square of the items where relations make every node look at all
    /// pairs, so that a rung takes about a second, and grows for rectangles. A budget that was asked
    /// for is kept.
    fn budget(&self, goal: Goal) -> Budget {
        let instance = self.instance;
        let mut budget = self.options.budget();
        let Some(nodes) = budget.nodes.filter(|_| self.options.nodes.is_none()) else {
            return budget;
        };
        let related = !(instance.separate.is_empty()
            && instance.costs.is_empty()
            && instance.inplace.is_empty()
            && instance.colocated.is_empty()
            && instance.exclusive.is_empty());
        let items = instance.items.len() as u64;
        budget.nodes = Some(match goal {
            // Whether rectangles fit is a question of rectangles, whatever sharing costs.
            Goal::Fit if Exact::default().is_plain(instance, goal) => nodes * PLAIN_FIT,
            _ if related && items > 60 => (nodes * 3_600 / (items * items)).max(200),
            _ if !self.plain => nodes,
            _ if self.options.strategy == Strategy::Optimal => nodes * PLAIN_OPTIMAL,
            _ if instance.capacity.is_some() => nodes / POLISH,
            _ => nodes,
        });
        budget
    }

    /// The heuristics with the restarts that are worth their time here.
    fn portfolio(&self) -> Portfolio {
        let portfolio = Portfolio::new(self.options.seed);
        let items = self.instance.items.len();
        let bare = self.instance.separate.is_empty() && self.instance.costs.is_empty();
        let patient = self.options.time.is_some() && self.options.nodes.is_none();
        match Exact::default().can(self.instance, self.goal) {
            // Where nobody else takes over, a time limit is for the restarts.
            Err(_) if patient => portfolio.placements(u64::MAX),
            Ok(()) if self.plain && items <= PLAIN_SMALL => portfolio.brief(),
            Ok(()) if self.plain => portfolio.placements(PLAIN_STARTS * items as u64),
            _ if items <= SMALL || !bare => portfolio.placements(FEW_PLACEMENTS),
            _ => portfolio,
        }
    }

    fn heuristic(&mut self, packer: &dyn Packer) {
        let name = packer.name();
        let (goal, instance) = (self.goal, self.instance);
        // Heuristics count placements, not nodes, and have limits of their own.
        let budget = Budget { nodes: None, ..self.options.budget() };
        let attempt = packer.attempt(instance, goal, None, &budget, &mut self.events(name));
        let peak = attempt.packing.as_ref().map(|p| p.peak(instance));
        self.take(name, attempt.outcome, peak, None);
    }

    /// XLA's heap; what it does not know, it is not asked.
    fn xla(&mut self) {
        let packing = match xla::place(self.instance) {
            Ok(packing) => packing,
            Err(missing) => return self.skip("xla", says(missing)),
        };
        let (peak, bound) = (packing.peak(self.instance), bounds::lower_bound(self.instance));
        let fits = self.instance.capacity.is_none_or(|capacity| peak <= capacity);
        let (nodes, stop) = (0, Stop::Heuristic);
        let outcome = match fits {
            true => {
                Outcome::Packed { packing, proof: Proof::Open, bound, cost_bound: 0, nodes, stop }
            }
            false => Outcome::GaveUp { bound, nodes, stop },
        };
        self.take("xla", outcome, Some(peak), None);
    }

    fn exact(&mut self) {
        let exact = Exact { seed: self.options.seed, ..Exact::default() };
        if let Err(missing) = exact.can(self.instance, self.goal) {
            self.skip(exact.name(), says(missing));
            return;
        }
        if self.rung.packing.is_none() && self.instance.capacity.is_some() {
            let outcome = exact.solve(
                self.instance,
                Goal::Fit,
                None,
                &self.budget(Goal::Fit),
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
            &self.budget(self.goal),
            &mut self.events("exact"),
        );
        self.take("exact", outcome, None, Some("the best packing".to_owned()));
    }

    /// The MILP takes no promotions: it looks at one choice of them after the other until one fits.
    /// Costs that make the program too large are left out.
    fn milp(&mut self, broken: bool) {
        let name = "milp";
        let milp = memplan_milp::Milp { fail: broken, ..memplan_milp::Milp::default() };
        for choice in choices(self.instance) {
            let Some(mut expanded) = expand(self.instance, &choice) else { continue };
            let mut goal = self.goal;
            if milp.can(&expanded.instance, goal).is_err() {
                goal = Goal::Peak;
                expanded.instance.costs.clear();
            }
            if let Err(missing) = milp.can(&expanded.instance, goal) {
                self.skip(name, says(missing));
                return;
            }
            let (outcome, report) = milp.solve_with_report(
                &expanded.instance,
                goal,
                None,
                &self.budget(goal),
                &mut self.events(name),
            );
            let model = format!(
                "{} variables, {} rows, {} disjunctions: {}",
                report.model.variables, report.model.rows, report.model.disjunctions, report.note
            );
            let outcome = collapsed(outcome, &expanded, !self.instance.promotions.is_empty());
            let mut note = match choice.len() {
                0 => model,
                n => format!("{n} promoted: {model}"),
            };
            if goal != self.goal {
                note.push_str("; the costs of sharing were too many to state");
            }
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
            Outcome::Packed { packing, bound, cost_bound, nodes, stop, .. } => {
                let peak = packing.peak(self.instance);
                let better = match &self.rung.packing {
                    None => true,
                    Some(old) => {
                        let worth = |p: &Packing| (p.cost(self.instance), p.peak(self.instance));
                        worth(&packing) < worth(old)
                    }
                };
                self.rung.cost_bound = self.rung.cost_bound.max(cost_bound);
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
        Outcome::Packed { packing, proof, bound, nodes, stop, .. } => Outcome::Packed {
            packing: expanded.collapse(&packing),
            proof: if chosen { Proof::Open } else { proof },
            bound: if chosen { 0 } else { bound },
            cost_bound: 0,
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
