//! Why it does not fit or is tight, and what would help (asks `plan` again).
//!
//! ```text
//!   explain -> ruling, tight, holders, fragmentation       (what is)
//!           -> core                                        (why not)
//!           -> search: one weakest change of each kind,    (possible only if)
//!              each asked of the planner again (asker), then chosen (advice)
//! ```

mod advice;
mod asker;
mod change;
mod explain;
mod fragmentation;
mod holders;
mod search;
mod slots;
mod tight;
pub mod whatif;

pub use change::apply;
pub use explain::{explain, modules, order};
pub use fragmentation::fragmentation;
