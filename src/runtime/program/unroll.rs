//! A concrete walk over a function: every op instance of a path, one after the other (13.2).
//!
//! Where [`super::run`] keeps sets of states and joins paths, this walk executes one path at a time,
//! with a definite trip for every loop: what a check needs that orders instances and measures time.
//!
//! # What is walked
//!
//! * A branch chooses its side anew at each execution. Up to [`UnrollLimits::paths`] combinations are
//!   all walked; of more, the two in which every choice is the same, and samples.
//! * A loop makes two rounds of its slots and flags, never more trips than it has: whatever two trips
//!   have to do with each other, at most one round apart, is seen in every phase. (13.2 asks for
//!   `1 + lcm`, which does not see two users of the second of two slots: trips 1 and 3.) It ends in
//!   the phase in which the program ends it; where that is not known there is a path for each, and for
//!   each smaller number of trips. Where it may not run at all that is a choice at each entry.
//! * References are exact, as in [`super::run`]. What is unknown is all that it may be.

use super::env::Env;
use super::names::Names;
use super::observe::Touch;
use super::paths::Chooser;
use super::reach::Reach;
use super::resolve::Resolver;
use super::slots::Slots;
use crate::model::{
    BranchId, Function, IdVec, Index, LoopId, Node, OpId, PipeId, Region, Sync, Trips, ValueId,
};

/// How much a walk may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnrollLimits {
    /// Paths that are all walked.
    pub paths: u64,
    /// Paths sampled when there are more.
    pub samples: u64,
    /// Trips of a loop at one entry.
    pub trips: u64,
    /// Operands and ops of all paths together; a function whose single path has more is walked with
    /// fewer trips.
    pub work: u64,
}

impl Default for UnrollLimits {
    fn default() -> Self {
        Self { paths: 1 << 10, samples: 62, trips: 64, work: 1 << 18 }
    }
}

/// The operands of an instance that one pipe touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The pipe; `None` for an op without one.
    pub pipe: Option<PipeId>,
    /// What it touches.
    pub touches: Vec<Touch>,
}

/// One execution of an op.
#[derive(Debug)]
pub struct Instance<'a> {
    /// The op.
    pub op: OpId,
    /// Its phases, one after the other. None for an op that touches nothing.
    pub phases: Vec<Phase>,
    /// How often the body of each loop has been begun on this path, so far.
    pub begun: &'a IdVec<LoopId, u64>,
    /// The current trip of each loop since it was entered, from 0.
    pub trips: &'a IdVec<LoopId, u64>,
}

/// Who is told of the walk.
pub trait Walker {
    /// A path begins.
    fn begin(&mut self);
    /// An op runs.
    fn instance(&mut self, instance: Instance<'_>);
    /// The path has ended.
    fn end(&mut self);
}

/// What was walked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Paths.
    pub paths: u64,
    /// True when there are more paths, or a loop would have needed more trips.
    pub bounded: bool,
    /// True when a loop has more trips than were walked: times are those of a prefix.
    pub cut: bool,
}

/// Walks a function.
pub fn unroll<W: Walker>(
    function: &Function,
    names: &Names,
    slots: &Slots,
    limits: UnrollLimits,
    walker: &mut W,
) -> Walked {
    let operands: usize = function.ops.iter().map(|op| op.accesses.len() + 1).sum();
    let work = limits.work.max((operands as u64).saturating_mul(super::ROUNDS));
    let periods = periods(function, slots);
    let mut walked = Walked::default();
    let (trips, size) = trips(function, &periods, limits.trips, work, &mut walked);
    let mut walk = Walk {
        function,
        resolver: Resolver { function, names, slots, reach: Reach::new(function) },
        trips,
        chooser: Chooser::all(),
        env: Env::default(),
        begun: IdVec::filled(0, function.loops.len()),
        now: IdVec::filled(0, function.loops.len()),
        options: IdVec::filled(None, function.loops.len()),
        left: work,
        walker,
    };
    let fits = size.paths <= limits.paths && size.paths.saturating_mul(size.work) <= work;
    if fits {
        loop {
            walk.path(&mut walked);
            if !walk.chooser.next() {
                return walked;
            }
        }
    }
    walked.bounded = true;
    let pure = [0, 1].map(Chooser::Pure);
    let sampled = (0..limits.samples).map(Chooser::Sampled);
    for chooser in pure.into_iter().chain(sampled) {
        if walked.paths > 0 && walk.left < size.work {
            break;
        }
        walk.chooser = chooser;
        walk.path(&mut walked);
    }
    walked
}

