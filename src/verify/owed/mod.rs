//! What a placement owes, and where the time goes (13.1).
//!
//! Pipes run beside each other. A program orders what its own data needs; two buffers that share bytes
//! need more: the last user of one must be done before the first user of the other starts. A
//! program without any synchronisation *owes* these edges: whoever inserts it has to insert them too.
//! A program that synchronises already must have them, or its plan is wrong.
//!
//! # How
//!
//! `tape` records one path at a time; `queues` runs the synchronisation that the program carries; `order` walks the
//! path with clocks and two `shadow`s, one of the program's bytes and one of the plan's; `fold` makes
//! edges between ops of edges between instances; `time` computes starts and ends; `faults` has the words.
//!
//! # What is promised
//!
//! * The program's data edges, the carried synchronisation and the owed edges together order every two
//!   accesses of the same bytes of which one writes, on every path that was walked.
//! * On each path no owed edge is implied by the rest.
//! * Reads of wrong or undefined bytes are not looked for: the replay does that.
//!
//! An edge is a flag or a barrier: it waits for everything that the pipe of its first op was given
//! before, not for that op alone.

mod faults;
mod fold;
mod order;
mod queues;
mod shadow;
mod tape;
#[cfg(test)]
mod tests;
mod time;

use faults::Faults;
use fold::{Folded, Key};
use tape::{Own, Path, Pipes, Recorder};
use time::Timed;

use super::case::Case;
use super::objects::Objects;
use super::placements;
use super::say::Say;
use crate::diag::Code;
use crate::model::machine::{Machine, Product};
use crate::model::{Finding, Function, FunctionPlan, OwedEdge, Problem, SyncLevel, Timeline};
use crate::runtime::counters::Counters;
use crate::runtime::program::{Slots, UnrollLimits, unroll};

/// Whether a program orders its pipes itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AssumeSync {
    /// As it stands: it does where it has a flag or a barrier.
    #[default]
    AsCarried,
    /// It does not; what it has still counts.
    None,
    /// It does, and everything is in order.
    Full,
}

/// How much a check may cost, and what it takes for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of the walk.
    pub unroll: UnrollLimits,
    /// Stages timed to find what single edges cost; edges past that have no delay.
    pub delays: u64,
    /// Whether the program synchronises.
    pub assume: AssumeSync,
}

impl Default for Limits {
    fn default() -> Self {
        // 2^23 stages take less than a second.
        Self { unroll: UnrollLimits::default(), delays: 1 << 23, assume: AssumeSync::AsCarried }
    }
}

/// What a placement owes, and what it costs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owed {
    /// Owed edges, in the order of the program. None for a function that synchronises its pipes itself.
    pub edges: Vec<OwedEdge>,
    /// The longest path.
    pub timeline: Timeline,
    /// What is wrong with the synchronisation that the function carries.
    pub findings: Vec<Finding>,
    /// True when not everything was walked.
    pub bounded: bool,
    /// What the walk did.
    pub counters: Counters,
}

/// The machine of a problem: that of its target's name, else an A2.
pub fn machine(problem: &Problem) -> Machine {
    let named = problem.target.as_ref().and_then(|target| Machine::named(&target.name));
    named.unwrap_or_else(|| Machine::of(Product::A2, "910B"))
}

/// True when the function has flags or barriers between its pipes.
pub fn carries(function: &Function, level: SyncLevel) -> bool {
    function.ops.iter().filter_map(|op| op.sync.as_ref()).any(|sync| sync.level() == level)
}

/// Computes what a plan of a function owes.
pub fn check(
    problem: &Problem,
    function: &Function,
    plan: &FunctionPlan,
    machine: &Machine,
    limits: Limits,
) -> Owed {
    let case = placements::place(problem, function, plan, &mut Vec::new());
    let objects = Objects::of(&case);
    let (own, pipes) = (Own::of(&case), Pipes::of(&case, machine));
    let slots = slots(&case);
    let mut check = Check {
        case: &case,
        pipes: &pipes,
        checked: carries(function, SyncLevel::Pipe) && limits.assume == AssumeSync::AsCarried,
        queued: function.ops.iter().any(|op| op.sync.is_some()),
        full: limits.assume == AssumeSync::Full,
        folded: Folded::default(),
        faults: Faults::default(),
        longest: None,
        unknown: false,
        counters: Counters::default(),
    };
    check.faults.check(&case, &pipes, machine);
    let mut recorder = Recorder {
        case: &case,
        objects: &objects,
        own: &own,
        pipes: &pipes,
        costs: &machine.costs,
        path: Path::default(),
        counts: Vec::new(),
        done: |path| check.path(path),
    };
    let walked = unroll(function, &case.names, &slots, limits.unroll, &mut recorder);
    let bounded = walked.bounded || check.unknown;
    let mut owed = check.end(limits.delays, bounded);
    owed.timeline.prefix = walked.cut;
    owed
}

