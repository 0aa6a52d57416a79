//! What the HIVM dialect means: ops, pipes, spaces, options of the memory planner pass.

mod options;

pub use options::{PassKind, PassOptions, PlanMode};
