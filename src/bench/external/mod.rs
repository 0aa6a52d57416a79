//! Planners from outside, which read and write the CSV of the public packing benchmarks.
//!
//! ```text
//!   template   NAME=CMD {in} {out} {capacity}
//!   case       a scope as a packing problem -> CSV; what CSV cannot say is told instead
//!   answer     CSV -> offsets -> the checker of packings -> a row
//! ```
//!
//! Nothing is run here: that is for `cli` to do.

mod answer;
mod case;
mod template;
#[cfg(test)]
mod tests;

pub use answer::{Ran, row};
pub use case::Case;
pub use template::External;
