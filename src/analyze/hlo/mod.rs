//! What follows from an HLO module: values, must-alias groups, live ranges (spec/xla-memory.md 4 to 7).

mod components;
mod events;
mod flatten;
mod groups;
mod memory;
mod print;
mod ranges;
#[cfg(test)]
mod tests;
mod values;

pub use events::{Event, EventKind, EventOptions, Simulator, events};
pub(crate) use flatten::is_bound;
pub use groups::{GroupId, Groups};
pub use memory::{
    Metric, Peak, exact_peak, minimum_memory, minimum_memory_within, no_fragmentation,
};
pub use print::{alive_at, live_range_text, peak_moment, values_text};
pub use ranges::{Range, Ranges};
pub use values::{Position, Use, Value, ValueId, ValueOptions, Values};

use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{Calls, Module, Platform, Sequences, post_order};
use crate::model::IdVec;

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

impl<'m> Analysis<'m> {
    /// What follows from a module in an order of its instructions.
    ///
    /// # Errors
    ///
    /// Those of [`Calls::of`], [`Values::of`] and [`Groups::of`].
    pub fn of(module: &'m Module, order: Sequences, options: Options) -> Result<Self, Diagnostic> {
        let calls = Calls::of(module)?;
        let values = Values::of(module, &calls, ValueOptions::default())?;
        let groups = Groups::of(module, &values)?;
        let ranges = Ranges::of(module, &calls, &order, &values, &groups, &options);
        Ok(Self { module, calls, order, options, values, groups, ranges })
    }

    /// What follows from a module in the order of its text. Where text without a schedule uses a
    /// value before it is made, that computation takes the post-order instead.
    ///
    /// # Errors
    ///
    /// As [`Self::of`].
    pub fn text(module: &'m Module, options: Options) -> Result<Self, Diagnostic> {
        let mut order = module.sequences();
        let mut seen = IdVec::filled(false, module.instructions.len());
        for (id, sequence) in module.computations.ids().zip(order.0.iter_mut()) {
            let runs = sequence.iter().all(|&id| {
                let instruction = &module.instructions[id];
                seen[id] = true;
                let mut before =
                    instruction.operands.iter().chain(instruction.control_predecessors());
                before.all(|&before| seen[before])
            });
            if !runs {
                *sequence = post_order(module, id);
            }
        }
        Self::of(module, order, options)
    }

    /// Nothing when the bytes of every value are known before the run.
    ///
    /// # Errors
    ///
    /// `HloUnbounded` for the first value with a dimension without a bound.
    pub fn sized(&self) -> Result<(), Diagnostic> {
        let values = self.values.values.enumerate();
        let Some((id, value)) = { values }.find(|(_, value)| !value.bounded) else { return Ok(()) };
        let name = self.values.name(self.module, id);
        let instruction = &self.module.instructions[value.definition.instruction];
        let message = format!("`{name}` has a dimension without a bound: nobody knows its bytes");
        Err(Diagnostic::error(Code::HloUnbounded, message)
            .at(instruction.loc, "made here")
            .help("give the dimension a bound, as in `f32[<=1024]`"))
    }
}
