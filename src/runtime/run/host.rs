//! What a thread's line does (5.16, 13.4): the calls that are about order; all others are passed on.

use super::engine::{Engine, id};
use super::outcome::Reply;
use super::streams::What;
use crate::diag::Code;
use crate::model::trace::{Call, Sym};
use crate::runtime::clock::{Clock, Epoch};
use crate::runtime::status::{Notes, Refused, Status};
use crate::runtime::watch::{At, Watch};

/// The call of a thread.
pub(super) struct Caller<'a, 'c> {
    /// The thread, by position.
    pub thread: usize,
    pub process: u32,
    /// The position of the line.
    pub line: usize,
    pub at: &'a At<'c>,
    /// What the thread learns by the call.
    pub learns: Clock,
    /// When what it waits for is there.
    pub until: u64,
    /// What it takes.
    pub ticks: u64,
}

impl<'t, W: Watch> Engine<'t, '_, W> {
    /// True when a thread's next line need not wait.
    pub(super) fn can_call(&self, t: usize) -> bool {
        let thread = &self.threads[t];
        let Some(line) = thread.next() else { return false };
        match &self.setup.trace.ops[line].call {
            Call::StreamSync { stream } => match self.known_stream(*stream) {
                Some(s) => self.streams[s].tasks.is_empty(),
                None => true,
            },
            Call::DeviceSync { device } => self
                .streams
                .iter()
                .filter(|s| s.device == *device && s.process == thread.process)
                .all(|s| s.tasks.is_empty()),
            Call::EventSync { event } => {
                let event = event.and_then(|e| self.event_names.get(&e));
                let record = event.and_then(|&e| self.events[e].latest);
                record.is_none_or(|r| self.records[r].done)
            }
            Call::Join { thread: other } => {
                self.thread_named(thread.process, *other).is_none_or(|o| self.threads[o].done())
            }
            Call::Barrier { threads } => {
                let mine = self.threads_named(thread.process, threads);
                mine.iter().all(|&o| {
                    let other = &self.threads[o];
                    let there = other.next().is_some_and(|line| {
                        let Call::Barrier { threads } = &self.setup.trace.ops[line].call else {
                            return false;
                        };
                        self.threads_named(other.process, threads) == mine
                    });
                    let (theirs, own) = (other.passed(&mine), thread.passed(&mine));
                    theirs > own || (theirs == own && there)
                })
            }
            Call::ValueWait { p, value, stream: None } => self.value_is_there(p, *value),
            Call::NotifyWait { notify, stream: None } => {
                self.notifies.get(notify).is_some_and(|n| !n.tokens.is_empty())
            }
            _ => true,
        }
    }

    /// A thread runs its next line.
    pub(super) fn call(&mut self, t: usize) {
        let Some(line) = self.threads[t].next() else { return };
        let thread = &mut self.threads[t];
        thread.at += 1;
        thread.n += 1;
        let (actor, n, process) = (thread.actor, thread.n, thread.process);
        let clock = std::mem::take(&mut thread.clock);
        self.now = thread.time;
        let at = At { line: id(line), epoch: Epoch { actor, n }, clock: &clock };
        let mut caller = Caller {
            thread: t,
            process,
            line,
            at: &at,
            learns: Clock::default(),
            until: 0,
            ticks: self.setup.machine.costs.call,
        };
        let trace = self.setup.trace;
        let reply = self.dispatch(&mut caller, &trace.ops[line].call);
        self.outcome(&at, line, reply);
        let (learns, until, ticks) = (caller.learns, caller.until, caller.ticks);
        let mut clock = clock;
        clock.join(&learns);
        clock.raise(actor, n);
        let thread = &mut self.threads[t];
        thread.clock = clock;
        let start = thread.time.max(until);
        thread.time = start.saturating_add(ticks);
        let end = thread.time;
        self.bar(actor, line, start, end);
        self.now = end;
    }

    fn dispatch(&mut self, caller: &mut Caller<'_, '_>, call: &'t Call) -> Reply {
        match call {
            Call::StreamCreate { .. }
            | Call::StreamDestroy { .. }
            | Call::EventCreate { .. }
            | Call::EventRecord { .. }
            | Call::EventWait { .. }
            | Call::EventReset { .. }
            | Call::EventQuery { .. }
            | Call::EventDestroy { .. }
            | Call::IpcEventExport { .. }
            | Call::IpcEventImport { .. }
            | Call::NotifyRecord { .. }
            | Call::NotifyWait { .. }
            | Call::ValueWrite { .. }
            | Call::ValueWait { .. } => self.order_call(caller, call),
            Call::StreamSync { stream } => {
                let s = self.stream(caller, *stream)?;
                self.learn_stream(caller, s);
                self.synced(caller);
                Ok(None)
            }
            Call::EventSync { event } => {
                let e = self.event(*event)?;
                if let Some(record) = self.events[e].latest {
                    let record = &self.records[record];
                    caller.learns.join(&record.clock);
                    caller.until = caller.until.max(record.time);
                }
                self.synced(caller);
                Ok(None)
            }
            Call::DeviceSync { device } => {
                for s in 0..self.streams.len() {
                    let stream = &self.streams[s];
                    if stream.device == *device && stream.process == caller.process {
                        self.learn_stream(caller, s);
                    }
                }
                self.synced(caller);
                Ok(None)
            }
            Call::Fork { thread } => self.fork(caller, *thread),
            Call::Join { thread } => {
                let Some(other) = self.thread_named(caller.process, *thread) else {
                    return Err(Refused::new(Status::NotExist, "there is no such thread"));
                };
                caller.learns.join(&self.threads[other].clock);
                caller.until = caller.until.max(self.threads[other].time);
                Ok(None)
            }
            Call::Barrier { threads } => {
                self.meet(caller, threads);
                Ok(None)
            }
            Call::Exit => {
                self.exit(caller);
                Ok(None)
            }
            Call::Compute { cost } => {
                caller.ticks = caller.ticks.saturating_add(*cost);
                Ok(None)
            }
            _ => self.memory_call(caller, call),
        }
    }

    /// A thread of that name in a process: `h1` or `p0.h1`.
    fn thread_named(&self, process: u32, name: Sym) -> Option<usize> {
        let text = self.setup.trace.text(name);
        let mine = |t: &super::threads::Thread| t.process == process && t.name == name;
        self.threads
            .iter()
            .position(mine)
            .or_else(|| self.threads.iter().position(|t| self.actors.name(t.actor) == text))
    }

    /// The threads of a barrier, by position: each process calls its own threads by their short
    /// names.
    fn threads_named(&self, process: u32, names: &[Sym]) -> Vec<usize> {
        let named = names.iter().filter_map(|&name| self.thread_named(process, name));
        let mut all: Vec<usize> = named.collect();
        all.sort_unstable();
        all
    }

    fn fork(&mut self, caller: &Caller<'_, '_>, name: Sym) -> Reply {
        let Some(other) = self.thread_named(caller.process, name) else {
            return Err(Refused::new(Status::NotExist, "the thread has no lines"));
        };
        let mut clock = caller.at.clock.clone();
        clock.raise(caller.at.epoch.actor, caller.at.epoch.n);
        let time = self.threads[caller.thread].time.saturating_add(caller.ticks);
        let thread = &mut self.threads[other];
        thread.clock.join(&clock);
        thread.time = thread.time.max(time);
        thread.started = true;
        Ok(None)
    }

    /// Threads wait for each other: each learns what those knew that have come.
    fn meet(&mut self, caller: &mut Caller<'_, '_>, threads: &[Sym]) {
        let mut all = caller.at.clock.clone();
        all.raise(caller.at.epoch.actor, caller.at.epoch.n);
        let mut time = self.threads[caller.thread].time;
        let group = self.threads_named(caller.process, threads);
        let passed = self.threads[caller.thread].passed(&group);
        for &o in group.iter().filter(|&&o| o != caller.thread) {
            let other = &self.threads[o];
            match other.passed(&group) > passed {
                // It has passed already, with what it knew when it came.
                true => {
                    if let Some((clock, when)) = self.met.get(&(o, group.clone(), passed)) {
                        all.join(clock);
                        time = time.max(*when);
                    }
                }
                false => {
                    all.join(&other.clock);
                    time = time.max(other.time);
                }
            }
        }
        let mut mine = caller.at.clock.clone();
        mine.raise(caller.at.epoch.actor, caller.at.epoch.n);
        let when = self.threads[caller.thread].time;
        self.met.insert((caller.thread, group.clone(), passed), (mine, when));
        self.threads[caller.thread].barriers.insert(group, passed + 1);
        caller.learns.join(&all);
        caller.until = caller.until.max(time);
    }

    /// What a stream has done is known to whoever waited for it.
    pub(super) fn learn_stream(&mut self, caller: &mut Caller<'_, '_>, s: usize) {
        let stream = &self.streams[s];
        let implied = stream.clock.within(caller.at.clock);
        caller.learns.join(&stream.clock);
        caller.until = caller.until.max(stream.time);
        self.watch.edge(caller.at.line, implied);
    }

    /// A synchronisation: pools may give memory back (5.15).
    fn synced(&mut self, caller: &mut Caller<'_, '_>) {
        self.counters.syncs += 1;
        let mut host = caller.at.clock.clone();
        host.join(&caller.learns);
        let mut notes = Notes::default();
        let (mut cx, _, _, pools) = self.parts().with(&mut notes);
        pools.synchronised(&mut cx, &host);
        caller.ticks = caller.ticks.saturating_add(self.tell(caller.at, notes));
        self.launched.retain(|kernel| !host.has(kernel.epoch));
    }

    /// Launches a task on a stream; its number there.
    pub(super) fn launch(&mut self, caller: &Caller<'_, '_>, s: usize, what: What) -> u32 {
        let mut host = caller.at.clock.clone();
        host.raise(caller.at.epoch.actor, caller.at.epoch.n);
        let time = self.threads[caller.thread].time.saturating_add(caller.ticks);
        let stream = &mut self.streams[s];
        stream.launched += 1;
        stream.tail.join(&host);
        if let What::Wait(record) = &what {
            stream.tail.join(&self.records[*record].tail);
        }
        stream.tail.raise(stream.actor, stream.launched);
        if let What::Record(record) = &what {
            self.records[*record].tail = stream.tail.clone();
        }
        let task = super::streams::Task {
            line: caller.line,
            n: stream.launched,
            launched: Self::kept(&host),
            time,
            what,
        };
        stream.tasks.push_back(task);
        stream.launched
    }

    /// The host touches managed memory while a kernel runs (13.4).
    pub(super) fn host_during_kernel(&mut self, at: &At<'_>) {
        if self.setup.machine.capabilities.concurrent_managed {
            return;
        }
        let running: Vec<_> =
            self.launched.iter().filter(|k| !at.clock.has(k.epoch)).map(|k| k.line).collect();
        if let Some(&line) = running.first() {
            let message = "the host touches managed memory while a kernel may still run, which this \
                           machine does not allow";
            let remark = crate::runtime::status::Remark {
                code: Code::ReplayHostDuringKernel,
                message: message.to_owned(),
            };
            self.watch.notice(at, remark, Some(id(line)));
        }
    }
}
