//! XLA HLO text as a tree, and what its ops mean (spec/xla-memory.md 2 to 5).
//!
//! ```text
//!   text -> read -> Module -> print -> text
//!                     |
//!                   calls (2.4)  forwards (4.1)  pairs (5.1)  sharing (5.2, 5.3)
//! ```

mod aliasing;
pub mod arbitrary;
mod arguments;
mod calls;
mod check;
mod element;
mod elementwise;
mod forwards;
pub mod fuzz;
mod near;
mod opcode;
mod pairs;
mod places;
mod platform;
mod post_order;
mod print;
mod read;
mod same;
mod sequences;
mod shape;
mod shape_text;
mod share;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

pub use arguments::{Argument, Arguments};
pub use calls::{Calls, Platform};
pub use element::ElementType;
pub use elementwise::{Elementwise, is_elementwise_on};
pub use forwards::Source;
pub(crate) use forwards::bound_operands;
pub use opcode::Opcode;
pub use pairs::{InPlacePair, all_in_place_pairs, in_place_pairs};
pub use places::Place;
pub use platform::platform_of;
pub use post_order::{post_order, post_orders};
pub use print::print;
pub use read::parse;
pub use sequences::Sequences;
pub use shape::{Array, Dim, Layout, Shape, ShapeIndex, SplitConfig};
pub use share::Sharing;
pub use tree::{
    Alias, AliasKind, Attribute, AttributeValue, Computation, ComputationId, Donor, Instruction,
    InstructionId, Module, Style, Tables,
};

/// How deeply tuples, brackets and calls may be nested; deeper is an error.
pub const DEPTH: usize = 256;
