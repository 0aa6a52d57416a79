//! The slow, obvious twin of every solver: tests only.
//!
//! Three things that need no trust in anything clever: [`check()`] reads the contract of
//! [`memplan_packing::Instance`] sentence by sentence, [`optimum`] and [`least_cost`] try every
//! order of every pair that must not share bytes, and [`generate`] turns any bytes into a small
//! valid instance. The tests of this crate compare [`optimum`] with trying every offset there is.

mod apart;
pub mod check;
pub mod generate;
mod pieces;
pub mod search;

pub use check::{check, cost};
pub use generate::{Features, generate, generate_with, noise};
pub use search::{least_cost, optimum};
