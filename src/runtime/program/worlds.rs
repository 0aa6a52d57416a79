//! The states that one place can be reached in: one for each set of references in force.
//!
//! Keeping them apart is what makes the executor exact. After
//! `if { fill a; r = a } else { fill b; r = b }` two states are left, one in which `r` is `a` and
//! `a` is filled, one in which `r` is `b` and `b` is filled; joined, either might be empty.

use super::env::Env;
use super::observe::Shadow;
use super::trails::TrailId;
use crate::model::Step;

/// States kept apart at one place. Every branch result that is still needed may double them; a
/// kernel has few.
pub(super) const MAX_WORLDS: usize = 32;

/// One state.
#[derive(Clone, PartialEq)]
pub(super) struct World<S> {
    pub env: Env,
    pub shadow: S,
}

/// All states at one place, sorted by their references.
#[derive(Clone)]
pub(super) struct Flow<S> {
    pub worlds: Vec<World<S>>,
    /// The step that ran last.
    pub at: Option<Step>,
    pub trail: TrailId,
}

/// Joins states with equal references; true when there were too many and all became one.
pub(super) fn merge<S: Shadow>(worlds: &mut Vec<World<S>>) -> bool {
    worlds.sort_by(|a, b| a.env.cmp(&b.env));
    let mut merged: Vec<World<S>> = Vec::with_capacity(worlds.len());
    for world in worlds.drain(..) {
        match merged.last_mut().filter(|last| last.env == world.env) {
            Some(last) => last.shadow.join(&world.shadow),
            None => merged.push(world),
        }
    }
    *worlds = merged;
    let many = worlds.len() > MAX_WORLDS;
    if many {
        fold(worlds);
    }
    many
}

/// All states become one, in which names stand for several things.
pub(super) fn fold<S: Shadow>(worlds: &mut Vec<World<S>>) {
    let mut all = worlds.drain(..);
    let Some(mut one) = all.next() else { return };
    for world in all {
        one.env.unite(&world.env);
        one.shadow.join(&world.shadow);
    }
    worlds.push(one);
}
