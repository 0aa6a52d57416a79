//! What the HIVM dialect means: ops, pipes, spaces, chips, options of the memory planner pass.

mod chips;
mod dlti;
mod kernels;
mod ops;
mod options;
mod pipe;
mod reuse;
mod scalar;
mod spaces;
#[cfg(test)]
mod tests;

pub use chips::{CHIPS, Family, TargetNumbers};
pub use dlti::{hacc_target, module_target, system_spec};
pub use kernels::{Kernel, Kernels};
pub use ops::{
    OpTraits, destination_operands, extra_buffers, is_alias_op, is_destination_style, is_loop_like,
    is_view_like, op_traits,
};
pub use options::{PassKind, PassOptions, PlanMode};
pub use pipe::{HwPipe, PipeError, PipeRule, macro_pipes, pipe_of};
pub use reuse::{op_allows, reusable_arguments};
pub use scalar::lowers_to_scalar_loops;
pub use spaces::{NOT_PLANNABLE, Space, is_local};
