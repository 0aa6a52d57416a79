//! How long the planner works on each scope; kept beside the answer, which must repeat.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::model::ScopeId;

/// Times by function and scope; clones share them.
#[derive(Clone, Debug, Default)]
pub struct Stopwatch {
    times: Arc<Mutex<BTreeMap<(usize, ScopeId), Duration>>>,
}

impl Stopwatch {
    /// Does some work for a scope and adds the time that it takes.
    pub(super) fn measure<T>(
        &self,
        function: usize,
        scope: ScopeId,
        work: impl FnOnce() -> T,
    ) -> T {
        let start = Instant::now();
        let result = work();
        let took = start.elapsed();
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        *times.entry((function, scope)).or_default() += took;
        result
    }

    /// The time taken for a scope of a function (by its index).
    pub fn of(&self, function: usize, scope: ScopeId) -> Duration {
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.get(&(function, scope)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_add_to_one_watch() {
        let watch = Stopwatch::default();
        let nap = || std::thread::sleep(Duration::from_millis(1));
        watch.clone().measure(0, ScopeId(1), nap);
        watch.measure(0, ScopeId(1), nap);
        assert!(watch.of(0, ScopeId(1)) >= Duration::from_millis(2));
        assert_eq!(watch.of(1, ScopeId(1)), Duration::ZERO);
    }
}
