//! The ladder of one scope: sequential, then the reuse levels from the strictest down.
//!
//! The ladder goes below a level only when the level is proven not to fit or its budget is used
//! up, and the answer says which.

use std::collections::BTreeMap;

use memplan_heuristic::{Packer, Portfolio, by_name};
use memplan_packing::{Budget, Goal, Instance, Outcome, Packing};

use super::Arena;
use super::answer::{ArenaAnswer, combine};
use super::instance::{Built, Scene, Sharing, build};
use super::options::{Options, Progress, Strategy};
use super::rung::{Reporter, Rung, run};
use crate::model::{
    Attempt, AttemptEnd, BufferId, LimitedBy, Mode, Objective, Placement, ReuseLevel, ScopeAnswer,
    Verdict,
};

/// Plans a scope.
pub(super) fn scope(
    scene: &Scene<'_>,
    options: &Options,
    on: &(dyn Fn(&Progress) + Sync),
) -> (ScopeAnswer, Vec<Placement>) {
    let arenas = Arena::of(scene.problem, scene.function, scene.scope);
    let answers = arenas.iter().map(|arena| Climber { scene, arena, options, on }.climb());
    combine(scene, answers.collect())
}

/// The true bounds of a scope, and no plan.
pub(super) fn bounds(scene: &Scene<'_>) -> ScopeAnswer {
    let arenas = Arena::of(scene.problem, scene.function, scene.scope);
    let answers = arenas.iter().map(|arena| {
        let mut answer = ArenaAnswer::new(arena);
        if let Ok(hard) = build(scene, arena, Sharing::Hard) {
            answer.bound(hard);
        }
        answer
    });
    let (mut answer, _) = combine(scene, answers.collect());
    (answer.message, answer.overflow) = (None, None);
    answer
}

struct Climber<'a> {
    scene: &'a Scene<'a>,
    arena: &'a Arena,
    options: &'a Options,
    on: &'a (dyn Fn(&Progress) + Sync),
}

