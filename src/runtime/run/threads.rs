//! Threads of the host: each does its lines in order.

use std::collections::BTreeMap;

use crate::model::trace::{Sym, Trace};
use crate::runtime::clock::{ActorId, Clock};

/// A thread.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    /// The process, by its position in the trace.
    pub process: u32,
    pub name: Sym,
    pub actor: ActorId,
    /// Positions of its lines in the trace.
    pub lines: Vec<usize>,
    /// The next one of them.
    pub at: usize,
    /// What it knows.
    pub clock: Clock,
    /// Its actions so far.
    pub n: u32,
    /// When it is free.
    pub time: u64,
    /// False until a `fork` starts it.
    pub started: bool,
    /// Barriers it has passed, by the threads that meet there.
    pub barriers: BTreeMap<Vec<usize>, u64>,
    /// True when its process has ended.
    pub ended: bool,
}

impl Thread {
    /// The position of its next line.
    pub(super) fn next(&self) -> Option<usize> {
        if self.ended { None } else { self.lines.get(self.at).copied() }
    }

    /// How often it has passed a barrier of these threads.
    pub(super) fn passed(&self, group: &[usize]) -> u64 {
        self.barriers.get(group).copied().unwrap_or(0)
    }

    /// True when it has nothing left to do.
    pub(super) fn done(&self) -> bool {
        self.next().is_none()
    }
}

/// The processes of a trace, in order: those that it declares, then those that only threads name.
pub(super) fn processes(trace: &Trace) -> Vec<Sym> {
    let mut all = trace.processes.clone();
    for op in &trace.ops {
        if !all.contains(&op.thread.0) {
            all.push(op.thread.0);
        }
    }
    all
}
