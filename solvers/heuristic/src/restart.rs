//! Starts with other priorities on several threads; the answer does not depend on how many.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use memplan_packing::{Budget, Packing, Stop};

use crate::lowest::LowestFirst;
use crate::multistart::{Guide, Multistart, Priority};
use crate::problem::Problem;

/// A start of fewer placements is over before a thread has begun.
const THREADED: usize = 2_500;

/// So many starts run side by side where that pays, whatever the number of threads.
const BATCH: u64 = 8;

/// How many starts belong to a batch: what one of them learns is known to later batches only, so
/// it does not matter in which order threads finish.
///
/// Where relations make a start slow, one after the other looks whether there is time left.
pub(crate) fn batch(problem: &Problem<'_>) -> u64 {
    if problem.len() < THREADED || !problem.plain { 1 } else { BATCH }
}

/// What came out of a start.
pub(crate) struct Start<'p, 'a> {
    number: u64,
    pub(crate) priority: Priority,
    pub(crate) found: Result<Packing, Stop>,
    /// Its own copy of what it packed with, for what that counted.
    pub(crate) lowest: LowestFirst<'p, 'a>,
}

/// Runs the starts with these numbers and hands out the results in the order of the numbers, until
/// `take` answers something.
pub(crate) fn run<'p, 'a, T>(
    numbers: Range<u64>,
    starts: &Multistart<'p, 'a>,
    guide: Option<(&Guide, u64)>,
    lowest: &LowestFirst<'p, 'a>,
    budget: &Budget,
    mut take: impl FnMut(Start<'p, 'a>) -> Option<T>,
) -> Option<T> {
    let forks: Vec<_> = numbers.map(|number| (number, lowest.fork())).collect();
    let run = |(number, lowest): (u64, LowestFirst<'p, 'a>)| {
        let (best, bound) = guide.map_or((None, 0), |(guide, bound)| (Some(guide), bound));
        let priority = starts.priority(number, best, bound);
        let found = priority.pack(&lowest, budget);
        Start { number, priority, found, lowest }
    };
    let threads = budget.jobs.min(forks.len());
    if threads <= 1 {
        return forks.into_iter().map(run).find_map(take);
    }
    let queue = Mutex::new(forks.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some(fork) = next() {
            let start = run(fork);
            done.lock().unwrap_or_else(PoisonError::into_inner).push(start);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where no thread is to be had, this one does the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|start| start.number);
    done.into_iter().find_map(&mut take)
}
