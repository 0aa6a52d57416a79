//! Plans as text that other tools, and memplan itself, read back.

mod csv;
mod memory_info;
mod mlir;
mod plan;
mod trace;

pub use csv::{Row, csv};
pub use memory_info::memory_info;
pub use mlir::mlir;
pub use plan::plan;
pub use trace::trace;

#[cfg(test)]
mod tests;
