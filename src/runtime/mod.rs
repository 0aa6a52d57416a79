//! The machine: does things, forbids nothing. Sees `model` and `diag` only.

pub mod program;
