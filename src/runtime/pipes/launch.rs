//! One launch of a core program.

use std::rc::Rc;

use super::code::{Code, Issue, Memory, Operand, PipeId, Step, What, pipe_name};
use super::flags::Token;
use super::state::{CoreState, Counters, PIPES, Pending, Prices, Roster, S};
use crate::diag::Code as Class;
use crate::model::machine::Machine;
use crate::model::trace::Sym;
use crate::runtime::clock::{ActorId, Clock, Epoch};
use crate::runtime::objects::{ObjectId, Piece};
use crate::runtime::pointer::How;
use crate::runtime::schedule::Driver;
use crate::runtime::status::Remark;
use crate::runtime::watch::{At, LineId, Touched, Watch};

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
    scratch: Vec<(Piece, u32)>,
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

    /// Runs one instruction; false when it has to wait.
    #[inline]
    pub(super) fn one(&mut self, c: usize, p: usize, issue: &Issue, trips: &[u64]) -> bool {
        let line = issue.line;
        match &issue.what {
            What::Copy { src, dst } => {
                self.begin(c, p);
                let from = self.operand(c, p, line, src, trips, How::Read);
                let to = self.operand(c, p, line, dst, trips, How::Write);
                self.moves(c, p, line, &from, &to);
                self.end_work(c, p, issue, src.len);
            }
            What::Exec { r, w, accumulate } => {
                self.begin(c, p);
                let mut bytes = 0;
                for (list, how) in [(r, How::Read), (w, How::Write)] {
                    for operand in list {
                        bytes = operand.len.max(bytes);
                        self.access(c, p, line, operand, trips, how, *accumulate);
                    }
                }
                self.end_work(c, p, issue, bytes);
            }
            What::Set { to, ids } => self.set(c, p, line, usize::from(*to), ids.id(trips)),
            What::Wait { from, ids } => {
                return self.wait(c, p, line, usize::from(*from), ids.id(trips));
            }
            What::Barrier => self.barrier(c, p, line),
            What::CrossSet { mode, flag } => self.cross_set(c, p, line, *mode, *flag),
            What::CrossWait { mode, flag } => return self.cross_wait(c, p, line, *mode, *flag),
        }
        self.ran += 1;
        true
    }

    fn begin(&mut self, c: usize, p: usize) {
        let pipe = &mut self.cores[c].pipes[p];
        pipe.n += 1;
        pipe.work = pipe.n;
    }

    fn end_work(&mut self, c: usize, p: usize, issue: &Issue, bytes: u64) {
        let cost = issue.cost.unwrap_or_else(|| self.prices.of_bytes(p, bytes));
        let pipe = &mut self.cores[c].pipes[p];
        let start = pipe.time;
        pipe.time = start.saturating_add(cost);
        if !pipe.weak {
            pipe.clock.raise(pipe.actor, pipe.n);
        }
        if self.bars.len() < MAX_BARS {
            self.bars.push(Bar { actor: pipe.actor, line: issue.line, start, end: pipe.time });
        }
    }

    #[inline]
    #[expect(clippy::too_many_arguments, reason = "one access, in full")]
    fn access(
        &mut self,
        c: usize,
        p: usize,
        line: LineId,
        operand: &Operand,
        trips: &[u64],
        how: How,
        accumulate: bool,
    ) {
        if let Memory::Core(scope) = operand.at {
            let core = &self.cores[c];
            let pipe = &core.pipes[p];
            let epoch = Epoch { actor: pipe.actor, n: pipe.n };
            let at = At { line, epoch, clock: &pipe.clock };
            let piece = Piece {
                object: core.scopes[scope],
                start: operand.address(trips),
                len: operand.len,
            };
            let touched = Touched { piece, generation: 0, val: operand.val, adds: accumulate };
            match how {
                How::Read => self.ground.watch().read(&at, &touched),
                How::Write => self.ground.watch().write(&at, &touched),
            }
            return;
        }
        let pieces = self.operand(c, p, line, operand, trips, how);
        let core = &self.cores[c];
        let pipe = &core.pipes[p];
        let at = At { line, epoch: Epoch { actor: pipe.actor, n: pipe.n }, clock: &pipe.clock };
        for touched in &pieces {
            match how {
                How::Read => self.ground.watch().read(&at, touched),
                How::Write => self.ground.watch().write(&at, touched),
            }
        }
    }

    /// The bytes of an operand.
    fn operand(
        &mut self,
        c: usize,
        p: usize,
        line: LineId,
        operand: &Operand,
        trips: &[u64],
        how: How,
    ) -> Vec<Touched> {
        let address = operand.address(trips);
        let core = &self.cores[c];
        match operand.at {
            Memory::Core(scope) => {
                let piece = Piece { object: core.scopes[scope], start: address, len: operand.len };
                vec![Touched { piece, generation: 0, val: operand.val, adds: false }]
            }
            Memory::Global(name) => {
                let pipe = &core.pipes[p];
                let epoch = Epoch { actor: pipe.actor, n: pipe.n };
                let at = At { line, epoch, clock: &pipe.clock };
                self.scratch.clear();
                let out = &mut self.scratch;
                self.ground.global(&at, name, address, operand.len, how, out);
                let mut voff = operand.val.map_or(0, |(_, voff)| voff);
                let touched = |&(piece, generation): &(Piece, u32)| {
                    let val = operand.val.map(|(val, _)| (val, voff));
                    voff = voff.saturating_add(piece.len);
                    Touched { piece, generation, val, adds: false }
                };
                self.scratch.iter().map(touched).collect()
            }
        }
    }

    fn moves(&mut self, c: usize, p: usize, line: LineId, from: &[Touched], to: &[Touched]) {
        let pipe = &self.cores[c].pipes[p];
        let at = At { line, epoch: Epoch { actor: pipe.actor, n: pipe.n }, clock: &pipe.clock };
        for (from, to) in pairs(from, to) {
            self.ground.watch().copy(&at, &from, &to);
        }
    }

    fn set(&mut self, c: usize, p: usize, line: LineId, to: usize, id: u32) {
        let core = &mut self.cores[c];
        let pipe = &core.pipes[p];
        let mut known = pipe.clock.get(core.pipes[to].actor);
        // S stops at its waits: what it issues behind one comes after it (5.17). That says nothing
        // of what S reads and writes itself (13.4), so the clock cannot tell.
        if to == S {
            known = known.max(pipe.passed);
        }
        let pipe = &mut core.pipes[p];
        pipe.n += 1;
        let mut clock = pipe.clock.clone();
        clock.raise(pipe.actor, pipe.n);
        let token = Token { clock, time: pipe.time, line, work: pipe.work };
        let epoch = Epoch { actor: pipe.actor, n: pipe.n };
        if !pipe.weak {
            pipe.clock.raise(pipe.actor, pipe.n);
        }
        let (from, to) = (p as PipeId, to as PipeId);
        if let Some(before) = core.flags.get((from, to, id)).set(token, known) {
            let at = At { line, epoch, clock: &core.pipes[p].clock };
            let message = format!(
                "flag {id} from {} to {} is set again, and the wait for the set before is not known to be done",
                pipe_name(from),
                pipe_name(to)
            );
            let remark = Remark { code: Class::ReplayFlagOverrun, message };
            self.ground.watch().notice(&at, remark, Some(before));
        }
    }

    fn wait(&mut self, c: usize, p: usize, line: LineId, from: usize, id: u32) -> bool {
        let core = &mut self.cores[c];
        let n = core.pipes[p].n + 1;
        let key = (from as PipeId, p as PipeId, id);
        let Some(token) = core.flags.get(key).wait(n) else { return false };
        let setter = core.pipes[from].actor;
        self.take(c, p, line, &token, setter);
        true
    }

    /// A pipe acquires what a token brings.
    fn take(&mut self, c: usize, p: usize, line: LineId, token: &Token, setter: ActorId) {
        let core = &mut self.cores[c];
        let pipe = &mut core.pipes[p];
        pipe.n += 1;
        let mut brings = token.clock.clone();
        brings.lower(setter, token.work);
        self.ground.watch().edge(line, brings.within(&pipe.clock));
        pipe.clock.join(&token.clock);
        pipe.time = pipe.time.max(token.time);
        if !pipe.weak {
            pipe.clock.raise(pipe.actor, pipe.n);
        }
        if p == S {
            core.passed = core.pipes[S].n;
            core.acquire(&token.clock);
        }
        self.ran += 1;
    }

    fn barrier(&mut self, c: usize, p: usize, line: LineId) {
        let pipe = &mut self.cores[c].pipes[p];
        let complete = pipe.clock.get(pipe.actor) >= pipe.work;
        pipe.clock.raise(pipe.actor, pipe.n);
        self.ground.watch().edge(line, complete);
        if p == S {
            let pipe = &self.cores[c].pipes[p];
            let epoch = Epoch { actor: pipe.actor, n: pipe.n };
            let at = At { line, epoch, clock: &pipe.clock };
            let message =
                "a barrier on the scalar pipe, which the hardware does not have".to_owned();
            self.ground.watch().notice(&at, Remark { code: Class::ReplayBarrierS, message }, None);
        }
    }

    fn cross_set(&mut self, c: usize, p: usize, line: LineId, mode: u8, flag: u32) {
        let seats: Vec<_> = self.cores.iter().map(|core| core.seat).collect();
        let pipe = &mut self.cores[c].pipes[p];
        pipe.n += 1;
        let mut clock = pipe.clock.clone();
        clock.raise(pipe.actor, pipe.n);
        if !pipe.weak {
            pipe.clock.raise(pipe.actor, pipe.n);
        }
        let token = Token { clock, time: pipe.time, line, work: pipe.work };
        for (other, seat) in seats.iter().enumerate() {
            if !seats[c].reaches(*seat, mode, flag) {
                continue;
            }
            let counter = self.counters.entry((flag, c, other)).or_default();
            if counter.raise(token.clone(), self.cross_limit) {
                let pipe = &self.cores[c].pipes[p];
                let epoch = Epoch { actor: pipe.actor, n: pipe.n };
                let at = At { line, epoch, clock: &pipe.clock };
                let message = format!(
                    "cross-core flag {flag} is raised more than {} times without a wait",
                    self.cross_limit
                );
                let remark = Remark { code: Class::ReplayCounterOverflow, message };
                self.ground.watch().notice(&at, remark, counter.left());
            }
        }
    }

    fn cross_wait(&mut self, c: usize, p: usize, line: LineId, mode: u8, flag: u32) -> bool {
        let senders: Vec<usize> = (0..self.cores.len())
            .filter(|&s| self.cores[s].seat.reaches(self.cores[c].seat, mode, flag))
            .collect();
        let raised = |s: &usize| self.counters.get(&(flag, *s, c)).is_some_and(|k| k.is_raised());
        if senders.is_empty() || !senders.iter().all(raised) {
            return false;
        }
        for s in senders {
            let token = self.counters.get_mut(&(flag, s, c)).and_then(super::flags::Counter::take);
            if let Some(token) = token {
                let core = &mut self.cores[c];
                let pipe = &mut core.pipes[p];
                pipe.clock.join(&token.clock);
                pipe.time = pipe.time.max(token.time);
                if p == S {
                    core.acquire(&token.clock);
                }
            }
        }
        let pipe = &mut self.cores[c].pipes[p];
        pipe.n += 1;
        if !pipe.weak {
            pipe.clock.raise(pipe.actor, pipe.n);
        }
        self.ground.watch().edge(line, false);
        self.ran += 1;
        true
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

/// Two lists of pieces of the same bytes, cut where either is cut.
pub(crate) fn pairs(from: &[Touched], to: &[Touched]) -> Vec<(Touched, Touched)> {
    let (mut a, mut b) = (0, 0);
    let (mut done_a, mut done_b) = (0, 0);
    let mut out = Vec::with_capacity(from.len().max(to.len()));
    while let (Some(x), Some(y)) = (from.get(a), to.get(b)) {
        let len = (x.piece.len - done_a).min(y.piece.len - done_b);
        if len > 0 {
            out.push((part(x, done_a, len), part(y, done_b, len)));
        }
        done_a += len;
        done_b += len;
        if done_a >= x.piece.len {
            (a, done_a) = (a + 1, 0);
        }
        if done_b >= y.piece.len {
            (b, done_b) = (b + 1, 0);
        }
    }
    out
}

fn part(whole: &Touched, from: u64, len: u64) -> Touched {
    let piece = Piece { start: whole.piece.start.saturating_add(from), len, ..whole.piece };
    let val = whole.val.map(|(val, voff)| (val, voff.saturating_add(from)));
    Touched { piece, val, ..*whole }
}
