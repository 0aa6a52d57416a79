//! The compatible planner: what the open-source PlanMemory pass decides, bit for bit.
//!
//! Section numbers are those of the HIVM spec that memplan was written from (docs/DESIGN.md names it).

mod input;

pub use input::{Buffer, BufferNo, Entry, Failure, How, Input, Life, Placed, Scope, Success};
