//! Answers as the JSON of `format`.

mod diagnosis;
mod envelope;
mod owed;
mod placed;
mod replay;
mod solve;
#[cfg(test)]
mod tests;
mod verify;

pub use diagnosis::fragmentation;
pub use envelope::{diagnostic, envelope, text, write};
pub use owed::{owed, timeline};
pub use placed::placed;
pub use replay::add_replay;
pub use solve::{at, functions};
pub use verify::findings;
