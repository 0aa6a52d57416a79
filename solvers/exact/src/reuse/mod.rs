//! The least cost of sharing: a bound from below, moves from above, the search between them.
//!
//! ```text
//!   covers (crowd, cliques)  ->  bound        what has to be paid at least
//!   moves  (links)           ->  anneal       what is enough
//!   both, and the search     ->  least        until they meet
//! ```

mod anneal;
mod bound;
mod cliques;
mod crowd;
mod least;
mod links;

pub(crate) use least::{Aim, cheapest, lowest};
