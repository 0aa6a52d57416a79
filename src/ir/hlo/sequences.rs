//! The order of instructions in every computation.

use super::{ComputationId, InstructionId, Module};
use crate::model::IdVec;

/// An order of execution for every computation of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequences(pub IdVec<ComputationId, Vec<InstructionId>>);

impl Module {
    /// The order of the text.
    pub fn sequences(&self) -> Sequences {
        Sequences(self.computations.iter().map(|c| c.instructions.clone()).collect())
    }

    /// The same module with its text in that order, scheduled. Instructions keep their ids.
    #[must_use]
    pub fn in_order(&self, order: &Sequences) -> Self {
        let mut module = self.clone();
        for (id, sequence) in order.0.enumerate() {
            module.computations[id].instructions.clone_from(sequence);
        }
        module.is_scheduled = true;
        module
    }
}
