//! What a user of the reader and the printer may rely on.

mod asynchronous;
mod calls;
mod corpus;
mod pairs;
mod platform;

use super::{Module, parse};
use crate::diag::{Diagnostic, Sources};

/// Reads a text.
pub(in crate::ir::hlo) fn read(text: &str) -> Result<Module, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let file = sources.add("test.hlo", text);
    parse(&sources, file)
}

/// Reads a text that is right.
pub(in crate::ir::hlo) fn module(text: &str) -> Module {
    read(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}
