//! A trace is run: threads and streams as actors, on the parts of the machine.
//!
//! `engine` holds the state and picks who goes next; `host` does what a thread's line says and
//! passes on calls (`order`, `memory`, `*_calls`, `copies`, `teardown`); `tasks` does what a stream's
//! task does, `body` what a kernel's cores do; `access` finds the bytes of names; `outcome` compares
//! what calls answer with what the trace expects.

mod access;
mod actors;
mod bindings;
mod body;
mod copies;
mod engine;
mod host;
mod host_pool_calls;
mod managed_calls;
mod memory;
mod order;
mod outcome;
mod parts;
mod path;
mod pool_calls;
mod section_calls;
mod share_calls;
mod streams;
mod svm_calls;
mod tasks;
mod teardown;
mod threads;
mod vmm_calls;

pub use actors::{Actor, Actors, Kind};
pub use engine::{Setup, run};
pub use outcome::Ran;
pub use path::Path;
