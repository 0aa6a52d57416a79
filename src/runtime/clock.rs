//! Who has seen what: actors, epochs, vector clocks (runtime-model 9.4).

use std::fmt;

/// Somebody whose actions are ordered, or at least numbered: a host thread, a stream, a pipe of a
/// core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorId(pub u32);

/// The `n`-th action of an actor, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch {
    /// Who.
    pub actor: ActorId,
    /// Which of its actions.
    pub n: u32,
}

/// For each actor, how many of its actions are known to be complete.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Clock {
    /// By actor; actors past the end are at 0.
    counts: Vec<u32>,
}

impl Clock {
    /// How many actions of `actor` are known to be complete.
    pub fn get(&self, actor: ActorId) -> u32 {
        self.counts.get(actor.0 as usize).copied().unwrap_or(0)
    }

    /// True when the action is known to be complete.
    pub fn has(&self, epoch: Epoch) -> bool {
        self.get(epoch.actor) >= epoch.n
    }

    /// Learns that the first `n` actions of `actor` are complete.
    pub fn raise(&mut self, actor: ActorId, n: u32) {
        let at = actor.0 as usize;
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] = self.counts[at].max(n);
    }

    /// Forgets what `actor` did after its first `n` actions.
    pub fn lower(&mut self, actor: ActorId, n: u32) {
        if let Some(count) = self.counts.get_mut(actor.0 as usize) {
            *count = (*count).min(n);
        }
    }

    /// Learns all that `other` knows.
    pub fn join(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// True when `other` knows all that this one knows.
    pub fn within(&self, other: &Self) -> bool {
        self.counts
            .iter()
            .enumerate()
            .all(|(at, &n)| n <= other.counts.get(at).copied().unwrap_or(0))
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.counts).finish()
    }
}
