//! Page states as runs in an ordered map, and which runs could be given up first.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use super::page::{Home, Page};

/// Runs of pages of equal state; no two neighbours are equal. Pages without a run are not allocated.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    map: BTreeMap<u64, Run>,
    /// By device.
    victims: BTreeMap<u32, Victims>,
}

#[derive(Clone, Debug)]
struct Run {
    end: u64,
    /// Behind a pointer: runs are cut and joined far more often than they change.
    page: Arc<Page>,
}

/// Age (scans seen) and first page of runs with a copy on the device, that no task uses.
#[derive(Clone, Debug, Default)]
struct Victims {
    /// Pages that only the device has: they must be copied.
    single: BTreeSet<(u64, u64)>,
    /// Replicas.
    replica: BTreeSet<(u64, u64)>,
}

/// A key of the order in which pages are given up: oldest first, then by address (5.14).
pub(super) type Age = (u64, u64);

impl Runs {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.map.len()
    }

    /// The part of a run that starts at `at` and ends at `end` at the latest.
    pub(super) fn at(&self, at: u64, end: u64) -> Option<(u64, &Page)> {
        let (_, run) = self.map.range(..=at).next_back()?;
        (at < run.end && at < end).then(|| (run.end.min(end), &*run.page))
    }

    /// All runs that touch `[start, end)`, cut to it.
    pub(super) fn within(&self, start: u64, end: u64) -> impl Iterator<Item = (u64, u64, &Page)> {
        let first = self.map.range(..=start).next_back().map_or(start, |(&first, _)| first);
        // The map panics on a range that runs backwards.
        self.map
            .range(first..end.max(first))
            .map(move |(&from, run)| (from.max(start), run.end.min(end), &*run.page))
            .filter(|(from, to, _)| from < to)
    }

    /// All runs.
    pub(super) fn all(&self) -> impl Iterator<Item = (u64, u64, &Page)> {
        self.map.iter().map(|(&start, run)| (start, run.end, &*run.page))
    }

    /// The first page of `[start, end)` that is not allocated.
    pub(super) fn hole(&self, start: u64, end: u64) -> Option<u64> {
        let mut at = start;
        for (from, to, _) in self.within(start, end) {
            if from > at {
                break;
            }
            at = to;
        }
        (at < end).then_some(at)
    }

    /// Gives the pages `[start, end)` a state; `None`: not allocated.
    pub(super) fn set(&mut self, start: u64, end: u64, page: Option<Page>) {
        if start >= end {
            return;
        }
        let page = match page {
            Some(page) => match self.replace(start, end, page) {
                None => return,
                page => page,
            },
            None => None,
        };
        self.cut(start);
        self.cut(end);
        while let Some(first) = self.map.range(start..end).next().map(|(&first, _)| first) {
            self.remove(first);
        }
        let Some(page) = page else { return };
        let (mut start, mut end) = (start, end);
        let left = self.map.range(..start).next_back();
        if let Some(first) = left.filter(|(_, r)| r.end == start && *r.page == page).map(|l| *l.0) {
            self.remove(first);
            start = first;
        }
        if let Some(right) = self.map.get(&end).filter(|r| *r.page == page).map(|r| r.end) {
            self.remove(end);
            end = right;
        }
        self.insert(start, Run { end, page: Arc::new(page) });
    }

    /// A whole run gets another state that neither neighbour has; otherwise gives the state back.
    fn replace(&mut self, start: u64, end: u64, page: Page) -> Option<Page> {
        let equal = |run: &Run| *run.page == page;
        let left = self.map.range(..start).next_back().map(|(_, run)| run);
        let joins = left.is_some_and(|run| run.end == start && equal(run))
            || self.map.get(&end).is_some_and(equal);
        let Some(run) = self.map.get_mut(&start).filter(|run| run.end == end && !joins) else {
            return Some(page);
        };
        let new = Arc::new(page);
        let old = std::mem::replace(&mut run.page, new.clone());
        if old.holds != new.holds
            || old.replicas() != new.replicas()
            || single(&old) != single(&new)
        {
            self.forget(start, &old);
            self.know(start, &new);
        }
        None
    }

    /// The next run, after a key, that could be given up on a device; `singles`: also pages that
    /// must be copied.
    pub(super) fn victim(&self, device: u32, after: Option<Age>, singles: bool) -> Option<Age> {
        let victims = self.victims.get(&device)?;
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let next = |set: &BTreeSet<Age>| set.range((from, Bound::Unbounded)).next().copied();
        let single = if singles { next(&victims.single) } else { None };
        match (single, next(&victims.replica)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Looks whether what could be given up is known, and nothing else.
    ///
    /// # Errors
    /// The device of which it is not.
    pub(super) fn check_victims(&self) -> Result<(), String> {
        let mut fresh = Self::default();
        for (&start, run) in &self.map {
            fresh.know(start, &run.page);
        }
        for (device, known) in &self.victims {
            let found = fresh.victims.remove(device).unwrap_or_default();
            if found.single != known.single || found.replica != known.replica {
                return Err(format!("device {device}: the victims are not those of its runs"));
            }
        }
        if fresh.victims.is_empty() { Ok(()) } else { Err("victims are not known".to_owned()) }
    }

    fn cut(&mut self, at: u64) {
        let Some((&first, run)) = self.map.range(..at).next_back() else { return };
        if run.end <= at {
            return;
        }
        if let Some(run) = self.remove(first) {
            self.insert(first, Run { end: at, page: run.page.clone() });
            self.insert(at, run);
        }
    }

    fn insert(&mut self, start: u64, run: Run) {
        self.know(start, &run.page);
        self.map.insert(start, run);
    }

    fn remove(&mut self, start: u64) -> Option<Run> {
        let run = self.map.remove(&start)?;
        self.forget(start, &run.page);
        Some(run)
    }

    /// Enters a run among those that could be given up.
    fn know(&mut self, start: u64, page: &Page) {
        if page.holds > 0 {
            return;
        }
        for one in page.replicas() {
            let victims = self.victims.entry(one.device).or_default();
            let set = if single(page) { &mut victims.single } else { &mut victims.replica };
            set.insert((one.seen, start));
        }
    }

    fn forget(&mut self, start: u64, page: &Page) {
        for one in page.replicas() {
            if let Some(victims) = self.victims.get_mut(&one.device) {
                let set = if single(page) { &mut victims.single } else { &mut victims.replica };
                set.remove(&(one.seen, start));
            }
        }
    }
}

/// True when a device has the only copy.
fn single(page: &Page) -> bool {
    matches!(page.home, Home::Device(_))
}
