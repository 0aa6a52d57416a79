//! What the program's own synchronisation orders: the pipes as queues, without any bytes (5.17, 13.4).
//!
//! The scalar pipe issues items in the order of the program; each goes to the queue of its pipe. A
//! wait at the head of a queue holds it up until its flag is set, whatever the program's order. Wait
//! `k` of a flag belongs to set `k`.

use std::collections::{BTreeMap, VecDeque};

use super::faults::SyncFault;
use super::tape::{Flag, Item, Path, Pipes};
use crate::model::OpId;
use crate::runtime::clock::{ActorId, Clock};

/// What carried synchronisation makes known.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// For each stage, what its pipe knows to be complete before it.
    pub known: Vec<Clock>,
    /// The items in an order in which they can happen.
    pub order: Vec<usize>,
    /// For each wait, by its item, the set that it waits for.
    pub pairs: BTreeMap<usize, usize>,
}

/// Lets the queues run empty.
pub(super) fn run(path: &Path, pipes: &Pipes, faults: &mut Vec<SyncFault>) -> Carried {
    let flags = Flags::of(path, faults);
    let actors = pipes.len();
    let mut queues = Queues {
        path,
        pipes,
        flags,
        waiting: vec![VecDeque::new(); actors as usize],
        clocks: vec![Clock::default(); actors as usize],
        counts: vec![0; actors as usize],
        waits: vec![0; actors as usize],
        issue: vec![Clock::default()],
        set: BTreeMap::new(),
        next: 0,
        blocked: None,
        out: Carried { known: vec![Clock::default(); path.stages.len()], ..Carried::default() },
    };
    loop {
        queues.issue();
        let mut moved = false;
        for actor in 0..actors {
            while queues.head(ActorId(actor)).is_some_and(|(at, _)| queues.ready(at)) {
                queues.step(ActorId(actor), faults);
                moved = true;
            }
        }
        if moved {
            continue;
        }
        let stuck =
            (0..actors).filter_map(|a| Some((queues.head(ActorId(a))?.0, ActorId(a)))).min();
        let Some((_, actor)) = stuck else { return queues.out };
        queues.deadlock(actor, faults);
    }
}

/// Which wait belongs to which set.
struct Flags {
    /// By item of a wait: the item of its set, if there is one.
    set_of: BTreeMap<usize, Option<usize>>,
    /// By item of a set: the wait that must be done before it: who waits, and his how many-th wait it
    /// is; none when there is no such wait.
    after: BTreeMap<usize, Option<(ActorId, u32)>>,
    /// Flags that were found to be overrun.
    overrun: BTreeMap<Flag, ()>,
    /// For each set that is never awaited.
    left: Vec<usize>,
}

impl Flags {
    fn of(path: &Path, faults: &mut Vec<SyncFault>) -> Self {
        let mut sets: BTreeMap<Flag, Vec<usize>> = BTreeMap::new();
        let mut waits: BTreeMap<Flag, Vec<(usize, ActorId, u32)>> = BTreeMap::new();
        let mut counts: BTreeMap<ActorId, u32> = BTreeMap::new();
        for (at, item) in path.items.iter().enumerate() {
            match *item {
                Item::Set(_, _, flag) => sets.entry(flag).or_default().push(at),
                Item::Wait(_, actor, flag) => {
                    let count = counts.entry(actor).or_default();
                    *count = count.saturating_add(1);
                    waits.entry(flag).or_default().push((at, actor, *count));
                }
                Item::Stage(_) | Item::Barrier(..) => {}
            }
        }
        let none = Vec::new();
        let mut flags = Self {
            set_of: BTreeMap::new(),
            after: BTreeMap::new(),
            overrun: BTreeMap::new(),
            left: Vec::new(),
        };
        for (flag, waits) in &waits {
            let sets = sets.get(flag).map_or(&[][..], Vec::as_slice);
            for (k, &(at, ..)) in waits.iter().enumerate() {
                flags.set_of.insert(at, sets.get(k).copied());
                if let (None, Flag::Pipes(..), Some(op)) = (sets.get(k), flag, op_of(path, at)) {
                    faults.push(SyncFault::NeverSet(op, *flag));
                }
            }
        }
        for (flag, sets) in &sets {
            if matches!(flag, Flag::Cores(_)) {
                continue;
            }
            let waits = waits.get(flag).unwrap_or(&none);
            for (k, &at) in sets.iter().enumerate().skip(1) {
                let before = waits.get(k - 1).map(|&(_, actor, n)| (actor, n));
                flags.after.insert(at, before);
            }
            flags.left.extend(sets.get(waits.len()..).unwrap_or_default().iter().take(1));
        }
        flags
    }
}