/// As the replay turns them: outside of every loop the first slot counts for spare ones.
fn slots(case: &Case<'_>) -> Slots {
    let count = case.function.buffers.enumerate().map(|(id, buffer)| {
        let turns = !buffer.spare_slots || case.rotates[id].is_some();
        let slots = u32::try_from(case.offsets(id).len()).unwrap_or(u32::MAX).max(1);
        if turns { slots } else { 1 }
    });
    Slots { count: count.collect(), rotates: case.rotates.clone() }
}

struct Check<'c, 'a> {
    case: &'c Case<'a>,
    pipes: &'c Pipes,
    /// True when the program must order everything itself.
    checked: bool,
    /// True when it has synchronisation of whatever level.
    queued: bool,
    full: bool,
    folded: Folded,
    faults: Faults,
    /// The path that takes longest without what the placement owes, and how long.
    longest: Option<(u64, Timed)>,
    unknown: bool,
    counters: Counters,
}

impl Check<'_, '_> {
    fn path(&mut self, path: Path) {
        self.counters.instructions =
            self.counters.instructions.saturating_add(path.stages.len() as u64);
        let checked = self.checked && !path.unknown_flag;
        self.unknown |= path.unknown_flag;
        let mut faults = Vec::new();
        let carried = (self.queued && !path.unknown_flag)
            .then(|| queues::run(&path, self.pipes, &mut faults));
        if checked {
            faults.into_iter().for_each(|f| self.faults.sync(self.case, self.pipes, f));
        }
        let ordered = order::order(&path, self.pipes, carried.as_ref(), checked);
        let mut owed: Vec<(u32, u32, Key)> = Vec::new();
        for edge in &ordered.edges {
            if checked {
                self.faults.race(self.case, self.pipes, &path, edge);
            } else if !self.full && !self.checked {
                let key = self.folded.add(self.case, &path, edge);
                owed.extend(key.map(|key| (edge.first, edge.second, key)));
            }
        }
        let timed = Timed { path, data: ordered.data, carried, owed };
        let alone = timed.times(self.pipes, |_| false).makespan;
        if self.longest.as_ref().is_none_or(|(most, _)| alone > *most) {
            self.longest = Some((alone, timed));
        }
    }

    fn end(self, budget: u64, bounded: bool) -> Owed {
        let mut timeline =
            Timeline { function: self.case.function.name.clone(), ..Timeline::default() };
        if let Some((alone, timed)) = &self.longest {
            let times = timed.times(self.pipes, |_| true);
            timeline.makespan = times.makespan;
            timeline.without_reuse = *alone;
            timeline.slices = timed.slices(self.case.function, self.pipes, &times);
            let places = self.folded.places();
            let mut left = budget;
            for key in &times.binding {
                let Some(rest) = left.checked_sub(timed.path.items.len() as u64) else { break };
                left = rest;
                let without = timed.times(self.pipes, |other| other != key).makespan;
                let lost = times.makespan.saturating_sub(without);
                if let Some(&place) = places.get(key).filter(|_| lost > 0) {
                    timeline.delays.push((place, lost));
                }
            }
            timeline.delays.sort_by_key(|&(place, lost)| (std::cmp::Reverse(lost), place));
        }
        let mut findings = self.faults.list;
        if self.unknown && self.checked {
            let message = "a flag has an id that is not known here: what it orders was not checked";
            Say::note(self.case, Code::VerifyUndecided, message.to_owned()).to(&mut findings);
        }
        if bounded && self.checked {
            let message = "not every path, or not every trip, was walked to see what is ordered";
            Say::note(self.case, Code::ReplayBounded, message.to_owned()).to(&mut findings);
        }
        let edges = self.folded.list(self.case, self.pipes);
        Owed { edges, timeline, findings, bounded, counters: self.counters }
    }
}
