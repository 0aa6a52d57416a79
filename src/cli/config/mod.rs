//! Options that are not on the command line: those of `MEMPLAN_*` and of the `memplan.toml` nearest to each
//! input. Flags beat the environment, which beats the file.
//!
//! A setting of a file or the environment becomes the default of the option that it is named after, so that it is read,
//! checked and used exactly as if it had been written on the command line.

mod args;
mod check;
mod file;
mod find;
mod keys;
mod layers;
mod merge;
mod own;
mod parse;

pub(super) use args::ConfigArgs;
pub(super) use layers::Layers;
pub(super) use own::Own;
pub(super) use parse::{Failure, Parsed, parse};
