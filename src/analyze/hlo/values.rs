//! Values: where they are born, where they stand, who uses them (spec/xla-memory.md 4).

use crate::ir::hlo::{InstructionId, ShapeIndex};
use crate::model::{IdVec, index};

index! {
    /// A value of a module; the order of ids is XLA's (22.1), phis last.
    ValueId
}

/// A node of an instruction's shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The instruction.
    pub instruction: InstructionId,
    /// The node.
    pub index: ShapeIndex,
}

/// A use of a value (4.2).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Use {
    /// Who uses it.
    pub user: InstructionId,
    /// In which operand slot.
    pub operand: u32,
    /// At which node of the operand.
    pub index: ShapeIndex,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Where it is born.
    pub definition: Position,
    /// True when several values meet there (4.4).
    pub is_phi: bool,
    /// Everywhere it stands, the definition first, then by text order.
    pub positions: Vec<Position>,
    /// Its uses, by text order of the users.
    pub uses: Vec<Use>,
    /// Bytes of the value itself (3), tables of pointers at 8 bytes an element.
    pub size: u64,
}

/// The values of a module. Computations called directly by `fusion` have none (22.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The values.
    pub values: IdVec<ValueId, Value>,
    /// The values at every node of every instruction, nodes in pre-order; one each but for
    /// ambiguous nodes.
    pub at: IdVec<InstructionId, Vec<Vec<ValueId>>>,
}