/// Trips after which everything that rotates in a loop is where it was: slots, and ids of flags.
fn periods(function: &Function, slots: &Slots) -> IdVec<LoopId, u64> {
    let mut periods = slots.periods(function.loops.len());
    for op in function.ops.iter() {
        if let Some(crate::model::FlagId::Rotating { within, ids }) =
            op.sync.as_ref().and_then(Sync::flag)
            && within.at() < periods.len()
        {
            let (all, count) = (periods[*within], ids.len().max(1) as u64);
            periods[*within] = (all / super::slots::gcd(all, count)).saturating_mul(count);
        }
    }
    periods
}

/// How often a loop runs in a walk.
#[derive(Clone, Copy, Debug)]
struct Rounds {
    /// Two rounds, and up to `phases - 1` trips more. The same at each entry on a path.
    main: u64,
    phases: u32,
    /// Fewer than two rounds, from so many trips on: what later trips imply, a few may not.
    fewer: Option<u64>,
    /// True when each entry may run it not at all.
    zero: bool,
}

/// Phases in which a loop may end that are walked apart.
const MAX_PHASES: u64 = 8;

impl Rounds {
    /// How many numbers of trips there are.
    fn options(self) -> u32 {
        let fewer = self.fewer.map_or(0, |least| self.main.saturating_sub(least));
        self.phases.saturating_add(u32::try_from(fewer).unwrap_or(u32::MAX))
    }

    /// One of them.
    fn trips(self, option: u32) -> u64 {
        match (option.checked_sub(self.phases), self.fewer) {
            (Some(fewer), Some(least)) => least.saturating_add(u64::from(fewer)).min(self.main),
            _ => self.main.saturating_add(u64::from(option)),
        }
    }
}

/// Size of the walk: of one path, and how many paths there are. Both saturate.
#[derive(Clone, Copy, Debug)]
struct Size {
    work: u64,
    paths: u64,
}

/// How many trips each loop makes in the walk; fewer where one path would cost too much.
fn trips(
    function: &Function,
    periods: &IdVec<LoopId, u64>,
    most: u64,
    work: u64,
    walked: &mut Walked,
) -> (IdVec<LoopId, Rounds>, Size) {
    let mut cap = most.max(1);
    loop {
        let mut bounded = false;
        let mut cut = false;
        let of = |(id, l): (LoopId, &crate::model::Loop)| {
            let period = periods[id].max(1);
            let two = period.saturating_mul(2);
            let (wanted, phases, more) = match l.trips {
                // The last round ends where the program's does.
                Trips::Known(n) if n >= two => (two.saturating_add(n % period), 1, true),
                Trips::Known(n) => (n, 1, false),
                Trips::AtLeast(_) => (two, period.min(MAX_PHASES), true),
            };
            let phases = if wanted.saturating_add(phases - 1) > cap { 1 } else { phases };
            let fewer = match l.trips {
                Trips::AtLeast(n) => Some(n.max(1)).filter(|&n| n < wanted.min(cap)),
                Trips::Known(_) => None,
            };
            bounded |= wanted > cap || (more && period > MAX_PHASES);
            cut |= wanted > cap || matches!(l.trips, Trips::AtLeast(_));
            cut |= matches!(l.trips, Trips::Known(n) if n > wanted);
            Rounds {
                main: wanted.min(cap),
                phases: u32::try_from(phases).unwrap_or(1),
                fewer,
                zero: l.trips.may_be_zero() && wanted > 0,
            }
        };
        let trips: IdVec<LoopId, Rounds> = function.loops.enumerate().map(of).collect();
        let mut size = size(function, &trips, &function.body);
        for rounds in trips.iter() {
            size.paths = size.paths.saturating_mul(u64::from(rounds.options()));
        }
        if size.work <= work || cap == 1 {
            (walked.bounded, walked.cut) = (bounded, cut);
            return (trips, size);
        }
        cap = if cap > 2 { 2 } else { 1 };
    }
}

// Recursion over the region tree, whose depth readers limit.
fn size(function: &Function, trips: &IdVec<LoopId, Rounds>, region: &Region) -> Size {
    let mut all = Size { work: 0, paths: 1 };
    for node in &region.nodes {
        let one = match *node {
            Node::Op(id) => Size { work: function.ops[id].accesses.len() as u64 + 1, paths: 1 },
            Node::Loop(id) => {
                let body = size(function, trips, &function.loops[id].body);
                let Rounds { main, phases, zero, .. } = trips[id];
                let most = main.saturating_add(u64::from(phases) - 1);
                let power = u32::try_from(most).unwrap_or(u32::MAX);
                Size {
                    work: body.work.saturating_add(1).saturating_mul(most),
                    paths: body.paths.saturating_pow(power).saturating_add(u64::from(zero)),
                }
            }
            Node::Branch(id) => {
                let branch = &function.branches[id];
                let then = size(function, trips, &branch.then);
                let otherwise = size(function, trips, &branch.otherwise);
                Size {
                    work: then.work.max(otherwise.work).saturating_add(1),
                    paths: then.paths.saturating_add(otherwise.paths),
                }
            }
        };
        all.work = all.work.saturating_add(one.work);
        all.paths = all.paths.saturating_mul(one.paths);
    }
    all
}