impl Climber<'_> {
    fn climb(&self) -> ArenaAnswer {
        let mut answer = ArenaAnswer::new(self.arena);
        let hard = match build(self.scene, self.arena, Sharing::Hard) {
            Ok(hard) => hard,
            Err(why) => {
                answer.message = Some(why);
                return answer;
            }
        };
        answer.bound(hard);
        let as_needed = self.scene.problem.objective == Objective::AsNeeded;
        if as_needed && self.arena.capacity.is_some() && self.options.strategy == Strategy::Auto {
            self.sequential(&mut answer);
        }
        if answer.packing.is_none() {
            match self.options.strategy {
                Strategy::Optimal => self.smallest(&mut answer),
                _ => self.levels(&mut answer),
            }
        }
        self.judge(&mut answer);
        answer
    }

    /// True where levels mean something: pipes exist.
    fn has_levels(&self) -> bool {
        !self.scene.problem.pipes.is_empty()
    }

    fn named(&self, level: ReuseLevel) -> Option<ReuseLevel> {
        self.has_levels().then_some(level)
    }

    fn sequential(&self, answer: &mut ArenaAnswer) {
        let Ok(built) = build(self.scene, self.arena, Sharing::Sequential) else { return };
        let Some(packer) = by_name("sequential") else { return };
        let budget = self.options.budget();
        let attempt = packer.attempt(&built.instance, Goal::Fit, None, &budget, &mut |_| ());
        let peak = attempt.packing.as_ref().map(|p| p.peak(&built.instance));
        let end = match &attempt.outcome {
            Outcome::Packed { .. } => AttemptEnd::Found,
            Outcome::Refuted { .. } => AttemptEnd::Refuted,
            Outcome::GaveUp { .. } => AttemptEnd::GaveUp,
        };
        let (Outcome::Packed { bound, .. }
        | Outcome::Refuted { bound, .. }
        | Outcome::GaveUp { bound, .. }) = attempt.outcome;
        answer.attempts.push(Attempt {
            level: None,
            solver: packer.name().to_owned(),
            end,
            peak,
            bound,
            nodes: 0,
            note: None,
        });
        if let Outcome::Packed { packing, .. } = attempt.outcome {
            answer.take(built, packing, Mode::Sequential, None, packer.name());
        }
    }

    /// The levels from the strictest down to the lowest allowed.
    fn levels(&self, answer: &mut ArenaAnswer) {
        let lowest = self.options.lowest();
        let bounded = self.arena.capacity.is_some();
        let all = ReuseLevel::ALL.into_iter().filter(|l| *l <= lowest);
        let levels: Vec<ReuseLevel> = match (bounded && self.has_levels(), self.has_levels()) {
            (true, _) => all.collect(),
            (false, true) => vec![lowest],
            (false, false) => vec![ReuseLevel::Lifetime],
        };
        let mut before: Option<(Built, Rung, ReuseLevel)> = None;
        for level in levels {
            let Some((built, rung)) = self.level(answer, level, before.as_ref()) else {
                // What was proven of a stricter level is no proof about this one.
                answer.refuted = None;
                answer.reason = Some(format!("level {} was not tried", level.name()));
                continue;
            };
            answer.absorb(&rung, level);
            if let Some(packing) = rung.packing.clone() {
                answer.reason =
                    answer.reason.take().map(|why| format!("level {}: {why}", level.name()));
                answer.cost_bound = cost_bound(&built, &rung);
                answer.limited_by = rung.limited_by;
                let named = self.named(level);
                answer.take(built, packing, Mode::Reuse, named, &rung.solver);
                return;
            }
            let stopped = matches!(rung.limited_by, Some(LimitedBy::Interrupt | LimitedBy::Time));
            answer.refuted = rung.refuted.clone();
            answer.limited_by = answer.limited_by.or(rung.limited_by);
            if stopped {
                return;
            }
            answer.reason = Some(left(&rung, level));
            before = Some((built, rung, level));
        }
        if let (None, Some((built, ..))) = (answer.works_at, &before) {
            answer.works_at = self.without_capacity(&built.instance);
        }
        if lowest != ReuseLevel::Lifetime {
            self.below(answer, lowest);
        }
    }

    /// The peak that the heuristics reach where the capacity does not count.
    fn without_capacity(&self, instance: &Instance) -> Option<u64> {
        let free = Instance { capacity: None, costs: Vec::new(), ..instance.clone() };
        let budget = Budget { nodes: None, ..self.options.budget() };
        let portfolio = Portfolio::new(self.options.seed).placements(0);
        let attempt = portfolio.attempt(&free, Goal::Peak, None, &budget, &mut |_| ());
        attempt.packing.map(|p| p.peak(&free))
    }

    /// One level; at `slot` a single that has both chances gets each in turn.
    fn level(
        &self,
        answer: &mut ArenaAnswer,
        level: ReuseLevel,
        before: Option<&(Built, Rung, ReuseLevel)>,
    ) -> Option<(Built, Rung)> {
        let build = |promote| build(self.scene, self.arena, Sharing::Level { level, promote });
        let mut built = match build(false) {
            Ok(built) => built,
            Err(why) => {
                answer.attempts.push(self.skipped(level, why));
                return None;
            }
        };
        let priced = self.scene.problem.objective == Objective::CostThenPeak;
        if self.arena.capacity.is_none() && !priced {
            // The answer is the size: the peak counts, not the stalls.
            built.instance.costs.clear();
        }
        if let Some((old, rung, same)) = before
            && old.instance == built.instance
        {
            let mut attempt =
                self.skipped(level, format!("the same question as at level {}", same.name()));
            attempt.bound = rung.bound;
            answer.attempts.push(attempt);
            return Some((built, Rung { attempts: Vec::new(), nodes: 0, ..rung.clone() }));
        }
        let mut rung = self.run(&built.instance, level);
        if !built.partial || rung.packing.is_some() {
            return Some((built, rung));
        }
        let Ok(other) = build(true) else { return Some((built, rung)) };
        let mut second = self.run(&other.instance, level);
        rung.attempts.append(&mut second.attempts);
        second.attempts = rung.attempts;
        second.nodes += rung.nodes;
        second.works_at = second.works_at.into_iter().chain(rung.works_at).min();
        // Each alone gives up a chance, so two refutations are no proof about their mixture.
        second.refuted = None;
        Some((other, second))
    }

    fn skipped(&self, level: ReuseLevel, why: String) -> Attempt {
        Attempt {
            level: self.named(level),
            solver: self.options.strategy.name().to_owned(),
            end: AttemptEnd::Skipped(why),
            peak: None,
            bound: 0,
            nodes: 0,
            note: None,
        }
    }

    fn run(&self, instance: &Instance, level: ReuseLevel) -> Rung {
        let start = Progress {
            function: self.scene.function.name.clone(),
            scope: self.scene.problem.scopes[self.scene.scope].name.clone(),
            level: self.named(level),
            solver: "",
            nodes: 0,
            best: None,
            bound: 0,
        };
        run(instance, self.named(level), self.options, &Reporter { on: self.on, start })
    }

    /// Below the level that was asked for: says whether a lower one fits, and plans nothing.
    fn below(&self, answer: &mut ArenaAnswer, lowest: ReuseLevel) {
        for level in ReuseLevel::ALL.into_iter().filter(|l| *l > lowest) {
            let Some((_, rung)) = self.level(answer, level, None) else { continue };
            answer.attempts.extend(rung.attempts);
            answer.nodes += rung.nodes;
            if rung.packing.is_some() {
                answer.fits_at = Some(level);
                return;
            }
        }
    }

    /// The smallest peak at the lowest level, whatever the capacity.
    fn smallest(&self, answer: &mut ArenaAnswer) {
        let level = self.options.lowest();
        let sharing = Sharing::Level { level, promote: false };
        let mut built = match build(self.scene, self.arena, sharing) {
            Ok(built) => built,
            Err(why) => {
                answer.attempts.push(self.skipped(level, why));
                return;
            }
        };
        built.instance.costs.clear();
        let free = Instance { capacity: None, ..built.instance.clone() };
        let mut rung = self.run(&free, level);
        answer.absorb(&rung, level);
        let over = |peak: u64| self.arena.capacity.is_some_and(|c| peak > c);
        if rung.packing.as_ref().is_none_or(|p| over(p.peak(&free))) {
            answer.over_bound = over(rung.bound) && !built.partial;
            if !answer.over_bound {
                // The smallest peak is open; whether anything fits may be the easier question.
                rung = self.run(&built.instance, level);
                answer.absorb(&rung, level);
            }
        }
        answer.limited_by = rung.limited_by;
        let fits = |p: &Packing| !over(p.peak(&free));
        match rung.packing.filter(fits) {
            Some(packing) => {
                let named = self.named(level);
                answer.take(built, packing, Mode::Reuse, named, &rung.solver);
            }
            None => answer.refuted = rung.refuted.filter(|_| !built.partial),
        }
    }

    fn judge(&self, answer: &mut ArenaAnswer) {
        let heuristic = matches!(self.options.strategy, Strategy::Heuristic(_) | Strategy::Xla);
        answer.verdict = match answer.peak() {
            Some(peak) if peak <= answer.lower_bound => Verdict::Optimal,
            Some(_) => Verdict::Feasible,
            None if answer.refuted.is_some() || answer.over_bound => Verdict::Infeasible,
            None if heuristic => Verdict::NotFound,
            None => Verdict::Undecided,
        };
        // Without a plan it is the one who was asked for.
        if answer.solver.is_empty() {
            self.options.strategy.name().clone_into(&mut answer.solver);
        }
    }
}

/// Why the ladder leaves a level.
fn left(rung: &Rung, level: ReuseLevel) -> String {
    let why = match (&rung.refuted, rung.limited_by) {
        (Some(_), _) => "is proven not to fit",
        (None, Some(LimitedBy::Nodes)) => "has no plan within the node budget",
        (None, _) => "found no plan",
    };
    format!("level {} {why}", level.name())
}

/// A bound on the reuse cost at the level of the plan.
///
/// The packing pays for each pair of slots, the answer for each pair of buffers once: a pair of
/// buffers stands for at most as many pairs of slots as they have.
fn cost_bound(built: &Built, rung: &Rung) -> u64 {
    if built.partial {
        return 0;
    }
    let mut slots: BTreeMap<(BufferId, BufferId), u64> = BTreeMap::new();
    for pair in &built.instance.costs {
        let [a, b] = [pair.first, pair.second].map(|item| built.items[item as usize].0);
        *slots.entry((a.min(b), a.max(b))).or_default() += 1;
    }
    let most = slots.into_values().max().unwrap_or(1);
    rung.cost_bound.div_ceil(most)
}
