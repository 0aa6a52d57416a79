//! Instructions that order others: flags, barriers, cross-core counters (5.17, 13.4).

use super::code::{PipeId, pipe_name};
use super::flags::{Counter, Token};
use super::launch::{Ground, Launch};
use super::state::S;
use crate::diag::Code as Class;
use crate::runtime::clock::{ActorId, Epoch};
use crate::runtime::status::Remark;
use crate::runtime::watch::{At, LineId, Watch};

impl<G: Ground> Launch<'_, G> {
    pub(super) fn set(&mut self, c: usize, p: usize, line: LineId, to: usize, id: u32) {
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

    pub(super) fn wait(&mut self, c: usize, p: usize, line: LineId, from: usize, id: u32) -> bool {
        let core = &mut self.cores[c];
        let n = core.pipes[p].n + 1;
        let key = (from as PipeId, p as PipeId, id);
        let Some(token) = core.flags.get(key).wait(n) else { return false };
        let setter = core.pipes[from].actor;
        self.take(c, p, line, &token, setter);
        true
    }

    /// A pipe acquires what a token brings.
    pub(super) fn take(
        &mut self,
        c: usize,
        p: usize,
        line: LineId,
        token: &Token,
        setter: ActorId,
    ) {
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

    pub(super) fn barrier(&mut self, c: usize, p: usize, line: LineId) {
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

    pub(super) fn cross_set(&mut self, c: usize, p: usize, line: LineId, mode: u8, flag: u32) {
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

    pub(super) fn cross_wait(
        &mut self,
        c: usize,
        p: usize,
        line: LineId,
        mode: u8,
        flag: u32,
    ) -> bool {
        let senders: Vec<usize> = (0..self.cores.len())
            .filter(|&s| self.cores[s].seat.reaches(self.cores[c].seat, mode, flag))
            .collect();
        let raised = |s: &usize| self.counters.get(&(flag, *s, c)).is_some_and(|k| k.is_raised());
        if senders.is_empty() || !senders.iter().all(raised) {
            return false;
        }
        for s in senders {
            let token = self.counters.get_mut(&(flag, s, c)).and_then(Counter::take);
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
}
