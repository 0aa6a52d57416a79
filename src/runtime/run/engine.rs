//! The state of a run, and who goes next.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::access::{Ledger, Owned};
use super::actors::{Actors, Kind};
use super::bindings::Binding;
use super::host_pool_calls::HostPools;
use super::outcome::Ran;
use super::parts::Part;
use super::path::Path;
use super::section_calls::Linkers;
use super::streams::{Cells, Event, Launched, Notify, Record, Stream};
use super::threads::{Thread, processes};
use crate::diag::Code as Class;
use crate::model::machine::{Machine, Mode};
use crate::model::trace::{Call, Fault, Sym, Trace};
use crate::runtime::clock::{ActorId, Clock, Epoch};
use crate::runtime::context::Context;
use crate::runtime::counters::Counters;
use crate::runtime::injected::Injected;
use crate::runtime::lines::Lines;
use crate::runtime::memory::Memory;
use crate::runtime::objects::{ObjectId, Objects, Piece};
use crate::runtime::pipes::code::Code;
use crate::runtime::pipes::launch::Bar;
use crate::runtime::pipes::{Prices, Roster};
use crate::runtime::quirks::Quirk;
use crate::runtime::schedule::{Driver, Ready};
use crate::runtime::soma::{PoolId, Pools};
use crate::runtime::status::{Notes, Remark};
use crate::runtime::svm::Space;
use crate::runtime::uvm::Uvm;
use crate::runtime::watch::{At, LineId, Watch};

/// What is run, and how.
#[derive(Debug)]
pub struct Setup<'t> {
    /// The trace.
    pub trace: &'t Trace,
    /// Its lines.
    pub lines: &'t Lines<'t>,
    /// Its programs as code, in the order of the trace.
    pub codes: &'t [Code],
    /// The machine.
    pub machine: &'t Machine,
    /// Whose behaviour counts.
    pub mode: Mode,
}

/// A run.
pub(super) struct Engine<'t, 'w, W> {
    pub setup: &'t Setup<'t>,
    pub watch: &'w mut W,
    pub driver: &'w mut Driver,
    pub actors: Actors,
    pub processes: Vec<Sym>,
    pub threads: Vec<Thread>,
    pub streams: Vec<Stream>,
    pub stream_names: BTreeMap<Sym, usize>,
    pub events: Vec<Event>,
    pub event_names: BTreeMap<Sym, usize>,
    pub records: Vec<Record>,
    pub notifies: BTreeMap<Sym, Notify>,
    pub values: Cells,
    pub bindings: BTreeMap<Sym, Binding>,
    pub memory: Memory,
    pub objects: Objects,
    pub injected: Injected,
    pub counters: Counters,
    pub space: Space,
    pub uvm: Vec<Uvm>,
    pub pools: Pools,
    pub launched: Vec<Launched>,
    pub snapshots: u64,
    /// Calls of pools, whose order decides who gets which block.
    pub pool_calls: super::streams::Calls,
    /// True when it was open which of two threads is faster, and that decides what is run.
    pub open: bool,
    pub prices: Prices,
    pub roster: Roster,
    pub bars: Vec<Bar>,
    pub sides: BTreeMap<(Sym, Vec<u64>), bool>,
    pub answers: Vec<(String, String)>,
    pub quirks: Vec<(LineId, Quirk)>,
    pub faults_done: Vec<bool>,
    /// Allocations by their books and generations.
    pub owned: BTreeMap<(Ledger, u32), Owned>,
    /// The process of each managed allocation.
    pub managed_of: BTreeMap<u32, u32>,
    /// Allocations whose pages come when they are touched.
    pub lazy: BTreeSet<u32>,
    /// Blocks without memory.
    pub unmapped: BTreeSet<u32>,
    /// Parts of allocations that are handed out one by one, by generation.
    pub parts: BTreeMap<u32, Part>,
    pub linkers: Linkers,
    pub host_pools: HostPools,
    /// Things that were there before the trace began.
    pub foreign: Vec<ObjectId>,
    /// Pools with their names, processes and devices.
    pub pool_names: Vec<(Sym, PoolId, u32, u32)>,
    pub default_stream: Sym,
    /// By thread, the threads that meet and the number of the barrier: what a thread knew when it
    /// came, and when that was.
    pub met: BTreeMap<(usize, Vec<usize>, u64), (Clock, u64)>,
    pub path: Path,
    pub scratch: Vec<(Piece, u32)>,
    /// The time of the latest action.
    pub now: u64,
}

/// Runs a trace; tells `watch` everything.
pub fn run<W: Watch>(setup: &Setup<'_>, path: Path, driver: &mut Driver, watch: &mut W) -> Ran {
    let mut engine = Engine::new(setup, path, driver, watch);
    engine.go();
    engine.end()
}

