//! A host with threads, streams and events around the pools, with clocks as a run would keep them.

use std::rc::Rc;

use crate::model::machine::{Machine, Mode, Product, SomaPolicy};
use crate::model::trace::{PoolAttribute, ReusePolicy};
use crate::runtime::clock::{ActorId, Clock, Epoch};
use crate::runtime::context::Context;
use crate::runtime::counters::Counters;
use crate::runtime::injected::Injected;
use crate::runtime::memory::Memory;
use crate::runtime::objects::Objects;
use crate::runtime::soma::{Ask, Block, FreeMark, Given, PoolId, Pools, Wanted};
use crate::runtime::status::{Notes, Refused};

pub(super) const MIB: u64 = 1 << 20;
pub(super) const GIB: u64 = 1 << 30;

/// Threads are actors 0 and 1, streams follow.
pub(super) const THREADS: u32 = 2;

pub(super) struct World {
    pub(super) machine: Machine,
    pub(super) mode: Mode,
    pub(super) memory: Memory,
    pub(super) objects: Objects,
    pub(super) injected: Injected,
    pub(super) counters: Counters,
    /// Of the last call.
    pub(super) notes: Notes,
    pub(super) pools: Pools,
    clocks: Vec<Clock>,
    events: Vec<Option<Clock>>,
    /// Who calls.
    pub(super) thread: ActorId,
}

/// Stream `n`, from 0.
pub(super) fn stream(n: u32) -> ActorId {
    ActorId(THREADS + n)
}

impl World {
    /// Two devices with so many bytes.
    pub(super) fn new(mode: Mode, device_bytes: u64) -> Self {
        Self {
            machine: Machine::of(Product::A2, "test"),
            mode,
            memory: Memory::new(2, device_bytes, GIB),
            objects: Objects::default(),
            injected: Injected::default(),
            counters: Counters::default(),
            notes: Notes::default(),
            pools: Pools::default(),
            clocks: vec![Clock::default(); 16],
            events: vec![None; 8],
            thread: ActorId(0),
        }
    }

    pub(super) fn policy(policy: SomaPolicy, device_bytes: u64) -> Self {
        let mode = if policy == SomaPolicy::Documented { Mode::Spec } else { Mode::Source };
        let mut world = Self::new(mode, device_bytes);
        world.machine.soma_policy = Some(policy);
        world
    }

