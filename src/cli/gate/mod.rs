//! Budgets and baselines of `verify`, and what `diff` compares.

mod baseline;
mod cached;
mod open;

pub(super) use baseline::{Failed, How, Side, nothing_in, of_plan, of_plan_alone, side};
pub(super) use cached::Cached;
pub(super) use open::{Gate, Judged, Parts};
