//! Orders other than the one written: S issues ahead, pipes run what they have when it is chosen,
//! and a weak pipe may finish a later instruction before an earlier one.

use std::rc::Rc;

use super::code::{Issue, Operand, Step, What};
use super::launch::{Ground, Launch};
use super::state::{PIPES, S};
use crate::runtime::clock::ActorId;
use crate::runtime::schedule::{Driver, Ready};

/// Something that can be done.
#[derive(Clone, Copy)]
enum Choice {
    /// S goes on.
    Issue(usize),
    /// A pipe of a core runs what stands at this place of its queue.
    Run(usize, usize, usize),
}

impl<G: Ground> Launch<'_, G> {
    pub(super) fn explore(
        &mut self,
        driver: &mut Driver,
        names: &dyn Fn(ActorId) -> String,
    ) -> bool {
        loop {
            for c in 0..self.cores.len() {
                self.issue_ahead(c);
                self.start(c);
            }
            let mut options: Vec<(Ready, Choice)> = Vec::new();
            for c in 0..self.cores.len() {
                self.options(c, &mut options);
            }
            if options.is_empty() {
                return (0..self.cores.len()).all(|c| self.finished(c));
            }
            options.sort_by_key(|(ready, _)| (ready.nth > 0, ready.line, ready.actor));
            let ready: Vec<Ready> = options.iter().map(|(ready, _)| *ready).collect();
            let at = driver.pick(&ready, names);
            match options[at].1 {
                Choice::Issue(c) => self.issue_own(c),
                Choice::Run(c, p, k) => self.run_at(c, p, k),
            }
        }
    }

    /// S issues all that it need not wait for: its own work as well, which takes its time (13.4).
    fn issue_ahead(&mut self, c: usize) {
        let code = self.code;
        while let Some(step) = code.cores[c].code.get(self.cores[c].pc) {
            match step {
                Step::Issue(issue) => {
                    let waits = matches!(issue.what, What::Wait { .. } | What::CrossWait { .. });
                    match issue.pipe.map(usize::from) {
                        None => return,
                        Some(S) if waits => return,
                        Some(p) => {
                            self.push(c, p);
                            self.cores[c].pc += 1;
                        }
                    }
                }
                other => self.jump(c, other),
            }
        }
    }

    /// Numbers the instructions that nothing holds back any more.
    fn start(&mut self, c: usize) {
        let code = self.code;
        for p in 0..PIPES {
            let pipe = &mut self.cores[c].pipes[p];
            // On a strong pipe each knows that the one before it is complete.
            let ahead = if pipe.weak { usize::MAX } else { 1 };
            for pending in pipe.queue.iter_mut().take(ahead) {
                if pending.started.is_some() {
                    continue;
                }
                let Step::Issue(issue) = &code.cores[c].code[pending.step] else { continue };
                // What waits, and a barrier, start when they are chosen. A set fires when all before
                // it is through, but nobody behind it waits for that (5.17).
                let works = matches!(issue.what, What::Copy { .. } | What::Exec { .. });
                if !works && !matches!(issue.what, What::Set { .. } | What::CrossSet { .. }) {
                    break;
                }
                pipe.clock.join(&pending.acquired);
                pipe.n += 1;
                if works {
                    pipe.work = pipe.n;
                }
                pending.started = Some((pipe.n, Rc::new(pipe.clock.clone())));
                // A strong pipe does one after the other: the next knows that this is through.
                if !pipe.weak {
                    pipe.clock.raise(pipe.actor, pipe.n);
                }
            }
        }
    }

    fn options(&self, c: usize, options: &mut Vec<(Ready, Choice)>) {
        let (core, code) = (&self.cores[c], &self.code.cores[c].code);
        if let Some(Step::Issue(issue)) = code.get(core.pc) {
            let can = match issue.pipe {
                None => core.drained(),
                Some(_) => self.can(c, S, &issue.what, &core.trips),
            };
            if can {
                // It stands behind all that S has still to do, and may be passed by it.
                let nth = u32::try_from(core.pipes[S].queue.len()).unwrap_or(u32::MAX);
                let actor = core.pipes[S].actor;
                options.push((Ready { actor, nth, line: issue.line }, Choice::Issue(c)));
            }
        }
        for (p, pipe) in core.pipes.iter().enumerate() {
            for (k, pending) in pipe.queue.iter().enumerate() {
                let Step::Issue(issue) = &code[pending.step] else { continue };
                let work = matches!(issue.what, What::Copy { .. } | What::Exec { .. });
                let waits = matches!(issue.what, What::Wait { .. } | What::CrossWait { .. });
                // A wait may be passed while earlier instructions still run; a set does not fire
                // and a barrier is not passed. A strong pipe does one thing after the other.
                let may_pass = pipe.weak && (work || waits) && !self.adds_to_earlier(c, p, k);
                let in_turn = k == 0 || may_pass;
                if in_turn && (work || self.can(c, p, &issue.what, &pending.trips)) {
                    let nth = u32::try_from(k).unwrap_or(u32::MAX);
                    let ready = Ready { actor: pipe.actor, nth, line: issue.line };
                    options.push((ready, Choice::Run(c, p, k)));
                }
                // Nothing behind what has not started can run.
                if pending.started.is_none() {
                    break;
                }
            }
        }
    }

    /// True for a product that adds to what an earlier one still has to write: the hardware keeps
    /// these two in order (13.4).
    fn adds_to_earlier(&self, c: usize, p: usize, k: usize) -> bool {
        let (code, queue) = (&self.code.cores[c].code, &self.cores[c].pipes[p].queue);
        let products = |at: usize| {
            let pending = queue.get(at)?;
            match code.get(pending.step)? {
                Step::Issue(Issue { what: What::Exec { w, accumulate, .. }, .. }) => {
                    Some((w, *accumulate, &pending.trips))
                }
                _ => None,
            }
        };
        let Some((mine, true, trips)) = products(k) else { return false };
        let earlier = (0..k).filter_map(products);
        earlier.into_iter().any(|(theirs, _, then)| {
            theirs.iter().any(|a| {
                let same =
                    |b: &Operand| (a.at, a.len, a.address(then)) == (b.at, b.len, b.address(trips));
                mine.iter().any(same)
            })
        })
    }

    /// True when an instruction need not wait.
    fn can(&self, c: usize, p: usize, what: &What, trips: &[u64]) -> bool {
        match what {
            What::Wait { from, ids } => self.cores[c].flags.is_set((*from, p as u8, ids.id(trips))),
            What::CrossWait { mode, flag } => {
                let mut any = false;
                for s in 0..self.cores.len() {
                    if self.cores[s].seat.reaches(self.cores[c].seat, *mode, *flag) {
                        any = true;
                        if !self.counters.get(&(*flag, s, c)).is_some_and(|k| k.is_raised()) {
                            return false;
                        }
                    }
                }
                any
            }
            _ => true,
        }
    }

    /// S passes the wait or the barrier of all pipes that it stands at.
    fn issue_own(&mut self, c: usize) {
        let code = self.code;
        let Some(Step::Issue(issue)) = code.cores[c].code.get(self.cores[c].pc) else { return };
        if issue.pipe.is_none() {
            self.all_pipes(c);
        } else {
            let trips = std::mem::take(&mut self.cores[c].trips);
            self.one(c, S, issue, &trips);
            self.cores[c].trips = trips;
        }
        self.cores[c].pc += 1;
    }

    fn run_at(&mut self, c: usize, p: usize, k: usize) {
        let code = self.code;
        let pipe = &mut self.cores[c].pipes[p];
        let Some(pending) = pipe.queue.remove(k) else { return };
        let Step::Issue(issue) = &code.cores[c].code[pending.step] else { return };
        let Some((n, clock)) = pending.started else {
            pipe.clock.join(&pending.acquired);
            pipe.passed = pending.passed;
            self.one(c, p, issue, &pending.trips);
            return;
        };
        // It runs with the number and the knowledge that it started with.
        let after = (pipe.n, pipe.work, std::mem::replace(&mut pipe.clock, (*clock).clone()));
        pipe.n = n - 1;
        pipe.work = after.1.min(n);
        pipe.passed = pending.passed;
        self.one(c, p, issue, &pending.trips);
        let pipe = &mut self.cores[c].pipes[p];
        (pipe.n, pipe.work) = (after.0, after.1);
        let strong = !pipe.weak;
        pipe.clock = after.2;
        if strong {
            pipe.clock.raise(pipe.actor, n);
        }
    }
}
