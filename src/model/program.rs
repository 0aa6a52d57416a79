//! Ops in order, inside loops and branches.

use super::{BranchId, ByteRange, LoopId, OpId, PipeId, Sync, ValueId};
use crate::diag::Loc;

/// How an op touches bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessMode {
    /// It needs what is there.
    Read,
    /// It replaces what is there.
    Write,
    /// It uses the bytes as scratch; nothing in them matters before or after.
    Temporary,
    /// It touches no byte: from here on nobody relies on what was there before (an `alloc` in a loop
    /// is a new buffer in every trip). Comes before the reads of the op.
    Fresh,
}

/// One operand of an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The value touched.
    pub value: ValueId,
    /// The bytes of the value touched; `None` for all of them.
    pub range: Option<ByteRange>,
    /// How.
    pub mode: AccessMode,
    /// True for a write that may leave some of the bytes as they were (a mask, a scatter).
    pub partial: bool,
    /// The pipe that touches the bytes, where it is not the op's.
    pub pipe: Option<PipeId>,
    /// Where it is written.
    pub loc: Option<Loc>,
}

/// Whether the result of an op may take the bytes of an operand that dies there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum InplaceRule {
    /// Never: the op reads its operand again after writing (a broadcast, a widening cast).
    #[default]
    Never,
    /// Yes, by the semantics of the op; refused under the restriction to `isa`.
    Any,
    /// Yes, the instruction set guarantees it.
    Isa,
}

/// One instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Op {
    /// Its name, for reports; may repeat.
    pub name: String,
    /// Where it is written.
    pub loc: Option<Loc>,
    /// The pipe that runs it, where that is known.
    pub pipe: Option<PipeId>,
    /// Whether a result may take the bytes of an operand that dies here.
    pub inplace: InplaceRule,
    /// Its operands, reads before writes before temporaries, in the order written.
    pub accesses: Vec<Access>,
    /// What it orders, for an op that synchronises.
    pub sync: Option<Sync>,
    /// Ticks that it takes, where the program says it; else the machine's table does.
    pub cost: Option<u64>,
}

/// How often a loop runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trips {
    /// Exactly so often.
    Known(u64),
    /// Unknown, at least so often (0: perhaps not at all).
    AtLeast(u64),
}

/// A value that a loop carries from trip to trip.
///
/// All carries of a loop step at once at the end of a trip (one parallel copy of references: no
/// bytes move).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carry {
    /// The value inside the loop.
    pub value: ValueId,
    /// What it stands for in the first trip.
    pub init: ValueId,
    /// What it stands for in the next trip, as seen at the end of this one.
    pub next: ValueId,
    /// What it stands for after the loop.
    pub result: ValueId,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Its name.
    pub name: String,
    /// Where it is written.
    pub loc: Option<Loc>,
    /// How often it runs.
    pub trips: Trips,
    /// What it carries.
    pub carries: Vec<Carry>,
    /// What it runs.
    pub body: Region,
    /// The loop around it, if any.
    pub parent: Option<LoopId>,
}

/// A value that a branch leaves behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchResult {
    /// The value after the branch.
    pub value: ValueId,
    /// What it stands for when the condition held.
    pub then: ValueId,
    /// What it stands for when it did not.
    pub otherwise: ValueId,
}

/// An if, with or without else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// Where it is written.
    pub loc: Option<Loc>,
    /// What it leaves behind.
    pub results: Vec<BranchResult>,
    /// What runs when the condition holds.
    pub then: Region,
    /// What runs when it does not.
    pub otherwise: Region,
}

/// One statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// An instruction.
    Op(OpId),
    /// A loop.
    Loop(LoopId),
    /// A branch.
    Branch(BranchId),
}

/// Statements in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// The statements.
    pub nodes: Vec<Node>,
}

impl Trips {
    /// True when the loop may not run at all.
    pub fn may_be_zero(self) -> bool {
        matches!(self, Self::Known(0) | Self::AtLeast(0))
    }

    /// True when the loop may run a second time.
    pub fn may_repeat(self) -> bool {
        match self {
            Self::Known(n) => n >= 2,
            Self::AtLeast(_) => true,
        }
    }
}

impl Loop {
    /// Trips for cost estimates: unknown counts as 16 (ARCHITECTURE 4), but not less than known.
    pub fn usual_trips(&self) -> u64 {
        match self.trips {
            Trips::Known(n) => n,
            Trips::AtLeast(n) => n.max(16),
        }
    }
}
