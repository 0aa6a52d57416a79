//! Plans as text that other tools, and memplan itself, read back.

mod csv;
mod memory_info;
mod mlir;
mod plan;

pub use csv::{Row, csv};
pub use memory_info::memory_info;
pub use mlir::mlir;
pub use plan::plan;

#[cfg(test)]
mod tests;
