//! Loops without trips: the states before any trip of a loop, in whatever context, as one set.
//!
//! Run trip by trip, a nest of loops has a state for each combination of "first trip" and "later
//! trip": a power of its depth. Here each loop has one set of states that grows until no trip
//! adds to it. The set stays when the loop is left and entered again, so a loop's body is run as
//! often as its set grows, not once for every trip around it.
//!
//! Every path is covered. Covered as well are paths with another number of trips than a loop of
//! a known number makes.

use super::executor::{Executor, Head};
use super::observe::Shadow;
use super::worlds::{Flow, World, fold};
use crate::model::LoopId;

impl<S: Shadow> Executor<'_, S> {
    /// All states in which a loop may be left.
    pub(super) fn flood(
        &mut self,
        id: LoopId,
        flow: &Flow<S>,
        least: u64,
        most: u64,
    ) -> Vec<World<S>> {
        let steps = self.order.loops[id];
        let mut exits = Vec::new();
        if least == 0 {
            let mut none = flow.clone();
            self.go(&mut none, steps.end);
            exits = none.worlds;
        }
        if most == 0 {
            return exits;
        }
        let mut coming = flow.worlds.clone();
        loop {
            let head = self.heads.as_mut().and_then(|heads| heads.remove(&id));
            let Head { before, after, mut one } = head.unwrap_or_default();
            let mut grown = before.clone();
            grown.append(&mut coming);
            one |= self.merge(&mut grown, steps.begin);
            if one {
                fold(&mut grown);
            }
            if grown == before || self.stopped {
                exits.extend(after.iter().cloned());
                self.keep(id, Head { before, after, one });
                return exits;
            }
            let trail = self.turn(steps.begin, |trails| trails.trip(flow.trail, id, 0));
            let after = self.trip(id, trail, &grown);
            let mut next = Flow { worlds: after.clone(), at: Some(steps.end), trail };
            self.turn_slots(id, &mut next);
            coming = next.worlds;
            self.keep(id, Head { before: grown, after, one });
        }
    }

    fn keep(&mut self, id: LoopId, head: Head<S>) {
        if let Some(heads) = &mut self.heads {
            heads.insert(id, head);
        }
    }
}

impl<S> Default for Head<S> {
    fn default() -> Self {
        Self { before: Vec::new(), after: Vec::new(), one: false }
    }
}
