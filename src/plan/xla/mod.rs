//! Buffer assignment of HLO modules as XLA does it (spec/xla-memory.md 8, 9, 16), and the proven
//! smallest heap.
//!
//! ```text
//!   analysis -> assign -> Assignment -> text, statistics, peak
//!                 |  ^
//!          events v  | offsets
//!              heap, pack
//! ```

mod assign;
pub mod heap;
pub mod pack;
mod peak;
#[cfg(test)]
mod sample;
mod stats;
mod text;

pub use assign::{Allocation, Assignment, HeapTrace, Placed, assign};
pub use peak::{PeakMoment, PeakValue, peak_values};
pub use stats::{MemoryStats, SpaceStats, stats};
pub use text::{assignment_text, assignment_text_with_ids};
