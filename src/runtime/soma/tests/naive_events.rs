//! What the source remembers of events, read off a log from its beginning.

use crate::runtime::clock::ActorId;

pub(super) enum Line {
    Record(ActorId, u32),
    Wait(ActorId, u32),
    EventGone(u32),
    StreamGone(ActorId),
}

pub(super) struct Log(pub(super) Vec<Line>);

impl Log {
    /// Records on a stream so far.
    pub(super) fn records(&self, stream: ActorId) -> usize {
        self.0.iter().fold(0, |n, line| match line {
            Line::Record(s, _) if *s == stream => n + 1,
            Line::StreamGone(s) if *s == stream => 0,
            _ => n,
        })
    }

    /// The largest number of a record on `of` that `on` has waited for, as far as it is remembered.
    pub(super) fn known(&self, on: ActorId, of: ActorId) -> Option<usize> {
        let mut numbers: Vec<(u32, ActorId, usize)> = Vec::new();
        let mut counts = vec![0; 32];
        let mut brought: Vec<(u32, usize)> = Vec::new();
        for line in &self.0 {
            match line {
                Line::Record(s, e) => {
                    numbers.retain(|n| n.0 != *e);
                    numbers.push((*e, *s, counts[s.0 as usize]));
                    counts[s.0 as usize] += 1;
                }
                Line::Wait(t, e) if *t == on => brought
                    .extend(numbers.iter().filter(|n| n.0 == *e && n.1 == of).map(|n| (n.0, n.2))),
                Line::Wait(..) => {}
                Line::EventGone(e) => {
                    numbers.retain(|n| n.0 != *e);
                    brought.retain(|b| b.0 != *e);
                }
                Line::StreamGone(s) => {
                    counts[s.0 as usize] = 0;
                    numbers.retain(|n| n.1 != *s);
                    if *s == on || *s == of {
                        brought.clear();
                    }
                }
            }
        }
        brought.into_iter().map(|b| b.1).max()
    }
}
