//! Buffer assignment of HLO modules as XLA does it (spec/xla-memory.md 8, 9, 16), and the proven
//! smallest heap.
//!
//! ```text
//!   analysis -> assign -> Assignment -> text, statistics, peak
//!                 |  ^
//!          events v  | offsets
//!              heap, pack
//! ```

mod adopted;
mod answer;
mod apart;
mod assign;
pub mod heap;
mod module;
pub mod pack;
mod peak;
mod plain;
#[cfg(test)]
mod sample;
mod stats;
#[cfg(test)]
mod tests;
mod text;

pub(in crate::plan) use adopted::adopted;
pub(in crate::plan) use answer::answer;
pub use apart::apart;
pub use assign::{Allocation, Assignment, HeapTrace, Placed, assign};
pub use module::{ModuleHeap, Planned, module};
pub use peak::{PeakMoment, PeakValue, peak_values};
pub(in crate::plan) use plain::place;
pub use stats::{MemoryStats, SpaceStats, stats};
pub use text::{assignment_text, assignment_text_with_ids};
