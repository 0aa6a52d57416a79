//! Orders of execution of an HLO module, and what they cost (spec/xla-memory.md 10).
//!
//! ```text
//!   graph -> list (10.1)  dfs (10.3)  bfs (10.4)  post-order (10.2)   one order each, a computation at a time
//!   meter: bytes alive under an order (7, 8.1, 8.2), whole module, twice: as XLA counts and exactly
//!   edges: what must stay before what, so that updates in place do not destroy what is still read
//!   model -> beam, exact, shift: better orders of one computation;  best: all of them, judged by the meter
//! ```

mod beam;
mod bfs;
mod bound;
mod choose;
mod dfs;
mod edges;
mod exact;
mod findings;
mod fixed;
mod frontier;
mod graph;
mod list;
mod meter;
mod model;
mod nest;
mod order;
mod search;
mod shift;
mod state;
#[cfg(test)]
mod tests;
mod times;
mod valid;

pub use choose::{Budget, Measured, Scheduled, schedule};
pub use findings::{peak_high, scalars_not_folded};
pub use order::{Inputs, Order, order};
pub use valid::valid;
