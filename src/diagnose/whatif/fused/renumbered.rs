//! The second function under numbers that follow those of the first.

use super::{Joined, moved};
use crate::model::{
    BranchId, BufferId, FlagId, Function, Index, Live, LoopId, Node, OpId, PipeId, Region, ScopeId,
    Sync, ValueId, ValueKind,
};

/// The function with a word before every name.
pub(super) fn named(mut function: Function, before: &str) -> Function {
    let add = |name: &mut String| {
        if !name.is_empty() {
            name.insert_str(0, before);
        }
    };
    function.buffers.iter_mut().for_each(|b| add(&mut b.name));
    function.values.iter_mut().for_each(|v| add(&mut v.name));
    function.ops.iter_mut().for_each(|o| add(&mut o.name));
    function.loops.iter_mut().for_each(|l| add(&mut l.name));
    function.branches.iter_mut().for_each(|b| add(&mut b.name));
    function
}

/// How the numbers of the second function change.
pub(super) struct Shift {
    buffers: Vec<BufferId>,
    values: Vec<ValueId>,
    /// Buffers and values of the second function that are new.
    new_buffers: Vec<bool>,
    new_values: Vec<bool>,
    scopes: Vec<Option<ScopeId>>,
    pipes: Vec<PipeId>,
    ops: usize,
    loops: usize,
    branches: usize,
    after: u64,
}

impl Shift {
    pub(super) fn new(
        a: &Function,
        b: &Function,
        pairs: &[Joined],
        scopes: &[Option<ScopeId>],
        pipes: &[PipeId],
        after: u64,
    ) -> Self {
        let mut next = a.buffers.len();
        let mut buffers = Vec::with_capacity(b.buffers.len());
        let mut new_buffers = Vec::with_capacity(b.buffers.len());
        for id in b.buffers.ids() {
            let pair = pairs.iter().find(|p| p.second == id);
            new_buffers.push(pair.is_none());
            buffers.push(match pair {
                Some(pair) => pair.first,
                None => {
                    next += 1;
                    BufferId::new(next - 1)
                }
            });
        }
        let mut next = a.values.len();
        let mut values = Vec::with_capacity(b.values.len());
        let mut new_values = Vec::with_capacity(b.values.len());
        for (id, value) in b.values.enumerate() {
            // The value of the whole buffer stands for it already.
            let whole = match value.kind {
                ValueKind::Buffer(buffer) if b.buffers[buffer].value == id => {
                    pairs.iter().find(|p| p.second == buffer)
                }
                _ => None,
            };
            new_values.push(whole.is_none());
            values.push(match whole {
                Some(pair) => a.buffers[pair.first].value,
                None => {
                    next += 1;
                    ValueId::new(next - 1)
                }
            });
        }
        Self {
            buffers,
            values,
            new_buffers,
            new_values,
            scopes: scopes.to_vec(),
            pipes: pipes.to_vec(),
            ops: a.ops.len(),
            loops: a.loops.len(),
            branches: a.branches.len(),
            after,
        }
    }

