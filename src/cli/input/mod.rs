//! From words on the command line to problems.

mod bytes;
mod kind;
mod load;
mod module;
mod targets;
mod traces;
mod walk;

pub(super) use bytes::{Codes, limit, read_file};
pub(super) use kind::{Toml, toml};
pub(super) use load::{Loaded, Ready, load};
pub(super) use module::{Copies, Text, order, text};
pub(super) use traces::{collect_traces, read_item};
pub(super) use walk::{Item, Origin, collect, is_module, problem_file};
