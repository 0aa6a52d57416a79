//! What a user of the reader and the printer may rely on.

mod asynchronous;
mod calls;
mod corpus;
mod fitting;
mod messages;
mod pages;
mod pairs;
mod pitfalls;
mod platform;
mod round_trip;
mod shapes;
mod speed;
mod survival;

use super::{Instruction, Module, parse};
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

/// An instruction by its name.
pub(super) fn instruction<'m>(module: &'m Module, name: &str) -> &'m Instruction {
    module.instructions.iter().find(|i| i.name == name).expect("an instruction")
}

/// An attribute of an instruction, as written.
pub(super) fn raw<'m>(module: &'m Module, name: &str, key: &str) -> &'m str {
    instruction(module, name).raw(key).expect("an attribute")
}