impl<'t, 'w, W: Watch> Engine<'t, 'w, W> {
    fn new(setup: &'t Setup<'t>, path: Path, driver: &'w mut Driver, watch: &'w mut W) -> Self {
        let Setup { trace, machine, .. } = *setup;
        let processes = processes(trace);
        let devices = trace.devices.max(1);
        let injected = Injected::new(&trace.injections);
        let host = injected
            .host_pages()
            .map_or(machine.host_memory, |pages| pages.saturating_mul(machine.uvm_page));
        let count = u32::try_from(processes.len()).unwrap_or(u32::MAX);
        let mut engine = Self {
            setup,
            watch,
            driver,
            actors: Actors::default(),
            threads: Vec::new(),
            streams: Vec::new(),
            stream_names: BTreeMap::new(),
            events: Vec::new(),
            event_names: BTreeMap::new(),
            records: Vec::new(),
            notifies: BTreeMap::new(),
            values: Cells::default(),
            bindings: BTreeMap::new(),
            memory: Memory::new(devices, machine.device_memory, host),
            objects: Objects::default(),
            faults_done: vec![false; trace.injections.len()],
            injected,
            counters: Counters::default(),
            space: Space::new(count, devices),
            uvm: (0..count).map(Uvm::new).collect(),
            pools: Pools::default(),
            launched: Vec::new(),
            snapshots: 0,
            pool_calls: super::streams::Calls::default(),
            open: false,
            prices: Prices::of(machine),
            roster: Roster::default(),
            bars: Vec::new(),
            sides: BTreeMap::new(),
            answers: Vec::new(),
            quirks: Vec::new(),
            owned: BTreeMap::new(),
            managed_of: BTreeMap::new(),
            lazy: BTreeSet::new(),
            unmapped: BTreeSet::new(),
            parts: BTreeMap::new(),
            linkers: Linkers::default(),
            host_pools: HostPools::default(),
            foreign: Vec::new(),
            pool_names: Vec::new(),
            // A name that no reader makes, where the trace does not name its default stream.
            default_stream: trace.names.find("default").unwrap_or(Sym(u32::MAX)),
            met: BTreeMap::new(),
            path,
            scratch: Vec::new(),
            now: 0,
            processes,
        };
        engine.people();
        engine.open_devices(devices);
        engine
    }

    /// Threads, in the order of their first lines.
    fn people(&mut self) {
        let trace = self.setup.trace;
        let forked: Vec<Sym> = trace
            .ops
            .iter()
            .filter_map(|op| match op.call {
                Call::Fork { thread } => Some(thread),
                _ => None,
            })
            .collect();
        for (line, op) in trace.ops.iter().enumerate() {
            let (process, name) = op.thread;
            let p = self.processes.iter().position(|&s| s == process).unwrap_or(0);
            let p = u32::try_from(p).unwrap_or(0);
            let known = self.threads.iter().position(|t| t.process == p && t.name == name);
            let at = known.unwrap_or_else(|| {
                let text = format!("{}.{}", trace.text(process), trace.text(name));
                let awaits_fork = forked.iter().any(|&f| f == name || trace.text(f) == text);
                let actor = self.actors.add(text, Kind::Thread, p);
                self.threads.push(Thread {
                    process: p,
                    name,
                    actor,
                    lines: Vec::new(),
                    at: 0,
                    clock: Clock::default(),
                    n: 0,
                    time: 0,
                    started: !awaits_fork,
                    barriers: BTreeMap::new(),
                    ended: false,
                });
                self.threads.len() - 1
            });
            self.threads[at].lines.push(line);
        }
    }

    /// Runs until nobody can go on.
    fn go(&mut self) {
        let mut ready: Vec<(Ready, Next)> = Vec::new();
        loop {
            ready.clear();
            for (at, thread) in self.threads.iter().enumerate() {
                if let Some(line) = thread.next().filter(|_| thread.started && self.can_call(at)) {
                    ready.push((
                        Ready { actor: thread.actor, nth: 0, line: id(line) },
                        Next::Thread(at),
                    ));
                }
            }
            for (at, stream) in self.streams.iter().enumerate() {
                if let Some(task) = stream.tasks.front().filter(|_| self.can_run(at)) {
                    let ready_ = Ready { actor: stream.actor, nth: 0, line: id(task.line) };
                    ready.push((ready_, Next::Stream(at)));
                }
            }
            if ready.is_empty() {
                return;
            }
            let next = if self.driver.canonical() {
                let first = ready.iter().min_by_key(|(r, _)| (r.line, r.actor));
                first.map_or(Next::Thread(0), |(_, next)| *next)
            } else {
                ready.sort_by_key(|(r, _)| (r.line, r.actor));
                let list: Vec<Ready> = ready.iter().map(|(r, _)| *r).collect();
                let actors = &self.actors;
                let at = self.driver.pick(&list, &|a| actors.name(a).to_owned());
                ready[at].1
            };
            match next {
                Next::Thread(at) => {
                    if let Some(line) = self.threads[at].next() {
                        self.timed_faults(line);
                    }
                    self.call(at);
                }
                Next::Stream(at) => self.task(at),
            }
        }
    }