    pub(super) fn with<T>(&mut self, call: impl FnOnce(&mut Pools, &mut Context<'_>) -> T) -> T {
        self.notes = Notes::default();
        let mut cx = Context {
            machine: &self.machine,
            mode: self.mode,
            memory: &mut self.memory,
            objects: &mut self.objects,
            injected: &mut self.injected,
            counters: &mut self.counters,
            notes: &mut self.notes,
            now: 0,
        };
        let answer = call(&mut self.pools, &mut cx);
        if let Err(what) = self.pools.check(&self.memory) {
            panic!("{what}");
        }
        answer
    }

    pub(super) fn create(&mut self, max: u64, reuse: &[ReusePolicy]) -> Result<PoolId, Refused> {
        let (name, ipc, hal) = ("P", false, false);
        let wanted = Wanted { name, device: 0, max, threshold: 0, reuse, ipc, hal };
        self.with(|pools, cx| pools.create(cx, &wanted))
    }

    pub(super) fn clock(&self, actor: ActorId) -> &Clock {
        &self.clocks[actor.0 as usize]
    }

    /// The actor does something, knowing what the calling thread knows.
    fn act(&mut self, actor: ActorId) -> (Epoch, Rc<Clock>) {
        let host = self.clock(self.thread).clone();
        let clock = &mut self.clocks[actor.0 as usize];
        clock.join(&host);
        let n = clock.get(actor) + 1;
        clock.raise(actor, n);
        (Epoch { actor, n }, Rc::new(clock.clone()))
    }

    pub(super) fn mark(&mut self, actor: ActorId) -> FreeMark {
        let (epoch, clock) = self.act(actor);
        FreeMark { stream: actor, epoch, clock }
    }

    /// What a task enqueued now on the stream will know.
    pub(super) fn request(&self, stream: ActorId) -> Clock {
        let mut request = self.clock(stream).clone();
        request.join(self.clock(self.thread));
        request
    }

    pub(super) fn alloc(&mut self, pool: PoolId, size: u64, on: ActorId) -> Result<Given, Refused> {
        self.alloc_choosing(pool, size, on, 0, &mut |_| 0)
    }

    pub(super) fn alloc_choosing(
        &mut self,
        pool: PoolId,
        size: u64,
        on: ActorId,
        device: u32,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Given, Refused> {
        let (request, host) = (self.request(on), self.clock(self.thread).clone());
        let ask = Ask { size, stream: on, device, request: &request, host: &host };
        let given = self.with(|pools, cx| pools.alloc(cx, pool, &ask, choose))?;
        for mark in &given.after {
            self.clocks[on.0 as usize].join(&mark.clock);
        }
        self.act(on);
        Ok(given)
    }

    pub(super) fn free(&mut self, given: &Given, on: ActorId) -> Result<Block, Refused> {
        self.free_at(given.block.address, given.block.generation, on)
    }

    pub(super) fn free_at(
        &mut self,
        p: u64,
        generation: u32,
        on: ActorId,
    ) -> Result<Block, Refused> {
        let mark = self.mark(on);
        self.with(|pools, cx| pools.free_async(cx, p, generation, mark))
    }

    pub(super) fn free_now(&mut self, p: u64, generation: u32) -> Result<Block, Refused> {
        let mark = self.mark(self.thread);
        self.with(|pools, cx| pools.free_sync(cx, p, generation, Some(mark)))
    }

    pub(super) fn record(&mut self, event: u32, on: ActorId) {
        let (_, clock) = self.act(on);
        self.events[event as usize] = Some((*clock).clone());
        self.pools.recorded(on, event);
    }

    pub(super) fn wait(&mut self, event: u32, on: ActorId) {
        if let Some(clock) = self.events[event as usize].clone() {
            self.clocks[on.0 as usize].join(&clock);
        }
        self.act(on);
        self.pools.waited(on, event);
    }

    pub(super) fn event_destroy(&mut self, event: u32) {
        self.events[event as usize] = None;
        self.pools.event_destroyed(event);
    }

    /// The calling thread learns what another actor knows; no pool hears of it.
    pub(super) fn learn(&mut self, from: ActorId) {
        let clock = self.clock(from).clone();
        self.clocks[self.thread.0 as usize].join(&clock);
    }

    pub(super) fn stream_sync(&mut self, on: ActorId) -> u64 {
        self.learn(on);
        self.synchronised()
    }

    pub(super) fn event_sync(&mut self, event: u32) -> u64 {
        if let Some(clock) = self.events[event as usize].clone() {
            self.clocks[self.thread.0 as usize].join(&clock);
        }
        self.synchronised()
    }

    pub(super) fn device_sync(&mut self, streams: u32) -> u64 {
        (0..streams).for_each(|n| self.learn(stream(n)));
        self.synchronised()
    }

    fn synchronised(&mut self) -> u64 {
        let host = self.clock(self.thread).clone();
        self.with(|pools, cx| pools.synchronised(cx, &host))
    }

    pub(super) fn trim(&mut self, pool: PoolId, keep: u64) -> Result<u64, Refused> {
        let host = self.clock(self.thread).clone();
        self.with(|pools, cx| pools.trim(cx, pool, keep, &host))
    }

    pub(super) fn pressure(&mut self, device: u32) -> u64 {
        let host = self.clock(self.thread).clone();
        self.with(|pools, cx| pools.pressure(cx, device, &host))
    }

    pub(super) fn destroy(&mut self, pool: PoolId) -> Result<Vec<Block>, Refused> {
        self.with(|pools, cx| pools.destroy(cx, pool))
    }

    pub(super) fn set(&mut self, p: PoolId, a: PoolAttribute, value: u64) -> Result<(), Refused> {
        self.with(|pools, cx| pools.set(cx, p, a, value))
    }

    pub(super) fn get(&mut self, p: PoolId, a: PoolAttribute) -> Result<u64, Refused> {
        self.with(|pools, cx| pools.get(cx, p, a))
    }

    /// Used and reserved bytes.
    pub(super) fn counts(&mut self, pool: PoolId) -> (u64, u64) {
        let mut get = |a| self.get(pool, a).expect("an attribute");
        (get(PoolAttribute::UsedCurrent), get(PoolAttribute::ReservedCurrent))
    }
}
