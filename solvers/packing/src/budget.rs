//! How long a solver may look.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Limits of a search. The default has none.
///
/// Nodes repeat: the same instance and node budget give the same answer on every machine. A
/// deadline does not, and an answer that it limited says so ([`Stop::Time`]).
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Search nodes that may be opened.
    pub nodes: Option<u64>,
    /// The moment to stop.
    pub deadline: Option<Instant>,
    /// Set from outside to stop soon.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Threads that may be used; the answer does not depend on it. 0 is as good as 1.
    pub jobs: usize,
}

impl Budget {
    /// A budget of so many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It was finished: nothing was left to try, or a bound was met.
    Complete,
    /// It was a heuristic: one try, no claim about what it did not find.
    Heuristic,
    /// The node budget.
    Nodes,
    /// The deadline.
    Time,
    /// Cancelled from outside.
    Cancelled,
    /// The solver does not take such an instance, or broke down on it.
    Failed,
}

/// Counts nodes against a [`Budget`].
#[derive(Debug)]
pub struct Meter<'a> {
    budget: &'a Budget,
    nodes: u64,
}

impl<'a> Meter<'a> {
    /// A meter that starts at zero.
    pub fn new(budget: &'a Budget) -> Self {
        Self { budget, nodes: 0 }
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes that the budget still allows; `u64::MAX` without a limit.
    pub fn left(&self) -> u64 {
        self.budget.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes))
    }

    /// Threads that may be used, at least 1.
    pub fn jobs(&self) -> usize {
        self.budget.jobs.max(1)
    }

    /// Counts nodes that were opened elsewhere, at most [`Meter::left`].
    pub fn spend(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes);
    }

    /// Counts a node.
    ///
    /// # Errors
    /// The reason to stop. The clock and the cancel flag are read every 256 nodes.
    pub fn tick(&mut self) -> Result<(), Stop> {
        if self.budget.nodes.is_some_and(|limit| self.nodes >= limit) {
            return Err(Stop::Nodes);
        }
        if self.nodes.is_multiple_of(256) {
            self.poll()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Reads the clock and the cancel flag now.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn poll(&self) -> Result<(), Stop> {
        let flag = self.budget.cancel.as_ref();
        if flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Stop::Cancelled);
        }
        match self.budget.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Time),
            _ => Ok(()),
        }
    }
}