    /// Faults that are to happen before a line.
    fn timed_faults(&mut self, line: usize) {
        for at in 0..self.faults_done.len() {
            if self.faults_done[at] {
                continue;
            }
            match self.setup.trace.injections[at].fault {
                Fault::Evict { p, off, at: when } if when <= line => {
                    self.faults_done[at] = true;
                    self.evict(p, off);
                }
                Fault::Crash { process, at: when } if when <= line => {
                    self.faults_done[at] = true;
                    self.crash(process);
                }
                _ => {}
            }
        }
    }

    /// The machine around a call, and the parts that are called.
    pub(super) fn parts(&mut self) -> Parts<'_> {
        Parts {
            machine: self.setup.machine,
            mode: self.setup.mode,
            memory: &mut self.memory,
            objects: &mut self.objects,
            injected: &mut self.injected,
            counters: &mut self.counters,
            space: &mut self.space,
            uvm: &mut self.uvm,
            pools: &mut self.pools,
            now: self.now,
        }
    }

    /// Tells the watcher something about an action.
    pub(super) fn notice(&mut self, at: &At<'_>, code: Class, message: impl Into<String>) {
        self.watch.notice(at, Remark { code, message: message.into() }, None);
    }

    /// What calls left in their notes goes to the watcher; the ticks that they took.
    pub(super) fn tell(&mut self, at: &At<'_>, notes: Notes) -> u64 {
        for remark in notes.remarks {
            self.watch.notice(at, remark, None);
        }
        for quirk in notes.quirks {
            if !self.quirks.contains(&(at.line, quirk)) {
                self.quirks.push((at.line, quirk));
            }
        }
        notes.ticks
    }

    fn end(mut self) -> Ran {
        self.stuck();
        self.outputs();
        self.check_model();
        let makespan = self.bars.iter().map(|bar| bar.end).max().unwrap_or(0).max(self.now);
        let threads = self.threads.iter().map(|t| t.time);
        let makespan = threads.chain(self.streams.iter().map(|s| s.time)).fold(makespan, u64::max);
        let high = self.pools_high();
        Ran {
            actors: self.actors,
            objects: self.objects,
            counters: self.counters,
            answers: self.answers,
            bars: self.bars,
            quirks: self.quirks,
            makespan,
            high,
            memory: self.memory,
            path: self.path,
            open: self.open,
        }
    }

    /// Says who waits for ever.
    fn stuck(&mut self) {
        let mut waits: Vec<(LineId, ActorId, String)> = Vec::new();
        for thread in &self.threads {
            let Some(line) = thread.next() else { continue };
            let name = self.actors.name(thread.actor);
            let what = if thread.started { "waits" } else { "is never started" };
            let label = &self.setup.trace.ops[line].label;
            waits.push((id(line), thread.actor, format!("{name} {what} at `{label}`")));
        }
        for stream in self.streams.iter().filter(|s| s.alive) {
            let Some(task) = stream.tasks.front() else { continue };
            let name = self.actors.name(stream.actor);
            let label = &self.setup.trace.ops[task.line].label;
            waits.push((id(task.line), stream.actor, format!("{name} waits at `{label}`")));
        }
        let Some(&(line, actor, _)) = waits.first() else { return };
        let all: Vec<&str> = waits.iter().map(|(_, _, text)| text.as_str()).collect();
        let message = format!("nobody can go on: {}", all.join("; "));
        let clock = Clock::default();
        let at = At { line, epoch: Epoch { actor, n: 0 }, clock: &clock };
        self.watch.notice(&at, Remark { code: Class::ReplayDeadlock, message }, None);
    }

    /// A clock to be kept beside a task.
    pub(super) fn kept(clock: &Clock) -> Rc<Clock> {
        Rc::new(clock.clone())
    }
}

/// The parts of the machine, apart from the engine.
pub(super) struct Parts<'a> {
    machine: &'a Machine,
    mode: Mode,
    memory: &'a mut Memory,
    objects: &'a mut Objects,
    injected: &'a mut Injected,
    counters: &'a mut Counters,
    now: u64,
    pub space: &'a mut Space,
    pub uvm: &'a mut Vec<Uvm>,
    pub pools: &'a mut Pools,
}

impl<'a> Parts<'a> {
    /// The machine around one call, and the parts.
    pub(super) fn with<'n>(
        self,
        notes: &'n mut Notes,
    ) -> (Context<'n>, &'a mut Space, &'a mut Vec<Uvm>, &'a mut Pools)
    where
        'a: 'n,
    {
        let cx = Context {
            machine: self.machine,
            mode: self.mode,
            memory: self.memory,
            objects: self.objects,
            injected: self.injected,
            counters: self.counters,
            notes,
            now: self.now,
        };
        (cx, self.space, self.uvm, self.pools)
    }
}

#[derive(Clone, Copy)]
enum Next {
    Thread(usize),
    Stream(usize),
}

/// The number of a call's line.
pub(super) fn id(line: usize) -> LineId {
    LineId(u32::try_from(line).unwrap_or(u32::MAX))
}
