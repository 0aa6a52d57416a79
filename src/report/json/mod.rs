//! Answers as the JSON of `format`.

mod envelope;
mod solve;
mod verify;

pub use envelope::{diagnostic, envelope, text};
pub use solve::{at, functions};
pub(crate) use solve::offsets;
pub use verify::findings;
