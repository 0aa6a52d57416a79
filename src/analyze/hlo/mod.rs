//! What follows from an HLO module: values, must-alias groups, live ranges (spec/xla-memory.md 4 to 7).

mod components;
mod events;
mod groups;
mod ranges;
mod values;

pub use events::{Event, EventKind};
pub use groups::{GroupId, Groups};
pub use ranges::{Range, Ranges};
pub use values::{Position, Use, Value, ValueId, ValueOptions, Values};

use crate::ir::hlo::{Calls, Module, Platform, Sequences};

/// What the analysis takes for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whose rules about sharing hold.
    pub platform: Platform,
    /// Newer XLA moves the start of values inside asynchronous computations back to the span of the
    /// computation around them (7.2); jaxlib 0.10.2 does not.
    pub async_start_extension: bool,
}

/// A module and what follows from it.
#[derive(Clone, Debug)]
pub struct Analysis<'m> {
    /// The module.
    pub module: &'m Module,
    /// Who calls whom.
    pub calls: Calls,
    /// The order of execution.
    pub order: Sequences,
    /// What was taken for granted.
    pub options: Options,
    /// Values.
    pub values: Values,
    /// Values that must be the same bytes.
    pub groups: Groups,
    /// When values are alive.
    pub ranges: Ranges,
}
