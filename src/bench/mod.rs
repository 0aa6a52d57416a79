//! Planners side by side: every entry answers every question, the judge has a look at each plan,
//! and what can be said about all of them together is said here, in integers.
//!
//! ```text
//!   entry (who runs) -> measure (one input, one entry) -> rows -> bound   one lower bound for a scope
//!                                                             -> tally   sums for each entry
//!                                                             -> lost    who should have won
//!           external (planners from outside)               ->     -> compare with the rows of yesterday
//!   generate: instances made to measure
//! ```

mod bound;
mod compare;
mod entry;
pub mod external;
#[cfg(test)]
mod fixture;
pub mod generate;
mod lost;
mod measure;
mod row;
mod table;
mod tally;

pub use bound::share_bounds;
pub use compare::{Change, Key, Standing, compare};
pub use entry::{Entry, Who};
pub use lost::{Loss, lost};
pub use measure::{Contest, blank, measure, places, skip};
pub use row::{Answered, Outcome, Row};
pub use tally::Tally;
