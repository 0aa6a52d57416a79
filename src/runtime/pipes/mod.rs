//! The cores: pipes that run side by side, and what orders them (5.17, 13.4).
//!
//! `code` turns a program into steps, `launch` runs them in the order written, `explore` in others;
//! `execute` is what touches bytes, `sync` what orders it; `flags` and `groups` are what pipes and
//! cores order each other with, `hang` says what is wrong with them in the end.

pub mod code;
pub mod execute;
mod explore;
mod flags;
mod groups;
mod hang;
pub mod launch;
mod state;
mod sync;

pub use state::{PIPES, Prices, Roster};
