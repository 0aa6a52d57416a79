//! Answers as the JSON of `format`.

mod envelope;
mod owed;
mod solve;
#[cfg(test)]
mod tests;
mod verify;

pub use envelope::{diagnostic, envelope, text, write};
pub use owed::{owed, timeline};
pub use solve::{at, functions};
pub use verify::findings;
