//! The walk over the region tree.

use std::collections::BTreeMap;

use super::env::Env;
use super::names::Names;
use super::observe::{At, Shadow, Touch};
use super::reach::Reach;
use super::resolve::Resolver;
use super::slots::Slots;
use super::trails::{TrailId, Trails};
use super::uses::Uses;
use super::worlds::{Flow, World, merge};
use crate::model::{BranchId, Function, IdVec, LoopId, Node, OpId, Order, Region, Step, ValueId};

/// How much a run may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operands looked at, trips begun and sides entered before loops are no longer run trip by
    /// trip; and as many again before the run stops. A function with many ops gets more: enough
    /// to run each of them [`ROUNDS`] times.
    pub work: u64,
    /// Trips of one entry of a loop run apart from each other; later ones are folded into one.
    pub trips: usize,
    /// Paths that are not run, to find out what depends on them.
    pub without: Option<Choice>,
}

/// A choice that a path makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A side of a branch; true for the first.
    Side(BranchId, bool),
    /// A loop that need not run does not.
    NoTrip(LoopId),
}

/// Times that each op of a large function can be executed.
pub const ROUNDS: u64 = 16;

impl Default for Limits {
    fn default() -> Self {
        // 2^20 operands take about a second. 256 trips see every phase of up to 256 slots.
        Self { work: 1 << 20, trips: 256, without: None }
    }
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The work ran out at this step: it, and what follows, was not executed in every state.
    Stopped(Step),
    /// The states of this loop did not repeat soon enough: late trips were taken as any trip.
    Folded(LoopId),
    /// The nest of loops has too many states: the whole function was run once more with every
    /// loop taken to make any number of trips.
    Flooded,
    /// Too many sets of references before this step: names were taken to stand for any of theirs.
    Merged(Step),
    /// An op touches a value of which nothing is known.
    Nameless(OpId, ValueId),
}

/// What a run leaves behind.
#[derive(Debug)]
pub struct Run<S> {
    /// The states at the end of the function, and how they came there.
    pub ends: Vec<S>,
    /// All trails that were given to the shadow.
    pub trails: Trails,
    /// Limits that were reached, sorted; each once.
    pub doubts: Vec<Doubt>,
}

/// Runs a function from one state of the shadow.
pub fn run<S: Shadow>(
    function: &Function,
    order: &Order,
    names: &Names,
    slots: &Slots,
    limits: Limits,
    start: S,
    log: &mut S::Log,
) -> Run<S> {
    let operands: usize = function.ops.iter().map(|op| op.accesses.len() + 1).sum();
    let work = limits.work.max((operands as u64).saturating_mul(ROUNDS));
    let mut executor = Executor {
        function,
        order,
        uses: Uses::of(function, order, names, slots),
        periods: slots.periods(function.loops.len()),
        resolver: Resolver { function, names, slots, reach: Reach::new(function) },
        limits: Limits { work, ..limits },
        log,
        trails: Trails::default(),
        doubts: Vec::new(),
        stopped: false,
        instance: 0,
        depth: 0,
        memo: BTreeMap::new(),
        heads: None,
    };
    let mut flow = executor.function(start.clone());
    if executor.stopped {
        // What was found so far happens; what is missing is found with fewer states.
        executor.memo.clear();
        executor.doubts = vec![Doubt::Flooded];
        executor.heads = Some(BTreeMap::new());
        (executor.stopped, executor.depth) = (false, 0);
        executor.limits.work = work;
        flow = executor.function(start);
    }
    let mut doubts = executor.doubts;
    doubts.sort_unstable();
    doubts.dedup();
    let ends = flow.worlds.into_iter().map(|world| world.shadow).collect();
    Run { ends, trails: executor.trails, doubts }
}