struct Walk<'a, 'w, W> {
    function: &'a Function,
    resolver: Resolver<'a>,
    trips: IdVec<LoopId, Rounds>,
    chooser: Chooser,
    env: Env,
    begun: IdVec<LoopId, u64>,
    now: IdVec<LoopId, u64>,
    options: IdVec<LoopId, Option<u32>>,
    left: u64,
    walker: &'w mut W,
}

impl<W: Walker> Walk<'_, '_, W> {
    fn path(&mut self, walked: &mut Walked) {
        self.env = Env::default();
        self.begun.iter_mut().for_each(|n| *n = 0);
        self.now.iter_mut().for_each(|n| *n = 0);
        self.options.iter_mut().for_each(|option| *option = None);
        self.walker.begin();
        self.region(&self.function.body);
        self.walker.end();
        walked.paths += 1;
    }

    // Recursion over the region tree, whose depth readers limit.
    fn region(&mut self, region: &Region) {
        for node in &region.nodes {
            match *node {
                Node::Op(id) => self.op(id),
                Node::Loop(id) => self.repeat(id),
                Node::Branch(id) => self.branch(id),
            }
        }
    }

    fn op(&mut self, id: OpId) {
        let op = &self.function.ops[id];
        self.left = self.left.saturating_sub(op.accesses.len() as u64 + 1);
        let mut phases: Vec<Phase> = Vec::new();
        for (n, access) in op.accesses.iter().enumerate() {
            let refs = self.resolver.refs(&self.env, access.value, access.range);
            let touch = Touch { access: n, mode: access.mode, partial: access.partial, refs };
            let pipe = access.pipe.or(op.pipe);
            match phases.iter_mut().find(|phase| phase.pipe == pipe) {
                Some(phase) => phase.touches.push(touch),
                None => phases.push(Phase { pipe, touches: vec![touch] }),
            }
        }
        let (begun, trips) = (&self.begun, &self.now);
        self.walker.instance(Instance { op: id, phases, begun, trips });
    }

    fn branch(&mut self, id: BranchId) {
        let branch = &self.function.branches[id];
        let then = self.chooser.choose(2) == 0;
        self.region(if then { &branch.then } else { &branch.otherwise });
        let results = branch.results.iter();
        let bound: Vec<_> = results
            .map(|r| (r.value, self.refs(if then { r.then } else { r.otherwise })))
            .collect();
        self.bind(bound);
    }

    fn repeat(&mut self, id: LoopId) {
        let l = &self.function.loops[id];
        let zero = self.trips[id].zero;
        let runs = !zero || self.chooser.runs();
        let trips = if runs { self.rounds(id) } else { 0 };
        let bound: Vec<_> = l.carries.iter().map(|c| (c.value, self.refs(c.init))).collect();
        self.bind(bound);
        self.env.set_trip(id, Some(0));
        for trip in 0..trips {
            self.env.set_trip(id, Some(trip));
            self.now[id] = trip;
            self.begun[id] = self.begun[id].saturating_add(1);
            self.region(&l.body);
            let bound: Vec<_> = l.carries.iter().map(|c| (c.value, self.refs(c.next))).collect();
            self.bind(bound);
        }
        let bound: Vec<_> = l.carries.iter().map(|c| (c.result, self.refs(c.value))).collect();
        self.bind(bound);
    }

    /// How many trips a loop makes that runs; chosen once on a path.
    fn rounds(&mut self, id: LoopId) -> u64 {
        let rounds = self.trips[id];
        let options = rounds.options();
        if options <= 1 {
            return rounds.main;
        }
        let option = self.options[id].unwrap_or_else(|| self.chooser.rounds(options));
        self.options[id] = Some(option);
        rounds.trips(option)
    }

    fn refs(&mut self, value: ValueId) -> std::rc::Rc<[super::observe::Ref]> {
        self.resolver.bind(&self.env, value)
    }

    fn bind(&mut self, bound: Vec<(ValueId, std::rc::Rc<[super::observe::Ref]>)>) {
        for (value, refs) in bound {
            self.env.bind(value, refs);
        }
    }
}
