//! Work in parallel, results in order: the output does not depend on the number of threads.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// Stack of a worker: readers nest as deeply as on the main thread.
const STACK: usize = 8 << 20;

/// Threads to use: as asked, else one for each core.
pub(super) fn threads(asked: Option<u16>) -> usize {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    asked.map_or_else(cores, usize::from)
}

/// Works on all items with some threads; hands each result on as soon as those before it were.
pub(super) fn in_order<I: Send, T: Send>(
    items: Vec<I>,
    threads: usize,
    work: impl Fn(I) -> T + Sync,
    mut each: impl FnMut(T),
) {
    if threads <= 1 || items.len() <= 1 {
        for item in items {
            each(work(item));
        }
        return;
    }
    let threads = threads.min(items.len());
    let queue = Mutex::new(items.into_iter().enumerate());
    let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        let mut workers = 0;
        for _ in 0..threads {
            let (send, take, work) = (send.clone(), &take, &work);
            let worker = thread::Builder::new().stack_size(STACK);
            let started = worker.spawn_scoped(scope, move || {
                while let Some((at, item)) = take() {
                    if send.send((at, work(item))).is_err() {
                        break;
                    }
                }
            });
            workers += usize::from(started.is_ok());
        }
        if workers == 0 {
            // No thread to be had: do the work here.
            while let Some((at, item)) = take() {
                let _ = send.send((at, work(item)));
            }
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (at, result) in receive {
            waiting.insert(at, result);
            while let Some(result) = waiting.remove(&next) {
                each(result);
                next += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            in_order((0..100).collect(), threads, |n: u32| n * 2, |n| seen.push(n));
            assert_eq!(seen, (0..100).map(|n| n * 2).collect::<Vec<_>>());
        }
    }
}
