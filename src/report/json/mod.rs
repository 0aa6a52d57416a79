//! Answers as the JSON of `format`.

mod envelope;
mod gate;
mod owed;
mod placed;
mod replay;
mod solve;
#[cfg(test)]
mod tests;
mod verify;
mod whatif;

pub use envelope::{diagnostic, envelope, text, write};
pub use gate::{changes, gate_findings};
pub use owed::{owed, timeline};
pub use placed::placed;
pub use replay::add_replay;
pub use solve::{at, functions};
pub use verify::findings;
pub use whatif::{refused, variants};
