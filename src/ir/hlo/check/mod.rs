//! What a module must keep, so that the rules of the spec can be applied to it: instructions that come
//! after what they use, operands in the number that the opcode takes, shapes and computations that fit.
//!
//! Shapes are compared without layouts and memory spaces: XLA changes those on the way. What no rule
//! looks at is not checked; unknown opcodes and attributes are fine.

mod aliases;
mod chains;
mod control;
mod counts;
mod fit;
mod forms;
mod order;
mod pairs;
mod sizes;

use super::read::{Errors, Read};
use super::{Instruction, InstructionId, Module};
use crate::diag::{Diagnostic, Loc};

impl Module {
    /// Checks that the parts of the module fit together, as [`super::parse`] does.
    ///
    /// # Errors
    ///
    /// The first errors, at most 20.
    pub fn validate(&self) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Errors::default();
        sizes::check(self, &mut errors);
        order::check(self, &mut errors);
        // The others follow operands upwards, and index them.
        self.each(&mut errors, counts::check);
        if errors.list.is_empty() {
            self.each(&mut errors, forms::check);
            self.each(&mut errors, control::check);
            self.each(&mut errors, pairs::check);
            chains::check(self, &mut errors);
            aliases::check(self, &mut errors);
        }
        errors.or(())
    }

    fn each(&self, errors: &mut Errors, check: fn(&Self, InstructionId) -> Read<()>) {
        for &instruction in self.computations.iter().flat_map(|c| &c.instructions) {
            if errors.full() {
                return;
            }
            errors.check(check(self, instruction));
        }
    }

    /// The instruction that is operand `slot` of another one.
    fn operand_at(&self, instruction: &Instruction, slot: usize) -> Option<&Instruction> {
        instruction.operands.get(slot).and_then(|&operand| self.instructions.get(operand))
    }
}

impl Instruction {
    /// Where an attribute is written, or the instruction where it is missing.
    fn place_of(&self, attribute: &str) -> Loc {
        let written = self.attributes.iter().find(|a| a.name == attribute);
        written.map_or(self.loc, |attribute| attribute.loc)
    }
}
