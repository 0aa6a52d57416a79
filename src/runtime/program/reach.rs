//! Every buffer that a value can ever stand for, whatever runs.

use std::collections::BTreeSet;

use super::names::{Names, Root};
use crate::model::{BufferId, Function, Index, ValueId, ValueKind};

/// Answers which buffers a value can reach through views, selects, carries and results.
#[derive(Debug)]
pub struct Reach<'a> {
    function: &'a Function,
    seen: Vec<u32>,
    round: u32,
}

impl<'a> Reach<'a> {
    /// For the values of a function.
    pub fn new(function: &'a Function) -> Self {
        Self { function, seen: vec![0; function.values.len()], round: 0 }
    }

    /// The buffers that `value` can reach, sorted.
    pub fn buffers(&mut self, names: &Names, value: ValueId) -> Vec<BufferId> {
        if let Some([path]) = names.paths(value)
            && let Root::Buffer(buffer) = path.root
        {
            return vec![buffer];
        }
        self.round += 1;
        let mut found = BTreeSet::new();
        let mut stack = vec![value];
        while let Some(id) = stack.pop() {
            let Some(seen) = self.seen.get_mut(id.at()) else { continue };
            if std::mem::replace(seen, self.round) == self.round {
                continue;
            }
            match &self.function.values[id].kind {
                ValueKind::Buffer(buffer) => {
                    found.insert(*buffer);
                }
                kind => stack.extend(sources(self.function, kind)),
            }
        }
        found.into_iter().collect()
    }
}

/// The values that a value can be at some time.
fn sources(function: &Function, kind: &ValueKind) -> Vec<ValueId> {
    match kind {
        ValueKind::Buffer(_) => Vec::new(),
        ValueKind::View { base, .. } => vec![*base],
        ValueKind::Select(of) => of.clone(),
        ValueKind::Carry(id, n) | ValueKind::LoopResult(id, n) => function
            .loops
            .get(*id)
            .and_then(|l| l.carries.get(*n as usize))
            .map_or_else(Vec::new, |c| vec![c.init, c.next]),
        ValueKind::BranchResult(id, n) => function
            .branches
            .get(*id)
            .and_then(|b| b.results.get(*n as usize))
            .map_or_else(Vec::new, |r| vec![r.then, r.otherwise]),
    }
}
