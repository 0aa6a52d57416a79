//! Whether a buffer reaches an op through views and buffers it was paired with (HIVM spec, section
//! 3.2 step 11).

use std::collections::BTreeSet;

use super::inplace::Merger;
use crate::ir::hivm::is_view_like;
use crate::ir::mlir::ValueId;

/// One search.
pub(super) struct Reach<'a> {
    merger: &'a Merger<'a>,
    name: &'static str,
    visited: BTreeSet<ValueId>,
}

impl<'a> Reach<'a> {
    pub(super) fn new(merger: &'a Merger<'_>, name: &'static str) -> Self {
        Self { merger, name, visited: BTreeSet::new() }
    }

    /// True when the search from a value finds the op. Of the views among the users only the newest
    /// is followed, and then nothing else.
    pub(super) fn finds(&mut self, value: ValueId) -> bool {
        let facts = self.merger.walk.facts;
        let mut pending = vec![value];
        // Depth first: the values to go on with, the next one last.
        while let Some(mut at) = pending.pop() {
            loop {
                if !self.visited.insert(at) {
                    break;
                }
                let Some(root) = facts.roots.alloc(at) else { break };
                match self.newest_user(at) {
                    Step::Found => return true,
                    Step::View(view) => at = view,
                    Step::Pairs => {
                        let root = facts.buffers.number(root);
                        let others =
                            self.merger.found.pairs.iter().filter_map(|&(a, b)| match root {
                                Some(root) if a == root => Some(b),
                                Some(root) if b == root => Some(a),
                                _ => None,
                            });
                        let mut others: Vec<ValueId> =
                            others.map(|b| facts.buffers.value(b)).collect();
                        others.reverse();
                        pending.extend(others);
                        break;
                    }
                }
            }
        }
        false
    }

    fn newest_user(&self, value: ValueId) -> Step {
        let function = self.merger.walk.facts.function;
        for used in function.values[value].uses.iter().rev() {
            let user = &function.ops[used.op];
            if user.name == self.name {
                return Step::Found;
            }
            if is_view_like(&user.name)
                && let Some(&view) = user.results.first()
            {
                return Step::View(view);
            }
        }
        Step::Pairs
    }
}

enum Step {
    Found,
    View(ValueId),
    Pairs,
}
