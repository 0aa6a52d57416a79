//! Answers as text. Decides nothing: the same numbers in every format.

pub mod context;
pub mod diagnostics;
pub mod human;
pub mod json;
pub mod words;
