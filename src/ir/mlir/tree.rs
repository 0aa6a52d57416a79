//! The tree. Everything that belongs to one function lies in its tables, indexed by typed ids.

use super::{Attrs, Type};
use crate::diag::Loc;
use crate::model::{IdVec, index};

index! {
    /// An op of a function. Ids are in textual order of the op's first token (pre-order).
    OpId
    /// A value of a function, in the order of definition in the text.
    ValueId
    /// A block of a function.
    BlockId
    /// A region of a function.
    RegionId
}

/// A text: one or more modules between `// -----` lines.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The modules in order.
    pub chunks: Vec<Chunk>,
}

/// A module, or functions without one.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// Attributes of the (outermost) module.
    pub attrs: Attrs,
    /// Functions of the module and of modules nested in it, in textual order.
    pub functions: Vec<Function>,
}

/// `func.func`.
#[derive(Clone, Debug)]
pub struct Function {
    /// The symbol without `@`.
    pub name: String,
    /// Place of the symbol.
    pub loc: Loc,
    /// `"file":line:column` of a printed `loc("file":line:column)`, through aliases, if any.
    pub printed_loc: Option<String>,
    /// Attributes.
    pub attrs: Attrs,
    /// Types of the arguments (also of a declaration, which has no body).
    pub inputs: Vec<Type>,
    /// False for a function of a nested module.
    pub top_level: bool,
    /// The body; none for a declaration.
    pub body: Option<RegionId>,
    /// Place of the first byte after the `{` of the body (an empty range), or after the label of
    /// its entry block where the text has one: statements may be inserted there.
    pub body_start: Option<Loc>,
    /// All values.
    pub values: IdVec<ValueId, Value>,
    /// All ops; the function itself is not one of them.
    pub ops: IdVec<OpId, Op>,
    /// All blocks.
    pub blocks: IdVec<BlockId, Block>,
    /// All regions.
    pub regions: IdVec<RegionId, Region>,
}

/// An SSA value.
#[derive(Clone, Debug)]
pub struct Value {
    /// The name without `%`: `0`, `alloc_3`, `0#1`. Values of sibling regions may share one.
    pub name: String,
    /// Where it is defined.
    pub loc: Loc,
    /// Its type.
    pub ty: Type,
    /// What defines it.
    pub def: Def,
    /// Its uses in the order in which MLIR creates them: textual, an op with regions after
    /// what its regions hold. (MLIR iterates users in the opposite order.)
    pub uses: Vec<Use>,
}

/// What defines a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    /// Argument `n` of a block.
    Argument(BlockId, u32),
    /// Result `n` of an op.
    Result(OpId, u32),
    /// Nothing in the text; the reader has said so.
    Nothing,
}

/// One use of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The op.
    pub op: OpId,
    /// The index in [`Op::operands`]; values passed to successors come after them, in order.
    pub operand: u32,
}

/// What an operand is to its op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Read (and every operand of an op without `outs`).
    In,
    /// `outs`: an init, written.
    Out,
    /// `temp_buffer`, `temp_buffers`: scratch.
    Temp,
}

/// One operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The value.
    pub value: ValueId,
    /// What it is to the op.
    pub role: Role,
    /// Where it is written.
    pub loc: Loc,
}

/// A successor with what is passed to its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The block.
    pub block: BlockId,
    /// Values for its arguments.
    pub args: Vec<ValueId>,
}

/// An op, whatever its form in the text.
#[derive(Clone, Debug)]
pub struct Op {
    /// The full name: `hivm.hir.vadd`, `memref.alloc`. `call` and `return` read as `func.call` and
    /// `func.return`.
    pub name: String,
    /// The whole statement, from its first result to its last token.
    pub loc: Loc,
    /// `"file":line:column` of a printed location, through aliases, if any.
    pub printed_loc: Option<String>,
    /// Results; `%0:2` defines two.
    pub results: Vec<ValueId>,
    /// Operands in MLIR's operand order (Appendix A of the HIVM spec for hivm ops), without what is
    /// passed to successors.
    pub operands: Vec<Operand>,
    /// Attributes: dictionaries, properties (`<{..}>`), and what stands elsewhere in the text by
    /// name: the kind of `vreduce <sum>` as `kind`, the callee of calls as `callee` (without `@`),
    /// static offsets, sizes and strides of subviews as `static_offsets`, `static_sizes`,
    /// `static_strides` (`i64::MIN` where an operand gives the number), as in the generic form. Where
    /// [`super::groups::ambiguous`] says that roles and order do not tell groups of operands
    /// apart, `segments` counts the operands of each group of [`super::groups::groups`]; it is
    /// left out of ops without operands, and `operandSegmentSizes` is never there.
    pub attrs: Attrs,
    /// Regions.
    pub regions: Vec<RegionId>,
    /// Successors.
    pub successors: Vec<Successor>,
    /// The block that it stands in.
    pub block: BlockId,
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Arguments; those of a loop's body are its induction variable and `iter_args`.
    pub args: Vec<ValueId>,
    /// Ops in order, the terminator last (an omitted `scf.yield` is not there).
    pub ops: Vec<OpId>,
    /// The region that it lies in.
    pub region: RegionId,
}

/// A region.
#[derive(Clone, Debug)]
pub struct Region {
    /// The blocks, the entry first.
    pub blocks: Vec<BlockId>,
    /// The op that it belongs to; none for the body of the function.
    pub op: Option<OpId>,
}

impl Function {
    /// The op around an op; none directly in the function.
    pub fn parent(&self, op: OpId) -> Option<OpId> {
        self.regions[self.blocks[self.ops[op].block].region].op
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> &Type {
        &self.values[value].ty
    }

    /// The op that defines a value.
    pub fn def_op(&self, value: ValueId) -> Option<OpId> {
        match self.values[value].def {
            Def::Result(op, _) => Some(op),
            Def::Argument(..) | Def::Nothing => None,
        }
    }
}

impl Op {
    /// Values of operands with that role, in order.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = ValueId> + '_ {
        self.operands.iter().filter(move |o| o.role == role).map(|o| o.value)
    }
}
