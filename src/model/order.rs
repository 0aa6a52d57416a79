//! The linear order of a function: the time in which live ranges are counted.

use super::{BranchId, Function, IdVec, Index, LoopId, Node, OpId, Region, Step};

/// The steps of a loop or a branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionSteps {
    /// The step before its first statement.
    pub begin: Step,
    /// For a branch, the step between its two sides; for a loop equal to `end`.
    pub middle: Step,
    /// The step after its last statement.
    pub end: Step,
}

/// The linear order of a function.
///
/// Every op takes one step. A loop takes a step before its body and one after it; a branch takes
/// a step before its first side, one between its sides and one after the second.
///
/// ```text
///   step  0     1       2     3     4        5       6    7
///         op    loop{   op    if{   op(then) else    }if  }loop
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The step of each op.
    pub ops: IdVec<OpId, Step>,
    /// The steps of each loop.
    pub loops: IdVec<LoopId, RegionSteps>,
    /// The steps of each branch.
    pub branches: IdVec<BranchId, RegionSteps>,
    /// The loops around each op, outermost first.
    pub loops_of_op: IdVec<OpId, Vec<LoopId>>,
    /// One past the last step.
    pub len: u64,
    /// What happens at each step.
    pub at: Vec<Node>,
}

impl Order {
    /// Numbers the statements of a function.
    pub fn of(function: &Function) -> Self {
        let mut order = Self {
            ops: IdVec::filled(Step(0), function.ops.len()),
            loops: IdVec::filled(RegionSteps::default(), function.loops.len()),
            branches: IdVec::filled(RegionSteps::default(), function.branches.len()),
            loops_of_op: IdVec::filled(Vec::new(), function.ops.len()),
            len: 0,
            at: Vec::new(),
        };
        order.region(function, &function.body, &mut Vec::new());
        order
    }

    fn tick(&mut self, node: Node) -> Step {
        self.at.push(node);
        self.len += 1;
        Step(self.len - 1)
    }

    // Readers limit the nesting (`front::spec::MAX_DEPTH`), so this recursion is shallow.
    fn region(&mut self, function: &Function, region: &Region, around: &mut Vec<LoopId>) {
        for &node in &region.nodes {
            match node {
                Node::Op(op) => {
                    self.ops[op] = self.tick(node);
                    self.loops_of_op[op] = around.clone();
                }
                Node::Loop(id) => {
                    let begin = self.tick(node);
                    around.push(id);
                    self.region(function, &function.loops[id].body, around);
                    around.pop();
                    let end = self.tick(node);
                    self.loops[id] = RegionSteps { begin, middle: end, end };
                }
                Node::Branch(id) => {
                    let begin = self.tick(node);
                    self.region(function, &function.branches[id].then, around);
                    let middle = self.tick(node);
                    self.region(function, &function.branches[id].otherwise, around);
                    let end = self.tick(node);
                    self.branches[id] = RegionSteps { begin, middle, end };
                }
            }
        }
    }

    /// What a person calls a step: the op's name, or the loop or branch that begins or ends.
    pub fn describe(&self, function: &Function, step: Step) -> Option<String> {
        let node = usize::try_from(step.0).ok().and_then(|at| self.at.get(at))?;
        Some(match *node {
            Node::Op(op) => function.ops[op].name.clone(),
            Node::Loop(id) => {
                let end = if self.loops[id].begin == step { "begin" } else { "end" };
                format!("{end} of loop {}", function.loops[id].name)
            }
            Node::Branch(id) => {
                let steps = self.branches[id];
                let part = match step {
                    s if s == steps.begin => "begin",
                    s if s == steps.middle => "else",
                    _ => "end",
                };
                format!("{part} of branch {}", function.branches[id].name)
            }
        })
    }

    /// The op at a step, if it is one.
    pub fn op_at(&self, step: Step) -> Option<OpId> {
        match usize::try_from(step.0).ok().and_then(|at| self.at.get(at))? {
            Node::Op(op) => Some(*op),
            Node::Loop(_) | Node::Branch(_) => None,
        }
    }

    /// The loops that hold all of these ops, outermost first; none for no ops.
    pub fn common_loops(&self, ops: impl IntoIterator<Item = OpId>) -> Vec<LoopId> {
        let mut chains = ops.into_iter().map(|op| &self.loops_of_op[op]);
        let mut common = chains.next().cloned().unwrap_or_default();
        for chain in chains {
            let same = common.iter().zip(chain).take_while(|(a, b)| a == b).count();
            common.truncate(same);
        }
        common
    }

    /// The loops around a loop, outermost first, itself last.
    pub fn chain(function: &Function, innermost: Option<LoopId>) -> Vec<LoopId> {
        let mut chain: Vec<LoopId> = Vec::new();
        let mut next = innermost;
        while let Some(id) = next {
            chain.push(id);
            next = function
                .loops
                .get(id)
                .and_then(|l| l.parent)
                .filter(|p| p.at() < function.loops.len());
        }
        chain.reverse();
        chain
    }
}
