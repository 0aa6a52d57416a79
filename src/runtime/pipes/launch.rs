//! One launch of a core program.

use std::rc::Rc;

use super::code::{Code, PipeId, Step, What, pipe_name};
use super::state::{CoreState, Counters, PIPES, Pending, Prices, Roster, S};
use crate::model::machine::Machine;
use crate::model::trace::Sym;
use crate::runtime::clock::{ActorId, Clock};
use crate::runtime::objects::{ObjectId, Piece};
use crate::runtime::pointer::How;
use crate::runtime::schedule::Driver;
use crate::runtime::watch::{At, LineId, Watch};

/// The world outside the cores.
pub trait Ground {
    /// Who watches.
    type Watch: Watch;

    /// The watcher.
    fn watch(&mut self) -> &mut Self::Watch;

    /// What the name of a trace means for a core: the bytes and the generation, in order.
    fn global(
        &mut self,
        at: &At<'_>,
        p: Sym,
        offset: u64,
        len: u64,
        how: How,
        out: &mut Vec<(Piece, u32)>,
    );

    /// Which side of a branch is taken, by the condition and the trips of the loops around it.
    fn side(&mut self, cond: Sym, trips: Vec<u64>) -> bool;

    /// How often a loop that may be skipped is entered: false for not at all.
    fn enters(&mut self, core: usize, at: usize) -> bool;

    /// A new memory of a core.
    fn memory(&mut self, core: Sym, scope: Sym) -> ObjectId;

    /// A new actor for a pipe of a core.
    fn actor(&mut self, core: Sym, pipe: PipeId) -> ActorId;
}

/// A bar of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Who.
    pub actor: ActorId,
    /// The line.
    pub line: LineId,
    /// From when.
    pub start: u64,
    /// To when.
    pub end: u64,
}

/// Bars that are kept; of a run with more, the first ones.
pub const MAX_BARS: usize = 1 << 17;

/// What is needed to run a program.
pub struct Launch<'a, G> {
    pub(super) code: &'a Code,
    pub(super) cores: Vec<CoreState>,
    pub(super) counters: Counters,
    pub(super) prices: &'a Prices,
    pub(super) cross_limit: u32,
    pub(super) bars: &'a mut Vec<Bar>,
    pub(super) ran: u64,
    pub(super) ground: &'a mut G,
    pub(super) scratch: Vec<(Piece, u32)>,
}

/// How a launch ended.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// All that was done.
    pub clock: Clock,
    /// When the last pipe was through.
    pub time: u64,
    /// Instructions run.
    pub ran: u64,
    /// False when pipes wait for ever.
    pub through: bool,
}

/// Runs a program that starts with what `clock` knows, at `time`.
#[expect(clippy::too_many_arguments, reason = "everything around a launch, once")]
pub fn run<G: Ground>(
    code: &Code,
    machine: &Machine,
    prices: &Prices,
    names: &dyn Fn(Sym) -> String,
    roster: &mut Roster,
    bars: &mut Vec<Bar>,
    clock: &Clock,
    time: u64,
    driver: &mut Driver,
    actor_names: &dyn Fn(ActorId) -> String,
    ground: &mut G,
) -> Ended {
    let weak: [bool; PIPES] = std::array::from_fn(|p| {
        let name = pipe_name(p as PipeId);
        machine.weak_pipes.iter().any(|weak| weak.eq_ignore_ascii_case(name))
    });
    let mut cores = Vec::with_capacity(code.cores.len());
    for (at, core) in code.cores.iter().enumerate() {
        let pipes: [(ActorId, u32); PIPES] = std::array::from_fn(|p| {
            let key = (core.name.0, p as PipeId);
            *roster.pipes.entry(key).or_insert_with(|| (ground.actor(core.name, p as PipeId), 0))
        });
        let scopes: Vec<ObjectId> =
            core.scopes.iter().map(|&scope| ground.memory(core.name, scope)).collect();
        for &scope in &scopes {
            ground.watch().begin(scope, false);
        }
        cores.push(CoreState::new(code, at, &names(core.name), &pipes, &weak, scopes, clock, time));
    }
    let counters = Counters::new();
    let cross_limit = machine.cross_limit;
    let scratch = Vec::new();
    let mut launch =
        Launch { code, cores, counters, prices, cross_limit, bars, ran: 0, ground, scratch };
    let through =
        if driver.canonical() { launch.canonical() } else { launch.explore(driver, actor_names) };
    launch.end(through, roster, time)
}

