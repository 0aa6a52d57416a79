//! Plans as text that other tools, and memplan itself, read back.

mod csv;
mod plan;

pub use csv::{Row, csv};
pub use plan::plan;

#[cfg(test)]
mod tests;
