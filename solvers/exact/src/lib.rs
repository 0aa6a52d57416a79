//! The exact search: right about the smallest peak and about what has no packing.
//!
//! ```text
//!   instance -> choice of promotions -> model -> parts -> questions -> search
//!               (choice)                (build)  (parts)  (descend)    (search, state)
//! ```
//!
//! Colocated items become one rigid *body*. Two bodies whose items conflict are a *pair* with the
//! ranges of distances that keep their bytes apart: below, above, for in-place pairs "at one
//! offset", and whatever fits between the blocks of colocated items. The search decides pairs, one
//! range or the other, and pushes the bodies up and down accordingly.
//!
//! Items that are mere rectangles of time and bytes are packed from the bottom up instead, see
//! `niche`: that search decides far less at a time and closes crowded instances.

mod bound;
mod build;
mod choice;
mod core;
mod descend;
mod differences;
mod exact;
mod greedy;
mod leaf;
mod machine;
mod model;
mod niche;
mod parts;
mod place;
mod propagate;
mod quick;
mod relations;
mod reuse;
mod rules;
mod search;
mod sections;
mod solve;
mod state;
mod symmetry;
mod turns;
mod units;

pub use crate::core::{core, keep};
pub use crate::exact::{Exact, MAX_ITEMS, MAX_PAIRS};
pub use crate::niche::MAX_RECTS;
pub use crate::rules::Rules;
