//! What has to be planned.

use super::{
    Branch, BranchId, Buffer, BufferId, IdVec, InplaceRule, Loop, LoopId, Op, OpId, Pipe, PipeId,
    Region, Relation, Scope, ScopeId, TargetInfo, Value, ValueId,
};
use crate::diag::{Diagnostic, Loc};

/// One input, read: a machine and the functions to plan on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The name of the input: the spec's `name`, else the file's.
    pub name: String,
    /// The target, if one was named.
    pub target: Option<TargetInfo>,
    /// The memories; functions are planned independently, each from offset 0.
    pub scopes: IdVec<ScopeId, Scope>,
    /// The pipes.
    pub pipes: IdVec<PipeId, Pipe>,
    /// The strictest rule that the input puts on derived in-place pairs.
    pub inplace: InplacePolicy,
    /// What the input wants of its plans, beyond being right.
    pub objective: Objective,
    /// The functions in the order written.
    pub functions: Vec<Function>,
}

/// Which derived in-place pairs an input allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InplacePolicy {
    /// Those of ops with rule `any` or `isa`.
    #[default]
    Any,
    /// Those of ops with rule `isa`.
    Isa,
    /// None.
    Never,
}

/// Which of several right plans an input wants; its capacities hold whatever it wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// As tight as needed: bytes of their own where they fit, else the least stalls, then the
    /// smallest peak.
    #[default]
    AsNeeded,
    /// The smallest peak.
    Peak,
    /// The least sum of [`super::RelationKind::Cost`] over pairs that share bytes, then the
    /// smallest peak.
    CostThenPeak,
}

impl InplacePolicy {
    /// True when an op with this rule may write over an operand that dies there.
    pub fn allows(self, rule: InplaceRule) -> bool {
        match self {
            Self::Any => rule != InplaceRule::Never,
            Self::Isa => rule == InplaceRule::Isa,
            Self::Never => false,
        }
    }
}

/// A dimension that a buffer grows with, such as the rows of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The buffer.
    pub buffer: BufferId,
    /// The dimension's name; what else has it grows with it.
    pub dimension: String,
    /// Which dimension of the buffer's shape; none where the whole size grows.
    pub axis: Option<u32>,
}

/// A function: buffers, and either their live ranges or the ops that they follow from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where it is written.
    pub loc: Option<Loc>,
    /// The buffers in the order written.
    pub buffers: IdVec<BufferId, Buffer>,
    /// All names for bytes, one for each buffer among them.
    pub values: IdVec<ValueId, Value>,
    /// The ops in the order written.
    pub ops: IdVec<OpId, Op>,
    /// The loops.
    pub loops: IdVec<LoopId, Loop>,
    /// The branches.
    pub branches: IdVec<BranchId, Branch>,
    /// What runs.
    pub body: Region,
    /// Rules about pairs of buffers.
    pub relations: Vec<Relation>,
    /// With what buffers grow: for what-if questions. No plan depends on it.
    pub growth: Vec<Growth>,
    /// Buffers for which no plan with an address for each slot is right, and why.
    pub faults: Vec<(BufferId, Diagnostic)>,
}

impl Function {
    /// All buffers by name, then by id.
    pub fn by_name(&self) -> Vec<BufferId> {
        // Most names differ in their first bytes, which are compared as one number.
        let begin = |name: &str| {
            let mut bytes = [0; 8];
            bytes.iter_mut().zip(name.bytes()).for_each(|(to, byte)| *to = byte);
            u64::from_be_bytes(bytes)
        };
        let with_name = |(id, buffer): (_, &'_ Buffer)| (begin(&buffer.name), id);
        let mut ids: Vec<(u64, BufferId)> = self.buffers.enumerate().map(with_name).collect();
        ids.sort_by(|(a, x), (b, y)| {
            a.cmp(b).then_with(|| self.buffers[*x].name.cmp(&self.buffers[*y].name))
        });
        ids.into_iter().map(|(_, id)| id).collect()
    }

    /// True when there are ops to execute.
    pub fn has_program(&self) -> bool {
        !self.ops.is_empty()
    }
}

impl Problem {
    /// The same machine with one function, and nothing copied of the others.
    pub fn with(&self, function: Function) -> Self {
        Self {
            name: self.name.clone(),
            target: self.target.clone(),
            scopes: self.scopes.clone(),
            pipes: self.pipes.clone(),
            inplace: self.inplace,
            objective: self.objective,
            functions: vec![function],
        }
    }

    /// The pipe of that name, upper or lower case.
    pub fn pipe(&self, name: &str) -> Option<PipeId> {
        self.pipes.enumerate().find(|(_, p)| p.name.eq_ignore_ascii_case(name)).map(|(id, _)| id)
    }

    /// The scope of that name.
    pub fn scope(&self, name: &str) -> Option<ScopeId> {
        self.scopes.enumerate().find(|(_, s)| s.name == name).map(|(id, _)| id)
    }
}
