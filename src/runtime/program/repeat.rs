//! Loops: trip by trip until a state repeats.
//!
//! ```text
//!   begin --b0--> trip --a1--> (carries step, slots turn) --b1--> trip --a2--> ...
//! ```
//!
//! `b` are the states before a trip, `a` those after one, from which the loop may be left. When
//! `b[j] == b[i]` for `i < j`, `a` repeats from `i + 1` on with period `j - i`.

use super::env::Env;
use super::executor::{Choice, Doubt, Executor, Trip};
use super::observe::Shadow;
use super::trails::TrailId;
use super::worlds::{Flow, World, fold};
use crate::model::{Carry, LoopId, Trips, ValueId};

/// Trips remembered for a loop inside a loop. A state of the inner loop usually comes back when
/// the outer loop has settled; without a memory, nests cost a power of their depth.
const REMEMBERED: usize = 8;

type Worlds<S> = Vec<World<S>>;

impl<S: Shadow> Executor<'_, S> {
    pub(super) fn repeat(&mut self, id: LoopId, flow: &mut Flow<S>) {
        let steps = self.order.loops[id];
        self.go(flow, steps.begin);
        self.enter(id, &mut flow.worlds);
        let (least, most) = match self.function.loops[id].trips {
            Trips::Known(n) => (n, n),
            Trips::AtLeast(0) if self.limits.without == Some(Choice::NoTrip(id)) => (1, u64::MAX),
            Trips::AtLeast(n) => (n, u64::MAX),
        };
        self.depth += 1;
        let mut exits = match self.heads {
            None => self.trips(id, flow, least, most),
            Some(_) => self.flood(id, flow, least, most),
        };
        self.depth -= 1;
        if self.depth == 0 {
            self.memo.clear();
        }
        self.leave_loop(id, &mut exits);
        self.merge(&mut exits, steps.end);
        flow.worlds = exits;
        flow.at = Some(steps.end);
    }

    /// All states in which a loop may be left.
    fn trips(&mut self, id: LoopId, flow: &Flow<S>, least: u64, most: u64) -> Worlds<S> {
        let steps = self.order.loops[id];
        let mut none = flow.clone();
        if least == 0 {
            self.go(&mut none, steps.end);
        }
        let mut after: Vec<Worlds<S>> = vec![none.worlds];
        let mut before: Vec<Worlds<S>> = vec![flow.worlds.clone()];
        loop {
            let done = before.len() - 1;
            if done as u64 == most || self.stopped {
                return after.swap_remove(done);
            }
            if done == self.limits.trips {
                let late = after.split_off(usize::try_from(least).unwrap_or(done).min(done));
                let mut exits = if most == u64::MAX { late.concat() } else { Vec::new() };
                exits.extend(self.fold_trips(id, flow, &before[done]));
                return exits;
            }
            let trail = self.turn(steps.begin, |trails| trails.trip(flow.trail, id, done as u64));
            let worlds = self.trip(id, trail, &before[done]);
            after.push(worlds.clone());
            let mut next = Flow { worlds, at: Some(steps.end), trail };
            self.turn_slots(id, &mut next);
            if let Some(same) = before.iter().position(|b| *b == next.worlds) {
                return repeating(after, same + 1, least, most);
            }
            before.push(next.worlds);
        }
    }

    /// One trip: the body, then all carries step at once.
    pub(super) fn trip(&mut self, id: LoopId, trail: TrailId, before: &Worlds<S>) -> Worlds<S> {
        let known = self.memo.get(&id).and_then(|trips| trips.iter().find(|t| t.before == *before));
        if let Some(trip) = known {
            return trip.after.clone();
        }
        let function = self.function;
        let (l, steps) = (&function.loops[id], self.order.loops[id]);
        let mut flow = Flow { worlds: before.clone(), at: Some(steps.begin), trail };
        self.region(&l.body, &mut flow);
        self.go(&mut flow, steps.end);
        for world in &mut flow.worlds {
            self.step_carries(&mut world.env, &l.carries, |c| c.next);
            let bound = &self.uses.bound;
            world.env.retain(|value| {
                let inside = |at| steps.begin < at && at < steps.end;
                !bound[value].is_some_and(inside)
            });
        }
        self.merge(&mut flow.worlds, steps.end);
        if self.depth > 1 && self.heads.is_none() && !self.stopped {
            let memo = self.memo.entry(id).or_default();
            if memo.len() == REMEMBERED {
                memo.remove(0);
            }
            memo.push(Trip { before: before.clone(), after: flow.worlds.clone() });
        }
        flow.worlds
    }

    /// The first trip begins: carries stand for what they start from, slots are at the first.
    fn enter(&mut self, id: LoopId, worlds: &mut Worlds<S>) {
        let carries = &self.function.loops[id].carries;
        for world in worlds.iter_mut() {
            self.step_carries(&mut world.env, carries, |c| c.init);
            world.env.set_trip(id, Some(0));
        }
        self.merge(worlds, self.order.loops[id].begin);
    }

    /// All carries that anybody asks for get their next meaning at once.
    fn step_carries(&mut self, env: &mut Env, carries: &[Carry], of: impl Fn(&Carry) -> ValueId) {
        let last = |value: ValueId| self.uses.last.get(value).copied().flatten();
        let asked = |c: &&Carry| last(c.value).or(last(c.result)).is_some();
        let asked: Vec<&Carry> = carries.iter().filter(asked).collect();
        let refs: Vec<_> = asked.iter().map(|c| self.resolver.bind(env, of(c))).collect();
        for (carry, refs) in asked.iter().zip(refs) {
            env.bind(carry.value, refs);
        }
    }

    /// The next trip begins.
    pub(super) fn turn_slots(&mut self, id: LoopId, flow: &mut Flow<S>) {
        let period = self.periods[id];
        for world in &mut flow.worlds {
            let trip = world.env.trip(id).map(|trip| trip.saturating_add(1) % period);
            world.env.set_trip(id, trip);
        }
        self.go(flow, self.order.loops[id].begin);
    }

    /// After the last trip: results take the place of carries.
    fn leave_loop(&mut self, id: LoopId, worlds: &mut Worlds<S>) {
        let end = self.order.loops[id].end;
        for world in worlds.iter_mut() {
            for carry in &self.function.loops[id].carries {
                if let Some(refs) = world.env.get(carry.value).cloned() {
                    world.env.bind(carry.result, refs);
                }
            }
            world.env.retain(|value| self.uses.after(value, end));
            if !self.uses.outside[id] {
                world.env.set_trip(id, Some(0));
            }
        }
    }

    /// Late trips of a loop that does not settle: one state that is any of theirs, grown until a
    /// trip adds nothing.
    fn fold_trips(&mut self, id: LoopId, flow: &Flow<S>, start: &Worlds<S>) -> Worlds<S> {
        let steps = self.order.loops[id];
        self.doubts.push(Doubt::Folded(id));
        let mut exits = Vec::new();
        let mut all = start.clone();
        fold(&mut all);
        loop {
            for world in &mut all {
                world.env.set_trip(id, None);
            }
            let done = self.limits.trips as u64;
            let trail = self.turn(steps.begin, |trails| trails.trip(flow.trail, id, done));
            let worlds = self.trip(id, trail, &all);
            exits.extend(worlds.iter().cloned());
            fold(&mut exits);
            let mut next = Flow { worlds, at: Some(steps.end), trail };
            self.turn_slots(id, &mut next);
            let mut grown = all.clone();
            grown.append(&mut next.worlds);
            fold(&mut grown);
            if grown == all || self.stopped {
                return exits;
            }
            all = grown;
        }
    }
}

/// The states after `least..=most` trips, where those after `from` trips and later repeat.
fn repeating<S: Shadow>(
    mut after: Vec<Worlds<S>>,
    from: usize,
    least: u64,
    most: u64,
) -> Worlds<S> {
    let period = after.len() - from;
    let place = |trips: u64| match usize::try_from(trips) {
        Ok(trips) if trips < after.len() => trips,
        _ => from + ((trips - from as u64) % period as u64) as usize,
    };
    if least == most {
        let at = place(least);
        return after.swap_remove(at);
    }
    // What repeats comes again after any number of trips.
    let first = usize::try_from(least).unwrap_or(usize::MAX).min(from);
    after.split_off(first).concat()
}
