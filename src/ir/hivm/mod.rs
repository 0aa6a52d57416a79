//! What the HIVM dialect means: ops, pipes, spaces, options of the memory planner pass.

mod kernels;
mod options;

pub use kernels::{Kernel, Kernels};
pub use options::{PassKind, PassOptions, PlanMode};
