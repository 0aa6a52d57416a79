//! The compatible planner: what the open-source PlanMemory pass decides, bit for bit.
//!
//! Section numbers are those of the HIVM spec that memplan was written from (docs/DESIGN.md names it).
//!
//! ```text
//!   place: entries -> slots -> by scope -> sequential                      -> Success
//!                                       -> order -> level 3 alone          -> Success
//!                                                -> machine                -> Success | Failure
//!                                                    search (outline, levels, conflict, promote)
//!                                                    history (rollback)
//! ```

mod conflict;
mod facts_inplace;
mod from_facts;
mod history;
mod input;
mod levels;
mod lives;
mod machine;
mod merge;
mod messages;
mod order;
mod outline;
mod place;
mod promote;
mod search;
mod sequential;
mod shuffle;
mod slots;

#[cfg(test)]
mod tests;

pub use from_facts::from_facts;
pub use input::{Buffer, BufferNo, Entry, Failure, How, Input, Life, Placed, Scope, Success};
pub use merge::merge;
pub use place::place;
pub use shuffle::Mt19937;
