//! The source's bookkeeping of events: numbers in the order of the host's calls (5.15).

use std::collections::BTreeMap;

use crate::runtime::clock::ActorId;

/// How often each stream was recorded, and up to which record each stream has waited for others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sequences {
    /// Records on a stream.
    records: BTreeMap<ActorId, u64>,
    /// The last record of an event: its stream and number.
    events: BTreeMap<u32, (ActorId, u64)>,
    /// By waiting stream and stream waited for: what each event brought.
    waits: BTreeMap<(ActorId, ActorId), BTreeMap<u32, u64>>,
}

impl Sequences {
    pub(super) fn recorded(&mut self, stream: ActorId, event: u32) {
        let count = self.records.entry(stream).or_insert(0);
        self.events.insert(event, (stream, *count));
        *count = count.saturating_add(1);
    }

    pub(super) fn waited(&mut self, stream: ActorId, event: u32) {
        if let Some(&(recorded, number)) = self.events.get(&event) {
            let known = self.waits.entry((stream, recorded)).or_default().entry(event).or_insert(0);
            *known = number.max(*known);
        }
    }

    /// What was learned through the event is forgotten with it: reuse is lost, nothing worse.
    pub(super) fn event_destroyed(&mut self, event: u32) {
        self.events.remove(&event);
        self.waits.retain(|_, brought| {
            brought.remove(&event);
            !brought.is_empty()
        });
    }

    pub(super) fn stream_destroyed(&mut self, stream: ActorId) {
        self.records.remove(&stream);
        self.events.retain(|_, (recorded, _)| *recorded != stream);
        self.waits.retain(|&(waiting, recorded), _| waiting != stream && recorded != stream);
    }

    /// Records on the stream so far: what a free is stamped with.
    pub(super) fn count(&self, stream: ActorId) -> u64 {
        self.records.get(&stream).copied().unwrap_or(0)
    }

    /// The latest record of `recorded` that `waiting` has waited for.
    pub(super) fn known(&self, waiting: ActorId, recorded: ActorId) -> Option<u64> {
        self.waits.get(&(waiting, recorded))?.values().max().copied()
    }
}
