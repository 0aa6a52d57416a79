//! What is remembered of a free: its task, and what that task knows.

use std::rc::Rc;

use crate::runtime::clock::{ActorId, Clock, Epoch};

/// The free of a block, as a task of a stream or an action of a host thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeMark {
    /// Where it runs.
    pub stream: ActorId,
    /// Which action of that actor it is.
    pub epoch: Epoch,
    /// What is complete when it is, itself included.
    pub clock: Rc<Clock>,
}

/// The frees that stand behind one segment: of each actor the last, since an actor's later actions
/// know the earlier ones. This is the joined clock of 13.5, kept so that each free can be named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(Vec<FreeMark>);

impl Marks {
    pub(super) fn one(mark: FreeMark) -> Self {
        Self(vec![mark])
    }

    pub(super) fn add(&mut self, mark: FreeMark) {
        match self.0.iter_mut().find(|m| m.epoch.actor == mark.epoch.actor) {
            Some(mine) if mine.epoch.n < mark.epoch.n => *mine = mark,
            Some(_) => {}
            None => self.0.push(mark),
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        for mark in &other.0 {
            self.add(mark.clone());
        }
    }

    /// True when all of them are complete for somebody who knows this.
    pub(super) fn within(&self, known: &Clock) -> bool {
        self.0.iter().all(|mark| known.has(mark.epoch))
    }

    /// Those that somebody who knows this cannot count on.
    pub(super) fn beyond(&self, known: &Clock) -> Vec<FreeMark> {
        self.0.iter().filter(|mark| !known.has(mark.epoch)).cloned().collect()
    }

    /// Those that somebody who knows this can count on.
    pub(super) fn inside(&self, known: &Clock) -> Self {
        Self(self.0.iter().filter(|mark| known.has(mark.epoch)).cloned().collect())
    }

    /// True when that action must be complete once all of these are.
    pub(super) fn know(&self, earlier: Epoch) -> bool {
        self.0.iter().any(|mark| mark.clock.has(earlier))
    }

    pub(super) fn epochs(&self) -> impl Iterator<Item = Epoch> {
        self.0.iter().map(|mark| mark.epoch)
    }

    /// True when the stream itself ran them all.
    pub(super) fn only_of(&self, stream: ActorId) -> bool {
        self.0.iter().all(|mark| mark.stream == stream)
    }

    /// True when both stand for frees of one and the same stream.
    pub(super) fn same_stream(&self, other: &Self) -> bool {
        self.0.first().is_some_and(|mark| self.only_of(mark.stream) && other.only_of(mark.stream))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
