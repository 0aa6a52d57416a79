//! What a core is doing.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::code::{Code, PipeId};
use super::flags::{Counter, Flags};
use super::groups::Seat;
use crate::model::machine::{Machine, PipeCost};
use crate::model::trace::PipeName;
use crate::runtime::clock::{ActorId, Clock};
use crate::runtime::objects::ObjectId;

/// Pipes of a core; S is the first.
pub const PIPES: usize = PipeName::ALL.len();
pub(super) const S: usize = PipeName::S as usize;

/// A pipe.
#[derive(Clone, Debug)]
pub(super) struct PipeState {
    pub actor: ActorId,
    /// Actions so far.
    pub n: u32,
    /// The last of them that touched bytes.
    pub work: u32,
    /// What is known; of itself, how much is complete.
    pub clock: Clock,
    /// Which of the things that S has acquired are in `clock`.
    pub version: u64,
    /// The last wait of S that came before the issue of what runs now: S had passed it by then.
    pub passed: u32,
    /// True when an instruction may still run when the next starts.
    pub weak: bool,
    /// Instructions that wait their turn.
    pub queue: VecDeque<Pending>,
    /// When it is free.
    pub time: u64,
}

/// An instruction that was issued and has not run.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// The step of the core's code.
    pub step: usize,
    /// The trips in which it was issued.
    pub trips: Rc<[u64]>,
    /// What S had acquired by then.
    pub acquired: Rc<Clock>,
    /// The last wait that S had passed by then, among the actions of S.
    pub passed: u32,
    /// Its number among the actions of its pipe and what it knows, once nothing before holds it.
    pub started: Option<(u32, Rc<Clock>)>,
}

/// A core in a launch.
#[derive(Debug)]
pub(super) struct CoreState {
    pub seat: Seat,
    pub pipes: Vec<PipeState>,
    pub flags: Flags,
    /// Memories of the core, as the code numbers them.
    pub scopes: Vec<ObjectId>,
    /// The next step of the code.
    pub pc: usize,
    /// Trips of each loop.
    pub trips: Vec<u64>,
    /// What S has acquired.
    pub acquired: Rc<Clock>,
    /// Counts what S has acquired.
    pub version: u64,
    /// The last wait that S has passed, among its actions.
    pub passed: u32,
}

/// Counters between cores: id, sender, receiver.
pub(super) type Counters = BTreeMap<(u32, usize, usize), Counter>;

/// What a pipe costs, by number.
#[derive(Clone, Debug)]
pub struct Prices([PipeCost; PIPES]);

impl Prices {
    /// Of a machine.
    pub fn of(machine: &Machine) -> Self {
        Self(PipeName::ALL.map(|pipe| {
            let named =
                machine.costs.pipes.iter().find(|(n, _)| n.eq_ignore_ascii_case(pipe.name()));
            named.map_or(machine.costs.other_pipe, |(_, cost)| *cost)
        }))
    }

    /// Ticks of an instruction that touches so many bytes.
    pub fn of_bytes(&self, pipe: usize, bytes: u64) -> u64 {
        let Some(PipeCost { latency, bytes_per_tick }) = self.0.get(pipe) else { return 1 };
        let moving = if *bytes_per_tick == 0 { 0 } else { bytes.div_ceil(*bytes_per_tick) };
        latency.saturating_add(moving).max(1)
    }
}

/// Pipes that keep their numbers from launch to launch.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// By core name and pipe: the actor, and its actions so far.
    pub pipes: BTreeMap<(u32, PipeId), (ActorId, u32)>,
}

impl CoreState {
    /// A core that starts with what its launch knows.
    #[expect(clippy::too_many_arguments, reason = "everything around a core, once")]
    pub(super) fn new(
        code: &Code,
        at: usize,
        name: &str,
        pipes: &[(ActorId, u32); PIPES],
        weak: &[bool; PIPES],
        scopes: Vec<ObjectId>,
        clock: &Clock,
        time: u64,
    ) -> Self {
        let pipe = |(p, &(actor, n)): (usize, &(ActorId, u32))| PipeState {
            actor,
            n,
            work: n,
            clock: clock.clone(),
            version: 0,
            passed: 0,
            weak: weak[p] && p != S,
            queue: VecDeque::new(),
            time,
        };
        Self {
            seat: Seat::of(name),
            pipes: pipes.iter().enumerate().map(pipe).collect(),
            flags: Flags::default(),
            scopes,
            pc: 0,
            trips: vec![0; code.cores[at].loops],
            acquired: Rc::new(clock.clone()),
            version: 0,
            passed: 0,
        }
    }

    /// S learns something, and with it everything that it issues from now on.
    pub(super) fn acquire(&mut self, clock: &Clock) {
        Rc::make_mut(&mut self.acquired).join(clock);
        self.version += 1;
    }

    /// True when no pipe has anything left to do.
    pub(super) fn drained(&self) -> bool {
        self.pipes.iter().all(|pipe| pipe.queue.is_empty())
    }

    /// All that the pipes have done, and when.
    pub(super) fn all(&self) -> (Clock, u64) {
        let mut all = Clock::default();
        let mut time = 0;
        for pipe in &self.pipes {
            all.join(&pipe.clock);
            all.raise(pipe.actor, pipe.n);
            time = time.max(pipe.time);
        }
        (all, time)
    }
}
