//! Where a buffer is made anew: from the alloc to the first op that touches it nothing is in it.

use std::collections::BTreeMap;

use crate::model::{
    Access, AccessMode, BufferId, Function, IdVec, Index, Node, Op, OpId, Order, Region, ValueKind,
};

/// Moves the `Fresh` accesses from the allocs to where their buffers are touched first, so that
/// the time between is free; drops those of buffers that a loop carries from trip to trip, whose
/// bytes the next trip may still know under another name.
pub(super) fn settle(function: &mut Function) {
    let carried = carried(function);
    let order = Order::of(function);
    let touches = touches(function, &order);
    let mut body = std::mem::take(&mut function.body);
    let mut moved = Moved { function, order: &order, touches: &touches, carried: &carried };
    moved.region(&mut body);
    for at in 0..moved.function.loops.len() {
        let id = Index::new(at);
        let mut body = std::mem::take(&mut moved.function.loops[id].body);
        moved.region(&mut body);
        moved.function.loops[id].body = body;
    }
    for at in 0..moved.function.branches.len() {
        let id = Index::new(at);
        let mut then = std::mem::take(&mut moved.function.branches[id].then);
        let mut otherwise = std::mem::take(&mut moved.function.branches[id].otherwise);
        moved.region(&mut then);
        moved.region(&mut otherwise);
        moved.function.branches[id].then = then;
        moved.function.branches[id].otherwise = otherwise;
    }
    function.body = body;
    compact(function);
}

/// Drops ops that no region holds any more.
fn compact(function: &mut Function) {
    let mut new: IdVec<OpId, Option<OpId>> = IdVec::filled(None, function.ops.len());
    let mut ops: IdVec<OpId, Op> = IdVec::new();
    let mut held = vec![false; function.ops.len()];
    let regions = |f: &Function| -> Vec<OpId> {
        let sides = f.branches.iter().flat_map(|b| [&b.then, &b.otherwise]);
        let all = std::iter::once(&f.body).chain(f.loops.iter().map(|l| &l.body)).chain(sides);
        all.flat_map(|r| &r.nodes)
            .filter_map(|n| if let Node::Op(op) = n { Some(*op) } else { None })
            .collect()
    };
    for op in regions(function) {
        held[op.at()] = true;
    }
    for op in function.ops.ids().filter(|op| held[op.at()]) {
        new[op] = Some(ops.push(function.ops[op].clone()));
    }
    function.ops = ops;
    let rename = |region: &mut Region| {
        for node in &mut region.nodes {
            if let Node::Op(op) = node
                && let Some(to) = new[*op]
            {
                *op = to;
            }
        }
    };
    rename(&mut function.body);
    for l in function.loops.iter_mut() {
        rename(&mut l.body);
    }
    for b in function.branches.iter_mut() {
        rename(&mut b.then);
        rename(&mut b.otherwise);
    }
}

/// The buffers that some loop carries on.
fn carried(function: &Function) -> Vec<bool> {
    let mut carried = vec![false; function.buffers.len()];
    for carry in function.loops.iter().flat_map(|l| &l.carries) {
        for buffer in function.roots(carry.next) {
            carried[buffer.at()] = true;
        }
    }
    carried
}

/// The steps at which each buffer is touched, sorted, without `Fresh`.
fn touches(function: &Function, order: &Order) -> BTreeMap<BufferId, Vec<(u64, OpId)>> {
    let mut touches: BTreeMap<BufferId, Vec<(u64, OpId)>> = BTreeMap::new();
    let mut roots: BTreeMap<crate::model::ValueId, Vec<BufferId>> = BTreeMap::new();
    for (op, body) in function.ops.enumerate() {
        for access in body.accesses.iter().filter(|a| a.mode != AccessMode::Fresh) {
            let found = roots.entry(access.value).or_insert_with(|| function.roots(access.value));
            for buffer in found.iter() {
                touches.entry(*buffer).or_default().push((order.ops[op].0, op));
            }
        }
    }
    for list in touches.values_mut() {
        list.sort_unstable();
    }
    touches
}

struct Moved<'a> {
    function: &'a mut Function,
    order: &'a Order,
    touches: &'a BTreeMap<BufferId, Vec<(u64, OpId)>>,
    carried: &'a [bool],
}

impl Moved<'_> {
    fn region(&mut self, region: &mut Region) {
        let is_fresh = |f: &Function, node: &Node| match node {
            // What synchronises touches nothing and stays where it is.
            Node::Op(op) => {
                let op = &f.ops[*op];
                op.sync.is_none() && op.accesses.iter().all(|a| a.mode == AccessMode::Fresh)
            }
            Node::Loop(_) | Node::Branch(_) => false,
        };
        if !region.nodes.iter().any(|n| is_fresh(self.function, n)) {
            return;
        }
        let nodes = std::mem::take(&mut region.nodes);
        let spans: Vec<(u64, u64)> = nodes.iter().map(|n| self.span(*n)).collect();
        // Fresh ops to stand before a loop or branch that touches the buffer first.
        let mut before: BTreeMap<usize, Vec<Node>> = BTreeMap::new();
        for (at, node) in nodes.iter().enumerate() {
            let Node::Op(op) = *node else { continue };
            if !is_fresh(self.function, node) {
                continue;
            }
            for access in self.function.ops[op].accesses.clone() {
                let ValueKind::Buffer(buffer) = self.function.values[access.value].kind else {
                    continue;
                };
                if self.carried[buffer.at()] {
                    continue;
                }
                let Some(list) = self.touches.get(&buffer) else { continue };
                let next = list.partition_point(|(step, _)| *step < spans[at].1);
                let Some(&(step, first)) = list.get(next) else { continue };
                let to = spans.partition_point(|(_, past)| *past <= step);
                match nodes.get(to) {
                    Some(Node::Op(to)) if *to == first => self.add(first, access),
                    Some(Node::Loop(_) | Node::Branch(_)) if spans[to].0 <= step => {
                        before.entry(to).or_default().push(*node);
                    }
                    // Touched only elsewhere: the alloc stays where it is.
                    _ => before.entry(at).or_default().push(*node),
                }
            }
        }
        for (at, node) in nodes.into_iter().enumerate() {
            region.nodes.extend(before.remove(&at).unwrap_or_default());
            if !is_fresh(self.function, &node) {
                region.nodes.push(node);
            }
        }
    }

    fn add(&mut self, op: OpId, access: Access) {
        self.function.ops[op].accesses.insert(0, access);
    }

    /// The steps of a statement, `[first, past)`.
    fn span(&self, node: Node) -> (u64, u64) {
        match node {
            Node::Op(op) => (self.order.ops[op].0, self.order.ops[op].0 + 1),
            Node::Loop(id) => (self.order.loops[id].begin.0, self.order.loops[id].end.0 + 1),
            Node::Branch(id) => {
                (self.order.branches[id].begin.0, self.order.branches[id].end.0 + 1)
            }
        }
    }
}
