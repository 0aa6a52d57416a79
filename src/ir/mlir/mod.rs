//! MLIR text as a tree: modules, functions, blocks, ops, values and their types.
//!
//! The custom and the generic form give the same tree. Statements that nobody here knows are kept
//! as ops with their operands in textual order, so that unknown dialects do no harm.

mod attr;
mod flags;
pub mod fuzz;
pub mod groups;
mod read;
#[cfg(test)]
mod tests;
mod tree;
mod types;

pub use attr::{Attr, Attrs};
pub use flags::{LISTED, synchronises};
pub use read::{Parsed, parse};
pub use tree::{
    Block, BlockId, Chunk, Def, Function, Op, OpId, Operand, Region, RegionId, Role, Successor,
    Tree, Use, Value, ValueId,
};
pub use types::{Dim, Layout, MemRef, Scalar, Shaped, Type};
