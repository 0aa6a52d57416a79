//! The region tree with parents, so that a use can be found from any region around it.

use crate::model::{BranchId, Function, IdVec, LoopId, Node, OpId, Region};

/// What a region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Body,
    Loop(LoopId),
    Then(BranchId),
    Else(BranchId),
}

/// The regions of a function; region 0 is its body.
pub(super) struct Tree {
    pub(super) kind: Vec<Kind>,
    parent: Vec<usize>,
    depth: Vec<usize>,
    of_op: IdVec<OpId, usize>,
    /// The two sides of each branch.
    pub(super) sides: IdVec<BranchId, (usize, usize)>,
}

impl Tree {
    pub(super) fn of(function: &Function) -> Self {
        let mut tree = Self {
            kind: vec![Kind::Body],
            parent: vec![0],
            depth: vec![0],
            of_op: IdVec::filled(0, function.ops.len()),
            sides: IdVec::filled((0, 0), function.branches.len()),
        };
        tree.fill(function, &function.body, 0);
        tree
    }

    // Readers limit the nesting, so this recursion is shallow.
    fn fill(&mut self, function: &Function, region: &Region, here: usize) {
        for node in &region.nodes {
            match *node {
                Node::Op(op) => self.of_op[op] = here,
                Node::Loop(id) => {
                    let inner = self.add(Kind::Loop(id), here);
                    self.fill(function, &function.loops[id].body, inner);
                }
                Node::Branch(id) => {
                    let then = self.add(Kind::Then(id), here);
                    let otherwise = self.add(Kind::Else(id), here);
                    self.sides[id] = (then, otherwise);
                    self.fill(function, &function.branches[id].then, then);
                    self.fill(function, &function.branches[id].otherwise, otherwise);
                }
            }
        }
    }

    fn add(&mut self, kind: Kind, parent: usize) -> usize {
        self.kind.push(kind);
        self.parent.push(parent);
        self.depth.push(self.depth[parent] + 1);
        self.kind.len() - 1
    }

    /// The region, directly inside `here`, that holds an op; `here` itself if it holds it
    /// directly. The op is somewhere inside `here`.
    pub(super) fn towards(&self, here: usize, op: OpId) -> usize {
        let mut region = self.of_op[op];
        while self.depth[region] > self.depth[here] + 1 {
            region = self.parent[region];
        }
        region
    }
}
