//! Answers as text. Decides nothing: the same numbers in every format.

mod changes;
pub mod chrome;
pub mod ci;
pub mod context;
pub mod csv;
pub mod diagnostics;
#[cfg(test)]
pub(crate) mod fixture;
pub mod human;
pub mod json;
pub mod picture;
#[cfg(test)]
pub(crate) mod replayed;
pub mod sums;
pub mod words;
