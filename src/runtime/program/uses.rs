//! How long a binding is needed, so that states do not differ in names that nobody will use.

use super::names::{Names, Root};
use super::slots::Slots;
use crate::model::{
    Branch, Function, IdVec, Index, Loop, LoopId, Node, Order, Region, Step, ValueId,
};

/// When values are bound and last used.
pub(super) struct Uses {
    /// The step at which a carry or result gets its meaning.
    pub bound: IdVec<ValueId, Option<Step>>,
    /// The last step that asks for it; in a loop that it was bound before, the loop's end.
    pub last: IdVec<ValueId, Option<Step>>,
    /// True for a loop whose multi-buffers are named outside of it.
    pub outside: IdVec<LoopId, bool>,
}

impl Uses {
    pub(super) fn of(function: &Function, order: &Order, names: &Names, slots: &Slots) -> Self {
        let uses = Self {
            bound: IdVec::filled(None, function.values.len()),
            last: IdVec::filled(None, function.values.len()),
            outside: IdVec::filled(false, function.loops.len()),
        };
        let mut walk = Walk { function, order, names, slots, around: Vec::new(), uses };
        walk.bind();
        walk.region(&function.body);
        walk.uses
    }

    /// True when a value is asked for after `step`.
    pub(super) fn after(&self, value: ValueId, step: Step) -> bool {
        self.last.get(value).is_some_and(|last| *last > Some(step))
    }
}

struct Walk<'a> {
    function: &'a Function,
    order: &'a Order,
    names: &'a Names,
    slots: &'a Slots,
    around: Vec<LoopId>,
    uses: Uses,
}

impl Walk<'_> {
    fn bind(&mut self) {
        let mut at = |value: ValueId, step| {
            if value.at() < self.function.values.len() {
                self.uses.bound[value] = Some(step);
            }
        };
        for (id, l) in self.function.loops.enumerate() {
            for carry in &l.carries {
                at(carry.value, self.order.loops[id].begin);
                at(carry.result, self.order.loops[id].end);
            }
        }
        for (id, branch) in self.function.branches.enumerate() {
            for result in &branch.results {
                at(result.value, self.order.branches[id].end);
            }
        }
    }

    // Recursion over the region tree, whose depth readers limit.
    fn region(&mut self, region: &Region) {
        for node in &region.nodes {
            match *node {
                Node::Op(op) => {
                    for access in &self.function.ops[op].accesses {
                        self.ask(access.value, self.order.ops[op]);
                    }
                }
                Node::Loop(id) => self.repeat(id, &self.function.loops[id]),
                Node::Branch(id) => {
                    self.branch(&self.function.branches[id], self.order.branches[id].end);
                }
            }
        }
    }

    fn repeat(&mut self, id: LoopId, l: &Loop) {
        let steps = self.order.loops[id];
        for carry in &l.carries {
            self.ask(carry.init, steps.begin);
        }
        self.around.push(id);
        self.region(&l.body);
        for carry in &l.carries {
            self.ask(carry.next, steps.end);
        }
        self.around.pop();
    }

    fn branch(&mut self, branch: &Branch, end: Step) {
        self.region(&branch.then);
        self.region(&branch.otherwise);
        for result in &branch.results {
            self.ask(result.then, end);
            self.ask(result.otherwise, end);
        }
    }

    fn ask(&mut self, value: ValueId, step: Step) {
        let Some(paths) = self.names.paths(value) else { return };
        for path in paths {
            match path.root {
                Root::Bound(root) => self.ask_bound(root, step),
                Root::Buffer(buffer) => {
                    let rotates = self.slots.rotates.get(buffer).copied().flatten();
                    if let Some(id) = rotates.filter(|id| !self.around.contains(id))
                        && id.at() < self.uses.outside.len()
                    {
                        self.uses.outside[id] = true;
                    }
                }
            }
        }
    }

    fn ask_bound(&mut self, root: ValueId, step: Step) {
        let bound = self.uses.bound[root];
        let before = |id: &&LoopId| bound < Some(self.order.loops[**id].begin);
        let outer = self.around.iter().find(before);
        let last = outer.map_or(step, |&id| self.order.loops[id].end);
        self.uses.last[root] = self.uses.last[root].max(Some(last));
    }
}