fn op_of(path: &Path, at: usize) -> Option<OpId> {
    match *path.items.get(at)? {
        Item::Stage(stage) => path.stages.get(stage as usize).map(|s| s.op),
        Item::Set(op, ..) | Item::Wait(op, ..) | Item::Barrier(op, _) => Some(op),
    }
}

struct Queues<'a> {
    path: &'a Path,
    pipes: &'a Pipes,
    flags: Flags,
    /// By actor: items, and what the scalar pipe knew when it issued them.
    waiting: Vec<VecDeque<(usize, usize)>>,
    clocks: Vec<Clock>,
    counts: Vec<u32>,
    waits: Vec<u32>,
    /// What the scalar pipe had acquired, each time it acquired more.
    issue: Vec<Clock>,
    /// What sets released.
    set: BTreeMap<usize, Clock>,
    next: usize,
    /// The item that the scalar pipe waits for before it issues another.
    blocked: Option<usize>,
    out: Carried,
}

impl Queues<'_> {
    fn issue(&mut self) {
        while self.blocked.is_none() {
            let at = self.next;
            let Some(item) = self.path.items.get(at) else { return };
            self.next += 1;
            let scalar = self.pipes.scalar().unwrap_or(self.pipes.actor(None));
            let (actor, blocks) = match *item {
                Item::Stage(stage) => match self.path.stages.get(stage as usize) {
                    Some(stage) => (stage.epoch.actor, false),
                    None => continue,
                },
                Item::Set(_, actor, _) => (actor, false),
                Item::Wait(_, actor, _) => (actor, actor == scalar),
                Item::Barrier(_, actor) => (actor.unwrap_or(scalar), actor.is_none()),
            };
            let known = self.issue.len() - 1;
            if let Some(queue) = self.waiting.get_mut(actor.0 as usize) {
                queue.push_back((at, known));
                self.blocked = blocks.then_some(at);
            }
        }
    }

    fn head(&self, actor: ActorId) -> Option<(usize, usize)> {
        self.waiting.get(actor.0 as usize)?.front().copied()
    }

    fn ready(&self, at: usize) -> bool {
        match self.path.items.get(at) {
            Some(Item::Wait(..)) => match self.flags.set_of.get(&at).copied().flatten() {
                Some(set) => self.set.contains_key(&set),
                None => true,
            },
            Some(Item::Barrier(_, None)) => {
                self.waiting.iter().map(VecDeque::len).sum::<usize>() == 1
            }
            _ => true,
        }
    }

    fn step(&mut self, actor: ActorId, faults: &mut Vec<SyncFault>) {
        let popped = self.waiting.get_mut(actor.0 as usize).and_then(VecDeque::pop_front);
        let Some((at, known)) = popped else { return };
        let who = actor.0 as usize;
        let inherited = self.issue.get(known).cloned().unwrap_or_default();
        if let Some(clock) = self.clocks.get_mut(who) {
            clock.join(&inherited);
        }
        match self.path.items.get(at).copied() {
            Some(Item::Stage(stage)) => {
                if let (Some(count), Some(clock)) = (self.counts.get_mut(who), self.clocks.get(who))
                {
                    *count = count.saturating_add(1);
                    if let Some(known) = self.out.known.get_mut(stage as usize) {
                        known.clone_from(clock);
                    }
                }
            }
            Some(Item::Set(op, _, flag)) => self.raise(at, op, actor, flag, faults),
            Some(Item::Wait(..)) => self.wait(at, actor),
            Some(Item::Barrier(_, Some(_))) => {
                if let (Some(count), Some(clock)) = (self.counts.get(who), self.clocks.get_mut(who))
                {
                    clock.raise(actor, *count);
                }
            }
            Some(Item::Barrier(_, None)) => self.drain(),
            None => {}
        }
        self.out.order.push(at);
        if self.blocked == Some(at) {
            self.blocked = None;
        }
        if self.out.order.len() == self.path.items.len() {
            self.unmatched(faults);
        }
    }

    fn raise(
        &mut self,
        at: usize,
        op: OpId,
        actor: ActorId,
        flag: Flag,
        faults: &mut Vec<SyncFault>,
    ) {
        let who = actor.0 as usize;
        let mut clock = self.clocks.get(who).cloned().unwrap_or_default();
        if let Some(&before) = self.flags.after.get(&at) {
            let waited = before.is_some_and(|(waiter, n)| clock.get(self.waits_of(waiter)) >= n);
            if !waited && self.flags.overrun.insert(flag, ()).is_none() {
                faults.push(SyncFault::Overrun(op, flag));
            }
        }
        clock.raise(actor, self.counts.get(who).copied().unwrap_or(0));
        self.set.insert(at, clock);
    }

    /// Waits are counted apart from stages: who has waited has not by that finished what it does.
    fn waits_of(&self, actor: ActorId) -> ActorId {
        ActorId(self.pipes.len().saturating_add(actor.0))
    }

    fn wait(&mut self, at: usize, actor: ActorId) {
        let who = actor.0 as usize;
        let set = self.flags.set_of.get(&at).copied().flatten();
        let waits = self.waits_of(actor);
        let (Some(clock), Some(count)) = (self.clocks.get_mut(who), self.waits.get_mut(who)) else {
            return;
        };
        if let Some(released) = set.and_then(|set| self.set.get(&set)) {
            clock.join(released);
        }
        if let Some(set) = set {
            self.out.pairs.insert(at, set);
        }
        *count = count.saturating_add(1);
        clock.raise(waits, *count);
        if self.blocked == Some(at) {
            self.issue.push(clock.clone());
        }
    }

    /// All pipes run empty, and all know it.
    fn drain(&mut self) {
        let mut all = Clock::default();
        for (actor, clock) in self.clocks.iter().enumerate() {
            all.join(clock);
            let count = self.counts.get(actor).copied().unwrap_or(0);
            all.raise(ActorId(u32::try_from(actor).unwrap_or(u32::MAX)), count);
        }
        self.clocks.iter_mut().for_each(|clock| clock.clone_from(&all));
        self.issue.push(all);
    }

    fn deadlock(&mut self, actor: ActorId, faults: &mut Vec<SyncFault>) {
        // From what is stuck to what it waits for, until something comes again.
        let mut ops = Vec::new();
        let mut seen = Vec::new();
        let mut next = Some(actor);
        while let Some(actor) = next.filter(|a| !seen.contains(a)) {
            seen.push(actor);
            let Some((at, _)) = self.head(actor) else { break };
            ops.extend(op_of(self.path, at));
            let set = self.flags.set_of.get(&at).copied().flatten();
            let setter = |set| match self.path.items.get(set) {
                Some(&Item::Set(_, setter, _)) => Some(setter),
                _ => None,
            };
            next = match set.and_then(setter) {
                // Not issued yet: the scalar pipe is in the way.
                Some(setter) if self.head(setter).is_none() => self.pipes.scalar(),
                Some(setter) => Some(setter),
                None => (0..self.pipes.len())
                    .map(ActorId)
                    .find(|&a| !seen.contains(&a) && self.head(a).is_some()),
            };
        }
        faults.push(SyncFault::Deadlock(ops));
        // To see what else there is, the first in the way is let pass.
        if let Some((at, _)) = self.head(actor) {
            self.flags.set_of.insert(at, None);
        }
    }

    fn unmatched(&mut self, faults: &mut Vec<SyncFault>) {
        for &at in &self.flags.left {
            if let Some(&Item::Set(op, _, flag)) = self.path.items.get(at)
                && !self.flags.overrun.contains_key(&flag)
            {
                faults.push(SyncFault::NeverAwaited(op, flag));
            }
        }
    }
}
