//! How the source walks a range to prefetch it (5.12, 13.5): it collects neighbours with equal source
//! and equal READ_MOSTLY, and sends them when that changes, when it has as many as one message takes,
//! or at the end.

use super::Uvm;
use crate::model::trace::Location;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::quirks::Quirk;

/// What the walk comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Walk {
    /// What is sent, in order: whole messages together where they follow each other.
    pub(super) sent: Vec<Sent>,
    /// Pages of a message that an absent page threw away (Q-UVM-7).
    pub(super) dropped: u64,
    /// Where it ends before its time, with a page that is not allocated or, at the start of a
    /// message, with pages of the host on the way to the host (Q-UVM-19).
    pub(super) aborted: Option<Abort>,
    /// Pages that were dealt with, before `aborted`.
    pub(super) processed: u64,
}

/// Pages with the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) source: Bank,
    pub(super) read_mostly: bool,
}

/// Why a walk ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abort {
    /// A page that is not allocated.
    Hole(u64),
    /// What is to go to the host is there.
    AtHome,
}

impl Uvm {
    /// Walks; moves nothing.
    pub(super) fn walk(
        &self,
        cx: &Context<'_>,
        (first, end): (u64, u64),
        target: Location,
    ) -> Walk {
        let most = cx.machine.costs.prefetch_batch.max(1);
        let mut walk = Walk::default();
        let mut open: Option<Sent> = None;
        let mut at = first;
        while at < end {
            let Some((to, page)) = self.runs.at(at, end) else {
                walk.aborted = Some(Abort::Hole(at));
                walk.processed = open.map_or(at, |open| open.from) - first;
                return walk;
            };
            let Some(source) = page.owner() else {
                walk.dropped += open.take().map_or(0, |open| open.to - open.from);
                at = to;
                continue;
            };
            let next = Sent { from: at, to, source, read_mostly: page.read_mostly() };
            let same = |old: &Sent| old.source == source && old.read_mostly == next.read_mostly;
            let mut now = match open.take() {
                Some(old) if same(&old) => Sent { from: old.from, ..next },
                Some(old) => {
                    if !walk.send(old, target) {
                        walk.processed = old.from - first;
                        return walk;
                    }
                    next
                }
                None => next,
            };
            // Full messages go at once.
            let full = (now.to - now.from) / most * most;
            if full > 0 {
                let part = Sent { to: now.from + full, ..now };
                if !walk.send(part, target) {
                    walk.processed = part.from - first;
                    return walk;
                }
                now.from = part.to;
            }
            open = Some(now).filter(|now| now.from < now.to);
            at = to;
        }
        walk.processed = end - first;
        if let Some(old) = open
            && !walk.send(old, target)
        {
            walk.processed = old.from - first;
        }
        walk
    }
}

impl Walk {
    fn send(&mut self, sent: Sent, target: Location) -> bool {
        if sent.source == Bank::Host && target == Location::Host {
            self.aborted = Some(Abort::AtHome);
            return false;
        }
        self.sent.push(sent);
        true
    }

    /// Notes where the document has another outcome.
    pub(super) fn note(&self, cx: &mut Context<'_>, target: Location) {
        if self.dropped > 0 {
            cx.notes.quirk(Quirk::Uvm7);
        }
        if self.aborted == Some(Abort::AtHome) {
            cx.notes.quirk(Quirk::Uvm19);
        }
        let peer = |sent: &Sent| match (sent.source, target) {
            (Bank::Device(from), Location::Device(to)) => from != to,
            _ => false,
        };
        if self.sent.iter().any(peer) {
            cx.notes.quirk(Quirk::Uvm9);
        }
    }
}
