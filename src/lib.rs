//! memplan plans memory ahead of time for accelerator kernels and graphs, proves what it claims,
//! and replays every plan before anyone ships it.
//!
//! The house is described in `src/ARCHITECTURE.md`. In short: [`model`] holds the words,
//! a reader of `front` turns text into a [`model::Problem`], `analyze` derives live ranges,
//! `schedule` orders, `plan` places, `verify` judges, `report` and `emit` print, `cli` is the only stair.

pub mod analyze;
pub mod bench;
pub mod cli;
pub mod diag;
pub mod diagnose;
pub mod emit;
pub mod format;
pub mod front;
pub mod gate;
pub mod ir;
pub mod model;
pub mod plan;
pub mod report;
pub mod runtime;
pub mod schedule;
pub mod transform;
pub mod verify;