    /// Appends the second function.
    pub(super) fn append(&self, out: &mut Function, mut b: Function) {
        for (id, buffer) in b.buffers.enumerate().filter(|(id, _)| self.new_buffers[id.at()]) {
            let mut buffer = buffer.clone();
            // Its scope is known: the function uses it.
            buffer.scope = self.scopes[buffer.scope.at()].unwrap_or(buffer.scope);
            buffer.rotates_in = buffer.rotates_in.map(|l| self.a_loop(l));
            buffer.lives_in = buffer.lives_in.map(|l| self.a_loop(l));
            buffer.value = self.value(buffer.value);
            buffer.pipes.iter_mut().for_each(|p| p.pipe = self.pipe(p.pipe));
            for live in buffer.live.iter_mut().flatten() {
                *live =
                    Live { start: moved(live.start, self.after), end: moved(live.end, self.after) };
            }
            let at = out.buffers.push(buffer);
            debug_assert_eq!(at, self.buffers[id.at()]);
        }
        for (id, value) in b.values.enumerate().filter(|(id, _)| self.new_values[id.at()]) {
            let mut value = value.clone();
            self.kind(&mut value.kind);
            let at = out.values.push(value);
            debug_assert_eq!(at, self.values[id.at()]);
        }
        for op in b.ops.iter() {
            let mut op = op.clone();
            op.pipe = op.pipe.map(|p| self.pipe(p));
            for access in &mut op.accesses {
                access.value = self.value(access.value);
                access.pipe = access.pipe.map(|p| self.pipe(p));
            }
            op.sync.iter_mut().for_each(|sync| self.sync(sync));
            out.ops.push(op);
        }
        for l in b.loops.iter() {
            let mut l = l.clone();
            l.parent = l.parent.map(|p| self.a_loop(p));
            self.region(&mut l.body);
            for carry in &mut l.carries {
                for value in [&mut carry.value, &mut carry.init, &mut carry.next, &mut carry.result]
                {
                    *value = self.value(*value);
                }
            }
            out.loops.push(l);
        }
        for branch in b.branches.iter() {
            let mut branch = branch.clone();
            self.region(&mut branch.then);
            self.region(&mut branch.otherwise);
            for result in &mut branch.results {
                for value in [&mut result.value, &mut result.then, &mut result.otherwise] {
                    *value = self.value(*value);
                }
            }
            out.branches.push(branch);
        }
        self.region(&mut b.body);
        out.body.nodes.append(&mut b.body.nodes);
        for mut relation in b.relations {
            relation.first = self.buffers[relation.first.at()];
            relation.second = self.buffers[relation.second.at()];
            out.relations.push(relation);
        }
        for (buffer, fault) in b.faults {
            out.faults.push((self.buffers[buffer.at()], fault));
        }
        for mut growth in b.growth {
            // What both grow with is told by the first.
            if self.new_buffers[growth.buffer.at()] {
                growth.buffer = self.buffers[growth.buffer.at()];
                out.growth.push(growth);
            }
        }
    }

    fn value(&self, id: ValueId) -> ValueId {
        self.values[id.at()]
    }

    fn pipe(&self, id: PipeId) -> PipeId {
        self.pipes[id.at()]
    }

    fn a_loop(&self, id: LoopId) -> LoopId {
        LoopId::new(id.at() + self.loops)
    }

    fn kind(&self, kind: &mut ValueKind) {
        match kind {
            ValueKind::Buffer(buffer) => *buffer = self.buffers[buffer.at()],
            ValueKind::View { base, .. } => *base = self.value(*base),
            ValueKind::Select(of) => of.iter_mut().for_each(|v| *v = self.value(*v)),
            ValueKind::Carry(l, _) | ValueKind::LoopResult(l, _) => *l = self.a_loop(*l),
            ValueKind::BranchResult(b, _) => *b = BranchId::new(b.at() + self.branches),
        }
    }

    fn region(&self, region: &mut Region) {
        for node in &mut region.nodes {
            *node = match *node {
                Node::Op(op) => Node::Op(OpId::new(op.at() + self.ops)),
                Node::Loop(l) => Node::Loop(self.a_loop(l)),
                Node::Branch(b) => Node::Branch(BranchId::new(b.at() + self.branches)),
            };
        }
    }

    fn sync(&self, sync: &mut Sync) {
        match sync {
            Sync::Set { from, to, id } | Sync::Wait { from, to, id } => {
                (*from, *to) = (self.pipe(*from), self.pipe(*to));
                self.flag(id);
            }
            Sync::Barrier(pipe) => *pipe = pipe.map(|p| self.pipe(p)),
            Sync::CrossSet { pipe, id } | Sync::CrossWait { pipe, id } => {
                *pipe = pipe.map(|p| self.pipe(p));
                self.flag(id);
            }
            Sync::Lock(id) | Sync::Unlock(id) => self.flag(id),
        }
    }

    fn flag(&self, flag: &mut FlagId) {
        if let FlagId::Rotating { within, .. } = flag {
            *within = self.a_loop(*within);
        }
    }
}
