//! Syntax trees with places, beside the ground: what a text says, before anybody decides what it
//! means for memory.

pub mod hivm;
pub mod hlo;
pub mod mlir;