impl<G: Ground> Launch<'_, G> {
    /// Runs in the order written: what is issued runs at once, unless its pipe waits.
    fn canonical(&mut self) -> bool {
        loop {
            let mut moved = false;
            for c in 0..self.cores.len() {
                moved |= self.drain(c);
                moved |= self.issue_all(c);
            }
            if (0..self.cores.len()).all(|c| self.finished(c)) {
                return true;
            }
            if !moved {
                return false;
            }
        }
    }

    pub(super) fn finished(&self, c: usize) -> bool {
        self.cores[c].pc >= self.code.cores[c].code.len() && self.cores[c].drained()
    }

    /// Runs what waits in the queues of a core, as far as it goes; true when something ran.
    fn drain(&mut self, c: usize) -> bool {
        let mut any = false;
        loop {
            let mut moved = false;
            for p in 0..PIPES {
                while let Some(front) = self.cores[c].pipes[p].queue.front() {
                    let (step, trips, acquired) =
                        (front.step, front.trips.clone(), front.acquired.clone());
                    let passed = front.passed;
                    let pipe = &mut self.cores[c].pipes[p];
                    pipe.clock.join(&acquired);
                    pipe.passed = passed;
                    let code = self.code;
                    let Step::Issue(issue) = &code.cores[c].code[step] else { break };
                    if !self.one(c, p, issue, &trips) {
                        break;
                    }
                    self.cores[c].pipes[p].queue.pop_front();
                    moved = true;
                }
            }
            any |= moved;
            if !moved {
                return any;
            }
        }
    }

    /// S issues what it can; true when something moved.
    fn issue_all(&mut self, c: usize) -> bool {
        let mut any = false;
        let code = self.code;
        let steps = &code.cores[c].code;
        while let Some(step) = steps.get(self.cores[c].pc) {
            let Step::Issue(issue) = step else {
                self.jump(c, step);
                any = true;
                continue;
            };
            let core = &mut self.cores[c];
            match issue.pipe.map(usize::from) {
                None => {
                    if !core.drained() && (!self.drain(c) || !self.cores[c].drained()) {
                        return any;
                    }
                    self.all_pipes(c);
                }
                Some(S) => {
                    let trips = std::mem::take(&mut core.trips);
                    let ran = self.one(c, S, issue, &trips);
                    self.cores[c].trips = trips;
                    if !ran {
                        return any;
                    }
                }
                Some(p) => {
                    if !core.pipes[p].queue.is_empty() {
                        self.push(c, p);
                    } else {
                        let (version, pipe) = (core.version, &mut core.pipes[p]);
                        if pipe.version != version {
                            pipe.clock.join(&core.acquired);
                            pipe.version = version;
                            pipe.passed = core.passed;
                        }
                        let trips = std::mem::take(&mut core.trips);
                        let ran = self.one(c, p, issue, &trips);
                        self.cores[c].trips = trips;
                        if !ran {
                            self.push(c, p);
                        } else if let What::Set { to, .. } = issue.what
                            && !self.cores[c].pipes[usize::from(to)].queue.is_empty()
                        {
                            self.drain(c);
                        }
                    }
                }
            }
            self.cores[c].pc += 1;
            any = true;
        }
        any
    }

    pub(super) fn push(&mut self, c: usize, p: usize) {
        let core = &mut self.cores[c];
        let pending = Pending {
            step: core.pc,
            trips: core.trips.as_slice().into(),
            acquired: Rc::clone(&core.acquired),
            passed: core.passed,
            started: None,
        };
        core.pipes[p].queue.push_back(pending);
    }

    /// A step that no pipe runs.
    pub(super) fn jump(&mut self, c: usize, step: &Step) {
        let core = &mut self.cores[c];
        match step {
            Step::Issue(_) => core.pc += 1,
            Step::Jump(to) => core.pc = *to,
            Step::Loop { counter, trips, may_be_zero, end } => {
                core.trips[*counter] = 0;
                let pc = core.pc;
                let skip = *trips == 0 || (*may_be_zero && !self.ground.enters(c, pc));
                self.cores[c].pc = if skip { *end } else { pc + 1 };
            }
            Step::Again { counter, trips, begin } => {
                core.trips[*counter] += 1;
                core.pc = if core.trips[*counter] < *trips { *begin } else { core.pc + 1 };
                // After its last trip a loop stands where its last trip stood.
                if core.trips[*counter] >= *trips {
                    core.trips[*counter] = trips.saturating_sub(1);
                }
            }
            Step::If { cond, around, otherwise } => {
                let trips = around.iter().map(|&counter| core.trips[counter]).collect();
                let pc = core.pc;
                let then = self.ground.side(*cond, trips);
                self.cores[c].pc = if then { pc + 1 } else { *otherwise };
            }
        }
    }

    /// `pipe_barrier(PIPE_ALL)`: everything is through, and everybody knows.
    pub(super) fn all_pipes(&mut self, c: usize) {
        let core = &mut self.cores[c];
        let (all, time) = core.all();
        for pipe in &mut core.pipes {
            pipe.clock.join(&all);
            pipe.time = time;
        }
        core.acquire(&all);
        let version = core.version;
        core.pipes.iter_mut().for_each(|pipe| pipe.version = version);
        self.ran += 1;
    }

    fn end(mut self, through: bool, roster: &mut Roster, time: u64) -> Ended {
        if !through {
            self.hung();
        } else {
            self.left_over();
        }
        let mut ended = Ended { time, ran: self.ran, through, ..Ended::default() };
        for (c, core) in self.cores.iter().enumerate() {
            let (clock, end) = core.all();
            ended.clock.join(&clock);
            ended.time = ended.time.max(end);
            for (p, pipe) in core.pipes.iter().enumerate() {
                let key = (self.code.cores[c].name.0, p as PipeId);
                roster.pipes.insert(key, (pipe.actor, pipe.n));
            }
        }
        ended
    }
}
