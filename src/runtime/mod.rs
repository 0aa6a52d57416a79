//! The machine: does things, forbids nothing.

pub mod program;
