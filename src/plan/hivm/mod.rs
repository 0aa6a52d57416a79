//! The compatible planner: what the open-source PlanMemory pass decides, bit for bit.
//!
//! Section numbers are those of the HIVM spec that memplan was written from (docs/DESIGN.md names it).
//!
//! ```text
//!   pass: skip? -> up to 20 seeds: lower -> Input -> place; then exchange between the functions
//!   place: entries -> slots -> by scope -> sequential                      -> Success
//!                                       -> order -> level 3 alone          -> Success
//!                                                -> machine                -> Success | Failure
//!                                                    search (outline, levels, conflict, promote)
//!                                                    history (rollback)
//! ```

mod answer;
mod conflict;
mod exchange;
mod facts_inplace;
mod from_facts;
mod history;
mod input;
mod levels;
mod lives;
mod lower;
mod machine;
mod merge;
mod messages;
mod order;
mod outline;
mod pass;
mod place;
mod promote;
mod runs;
mod search;
mod sequential;
mod shuffle;
mod slots;

#[cfg(test)]
mod tests;

pub(super) use answer::{answer, ids, level, peak, placements, space};
pub use exchange::{exchange, unwritten};
pub use from_facts::from_facts;
pub use input::{Buffer, BufferNo, Entry, Failure, How, Input, Life, Placed, Scope, Success};
pub use lower::{Coupled, Fatal, Lowered, Pair, Side, lower};
pub use merge::merge;
pub use pass::{Cause, Failed, Given, Outcome, Planned, Skip, is_planned, run, run_module, run_on};
pub use place::place;
pub use runs::Runs;
pub use shuffle::Mt19937;
