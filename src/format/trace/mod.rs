//! The trace language: the table of its operations, their keys and words.
//!
//! Each operation has keys of its own, so there is no serde type of a line: the reader
//! (`front::trace`) and the JSON Schema both walk these tables.

mod calls;
mod header;
mod instructions;
mod key;
mod schema;
pub mod words;

pub use calls::{CALLS, EVERY_CALL};
pub use header::{EVERY_FAULT, FAULTS, HEADER, VERSION};
pub use instructions::{EVERY_LINE, INSTRUCTIONS, OPERAND, SCOPES};
pub use key::{Key, Kind, Row};
pub use schema::TraceFile;
