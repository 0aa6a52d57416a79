//! A trace is run: threads and streams as actors, on the parts of the machine.
//!
//! `engine` holds the state and picks who goes next, `host` does what a thread's line says, `tasks`
//! what a stream's task does. What calls answer and what goes wrong is in `outcome`.

mod actors;
mod engine;
mod streams;
mod threads;

pub use actors::{Actor, Actors, Kind};
