//! The packing problem: items with a size and a life, and the bytes they may take.
//!
//! This crate knows bytes and time. It knows no names, no pipes, no text. Every solver of the
//! workspace sees this crate and nothing else.
//!
//! ```text
//!   bytes ^
//!         |        +-----------+
//!         |        |     b     |        a is alive in [0, 4), b in [2, 6), c in [4, 8).
//!         |  +-----+--+        |        a and b meet in [2, 4), so their bytes are disjoint;
//!         |  |   a    +--------+---+    a and c never meet, so c may take a's bytes.
//!         |  |        |     c      |
//!         +--+--------+------------+--> time
//! ```

pub mod bounds;
pub mod budget;
pub mod check;
pub mod components;
pub mod composite;
pub mod cost;
pub mod instance;
pub mod outcome;
pub mod promotion;
pub mod random;
pub mod relations;
pub mod sample;
pub mod sections;
pub mod solver;

pub use budget::{Budget, Meter, Stop};
pub use check::{Fault, check};
pub use instance::{
    Colocation, Inplace, Instance, Invalid, Item, ItemId, PairCost, Promotion, Span,
};
pub use outcome::{Outcome, Packing, Proof, Refutation};
pub use solver::{Event, Goal, Missing, Solver};