pub(super) struct Executor<'a, S: Shadow> {
    pub function: &'a Function,
    pub order: &'a Order,
    pub uses: Uses,
    /// Trips after which the slots of a loop are where they were.
    pub periods: IdVec<LoopId, u64>,
    pub resolver: Resolver<'a>,
    pub limits: Limits,
    pub log: &'a mut S::Log,
    pub trails: Trails,
    pub doubts: Vec<Doubt>,
    /// True when the work has run out; nothing more is executed.
    pub stopped: bool,
    pub instance: u64,
    /// Loops around the current place.
    pub depth: usize,
    /// States before and after trips of loops inside loops.
    pub memo: BTreeMap<LoopId, Vec<Trip<S>>>,
    /// When loops are not run trip by trip: all states before and after any trip of each.
    pub heads: Option<BTreeMap<LoopId, Head<S>>>,
}

/// All states before and after any trip of a loop.
pub(super) struct Head<S> {
    pub before: Vec<World<S>>,
    pub after: Vec<World<S>>,
    /// True when there were too many: they stay one from then on, or they might never settle.
    pub one: bool,
}

/// What one trip makes of the states before it.
pub(super) struct Trip<S> {
    pub before: Vec<World<S>>,
    pub after: Vec<World<S>>,
}

impl<S: Shadow> Executor<'_, S> {
    fn function(&mut self, start: S) -> Flow<S> {
        let worlds = vec![World { env: Env::default(), shadow: start }];
        let mut flow = Flow { worlds, at: None, trail: Trails::START };
        self.region(&self.function.body, &mut flow);
        flow
    }

    // Recursion over the region tree, whose depth readers limit.
    pub(super) fn region(&mut self, region: &Region, flow: &mut Flow<S>) {
        for node in &region.nodes {
            match *node {
                Node::Op(id) => self.op(id, flow),
                Node::Loop(id) => self.repeat(id, flow),
                Node::Branch(id) => self.branch(id, flow),
            }
            if self.stopped {
                return;
            }
        }
    }

    fn op(&mut self, id: OpId, flow: &mut Flow<S>) {
        let accesses = &self.function.ops[id].accesses;
        let step = self.order.ops[id];
        self.go(flow, step);
        self.instance += 1;
        let states = flow.worlds.len();
        let at = At { op: id, step, trail: flow.trail, instance: self.instance, states };
        for world in &mut flow.worlds {
            if !self.spend(accesses.len() as u64 + 1, step) {
                return;
            }
            let mut touches = Vec::with_capacity(accesses.len());
            for (n, access) in accesses.iter().enumerate() {
                let refs = self.resolver.refs(&world.env, access.value, access.range);
                if refs.is_empty() {
                    self.doubts.push(Doubt::Nameless(id, access.value));
                }
                let (mode, partial) = (access.mode, access.partial);
                touches.push(Touch { access: n, mode, partial, refs });
            }
            world.shadow.op(self.log, &at, &touches);
        }
    }

    /// Control goes to a step.
    pub(super) fn go(&mut self, flow: &mut Flow<S>, to: Step) {
        for world in &mut flow.worlds {
            world.shadow.step(self.log, flow.at, to);
        }
        flow.at = Some(to);
    }

    /// Joins what has become equal; true when there was too much and all became one.
    pub(super) fn merge(&mut self, worlds: &mut Vec<World<S>>, step: Step) -> bool {
        let many = merge(worlds);
        if many {
            self.doubts.push(Doubt::Merged(step));
        }
        many
    }

    /// Takes from the work; false when it has run out.
    fn spend(&mut self, work: u64, step: Step) -> bool {
        match self.limits.work.checked_sub(work) {
            Some(left) => self.limits.work = left,
            None if self.stopped => {}
            None => {
                self.stopped = true;
                self.doubts.push(Doubt::Stopped(step));
            }
        }
        !self.stopped
    }

    /// The trail of one more trip or side. It costs something even where nothing is inside.
    pub(super) fn turn(&mut self, step: Step, to: impl FnOnce(&mut Trails) -> TrailId) -> TrailId {
        self.spend(1, step);
        to(&mut self.trails)
    }
}
