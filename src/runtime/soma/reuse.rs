//! Which cached block a request gets, if any (5.15, 13.5).

use std::collections::BTreeMap;

use super::alloc::Ask;
use super::marks::FreeMark;
use super::pool::Pool;
use super::segment::Freed;
use super::sequences::Sequences;
use crate::model::machine::SomaPolicy;
use crate::model::trace::ReusePolicy;
use crate::runtime::clock::{ActorId, Epoch};

/// One of several possibilities, by its position; 0 is the canonical one.
pub(super) type Choose<'a> = &'a mut dyn FnMut(usize) -> usize;

/// A cached block that may be handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pick {
    /// Which segment.
    pub(super) at: usize,
    /// What allows it.
    pub(super) by: ReusePolicy,
    /// The edges that come with it.
    pub(super) after: Vec<FreeMark>,
}

/// A pool as one request sees it.
pub(super) struct Search<'a> {
    pub(super) pool: &'a Pool,
    pub(super) sequences: &'a Sequences,
    pub(super) ask: &'a Ask<'a>,
}

impl<'a> Search<'a> {
    /// The best block of at least so many bytes: policies in their order; within one the smallest
    /// block, then the lowest.
    pub(super) fn pick(&self, policy: SomaPolicy, len: u64, choose: Choose<'_>) -> Option<Pick> {
        let mut fitting: Vec<(u64, usize)> = self
            .cached()
            .filter(|&(at, _)| self.pool.segments[at].len >= len)
            .map(|(at, _)| (self.pool.segments[at].len, at))
            .collect();
        fitting.sort_unstable();
        let order: Vec<usize> = fitting.into_iter().map(|(_, at)| at).collect();
        match policy {
            SomaPolicy::Head => None,
            SomaPolicy::Source0184 => self.source(&order),
            SomaPolicy::Documented => self.documented(&order, choose),
        }
    }

    /// Bytes of cached blocks, and the largest of them, that the request could have, were they as
    /// large as it wants.
    pub(super) fn usable(&self, policy: SomaPolicy) -> (u64, u64) {
        let alone = |at| match policy {
            SomaPolicy::Head => None,
            SomaPolicy::Source0184 => self.source(&[at]),
            SomaPolicy::Documented => self.documented(&[at], &mut |_| 0),
        };
        self.cached()
            .filter(|&(at, _)| alone(at).is_some())
            .map(|(at, _)| self.pool.segments[at].len)
            .fold((0, 0), |(sum, largest), len| (sum + len, largest.max(len)))
    }

    fn cached(&self) -> impl Iterator<Item = (usize, &'a Freed)> {
        self.pool.segments.iter().enumerate().filter_map(|(at, s)| Some((at, s.cached()?)))
    }

    fn freed(&self, at: usize) -> Option<&'a Freed> {
        self.pool.segments.get(at)?.cached()
    }

    fn first(&self, order: &[usize], may: impl Fn(&Freed) -> bool) -> Option<usize> {
        order.iter().copied().find(|&at| self.freed(at).is_some_and(&may))
    }

    /// Without an edge: the free is known, or nobody cares.
    fn plain(at: usize, by: ReusePolicy) -> Pick {
        Pick { at, by, after: Vec::new() }
    }

    /// With edges from the frees that the request does not know of.
    fn ordered(&self, at: usize, by: ReusePolicy) -> Pick {
        let marks = self.freed(at).map(|freed| freed.marks.beyond(self.ask.request));
        Pick { at, by, after: marks.unwrap_or_default() }
    }

    /// Only what is safe, or is made so.
    fn documented(&self, order: &[usize], choose: Choose<'_>) -> Option<Pick> {
        let Ask { stream, request, .. } = *self.ask;
        let same = |f: &Freed| f.marks.only_of(stream) && f.marks.within(request);
        if let Some(at) = self.first(order, same) {
            return Some(Self::plain(at, ReusePolicy::Single));
        }
        if self.pool.follow_event
            && let Some(at) = self.first(order, |f| f.marks.within(request))
        {
            return Some(Self::plain(at, ReusePolicy::Event));
        }
        if self.pool.opportunistic
            && let Some(at) = self.complete(order, choose)
        {
            return Some(self.ordered(at, ReusePolicy::Opportunistic));
        }
        let at = order.first().filter(|_| self.pool.internal)?;
        Some(self.ordered(*at, ReusePolicy::Internal))
    }

    /// The best block whose free is complete when the host asks. Of frees that the host knows nothing
    /// about, any may be complete by now or not: the canonical answer is that none is.
    fn complete(&self, order: &[usize], choose: Choose<'_>) -> Option<usize> {
        let sure = self.first(order, |f| f.marks.within(self.ask.host));
        let before = order.iter().position(|&at| Some(at) == sure).unwrap_or(order.len());
        // A block is the best complete one only when those before it are not complete; not so where
        // its own free cannot be complete without theirs.
        let mut possible = Vec::new();
        let mut least: BTreeMap<ActorId, u32> = BTreeMap::new();
        for &at in &order[..before] {
            let Some(freed) = self.freed(at) else { continue };
            if !least.iter().any(|(&actor, &n)| freed.marks.know(Epoch { actor, n })) {
                possible.push(at);
            }
            // Documented pools merge frees of one stream only: there is one mark, the last.
            for epoch in freed.marks.epochs() {
                let n = least.entry(epoch.actor).or_insert(epoch.n);
                *n = epoch.n.min(*n);
            }
        }
        if possible.is_empty() {
            return sure;
        }
        match choose(possible.len() + 1) {
            0 => sure,
            n => possible.get(n - 1).copied().or(sure),
        }
    }

    /// By the source's own bookkeeping.
    fn source(&self, order: &[usize]) -> Option<Pick> {
        let stream = self.ask.stream;
        if let Some(at) = self.first(order, |f| f.stamp.stream == stream) {
            return Some(Self::plain(at, ReusePolicy::Single));
        }
        let waited = |f: &Freed| {
            self.sequences.known(stream, f.stamp.stream).is_some_and(|seq| seq >= f.stamp.seq)
        };
        if self.pool.follow_event
            && let Some(at) = self.first(order, waited)
        {
            return Some(Self::plain(at, ReusePolicy::Event));
        }
        let at = *order.first()?;
        if self.pool.opportunistic {
            return Some(Self::plain(at, ReusePolicy::Opportunistic));
        }
        self.pool.internal.then(|| self.ordered(at, ReusePolicy::Internal))
    }
}
