//! The answers of the commands about HLO modules.

mod convert;
mod diff;
mod schedule;
mod stats;

pub use convert::convert;
pub use diff::diff;
pub use schedule::schedule;
pub use stats::{stats, totals};
