//! The references in force: what carries and results stand for, and how far slots have turned.

use std::rc::Rc;

use super::observe::Ref;
use crate::model::{LoopId, ValueId};

/// What the names of one path stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Env {
    /// Sorted by value.
    bound: Vec<(ValueId, Rc<[Ref]>)>,
    /// The current trip of each loop in which slots rotate, modulo their period; sorted, without
    /// zeros. `None` after trips were folded: any.
    trips: Vec<(LoopId, Option<u64>)>,
}

impl Env {
    pub(super) fn get(&self, value: ValueId) -> Option<&Rc<[Ref]>> {
        let at = self.bound.binary_search_by_key(&value, |&(v, _)| v).ok()?;
        Some(&self.bound[at].1)
    }

    pub(super) fn bind(&mut self, value: ValueId, refs: Rc<[Ref]>) {
        match self.bound.binary_search_by_key(&value, |&(v, _)| v) {
            Ok(at) => self.bound[at].1 = refs,
            Err(at) => self.bound.insert(at, (value, refs)),
        }
    }

    /// Drops the names for which `keep` is false.
    pub(super) fn retain(&mut self, keep: impl Fn(ValueId) -> bool) {
        self.bound.retain(|&(value, _)| keep(value));
    }

    /// The trip of a loop modulo its period; `None` when it may be any.
    pub(super) fn trip(&self, id: LoopId) -> Option<u64> {
        match self.trips.binary_search_by_key(&id, |&(l, _)| l) {
            Ok(at) => self.trips[at].1,
            Err(_) => Some(0),
        }
    }

    pub(super) fn set_trip(&mut self, id: LoopId, trip: Option<u64>) {
        match (self.trips.binary_search_by_key(&id, |&(l, _)| l), trip) {
            (Ok(at), Some(0)) => {
                self.trips.remove(at);
            }
            (Ok(at), trip) => self.trips[at].1 = trip,
            (Err(_), Some(0)) => {}
            (Err(at), trip) => self.trips.insert(at, (id, trip)),
        }
    }

    /// Every name now stands for what it stood for in either.
    pub(super) fn unite(&mut self, other: &Self) {
        // A name without a binding in one of the two falls back to all it can reach.
        self.bound.retain(|&(value, _)| other.get(value).is_some());
        for (value, refs) in &mut self.bound {
            let Some(theirs) = other.get(*value).filter(|theirs| *theirs != refs) else { continue };
            let mut all: Vec<Ref> = refs.iter().chain(theirs.iter()).copied().collect();
            all.sort_unstable();
            all.dedup();
            *refs = all.into();
        }
        let loops: Vec<LoopId> = self.trips.iter().chain(&other.trips).map(|&(l, _)| l).collect();
        for id in loops {
            if self.trip(id) != other.trip(id) {
                self.set_trip(id, None);
            }
        }
    }
}
