//! When everything starts and ends (13.1, step 9).

use std::collections::BTreeMap;

use super::fold::Key;
use super::queues::Carried;
use super::tape::{Item, Path, Pipes};
use crate::model::{Function, Slice};
use crate::runtime::clock::ActorId;

/// A path, and all that bears on its times.
pub(super) struct Timed {
    pub path: Path,
    /// For each stage, what its data waits for.
    pub data: Vec<Vec<u32>>,
    pub carried: Option<Carried>,
    /// What the placement owes: first, second, which edge.
    pub owed: Vec<(u32, u32, Key)>,
}

/// Starts and ends of all stages, in ticks.
pub(super) struct Times {
    pub stages: Vec<(u64, u64)>,
    pub makespan: u64,
    /// Edges without which some stage would have started earlier, all else equal.
    pub binding: Vec<Key>,
}

impl Timed {
    /// The times, with those owed edges that count.
    pub(super) fn times(&self, pipes: &Pipes, counts: impl Fn(&Key) -> bool) -> Times {
        let mut clock = Clock {
            free: vec![0; pipes.len() as usize],
            issue: 0,
            ends: vec![(0, 0); self.path.stages.len()],
            sets: BTreeMap::new(),
        };
        let mut owed: Vec<Vec<(u32, Key)>> = vec![Vec::new(); self.path.stages.len()];
        for &(first, second, key) in &self.owed {
            if let Some(list) = owed.get_mut(second as usize).filter(|_| counts(&key)) {
                list.push((first, key));
            }
        }
        let mut binding = Vec::new();
        let items = self.path.items.len();
        let order = self.carried.as_ref().map(|c| c.order.as_slice());
        for place in 0..items {
            let at = order.map_or(Some(place), |order| order.get(place).copied());
            match at.and_then(|at| Some((at, *self.path.items.get(at)?))) {
                Some((_, Item::Stage(stage))) => {
                    self.stage(stage, &owed, &mut clock, &mut binding);
                }
                Some((at, item)) => self.sync(at, item, pipes, &mut clock),
                None => {}
            }
        }
        binding.sort_unstable();
        binding.dedup();
        let makespan = clock.ends.iter().map(|&(_, end)| end).max().unwrap_or(0);
        Times { stages: clock.ends, makespan, binding }
    }

    fn stage(&self, at: u32, owed: &[Vec<(u32, Key)>], clock: &mut Clock, binding: &mut Vec<Key>) {
        let Some(stage) = self.path.stages.get(at as usize) else { return };
        let end = |clock: &Clock, of: u32| clock.ends.get(of as usize).map_or(0, |&(_, end)| end);
        let mut start = clock.free(stage.epoch.actor).max(clock.issue);
        if stage.goes_on {
            start = start.max(end(clock, at.saturating_sub(1)));
        }
        for &before in self.data.get(at as usize).into_iter().flatten() {
            start = start.max(end(clock, before));
        }
        let without = start;
        let edges = owed.get(at as usize).map_or(&[][..], Vec::as_slice);
        for &(before, _) in edges {
            start = start.max(end(clock, before));
        }
        let late = edges.iter().filter(|&&(before, _)| end(clock, before) > without);
        binding.extend(late.map(|&(_, key)| key));
        let stop = start.saturating_add(stage.cost);
        if let Some(times) = clock.ends.get_mut(at as usize) {
            *times = (start, stop);
        }
        clock.occupy(stage.epoch.actor, stop);
    }

    fn sync(&self, at: usize, item: Item, pipes: &Pipes, clock: &mut Clock) {
        match item {
            Item::Set(_, actor, _) => {
                let when = clock.free(actor).max(clock.issue);
                clock.sets.insert(at, when);
            }
            Item::Wait(_, actor, _) => {
                let set = self.carried.as_ref().and_then(|c| c.pairs.get(&at));
                let when = set.and_then(|set| clock.sets.get(set)).copied().unwrap_or(0);
                clock.occupy(actor, when);
                if pipes.scalar() == Some(actor) {
                    clock.issue = clock.issue.max(clock.free(actor));
                }
            }
            Item::Barrier(_, None) => {
                let all = clock.free.iter().copied().max().unwrap_or(0);
                clock.free.iter_mut().for_each(|free| *free = all);
                clock.issue = clock.issue.max(all);
            }
            // Inside a pipe one thing ends before the next starts anyway.
            Item::Barrier(_, Some(_)) | Item::Stage(_) => {}
        }
    }

    /// The bars of the timeline, in the order of the program.
    pub(super) fn slices(&self, function: &Function, pipes: &Pipes, times: &Times) -> Vec<Slice> {
        let stages = self.path.stages.iter().zip(&times.stages);
        stages
            .map(|(stage, &(start, end))| Slice {
                track: pipes.name(stage.epoch.actor).to_owned(),
                name: function.ops[stage.op].name.clone(),
                start,
                end,
            })
            .collect()
    }
}

struct Clock {
    /// When each pipe has done what it had.
    free: Vec<u64>,
    /// When the scalar pipe goes on issuing.
    issue: u64,
    ends: Vec<(u64, u64)>,
    sets: BTreeMap<usize, u64>,
}

impl Clock {
    fn free(&self, actor: ActorId) -> u64 {
        self.free.get(actor.0 as usize).copied().unwrap_or(0)
    }

    fn occupy(&mut self, actor: ActorId, until: u64) {
        if let Some(free) = self.free.get_mut(actor.0 as usize) {
            *free = (*free).max(until);
        }
    }
}
