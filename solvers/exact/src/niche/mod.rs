//! The niche search: items that are rectangles of time and bytes, packed from the bottom up.
//!
//! ```text
//!   bytes ^  +--+
//!         |  |  |  niche 2 +----+      Whatever is placed is a skyline, and nobody who is left
//!         |  |  +----------+    |      goes below it. A *niche* is a lowest stretch of it. Who
//!         |  |     a       | b  |      lives inside a niche may lie on its floor; in each section
//!         |  +--+----------+    |      of it somebody does, or all of them lie higher: then the
//!         |  n.1|     c    |    |      floor is raised there.
//!         +--+--+----------+----+--> sections
//! ```
//!
//! Every step below is a statement about what is left, "if it has a packing, then so has one of
//! these": so the steps may be mixed freely, a search that ran out of steps is a proof, and what
//! was refuted once stays refuted whatever led to it.
//!
//! ```text
//!   instance -> rectangles -> questions -> runs with noise -> search <-> look, part, memo
//!               (problem)     (solve)      (ask, order)                  (skyline, niches)
//! ```

mod ask;
mod level;
mod look;
mod memo;
mod niches;
mod order;
mod part;
mod problem;
mod search;
mod skyline;
mod solve;
mod state;

pub use problem::MAX_RECTS;
pub(crate) use problem::{is_pure, takes};
pub(crate) use solve::solve;
